/**
 * A recording is decoded when it arrives, before anybody pays for it. So that nobody occupies the
 * processor without paying, each process keeps two rules:
 *
 * - Only so many recordings are decoded at once, and one of each user. Users take turns, so that
 *   ten files of one user do not hold up the first file of another.
 * - A user waits who has used ten minutes of processor time in the last hour for uploads that were
 *   not confirmed.
 */
import { availableParallelism } from 'node:os'

import { and, eq, gt, inArray } from 'drizzle-orm'

import { transcriptions } from '#features/transcriptions/tables.ts'
import type { Db } from '#server/db.ts'
import { turns } from '#server/turns.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import { uploads } from './tables.ts'

const HOUR_MS = 3_600_000
const FREE_MS = 600_000

/** One upload's time on the processor. */
interface Spent {
  ms: number
  endedAt: number
  /** What became of it; null when it was refused. */
  transcriptionId: string | null
}

interface Deps {
  db: Db
  clock: Clock
}

export function measuring({ atOnce = Math.max(2, availableParallelism()), freeMs = FREE_MS } = {}) {
  const line = turns(atOnce)
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
     * Waits for the user's turn and runs the work. `become` says which transcription came of it:
     * once that is confirmed, its time was paid for. With `isNoted` the caller writes the time into the
     * database, and this process does not count it besides.
     *
     * @throws Refusal `too_much_measuring`
     */
    async run<T>(
      deps: Deps,
      userId: string,
      work: (become: (transcriptionId: string) => void) => Promise<T>,
      signal: AbortSignal,
      { isNoted = false } = {},
    ): Promise<T> {
      await using _ = await line.take(signal, { owner: userId })
      await requireFree(deps, userId)
      const mine: Spent = { ms: 0, endedAt: 0, transcriptionId: null }
      const startedAt = performance.now()
      try {
        return await work((transcriptionId) => (mine.transcriptionId = transcriptionId))
      } finally {
        mine.ms = performance.now() - startedAt
        mine.endedAt = deps.clock().getTime()
        if (!isNoted) spent.set(userId, [...(spent.get(userId) ?? []), mine])
      }
    },
  }
}

/** What workers measured of the user's uploads in parts: their processes are others than this one. */
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
    .select({ id: transcriptions.id })
    .from(transcriptions)
    .where(and(inArray(transcriptions.id, ids), gt(transcriptions.attempt, 0)))
  return new Set(rows.map(({ id }) => id))
}
