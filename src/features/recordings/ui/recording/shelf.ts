/**
 * Where a recording lies while it is made: its pieces in IndexedDB, every few seconds, so that a
 * crash, a closed tab or an empty battery loses seconds and not an hour. A word in local storage
 * says that something lies there, so that a page without one opens no database.
 */

import { kept, setOrigin } from './origin.ts'

export interface KeptRecording {
  id: string
  /** Whose it is: two people may share a browser. */
  userId: string
  startedAt: Date
  type: string
}

const DATABASE = 'recordings'
function database(): Promise<IDBDatabase> {
  const { promise, resolve, reject } = Promise.withResolvers<IDBDatabase>()
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
  const { promise, resolve, reject } = Promise.withResolvers<Result | undefined>()
  const transaction = db.transaction(stores, mode)
  const request = act(transaction)
  transaction.addEventListener('complete', () => resolve(request?.result))
  transaction.addEventListener('error', () => reject(transaction.error ?? new Error('not kept')))
  transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('not kept')))
  return promise.finally(() => db.close())
}

export async function begin(recording: KeptRecording): Promise<void> {
  await inOne(['recordings'], 'readwrite', (shelf) =>
    shelf.objectStore('recordings').put(recording),
  )
  kept.set(recording.id)
}

export async function keep(id: string, number: number, piece: Blob): Promise<void> {
  await inOne(['pieces'], 'readwrite', (shelf) =>
    shelf.objectStore('pieces').put({ id, number, piece }),
  )
}

/** What was left behind by a page that ended while it recorded; the newest. */
export async function leftBehind(userId: string): Promise<KeptRecording | null> {
  const all = await inOne<KeptRecording[]>(['recordings'], 'readonly', (shelf) =>
    shelf.objectStore('recordings').getAll(),
  )
  const mine = (all ?? []).filter((recording) => recording.userId === userId)
  return mine.toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime())[0] ?? null
}

/** All pieces in order, as one file. */
export async function fileOf(recording: KeptRecording): Promise<File> {
  const pieces = await inOne<{ number: number; piece: Blob }[]>(['pieces'], 'readonly', (shelf) =>
    shelf.objectStore('pieces').getAll(IDBKeyRange.bound([recording.id], [recording.id, []])),
  )
  const file = recordingFile(
    (pieces ?? []).toSorted((a, b) => a.number - b.number).map(({ piece }) => piece),
    recording,
  )
  return setOrigin(file, recording.id)
}

export async function forget(id: string): Promise<void> {
  await inOne(['recordings', 'pieces'], 'readwrite', (shelf) => {
    shelf.objectStore('pieces').delete(IDBKeyRange.bound([id], [id, []]))
    return shelf.objectStore('recordings').delete(id)
  })
  const rest = await inOne(['recordings'], 'readonly', (shelf) =>
    shelf.objectStore('recordings').count(),
  )
  if (rest === 0) kept.clear()
}

/** recording-2026-11-21-1402.webm: by when it was begun, in the speaker's own time. */
export function recordingFile(
  pieces: Blob[],
  { startedAt, type }: Pick<KeptRecording, 'startedAt' | 'type'>,
): File {
  return new File(pieces, recordingName(startedAt, type), {
    type: type.split(';')[0] ?? type,
    // The same after a reload, so that what was sent of it is known again.
    lastModified: startedAt.getTime(),
  })
}

export function recordingName(startedAt: Date, type: string): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [
    startedAt.getFullYear(),
    two(startedAt.getMonth() + 1),
    two(startedAt.getDate()),
  ].join('-')
  const time = two(startedAt.getHours()) + two(startedAt.getMinutes())
  return `recording-${day}-${time}.${type.startsWith('audio/mp4') ? 'm4a' : 'webm'}`
}
