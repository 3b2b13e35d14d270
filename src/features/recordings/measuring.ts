/**
 * A recording is decoded when it arrives, before anybody pays for it. So that nobody occupies the
 * processor without paying, each process keeps two rules:
 *
 * - A few recordings are decoded at once, and one of each user. Ten files of one user do not hold up
 *   the first file of another.
 * - A user who has used ten minutes of processor time in the last hour, for uploads that were not
 *   confirmed, has to wait.
 *
 * Promise: nobody occupies the processor without paying (transcriptions/unpaid-jobs.ts).
 */
import { availableParallelism } from 'node:os'

import { and, eq, gt, inArray } from 'drizzle-orm'

import { everyRow } from '#features/row/row.ts'
import type { Db } from '#server/db.ts'
import { semaphore } from '#server/semaphore.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import { uploads } from './tables.ts'

const HOUR_MS = 3_600_000
const FREE_MS = 600_000

/** One upload's time on the processor. */
interface Spent {
  ms: number
  endedAt: number
  /** The transcription that it became; null when it was refused. */
  transcriptionId: string | null
}

/** Writes down how long an upload was measured. */
export type Note = (ms: number) => Promise<void>

interface Deps {
  db: Db
  clock: Clock
}

export function measuring({ atOnce = Math.max(2, availableParallelism()), freeMs = FREE_MS } = {}) {
  const places = semaphore(atOnce)
  const spent = new Map<string, Spent[]>()

  function spentBy(userId: string, now: number): Spent[] {
    for (const [user, all] of spent) {
      const recent = all.filter(({ endedAt }) => now - endedAt < HOUR_MS)
      if (recent.length > 0) spent.set(user, recent)
      else spent.delete(user)
    }
    return spent.get(userId) ?? []
  }

  /** @throws Refusal `too_much_measuring`, with the time after which it goes on */
  async function requireFree({ db, clock }: Deps, userId: string): Promise<void> {
    const now = clock().getTime()
    const recent = [...spentBy(userId, now), ...(await spentByWorkers(db, userId, now))]
    if (sumOf(recent) < freeMs) return
    const paid = await confirmedAmong(db, recent)
    const free = recent.filter(({ transcriptionId }) => !paid.has(transcriptionId ?? ''))
    if (sumOf(free) < freeMs) return
    const oldest = Math.min(...free.map(({ endedAt }) => endedAt))
    const retryAfterSeconds = Math.ceil((oldest + HOUR_MS - now) / 1000)
    throw new Refusal('too_much_measuring', { retryAfterSeconds })
  }

  return {
    requireFree,

    /**
     * Waits for a place and runs the work. Once the transcription that came of it is
     * confirmed, its time was paid for. With `note` the caller writes the time into the
     * database, and this process does not count it besides.
     *
     * @throws Refusal `too_much_measuring`
     */
    async run<T extends { transcriptionId: string }>(
      deps: Deps,
      userId: string,
      work: () => Promise<T>,
      signal: AbortSignal,
      note?: Note,
    ): Promise<T> {
      await using _ = await places.take(signal, { owner: userId })
      await requireFree(deps, userId)
      let transcriptionId: string | null = null
      const startedAt = performance.now()
      try {
        const answer = await work()
        transcriptionId = answer.transcriptionId
        return answer
      } finally {
        const ms = performance.now() - startedAt
        const mine = { ms, endedAt: deps.clock().getTime(), transcriptionId }
        if (note) await note(ms)
        else spent.set(userId, [...(spent.get(userId) ?? []), mine])
      }
    },
  }
}

/** The time that workers took to measure the user's uploads in parts, in processes of their own. */
async function spentByWorkers(db: Db, userId: string, now: number): Promise<Spent[]> {
  const { measuredMs, measuredAt, transcriptionId } = uploads
  const rows = await db
    .select({ measuredMs, measuredAt, transcriptionId })
    .from(uploads)
    .where(and(eq(uploads.userId, userId), gt(measuredAt, new Date(now - HOUR_MS))))
  return rows.map((row) => ({
    ms: row.measuredMs ?? 0,
    endedAt: row.measuredAt?.getTime() ?? 0,
    transcriptionId: row.transcriptionId,
  }))
}

const sumOf = (all: readonly Spent[]): number => all.reduce((sum, { ms }) => sum + ms, 0)

async function confirmedAmong(db: Db, uploads: readonly Spent[]): Promise<Set<string>> {
  const ids = uploads.flatMap(({ transcriptionId }) => transcriptionId ?? [])
  const rows = await db
    .select({ id: everyRow.id })
    .from(everyRow)
    .where(and(inArray(everyRow.id, ids), gt(everyRow.attempt, 0)))
  return new Set(rows.map(({ id }) => id))
}
