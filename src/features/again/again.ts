/**
 * A recording that has a text is worked on again: for a new text, at the usual price, or only to
 * tell its speakers apart, for nothing. What this promises:
 *
 * - The work is a row of its own, with a job, a hold and a status as any other. The old text stays
 *   as it is until the new one is complete, and for good if the work fails.
 * - One work at a time is done on a transcription, however often it is asked for.
 * - The price is 0 where the engine could not write all that it heard the last time.
 *
 * How a new text takes the place of the old one stands in text/earlier.ts and text/carried.ts.
 */
import { eq } from 'drizzle-orm'

import * as blocking from '#features/account/blocking.ts'
import { creditsFor } from '#features/credits/contract.ts'
import * as credits from '#features/credits/credits.ts'
import { type KeptOptions, optionsIn } from '#features/recordings/options.ts'
import { isBeingRewritten } from '#features/recordings/recordings.ts'
import { type Owned, type Row, isThere, lockOwned, shownRows } from '#features/row/row.ts'
import * as carried from '#features/text/carried.ts'
import type { Again } from '#features/text/contract.ts'
import * as earlier from '#features/text/earlier.ts'
import { speakersOf } from '#features/text/named-speakers.ts'
import { carriedOver } from '#features/text/tables.ts'
import type { AgainQuote, AgainRun } from '#features/transcriptions/contract.ts'
import * as freeRuns from '#features/transcriptions/free-runs.ts'
import { type Deps, nextAttempt, start } from '#features/transcriptions/transcriptions.ts'
import * as unpaidJobs from '#features/transcriptions/unpaid-jobs.ts'
import type { Db, Tx } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'
import { wholeSeconds } from '#shared/format.ts'

type OptionFields = Parameters<typeof optionsIn>[0]

/**
 * Quotes the price of transcribing again. The answer's id is confirmed as that of an upload. A second
 * call answers the same id, which then has the new options.
 *
 * @throws Refusal `not_found`, `not_finished`, `recording_deleted`, `still_processing`,
 * `account_blocked`, `invalid_request` for the sample
 */
export async function quote(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, id, ...asked }: Owned & OptionFields,
): Promise<AgainQuote> {
  return db.transaction(async (tx) => {
    await blocking.keepOpen(tx, userId)
    const before = await lockReady(tx, { userId, id })
    await earlier.dropOlder(tx, id)
    const run = await earlier.insertRun(tx, before, {
      ...optionsAgain(before, asked),
      againWhat: 'text',
      creditsRequired: priceOf(before),
      createdAt: clock(),
    })
    const { available } = await credits.balance(tx, userId)
    return { id: run.id, creditsRequired: run.creditsRequired, creditsAvailable: available }
  })
}

/**
 * Tells the speakers of the recording apart again, beginning at once.
 *
 * @throws Refusal `not_found`, `not_finished`, `recording_deleted`, `still_processing`,
 * `account_blocked`, `too_many_free_runs`, `too_many_unpaid_jobs`, `invalid_request` for the sample
 */
export async function tellApart(
  { db, clock, queue }: Pick<Deps, 'db' | 'clock' | 'queue'>,
  { userId, id, speakers }: Owned & { speakers: string },
): Promise<AgainRun> {
  return db.transaction(async (tx) => {
    await blocking.keepOpen(tx, userId)
    const before = await lockReady(tx, { userId, id })
    await unpaidJobs.requireFew(tx, { userId, now: clock() })
    await freeRuns.take(tx, { userId, now: clock() })
    await earlier.dropOlder(tx, id)
    const run = await earlier.insertRun(tx, before, {
      ...optionsAgain(before, { speakers }),
      againWhat: 'speakers',
      creditsRequired: 0,
      createdAt: clock(),
      confirmedAt: clock(),
    })
    await start({ tx, queue }, run, { attempt: await nextAttempt(tx, before) })
    return { id: run.id, what: 'speakers', status: 'processing', errorMessage: null }
  })
}

/** The price of transcribing it again now. */
export const priceOf = ({ hasFault, durationMs }: Pick<Row, 'hasFault' | 'durationMs'>): number =>
  hasFault ? 0 : creditsFor(wholeSeconds(durationMs))

/** Why a transcription cannot be worked on again; null where it can. */
function whyNotAgain({ status, isSample, storageKey }: Row) {
  if (status !== 'completed') return 'not_finished'
  if (isSample) return 'sample'
  return storageKey === null ? 'recording_deleted' : null
}

async function lockReady(tx: Tx, owned: Owned): Promise<Row> {
  const row = await lockOwned(tx, owned)
  const why = whyNotAgain(row)
  if (why === 'sample')
    throw new Refusal('invalid_request', {
      message: 'This is our own sample, whose text was written by hand. Nothing was changed.',
    })
  if (why) throw new Refusal(why)
  if (await isBeingRewritten(tx, row.id)) throw new Refusal('still_processing')
  return row
}

/** An option that is left out is asked for as the last time. */
function optionsAgain(before: Row, asked: OptionFields): Required<KeptOptions> {
  const { spokenLanguage, askedSpeakers, askedChannels, terms } = optionsIn(asked)
  return {
    spokenLanguage: (asked.language === undefined ? before.spokenLanguage : spokenLanguage) ?? null,
    askedSpeakers: askedSpeakers ?? before.askedSpeakers,
    askedChannels: askedChannels ?? before.askedChannels,
    terms: terms ?? before.terms,
  }
}

/**
 * The offer to transcribe again, and the decisions that the last time left.
 *
 * @throws Refusal `not_found`, `not_finished`
 */
export async function view(db: Db, owned: Owned): Promise<Again> {
  const [row] = await db.select().from(shownRows).where(isThere(owned))
  if (!row) throw new Refusal('not_found')
  if (row.status !== 'completed') throw new Refusal('not_finished')
  const { id, userId } = row
  const [[kept], before] = await Promise.all([
    db.select().from(carriedOver).where(eq(carriedOver.transcriptionId, id)),
    earlier.earlierOf(db, id),
  ])
  const speakers = speakersOf(row)
  return {
    offer: whyNotAgain(row)
      ? null
      : {
          creditsRequired: priceOf(row),
          creditsAvailable: (await credits.balance(db, userId)).available,
          corrections: await carried.correctionsOf(db, owned),
          options: {
            language: row.spokenLanguage ?? row.language ?? 'auto',
            speakers: row.askedSpeakers ?? 'auto',
            channels: row.askedChannels ?? 'auto',
            terms: row.terms ?? [],
          },
          speakersFound: row.speakerCount ?? 0,
          channels: Math.max(1, row.sides?.each.length ?? 1),
          areTracks: row.sides?.each.some(({ track }) => track !== undefined) ?? false,
        },
    carried: kept
      ? {
          placed: kept.placed,
          questions: await carried.shown(
            db,
            id,
            kept.questions.filter(
              (each) =>
                each.kind === 'text' || speakers.some(({ speaker }) => speaker === each.speaker),
            ),
          ),
        }
      : null,
    earlier: before && { keptUntil: before.keptUntil.toISOString() },
  }
}
