/**
 * Where a recording lies while it is made: its pieces in IndexedDB, every few seconds, so that a
 * crash, a closed tab or an empty battery loses seconds and not an hour.
 */
import { withResolvers } from '#web/with-resolvers.ts'

import type { Origin } from './origin.ts'
import type { KeptRecording } from './state.ts'
import { heldRecordings, takeBack } from './tabs.ts'

/** A few seconds of a recording. */
export interface Piece {
  id: string
  number: number
  /** Pieces of one stretch make one file: each recorder begins a stretch of its own. */
  stretch: number
  piece: Blob
  /** How long the recording is with it. */
  recordedMs: number
  /** How loud it was, twice a second. */
  levels: readonly number[]
}

/** A recording on the shelf, and how long it is. */
export interface Left {
  recording: KeptRecording
  seconds: number
}

/** A recording older than this without a piece has ended. A younger one may have just begun. */
const STILLBORN_MS = 60_000

const DATABASE = 'recordings'
function database(): Promise<IDBDatabase> {
  const { promise, resolve, reject } = withResolvers<IDBDatabase>()
  const request = indexedDB.open(DATABASE, 1)
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore('recordings', { keyPath: 'id' })
    request.result.createObjectStore('pieces', { keyPath: ['id', 'number'] })
  })
  request.addEventListener('success', () => resolve(request.result))
  request.addEventListener('error', () => reject(request.error ?? new Error('no database')))
  return promise
}

async function inOne<Result>(
  stores: string[],
  mode: IDBTransactionMode,
  act: (transaction: IDBTransaction) => IDBRequest<Result> | undefined,
): Promise<Result | undefined> {
  const db = await database()
  const { promise, resolve, reject } = withResolvers<Result | undefined>()
  const transaction = db.transaction(stores, mode)
  const request = act(transaction)
  transaction.addEventListener('complete', () => resolve(request?.result))
  transaction.addEventListener('error', () => reject(transaction.error ?? new Error('not kept')))
  transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('not kept')))
  return promise.finally(() => db.close())
}

/** Keeps what is known of a recording; to be called again when more is known. */
export async function begin(recording: KeptRecording): Promise<void> {
  await inOne(['recordings'], 'readwrite', (shelf) =>
    shelf.objectStore('recordings').put(recording),
  )
}

/** @throws DOMException `QuotaExceededError` when the device is full. */
export async function keep(piece: Piece): Promise<void> {
  await inOne(['pieces'], 'readwrite', (shelf) => shelf.objectStore('pieces').put(piece))
}

/**
 * The recordings of pages that ended while they recorded, and those that were not sent; the newest
 * first. A recording that another tab has in hand is not among them.
 */
export async function leftBehind(userId: string): Promise<Left[]> {
  const all = await inOne<KeptRecording[]>(['recordings'], 'readonly', (shelf) =>
    shelf.objectStore('recordings').getAll(),
  )
  const held = await heldRecordings()
  const mine = (all ?? [])
    .filter((recording) => recording.userId === userId && !held.has(recording.id))
    .toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime())
  const left: Left[] = []
  for (const recording of mine) {
    const last = await lastPiece(recording.id)
    if (last) left.push({ recording, seconds: last.recordedMs / 1000 })
    else if (Date.now() - recording.startedAt.getTime() > STILLBORN_MS) await forget(recording.id)
  }
  return left
}

const piecesOf = (id: string) => IDBKeyRange.bound([id], [id, []])

async function lastPiece(id: string): Promise<Piece | null> {
  const cursor = await inOne<IDBCursorWithValue | null>(['pieces'], 'readonly', (shelf) =>
    shelf.objectStore('pieces').openCursor(piecesOf(id), 'prev'),
  )
  return (cursor?.value as Piece | undefined) ?? null
}

/** All pieces in order. */
export async function pieces(recording: KeptRecording): Promise<Piece[]> {
  const all = await inOne<Piece[]>(['pieces'], 'readonly', (shelf) =>
    shelf.objectStore('pieces').getAll(piecesOf(recording.id)),
  )
  return (all ?? []).toSorted((a, b) => a.number - b.number)
}

/** The server has this file of it, which waits for its price to be confirmed. */
export async function noteSent(
  { recordingId, part, parts }: Origin,
  transcriptionId: string,
): Promise<void> {
  await inOne(['recordings'], 'readwrite', (shelf) => {
    const store = shelf.objectStore('recordings')
    const found: IDBRequest<KeptRecording | undefined> = store.get(recordingId)
    found.addEventListener('success', () => {
      const kept = found.result
      const ids = { ...kept?.sentAs?.ids, [part]: transcriptionId }
      if (kept) store.put({ ...kept, sentAs: { parts, ids } })
    })
    return undefined
  })
}

/** These are confirmed. What has become only of these, the server keeps from now on. */
export async function forgetConfirmed(transcriptionIds: readonly string[]): Promise<void> {
  const all = await inOne<KeptRecording[]>(['recordings'], 'readonly', (shelf) =>
    shelf.objectStore('recordings').getAll(),
  )
  const isKnown = (id: string) => transcriptionIds.includes(id)
  for (const recording of all ?? [])
    if (idsOf(recording)?.every(isKnown)) await forget(recording.id)
}

/** What a recording has become on the server; null while not all of its files are there. */
export function idsOf({ sentAs }: Pick<KeptRecording, 'sentAs'>): string[] | null {
  const ids = Object.values(sentAs?.ids ?? {})
  return sentAs && ids.length === sentAs.parts ? ids : null
}

/** The account is deleted. */
export async function forgetAllOf(userId: string): Promise<void> {
  const all = await inOne<KeptRecording[]>(['recordings'], 'readonly', (shelf) =>
    shelf.objectStore('recordings').getAll(),
  )
  for (const recording of all ?? []) if (recording.userId === userId) await forget(recording.id)
}

/** It is the server's, or thrown away. */
export async function forget(id: string): Promise<void> {
  takeBack(id)
  await inOne(['recordings', 'pieces'], 'readwrite', (shelf) => {
    shelf.objectStore('pieces').delete(piecesOf(id))
    return shelf.objectStore('recordings').delete(id)
  })
}
