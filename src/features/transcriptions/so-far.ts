/**
 * The text of a running job, for its owner who waits for it. It is read from the stages that the job
 * keeps anyway, so it costs the job nothing. It is there until the job ends. Then the result takes
 * its place, or a failure, which leaves nothing to read because nothing was paid for.
 *
 * Only a limited part of it is shown before it is paid for: see unpaid-text.ts.
 *
 * Promise: the text that a job has read so far is its owner's to read, and gone when it fails.
 */
import { and, eq, sql } from 'drizzle-orm'

import type { Deps } from '#features/recordings/recordings.ts'
import { type Owned, isThere, shownRows } from '#features/row/row.ts'
import * as speech from '#features/speech/speech.ts'
import type { Queryable } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import { stages } from './tables.ts'
import type { SoFar } from './contract.ts'
import { isWorking } from './status.ts'
import * as unpaidText from './unpaid-text.ts'

type Read = NonNullable<ReturnType<typeof speech.soFar>>

/** @throws Refusal `not_found`, `not_running` */
export async function soFar(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { from, readTo, ...owned }: Owned & { from: number; readTo: number },
): Promise<SoFar> {
  const asked = { from, readToMs: from === 0 ? 0 : Math.round(readTo * 1000) }
  const { kept, begins } = await reading(db, owned, asked)
  const [all, shownMs] = [kept(Infinity), await unpaidText.shownOf(db, owned.id)]
  if (all.readToMs <= shownMs) return toAnswer(begins, all)
  const more = { now: clock(), show: kept }
  const shown = await db.transaction(async (tx) => {
    const [job] = await rowOf(tx, owned).for('share', { skipLocked: true })
    return job && isWorking(job.status) ? unpaidText.count(tx, { job, ...more }) : null
  })
  if (shown) return toAnswer(begins, shown)
  // Waiting until the result is stored, or the account deleted, would keep a thread from others.
  const [job] = await rowOf(db, owned)
  if (!job) throw new Refusal('not_found')
  if (!isWorking(job.status)) throw new Refusal('not_running')
  return toAnswer(begins, await unpaidText.shownBefore(db, { job, ...more }))
}

/** The text after the place of a reader, or from the beginning where the job has begun again. */
async function reading(
  db: Queryable,
  owned: Owned,
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

/** One statement: whose it is, whether it runs, and of its stages what is asked for. */
async function stagesFrom(
  db: Queryable,
  owned: Owned,
  from: number,
): Promise<Map<string, unknown>> {
  const isAskedFor = sql`case when ${stages.name} like 'words:%'
    then substr(${stages.name}, 7)::int >= ${from}
    else ${stages.name} in ('regions', 'speakers') end`
  const rows = await db
    .select({ status: shownRows.status, name: stages.name, result: stages.result })
    .from(shownRows)
    .leftJoin(stages, and(eq(stages.transcriptionId, shownRows.id), isAskedFor))
    .where(isThere(owned))
  if (rows.length === 0) throw new Refusal('not_found')
  if (rows.some(({ status }) => !isWorking(status))) throw new Refusal('not_running')
  return new Map(rows.flatMap(({ name, result }) => (name === null ? [] : [[name, result]])))
}

/** The row of a job. It neither ends nor is stopped while it is locked. */
function rowOf(db: Queryable, owned: Owned) {
  const { id, userId, status, creditsRequired, durationMs } = shownRows
  return db
    .select({ id, userId, status, creditsRequired, durationMs })
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
