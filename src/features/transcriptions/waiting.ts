/**
 * The place of each recording that waits for a worker, and about when it is ready. What this promises:
 *
 * - Recordings of other accounts are in it as a number only.
 * - Short and long recordings wait in lines of their own, as workers claim them. While both lines have
 *   work they share the machine, and each has half of it.
 * - However many pages ask, each process reads the queue once in two seconds, by the index that workers
 *   claim by, and no more than its first thousand.
 * - The time is counted from how long recordings took in the last day. Where none was finished, or no
 *   worker is at work, there is none.
 */
import { and, isNotNull } from 'drizzle-orm'

import { everyRow, isOpen, shownStatus } from '#features/row/row.ts'
import type { Db } from '#server/db.ts'
import * as queue from '#server/queue.ts'

import type { Transcription } from './contract.ts'
import { chunkOf } from './status.ts'
import { kindFor, transcriptionKinds } from './transcriptions.ts'

type Place = NonNullable<Transcription['waiting']>
type Line = ReadonlyMap<string, Place>

const LOOK_MS = 2_000
const PACE_MS = 60_000
const MOST = 1_000
/** Of fewer nobody can say what is usual. */
const LEAST_DONE = 3

/** The same rows; those that wait say where they stand. */
export async function withPlaces<Row extends Pick<Transcription, 'id' | 'status'>>(
  db: Db,
  rows: readonly Row[],
): Promise<(Row & Pick<Transcription, 'waiting'>)[]> {
  // A worker that begins one gives it another status.
  if (!rows.some(({ status }) => status === 'processing')) return [...rows]
  const line = await recent(lines, db, LOOK_MS, readLine)
  return rows.map((row) => ({
    ...row,
    waiting: row.status === 'processing' ? (line.get(row.id) ?? null) : null,
  }))
}

/** Who waits, in the order in which they begin: first the short recordings, then the long ones. */
export async function readLine(db: Db): Promise<Line> {
  const [lines, running, pace] = await Promise.all([
    Promise.all(transcriptionKinds.map((kind) => queue.firstWaiting(db, kind, MOST))),
    db
      .select({
        durationMs: everyRow.durationMs,
        status: everyRow.status,
        progress: everyRow.progress,
      })
      .from(everyRow)
      .where(and(isOpen(everyRow), isNotNull(everyRow.lease))),
    recent(paces, db, PACE_MS, readPace),
  ])
  const begun = transcriptionKinds.map((kind) =>
    running.filter(({ durationMs }) => kindFor(durationMs) === kind),
  )
  const restsOf = (rows: typeof running) =>
    rows.reduce((sum, row) => sum + row.durationMs * restOf(row), 0)
  // Of each line, how much sound every place of it has before it.
  const loads = lines.map((waiting, at) => {
    const ofKind = begun[at] ?? []
    const waits = waiting.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0)
    return (restsOf(ofKind) + waits) / Math.max(1, ofKind.length)
  })
  const places = lines.flatMap((waiting, at) => {
    const ofKind = begun[at] ?? []
    const beside = loads.reduce((sum, load, other) => (other === at ? sum : sum + load), 0)
    let before = restsOf(ofKind)
    return waiting.map(({ transcriptionId, durationMs = 0 }, place): [string, Place] => {
      const own = before / ofKind.length + durationMs
      // As much of the other line is done meanwhile, until that has no more.
      const ms = pace === null ? null : (own + Math.min(own, beside)) * pace
      before += durationMs
      const readyInSeconds = ms !== null && Number.isFinite(ms) ? Math.ceil(ms / 1000) : null
      const ahead = ofKind.length + place
      return [transcriptionId, { ahead, isNext: place === 0, readyInSeconds }]
    })
  })
  return new Map(places)
}

function restOf(row: Parameters<typeof shownStatus>[0]): number {
  const chunk = chunkOf(shownStatus(row))
  return chunk ? 1 - chunk.done / Math.max(1, chunk.of) : 1
}

/** How long a second of sound takes where the other line has no work; null where nobody knows. */
async function readPace(db: Db): Promise<number | null> {
  const lines = await Promise.all(transcriptionKinds.map((kind) => queue.lately(db, kind)))
  const done = lines.flatMap((line, at) => {
    const others = lines.toSpliced(at, 1).flat()
    return line
      .filter(({ isDone }) => isDone)
      .map(({ data, ...span }) => ({
        soundMs: data.durationMs ?? 0,
        ms: span.toMs - span.fromMs - besideMs(span, others) / 2,
      }))
  })
  const sound = done.reduce((sum, { soundMs }) => sum + soundMs, 0)
  if (done.length < LEAST_DONE || sound === 0) return null
  return done.reduce((sum, { ms }) => sum + ms, 0) / sound
}

interface Span {
  fromMs: number
  toMs: number
}

/** For how long of a span any of the others went on. */
function besideMs(span: Span, others: readonly Span[]): number {
  let sum = 0
  let countedTo = span.fromMs
  for (const { fromMs, toMs } of others.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const from = Math.max(countedTo, fromMs)
    const to = Math.min(span.toMs, toMs)
    if (to <= from) continue
    sum += to - from
    countedTo = to
  }
  return sum
}

interface Read<Answer> {
  atMs: number
  answer: Promise<Answer>
}
const lines = new WeakMap<Db, Read<Line>>()
const paces = new WeakMap<Db, Read<number | null>>()

/** What was read not long ago, or is being read. */
function recent<Answer>(
  reads: WeakMap<Db, Read<Answer>>,
  db: Db,
  maxAgeMs: number,
  read: (db: Db) => Promise<Answer>,
): Promise<Answer> {
  const now = performance.now()
  const last = reads.get(db)
  if (last && now - last.atMs < maxAgeMs) return last.answer
  const answer = read(db)
  reads.set(db, { atMs: now, answer })
  answer.catch(() => reads.delete(db))
  return answer
}
