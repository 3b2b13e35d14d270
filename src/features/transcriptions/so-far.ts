/**
 * The text of a running job, for whoever waits for it. It is read from the stages that the job
 * keeps anyway, so it costs the job nothing. With the end of the job it ends: a result takes its
 * place, or a failure, which leaves nothing to read because nothing was paid for.
 *
 * A job that is stopped costs nothing, however much of its text was read. Nobody shall have texts for
 * nothing by that: who got back more credits in a week than they paid reads texts when they are
 * complete.
 */
import { and, eq, sql } from 'drizzle-orm'

import * as credits from '#features/credits/credits.ts'
import { type Deps, type Owned, isThere } from '#features/recordings/recordings.ts'
import { transcriptions } from '#features/recordings/tables.ts'
import * as speech from '#features/speech/speech.ts'
import type { Db } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import type { SoFar } from './contract.ts'
import { isWorking } from './status.ts'
import { stages } from './tables.ts'

/** So much more than was paid may come back: twice what a new account has. */
const MOST_RETURNED = 20
const WEEK_MS = 7 * 24 * 60 * 60 * 1000
/** Of somebody's moves of credits, so many of the newest are looked at. */
const NEWEST = 200

const nothing = { groups: 0, readToMs: 0, isToldApart: false, turns: [] }

/** @throws Refusal `not_found`, `not_running` */
export async function soFar(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { from, readTo, ...owned }: Owned & { from: number; readTo: number },
): Promise<SoFar> {
  const readToMs = Math.round(readTo * 1000)
  const kept = await stagesFrom(db, owned, from - 1)
  if (await hasReturnedTooMuch(db, { userId: owned.userId, now: clock() }))
    return toAnswer(0, nothing)
  const more = speech.soFar(kept, { from, readToMs })
  if (more) return toAnswer(from, more)
  const all = speech.soFar(await stagesFrom(db, owned, 0), { from: 0, readToMs: 0 })
  return toAnswer(0, all ?? nothing)
}

async function hasReturnedTooMuch(
  db: Db,
  { userId, now }: { userId: string; now: Date },
): Promise<boolean> {
  const moves = await credits.entries(db, { userId, limit: NEWEST })
  const recent = moves.filter(({ createdAt }) => createdAt.getTime() > now.getTime() - WEEK_MS)
  const sum = (wanted: credits.Entry['kind']) =>
    recent.reduce((all, { kind, credits }) => all + (kind === wanted ? credits : 0), 0)
  return sum('release') - sum('charge') >= MOST_RETURNED
}

/** One statement: whose it is, whether it runs, and of its stages what is asked for. */
async function stagesFrom(db: Db, owned: Owned, from: number): Promise<Map<string, unknown>> {
  const isAskedFor = sql`case when ${stages.name} like 'words:%'
    then substr(${stages.name}, 7)::int >= ${from}
    else ${stages.name} in ('regions', 'speakers') end`
  const rows = await db
    .select({ status: transcriptions.status, name: stages.name, result: stages.result })
    .from(transcriptions)
    .leftJoin(stages, and(eq(stages.transcriptionId, transcriptions.id), isAskedFor))
    .where(isThere(owned))
  if (rows.length === 0) throw new Refusal('not_found')
  if (rows.some(({ status }) => !isWorking(status))) throw new Refusal('not_running')
  return new Map(rows.flatMap(({ name, result }) => (name === null ? [] : [[name, result]])))
}

const toAnswer = (
  from: number,
  { groups, readToMs, isToldApart, turns }: NonNullable<ReturnType<typeof speech.soFar>>,
): SoFar => ({
  from,
  next: groups,
  readTo: readToMs / 1000,
  isToldApart,
  turns: turns.map(({ startMs, endMs, speaker, text }) => ({
    start: startMs / 1000,
    end: endMs / 1000,
    speaker,
    text,
  })),
})
