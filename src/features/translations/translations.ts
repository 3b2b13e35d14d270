/**
 * Transcriptions in other languages, by a language model. What this room promises:
 *
 * - A language costs one credit, set aside when it is ordered and taken when it is there. One that
 *   fails gives it back. Nothing of it can be read before it is paid for.
 * - A language is translated once, however often it is ordered. Turns changed in the text since
 *   are translated again for nothing: in a day about as much as can be said in the recording's time.
 * - A translation belongs to the turns it was made of: it is kept with an earlier text, comes back
 *   with it, and a new text has none (decision 069).
 * - Work that was done is not done again by a later try: each turn is kept as soon as it is there.
 *
 * Public: hidden.ts, status.ts, tables.ts, translated-text.ts
 */
import { createHash } from 'node:crypto'

import { type AnyColumn, and, asc, countDistinct, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { PgInsertValue } from 'drizzle-orm/pg-core'
import { z } from 'zod'

import * as blocking from '#features/account/blocking.ts'
import * as credits from '#features/credits/credits.ts'
import { isBeingRewritten } from '#features/recordings/recordings.ts'
import {
  type Owned,
  everyRow,
  isThere,
  lockFinished,
  lockOwned,
  shownRows,
} from '#features/row/row.ts'
import { namesOf } from '#features/text/named-speakers.ts'
import { turns } from '#features/text/tables.ts'
import { labelOf } from '#features/transcriptions/results.ts'
import { finished } from '#features/transcriptions/said.ts'
import * as vocabulary from '#features/vocabulary/vocabulary.ts'
import type { TranslatedTurn, TranslationOrder, Writer } from '#features/writing/contract.ts'
import { isNoFaultOfJob } from '#server/database-away.ts'
import type { Db, Queryable, Tx } from '#server/db.ts'
import type { OnEvent } from '#server/events.ts'
import { giveUpWithoutJob, job } from '#server/jobs.ts'
import * as limits from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import type { Erase } from '#server/personal-data.ts'
import type { JobFacts, Queue } from '#server/queue.ts'
import { RETRANSLATIONS_A_DAY, TRANSLATION_CREDITS } from '#shared/business.ts'
import type { Capabilities } from '#shared/capabilities.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import { type Translation, TranslationLanguage, type TranslationText } from './contract.ts'
import { translatedNote } from './status.ts'
import { translatedTurns, translations } from './tables.ts'
import { isReadableFor, isUnsure, joinedParts } from './translated-text.ts'

export interface Deps {
  db: Db
  queue: Queue
  clock: Clock
  /** Hears of translations that have ended. */
  onEvent?: OnEvent
}

interface OfLanguage extends Owned {
  language: TranslationLanguage
}

type Row = typeof translations.$inferSelect

/** Each order has its own hold. */
const causeOf = ({ id, attempt }: Pick<Row, 'id' | 'attempt'>): string =>
  `translation:${id}:${attempt}`

const UNPAID_AN_HOUR = 5
const unpaidKey = (userId: string): string => `unpaid-translation:${userId}`
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Sets the credit aside and has the text translated. What is being translated, or is there, is
 * answered as it is: nothing is paid for twice.
 *
 * @throws Refusal `translation_off`, `not_found`, `not_finished`, `being_rewritten`, `same_language`,
 * `nothing_to_translate`, `too_much_to_translate`, `insufficient_credits`, `account_blocked`,
 * `too_many_unpaid_translations`
 */
export async function order(
  deps: Deps & { capabilities: () => Promise<Capabilities> },
  { language, ...owned }: OfLanguage,
): Promise<Translation> {
  const { db, clock } = deps
  const can = await deps.capabilities()
  return db.transaction(async (tx) => {
    await blocking.keepOpen(tx, owned.userId)
    const said = await lockFinished(tx, owned)
    const [before] = await tx
      .select()
      .from(translations)
      .where(isOf({ ...owned, language }))
      .for('update')
    if (before) {
      const shownBefore = await shown(tx, before)
      if (before.status === 'translating' || shownBefore.isReadable) return shownBefore
    }
    if (!can.translations) throw new Refusal('translation_off')
    if (said.language === language) throw new Refusal('same_language')
    if (await isBeingRewritten(tx, said.id)) throw new Refusal('being_rewritten')
    const [{ letters } = { letters: 0 }] = await tx
      .select({ letters: lettersOf(turns.text) })
      .from(turns)
      .where(and(eq(turns.transcriptionId, said.id), hasText))
    if (letters === 0) throw new Refusal('nothing_to_translate')
    if (letters > lettersWithin(said.durationMs)) throw new Refusal('too_much_to_translate')
    await limits.requireNotFull(tx, {
      key: unpaidKey(owned.userId),
      limit: UNPAID_AN_HOUR,
      code: 'too_many_unpaid_translations',
      now: clock(),
    })
    const begun = { createdAt: clock(), isPaid: true, ...fresh }
    const [row] = before
      ? await tx
          .update(translations)
          .set({ ...begun, attempt: before.attempt + 1 })
          .where(eq(translations.id, before.id))
          .returning()
      : await tx
          .insert(translations)
          .values({ ...begun, userId: owned.userId, transcriptionId: said.id, language })
          .returning()
    if (!row) throw new Error('the database stored a translation without an id')
    // Turns that could not be translated the last time are tried once more.
    await tx
      .delete(translatedTurns)
      .where(and(eq(translatedTurns.translationId, row.id), isNull(translatedTurns.parts)))
    await credits.hold(tx, {
      userId: owned.userId,
      cause: causeOf(row),
      credits: TRANSLATION_CREDITS,
    })
    await addJob({ tx, queue: deps.queue }, row)
    return shown(tx, row)
  })
}

/** How each attempt begins. */
const fresh = {
  status: 'translating',
  progress: 0,
  problem: null,
  isCreditReturned: false,
  finishedAt: null,
} as const

/** Each further job of a user has a lower priority, so that several do not hold up another's first. */
async function addJob({ tx, queue }: { tx: Tx; queue: Queue }, row: Row): Promise<void> {
  const theirs = and(eq(translations.userId, row.userId), eq(translations.status, 'translating'))
  const priority = 1 - (await tx.$count(translations, theirs))
  const order = { translationId: row.id, attempt: row.attempt, userId: row.userId }
  await queue.add(tx, translationJob, order, { priority })
}

/**
 * Translates again what was changed in the text since, for nothing. Where nothing was, nothing happens.
 *
 * @throws Refusal `translation_off`, `not_found`, `not_translated`, `too_many_retranslations`,
 * `account_blocked`
 */
export async function again(
  deps: Deps & { capabilities: () => Promise<Capabilities> },
  { language, ...owned }: OfLanguage,
): Promise<Translation> {
  const can = await deps.capabilities()
  return deps.db.transaction(async (tx) => {
    await blocking.keepOpen(tx, owned.userId)
    const { durationMs } = await lockOwned(tx, owned)
    const [row] = await tx
      .select()
      .from(translations)
      .where(isOf({ ...owned, language }))
      .for('update')
    if (!row) throw new Refusal('not_translated')
    const now = await shown(tx, row)
    if (row.status === 'translating') return now
    if (!now.isReadable) throw new Refusal('not_translated')
    if (now.changed === 0) return now
    if (!can.translations) throw new Refusal('translation_off')
    const share = (await changedLetters(tx, row)) / lettersWithin(durationMs)
    const counted = countedOn(row, share, deps.clock())
    const [begun] = await tx
      .update(translations)
      .set({ ...fresh, ...counted, attempt: row.attempt + 1, isPaid: false })
      .where(eq(translations.id, row.id))
      .returning()
    if (!begun) throw new Error(`translation ${row.id} is gone`)
    await addJob({ tx, queue: deps.queue }, begun)
    return shown(tx, begun)
  })
}

/** Nobody says more in a second: quick talk has twenty. */
const LETTERS_A_SECOND = 30
/** A few sentences may be added to the shortest recording. */
const LEAST_LETTERS = 5_000

/**
 * The letters that can be said in the time of a recording. A text can hold far more, since anything may
 * be typed into it, and a user who has paid for a talk would have books translated.
 */
const lettersWithin = (durationMs: number): number =>
  LEAST_LETTERS + (LETTERS_A_SECOND * durationMs) / 1000

const lettersOf = (text: AnyColumn) => sql<number>`coalesce(sum(length(${text})), 0)::int`

async function changedLetters(q: Queryable, row: Row): Promise<number> {
  const [found] = await q
    .select({ letters: lettersOf(turns.text) })
    .from(turns)
    .leftJoin(translatedTurns, isReadableFor(row.id))
    .where(and(isIn(row), hasText, isStale))
  return found?.letters ?? 0
}

/**
 * Counts one more within a day of the first: as often as it is a part of what is free in a day.
 *
 * @throws Refusal `too_many_retranslations`
 */
function countedOn({ againCount, againSince }: Row, share: number, now: Date) {
  const times = Math.max(1, Math.ceil(RETRANSLATIONS_A_DAY * share))
  if (times > RETRANSLATIONS_A_DAY)
    throw new Refusal('too_many_retranslations', {
      message:
        'More was changed than can be said in this recording, so it is not translated again for free. Nothing was changed or charged. Delete this translation and order it anew.',
    })
  const passedMs = againSince === null ? Infinity : now.getTime() - againSince.getTime()
  if (passedMs >= DAY_MS) return { againCount: times, againSince: now }
  if (againCount + times > RETRANSLATIONS_A_DAY)
    throw new Refusal('too_many_retranslations', {
      retryAfterSeconds: Math.ceil((DAY_MS - passedMs) / 1000),
    })
  return { againCount: againCount + times, againSince }
}

/** In the order they were first asked for. @throws Refusal `not_found` */
export async function list(db: Db, owned: Owned): Promise<Translation[]> {
  await requireThere(db, owned)
  const rows = await db
    .select()
    .from(translations)
    .where(and(eq(translations.transcriptionId, owned.id), eq(translations.userId, owned.userId)))
    .orderBy(asc(translations.createdAt), asc(translations.id))
  const all: Translation[] = []
  for (const row of rows) all.push(await shown(db, row))
  return all
}

async function requireThere(db: Queryable, owned: Owned): Promise<void> {
  const [there] = await db.select({ id: shownRows.id }).from(shownRows).where(isThere(owned))
  if (!there) throw new Refusal('not_found')
}

const isOf = ({ userId, id, language }: OfLanguage) =>
  and(
    eq(translations.transcriptionId, id),
    eq(translations.userId, userId),
    eq(translations.language, language),
  )

async function find(db: Queryable, asked: OfLanguage): Promise<Row> {
  await requireThere(db, asked)
  const [row] = await db.select().from(translations).where(isOf(asked))
  if (!row) throw new Refusal('not_found')
  return row
}

/** With what can be read of it. @throws Refusal `not_found` */
export async function text(db: Db, asked: OfLanguage): Promise<TranslationText> {
  const row = await find(db, asked)
  const found = await db
    .select({
      id: turns.id,
      parts: translatedTurns.parts,
      isChanged: sql<boolean>`${translatedTurns.sourceHash} <> md5(${turns.text})`,
    })
    .from(turns)
    .innerJoin(translatedTurns, isReadableFor(row.id))
    .where(eq(turns.transcriptionId, asked.id))
    .orderBy(asc(turns.position))
  return {
    ...(await shown(db, row)),
    turns: found.map(({ id, parts, isChanged }) => ({
      id,
      text: parts === null ? null : joinedParts(parts),
      isChanged,
      isUnsure: isUnsure(parts),
    })),
  }
}

/**
 * Ends it. One that is being made stops, and gives its credit back.
 *
 * @throws Refusal `not_found`
 */
export async function remove(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  asked: OfLanguage,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { id } = await find(tx, asked)
    const [row] = await tx.delete(translations).where(eq(translations.id, id)).returning()
    if (row?.status !== 'translating') return
    // Stopping is free, and the work until then was not.
    await limits.addOne(tx, { key: unpaidKey(row.userId), now: clock() })
    await giveBack(tx, row)
  })
}

const giveBack = (tx: Tx, row: Row) =>
  credits.settle(tx, { userId: row.userId, cause: causeOf(row), credits: 0 })

/** A translation as its owner sees it, held against the text as it is now. */
async function shown(q: Queryable, row: Row): Promise<Translation> {
  const { id, status, progress, problem, isCreditReturned, createdAt, finishedAt } = row
  const [found] = await q
    .select({
      translated: sql<number>`count(${translatedTurns.turnId})::int`,
      changed: sql<number>`(count(*) filter (where ${isStale}))::int`,
      untranslated: sql<number>`(count(*) filter (where ${translatedTurns.turnId} is not null and ${translatedTurns.parts} is null))::int`,
      inAll: sql<number>`count(*)::int`,
      done: sql<number>`(select count(*) from ${translatedTurns} done join ${turns} said on said.id = done.turn_id where done.translation_id = ${id} and said.transcription_id = ${row.transcriptionId} and done.source_hash = md5(said.text))::int`,
    })
    .from(turns)
    .leftJoin(translatedTurns, isReadableFor(id))
    .where(and(isIn(row), hasText))
  const { translated, changed, untranslated, inAll, done } = found ?? {
    translated: 0,
    changed: 0,
    untranslated: 0,
    inAll: 0,
    done: 0,
  }
  const isReadable = translated > 0
  const isWorkedOn = status === 'translating'
  const language = TranslationLanguage.parse(row.language)
  return {
    id,
    language,
    status,
    progress,
    turnsInAll: inAll,
    turnsDone: done,
    ahead: isWorkedOn && progress === 0 ? await aheadOf(q, row) : 0,
    creditsReserved: isWorkedOn && row.isPaid ? TRANSLATION_CREDITS : 0,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    isReadable,
    changed: isReadable ? changed : 0,
    untranslated,
    problem,
    isCreditReturned,
    note: translatedNote(language),
  }
}

/** What was ordered before it, by whomever, and is not there yet. */
const aheadOf = (q: Queryable, { id, createdAt }: Row): Promise<number> =>
  q.$count(
    translations,
    and(
      eq(translations.status, 'translating'),
      sql`(${translations.createdAt}, ${translations.id}) < (${createdAt}, ${id})`,
    ),
  )

const hasText = sql`${turns.text} ~ '\\S'`
/** Of turns with what can be read of their translation: whether there is another text by now. */
const isStale = sql`(${translatedTurns.turnId} is null or ${translatedTurns.sourceHash} <> md5(${turns.text}))`
/** The turns of the text as it is now. */
const isIn = ({ transcriptionId }: Row) =>
  transcriptionId === null ? sql`false` : eq(turns.transcriptionId, transcriptionId)

/** The user's id is for operators, who see the job waiting. */
const TranslateJob = z.object({
  translationId: z.uuid(),
  attempt: z.int(),
  userId: z.uuid().optional(),
})
type TranslateJob = z.infer<typeof TranslateJob>

export interface Source extends Pick<TranslationOrder, 'language' | 'terms'> {
  /** The turns that are not translated as they read now, in order. */
  turns: { id: string; speaker: string | null; text: string; hash: string }[]
  /** How many turns there are in all. */
  count: number
  /** How many letters are translated at once where nothing is paid. */
  freeLetters: number
}

export interface WorkDeps extends Deps {
  log: Log
  writer: Pick<Writer, 'translate' | 'name'>
  /** Reads what is to be translated, where it holds nobody up. @throws Refusal `not_found`, `not_finished` */
  read(asked: Owned & { translationId: string }, signal: AbortSignal): Promise<Source>
}

/** @throws Refusal `not_found`, `not_finished` */
export async function sourceOf(
  db: Db,
  { translationId, ...owned }: Owned & { translationId: string },
): Promise<Source> {
  const { row, said } = await finished(db, owned)
  const names = namesOf(row)
  const known = await db
    .select({ turnId: translatedTurns.turnId, sourceHash: translatedTurns.sourceHash })
    .from(translatedTurns)
    .where(eq(translatedTurns.translationId, translationId))
  const hashes = new Map(known.map(({ turnId, sourceHash }) => [turnId, sourceHash]))
  const spoken = said.filter((turn) => turn.text.trim() !== '')
  const { terms } = await vocabulary.get(db, owned.userId)
  return {
    language: row.language,
    terms: [...new Set([...(row.terms ?? []), ...terms])],
    count: spoken.length,
    freeLetters: lettersWithin(row.durationMs),
    turns: spoken
      .map(({ id, speaker, text: words }) => ({
        id,
        speaker: labelOf(speaker, names),
        text: words,
        hash: hashOf(words),
      }))
      .filter(({ id, hash }) => hashes.get(id) !== hash),
  }
}

/** As the database makes it, which compares it with the text as it is. */
const hashOf = (words: string): string => createHash('md5').update(words).digest('hex')

const UNFIT =
  'The language model of this server could not translate this text well enough. You can order it again, or choose another language.'
const OFF = 'This server has no language model any more.'
const GONE = 'The transcription it was to be made of is gone.'
const REPLACED =
  'Another text took the place of this one meanwhile. Order the translation of the new one.'
const STOPPED = 'Whoever runs this server has stopped this translation. Order it anew.'

/** Runs one delivery of a job to its end. Throws where the queue ought to deliver it again. */
export async function translate(
  deps: WorkDeps,
  job: TranslateJob,
  { isLastAttempt, signal }: { isLastAttempt: boolean; signal: AbortSignal },
): Promise<JobFacts | void> {
  const { db, writer } = deps
  const engine = writer.name
  const [row] = await db.select().from(translations).where(isOpen(job))
  // Ended by an earlier delivery, or removed.
  if (!row) return
  try {
    const { userId, transcriptionId } = row
    if (transcriptionId === null) return await fail(deps, job, GONE)
    const asked = { userId, id: transcriptionId, translationId: row.id }
    const source = await deps.read(asked, signal)
    if (!writer.translate) return await fail(deps, job, OFF)
    let done = source.count - source.turns.length
    const keep = (made: TranslatedTurn[]): Promise<boolean> => {
      done += made.length
      const progress = Math.min(99, Math.floor((100 * done) / source.count))
      const of = { translationId: row.id, isDelivered: !row.isPaid }
      const rows = made.flatMap(({ turn, parts }) => {
        const { id: turnId, hash: sourceHash } = source.turns[turn] ?? {}
        if (!turnId || !sourceHash) return []
        // Another text may have taken the place of this one meanwhile: its row keeps the turn now.
        const keeper = sql`(select ${turns.transcriptionId} from ${turns} where ${turns.id} = ${turnId})`
        const inRow = { transcriptionId: sql`coalesce(${keeper}, ${transcriptionId})` }
        return [{ ...of, ...inRow, turnId, sourceHash, parts }]
      })
      return store(deps, job, { transcriptionId, progress, rows })
    }
    const { language, terms } = source
    const said = row.isPaid ? source.turns : freeOf(source)
    const outcome =
      said.length === 0
        ? 'translated'
        : await writer.translate(
            { turns: said, language, terms, into: row.language },
            { signal, onDone: keep },
          )
    if (outcome === 'unfit') await fail(deps, job, UNFIT)
    if (outcome === 'translated') await deliver(deps, job)
    return { outcome, engine }
  } catch (error) {
    if (signal.aborted || isNoFaultOfJob(error)) throw error
    if (error instanceof Refusal) return fail(deps, job, GONE)
    if (!isLastAttempt) throw error
    deps.log.error({ err: error, translationId: row.id }, 'translation given up')
    await fail(deps, job, null)
    return { outcome: 'given up', engine }
  }
}

/** More may have been typed into the text since it was counted. What is left stays as changed. */
function freeOf({ turns: said, freeLetters }: Source): Source['turns'] {
  let letters = 0
  const end = said.findIndex(({ text: words }) => (letters += words.length) > freeLetters)
  return end === -1 ? said : said.slice(0, end)
}

/** Keeps turns that are done; false where the work has ended, or its transcription is gone. */
async function store(
  { db }: WorkDeps,
  job: TranslateJob,
  {
    transcriptionId,
    progress,
    rows,
  }: {
    transcriptionId: string
    progress: number
    rows: PgInsertValue<typeof translatedTurns>[]
  },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Locked before the translation, as by a deletion, which then waits.
    const [there] = await tx
      .select({ id: everyRow.id })
      .from(everyRow)
      .where(eq(everyRow.id, transcriptionId))
      .for('key share')
    if (!there) return false
    const [open] = await tx
      .update(translations)
      .set({ progress })
      .where(isOpen(job))
      .returning({ id: translations.id })
    if (!open) return false
    await tx
      .insert(translatedTurns)
      .values(rows)
      .onConflictDoUpdate({
        target: [translatedTurns.translationId, translatedTurns.turnId],
        set: { sourceHash: sql`excluded.source_hash`, parts: sql`excluded.parts` },
      })
    return true
  })
}

/** Hands over what is there, and takes its price. A text that is not there any more costs nothing. */
async function deliver(deps: WorkDeps, job: TranslateJob): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const [row] = await tx.select().from(translations).where(isOpen(job)).for('update')
    if (!row) return
    const theirs = eq(translatedTurns.translationId, row.id)
    await tx.delete(translatedTurns).where(and(theirs, isOfNoTurn))
    const [there] = await tx
      .select({ id: turns.id })
      .from(turns)
      .innerJoin(translatedTurns, and(theirs, eq(translatedTurns.turnId, turns.id)))
      .where(isIn(row))
      .limit(1)
    if (!there) {
      const problem = row.transcriptionId === null ? GONE : REPLACED
      return fail({ ...deps, db: tx }, job, problem)
    }
    await tx.update(translatedTurns).set({ isDelivered: true }).where(theirs)
    await finish({ ...deps, db: tx }, job, { status: 'translated', progress: 100 })
  })
}

/** Of turns that were joined with others. */
const isOfNoTurn = sql`not exists (select from ${turns} turn where turn.id = ${translatedTurns}.turn_id)`

interface EndDeps {
  db: Pick<Tx, 'transaction'>
  clock: Clock
  onEvent?: OnEvent | undefined
}

/** Ends a translation that nobody will make any more. Does nothing when it has ended. */
export async function fail(
  deps: EndDeps,
  job: TranslateJob,
  problem: string | null,
): Promise<void> {
  await finish(deps, job, { status: 'error', problem })
}

/** Stores how it ended and settles its credit, both or neither. */
async function finish(
  { db, clock, onEvent }: EndDeps,
  job: TranslateJob,
  values: { status: 'translated' | 'error'; problem?: string | null; progress?: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    const isDone = values.status === 'translated'
    const [row] = await tx
      .update(translations)
      .set({
        ...values,
        finishedAt: clock(),
        isCreditReturned: isDone ? false : sql`${translations.isPaid}`,
      })
      .where(isOpen(job))
      .returning()
    if (!row) return
    const { userId, transcriptionId } = row
    if ((values.problem === UNFIT || values.problem === GONE) && row.isPaid)
      await limits.addOne(tx, { key: unpaidKey(userId), now: clock() })
    if (row.isPaid)
      await credits.settle(tx, {
        userId,
        cause: causeOf(row),
        credits: isDone ? TRANSLATION_CREDITS : 0,
      })
    await onEvent?.(tx, {
      userId,
      type: isDone ? 'translation.completed' : 'translation.failed',
      data: { id: row.id, transcriptionId, language: row.language },
    })
  })
}

const isOpen = ({ translationId, attempt }: TranslateJob) =>
  and(
    eq(translations.id, translationId),
    eq(translations.attempt, attempt),
    eq(translations.status, 'translating'),
  )

/** Before credits are moved: whoever ends a translation locks in this order. */
export async function lockAllOf(tx: Tx, userId: string): Promise<void> {
  await openOf(tx, userId).for('update')
}

const jobColumns = { translationId: translations.id, attempt: translations.attempt }

const openOf = (tx: Tx, userId: string) =>
  tx
    .select(jobColumns)
    .from(translations)
    .where(and(eq(translations.userId, userId), eq(translations.status, 'translating')))
    .orderBy(translations.id)

/** Ends whatever is translated for a user. A worker that has it finds it ended, and stores nothing. */
export async function stopAllOf(
  tx: Tx,
  deps: { clock: Clock; onEvent?: OnEvent | undefined },
  userId: string,
): Promise<void> {
  for (const job of await openOf(tx, userId)) await fail({ ...deps, db: tx }, job, STOPPED)
}

/**
 * Ends translations that have no job any more, as after a backup was restored, and those whose
 * transcription is gone.
 */
export async function endWithoutJob(deps: WorkDeps): Promise<void> {
  const { db } = deps
  const rows = await db
    .select({ ...jobColumns, transcriptionId: translations.transcriptionId })
    .from(translations)
    .where(or(eq(translations.status, 'translating'), isNull(translations.transcriptionId)))
  const isGone = ({ transcriptionId }: (typeof rows)[number]) => transcriptionId === null
  for (const row of rows.filter(isGone)) {
    await fail(deps, row, GONE)
    await db.delete(translations).where(eq(translations.id, row.translationId))
  }
  await giveUpWithoutJob(deps, {
    kind: translationJob,
    orders: rows.filter((row) => !isGone(row)),
    keyOf: ({ translationId, attempt }) => `${translationId}:${attempt}`,
    giveUp: (order) => fail(deps, order, null),
  })
}

export const translationJob = job({
  name: 'translate',
  data: TranslateJob,
  concurrency: 2,
  run: translate,
  giveUp: (deps: WorkDeps, order) => fail(deps, order, null),
  everyMinute: endWithoutJob,
})

/** Which languages of these transcriptions can be read, for a copy of all that an account keeps. */
export async function readableOf(
  db: Queryable,
  transcriptionIds: readonly string[],
): Promise<Map<string, TranslationLanguage[]>> {
  if (transcriptionIds.length === 0) return new Map()
  const rows = await db
    .selectDistinct({ id: turns.transcriptionId, language: translations.language })
    .from(translations)
    .innerJoin(translatedTurns, eq(translatedTurns.translationId, translations.id))
    .innerJoin(turns, eq(turns.id, translatedTurns.turnId))
    .where(
      and(
        eq(translatedTurns.isDelivered, true),
        inArray(turns.transcriptionId, [...transcriptionIds]),
      ),
    )
  const byId = Map.groupBy(rows, ({ id }) => id)
  return new Map(
    [...byId].map(([id, each]) => [
      id,
      each.map(({ language }) => TranslationLanguage.parse(language)).toSorted(),
    ]),
  )
}

/** How many languages of texts a user can read, and about how much that is. */
export async function translatedSize(
  db: Queryable,
  userId: string,
): Promise<{ languages: number; sizeBytes: number }> {
  const [found] = await db
    .select({
      languages: countDistinct(translatedTurns.translationId),
      sizeBytes: sql<string>`coalesce(sum(octet_length(${translatedTurns.parts}::text)), 0)`,
    })
    .from(translatedTurns)
    .innerJoin(translations, eq(translations.id, translatedTurns.translationId))
    .where(and(eq(translations.userId, userId), eq(translatedTurns.isDelivered, true)))
  return { languages: found?.languages ?? 0, sizeBytes: Number(found?.sizeBytes ?? 0) }
}

/** Removes everything this room keeps about a user. */
export const eraseTranslations: Erase = async (tx, userId) => {
  const rows = await tx.delete(translations).where(eq(translations.userId, userId)).returning()
  for (const row of rows) if (row.status === 'translating') await giveBack(tx, row)
  return { counts: { translations: rows.length } }
}
