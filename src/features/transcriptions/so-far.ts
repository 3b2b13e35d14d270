/**
 * The text of a running job, for its owner who waits for it. It is read from the stages that the job
 * keeps anyway, so it costs the job nothing. When the job is complete, the result takes its place. When
 * it broke on our side, the text can be read for a day. A recording that was refused leaves none.
 *
 * Only a limited part of it is shown before it is paid for: see unpaid-text.ts.
 *
 * Promise: the text that a job has read so far is its owner's to read: while the job runs, and for 24
 * hours after it broke on our side.
 */
import { type SQL, and, eq, gt, isNull, sql } from 'drizzle-orm'

import type { Deps } from '#features/recordings/recordings.ts'
import { type Owned, isOpen, isThere, shownRows } from '#features/row/row.ts'
import * as speech from '#features/speech/speech.ts'
import type { Queryable } from '#server/db.ts'
import { FAILED_TEXT_HOURS } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import { stages } from './tables.ts'
import type { SoFar } from './contract.ts'
import { isWorking } from './status.ts'
import * as unpaidText from './unpaid-text.ts'

type Read = NonNullable<ReturnType<typeof speech.soFar>>
type Asked = Owned & { now: Date }

const HOUR_MS = 60 * 60 * 1000

/**
 * Of a job that failed longer ago, or was refused, there is nothing.
 *
 * @throws Refusal `not_found`, `not_running` for what was never begun, or is complete
 */
export async function soFar(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { from, readTo, ...owned }: Owned & { from: number; readTo: number },
): Promise<SoFar> {
  const asked = { from, readToMs: from === 0 ? 0 : Math.round(readTo * 1000) }
  const now = clock()
  const { kept, begins } = await reading(db, { ...owned, now }, asked)
  const [all, shownMs] = [kept(Infinity), await unpaidText.shownOf(db, owned.id)]
  if (all.readToMs <= shownMs) return toAnswer(begins, all)
  const more = { now, show: kept }
  const shown = await db.transaction(async (tx) => {
    const [job] = await rowOf(tx, { ...owned, now }).for('share', { skipLocked: true })
    return job?.isReadable ? unpaidText.count(tx, { job, ...more }) : null
  })
  if (shown) return toAnswer(begins, shown)
  // Waiting until the result is stored, or the account deleted, would keep a thread from others.
  const [job] = await rowOf(db, { ...owned, now })
  if (!job) throw new Refusal('not_found')
  if (!job.isReadable) throw new Refusal('not_running')
  return toAnswer(begins, await unpaidText.shownBefore(db, { job, ...more }))
}

/** The text after the place of a reader, or from the beginning where the job has begun again. */
async function reading(
  db: Queryable,
  owned: Asked,
  asked: { from: number; readToMs: number },
): Promise<{ begins: number; kept: (untilMs: number) => Read }> {
  const found = await stagesFrom(db, owned, asked.from - 1)
  if (speech.soFar(found, asked))
    return { begins: asked.from, kept: (untilMs) => readFrom(found, { ...asked, untilMs }) }
  const all = await stagesFrom(db, owned, 0)
  return { begins: 0, kept: (untilMs) => readFrom(all, { from: 0, readToMs: 0, untilMs }) }
}

function readFrom(...asked: Parameters<typeof speech.soFar>): Read {
  const read = speech.soFar(...asked)
  if (!read) throw new Error('what was read from its beginning has another one')
  return read
}

/** One statement: whose it is, whether it can be read, and of its stages what is asked for. */
async function stagesFrom(
  db: Queryable,
  { now, ...owned }: Asked,
  from: number,
): Promise<Map<string, unknown>> {
  const isAskedFor = sql`case when ${stages.name} like 'words:%'
    then substr(${stages.name}, 7)::int >= ${from}
    else ${stages.name} in ('regions', 'speakers') end`
  const rows = await db
    .select({ status: shownRows.status, name: stages.name, result: stages.result })
    .from(shownRows)
    .leftJoin(stages, and(eq(stages.transcriptionId, shownRows.id), isReadable(now), isAskedFor))
    .where(isThere(owned))
  if (rows.length === 0) throw new Refusal('not_found')
  if (rows.some(({ status }) => !isWorking(status) && status !== 'error'))
    throw new Refusal('not_running')
  return new Map(rows.flatMap(({ name, result }) => (name === null ? [] : [[name, result]])))
}

/** While it runs, and for a day after it broke on our side. */
function isReadable(now: Date): SQL {
  const { status, errorCode, finishedAt } = shownRows
  const since = new Date(now.getTime() - FAILED_TEXT_HOURS * HOUR_MS)
  const hasJustBroken = and(eq(status, 'error'), isNull(errorCode), gt(finishedAt, since))
  return sql`(${isOpen(shownRows)} or ${hasJustBroken})`
}

/** The row of a job. It neither ends nor is stopped or tried again while it is locked. */
function rowOf(db: Queryable, { now, ...owned }: Asked) {
  const { id, userId, creditsRequired, durationMs } = shownRows
  return db
    .select({
      id,
      userId,
      creditsRequired,
      durationMs,
      isReadable: sql<boolean>`${isReadable(now)}`,
    })
    .from(shownRows)
    .where(isThere(owned))
}

const toAnswer = (
  from: number,
  { groups, readToMs, isToldApart, isHeldBack, turns }: Read,
): SoFar => ({
  from,
  next: groups,
  readTo: readToMs / 1000,
  isToldApart,
  isHeldBack,
  turns: turns.map(({ startMs, endMs, speaker, text }) => ({
    start: startMs / 1000,
    end: endMs / 1000,
    speaker,
    text,
  })),
})
