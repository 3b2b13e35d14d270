/**
 * Questions to a recording, or to all that an account has. What it promises:
 *
 * - Every quote stands in the transcript letter for letter, with the time of its first word.
 * - Without a language model, or where it gives no answer that can be shown, a question is a search
 *   for passages, and the answer says so. That costs nothing and is not counted.
 * - A model reads what is found by the words of a question, and by words of its own for it; unless it
 *   reads all that was said. It knows the question before, from which this one may go on.
 * - A model answers so many questions of an account in a day. One is counted when its answer was
 *   delivered, or its user left after a part of it. One that failed, or whose user left before, is
 *   free five times a day: the model has worked on it all the same.
 * - Questions are kept for the user who asked them, and end with the recording, with any recording
 *   that is quoted, and with the account.
 *
 * Public: hidden.ts
 */
import { randomUUID } from 'node:crypto'

import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  notExists,
  or,
  sql,
} from 'drizzle-orm'

import { type Owned, everyRow, hidings, isThere, requireId, shownRows } from '#features/row/row.ts'
import type { UserThreads } from '#features/text/user-threads.ts'
import type { ProvenSentence, Writer } from '#features/writing/contract.ts'
import { guessLanguage } from '#features/writing/languages.ts'
import { type Db, type Tx, lock } from '#server/db.ts'
import * as limits from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { tasksIn } from '#server/threads.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import type { Answer, Answered, Answers, Quote } from './contract.ts'
import { offersFor, offersForLibrary } from './offers.ts'
import { quoteOf } from './passages.ts'
import { type KeptAnswer, askedModel, questionSources, questions } from './tables.ts'
import type * as tasks from './tasks.ts'

export interface Deps {
  db: Db
  clock: Clock
  log: Log
  userThreads: UserThreads
  writer: Pick<Writer, 'answer' | 'searchWords'>
  /** How many questions of one account a model answers in a day. */
  asksPerDay: number
}

interface Asking {
  userId: string
  /** The recording that is asked; null: all. */
  id: string | null
  question: string
}

/** The parts of an answer that are shown while it is written. */
export type Tell = (
  event: { kind: 'sentence'; text: string } | { kind: 'quote'; quote: Quote },
) => void

const task = tasksIn<typeof tasks>(new URL('./tasks.ts', import.meta.url))

const PASSAGES = 5
const PASSAGES_OF_LIBRARY = 8
/** How many questions of one recording are kept, and how many of the library. */
const MOST_KEPT = 200

/**
 * Answers a question and keeps the answer. Aborted, it keeps nothing, and counts nothing unless a
 * part of the answer was told.
 *
 * @throws Refusal `not_found`, `not_finished`
 */
export async function ask(
  deps: Deps,
  asked: Asking,
  { signal, tell = () => undefined }: { signal: AbortSignal; tell?: Tell },
): Promise<Answered> {
  const { db, userThreads, writer } = deps
  const { userId, id, question } = asked
  const begunAt = await now(db)
  const most = id === null ? PASSAGES_OF_LIBRARY : PASSAGES
  const isForModel = writer.answer !== undefined
  const find = (words: readonly string[]) =>
    userThreads.read(task('find'), { ...asked, most, isForModel, words }, signal)
  let found = await find([])
  const asPassages = (note: KeptAnswer['note']): KeptAnswer => ({
    kind: 'passages',
    text: null,
    notSaid: null,
    quotes: found.passages.map((piece) => quoteOf(piece)),
    note,
  })
  const quotesOf = (sentence: ProvenSentence): Quote[] =>
    sentence.quotes.flatMap(({ passage, ...place }) => {
      const piece = found.around[passage]
      return piece ? [quoteOf(piece, place)] : []
    })
  if (!writer.answer) return keep(deps, { ...asked, begunAt }, asPassages('no-model'))
  // There is nothing that a model could read, or name words for.
  if (found.around.length === 0 && found.languages.length === 0)
    return keep(deps, { ...asked, begunAt }, asPassages(null))
  const place = await takePlace(deps, userId)
  if (place === null) return keep(deps, { ...asked, begunAt }, asPassages('used-up'))
  let isTold = false
  let isKept = false
  // Given back before it is kept: the answer says how many are left.
  const keepUncounted = async (note: KeptAnswer['note']) => {
    await giveBack(deps, { userId, place })
    return keep(deps, { ...asked, begunAt }, asPassages(note))
  }
  try {
    const before = await askedBefore(deps, asked)
    const { languages } = found
    if (!found.isAll && languages.length > 0) {
      const words = await writer.searchWords?.({ question, before, languages }, { signal })
      if (words && words.length > 0) found = await find(words)
    }
    // No word of it was said: there is nothing that a model could read.
    if (found.around.length === 0) return await keepUncounted(null)
    const read = found.around.map(({ text }) => text).join(' ')
    const [spoken = 'en'] = languages
    const language = id === null ? guessLanguage(read) : spoken
    const answer = await writer.answer(
      { question, before, passages: found.around, language, isOfMany: id === null },
      {
        signal,
        tell(sentence) {
          isTold = true
          tell({ kind: 'sentence', text: sentence.text })
          for (const quote of quotesOf(sentence)) tell({ kind: 'quote', quote })
        },
      },
    )
    signal.throwIfAborted()
    if (answer === null) return await keepUncounted('no-answer')
    const nearest = asPassages(found.isAll && answer.hasReadAll ? 'read-all' : null)
    const quotes = answer.sentences.flatMap(quotesOf)
    const text = answer.sentences.map((sentence) => sentence.text).join(answer.gap)
    const said: KeptAnswer =
      answer.sentences.length === 0
        ? { ...nearest, kind: 'not-said' }
        : { kind: 'answer', text, notSaid: answer.notSaid, quotes, note: null }
    const kept = await keep(deps, { ...asked, begunAt }, said, place)
    isKept = true
    return kept
  } finally {
    // Otherwise a user who reads a part and leaves before the end would have all answers for nothing.
    if (isTold && signal.aborted && !isKept) await countPlace(db, place)
    else if (!isKept) await giveBack(deps, { userId, place })
  }
}

/** A question goes on from the one before only as long as that is remembered. */
const GOES_ON_MS = 30 * 60_000

/** The question before, of the same recording or of the library. */
async function askedBefore(
  { db, clock }: Deps,
  { userId, id, question }: Asking,
): Promise<{ question: string; answer: string | null } | null> {
  const [row] = await db
    .select({ question: questions.question, answer: questions.answer })
    .from(questions)
    .where(
      and(
        areOf({ userId, id }),
        ne(questions.question, question),
        gt(questions.createdAt, new Date(clock().getTime() - GOES_ON_MS)),
        notExists(quotesDeleted(db)),
      ),
    )
    .orderBy(desc(questions.createdAt), desc(questions.id))
    .limit(1)
  return row ? { question: row.question, answer: row.answer.text } : null
}

/** The questions of a user to one recording, or to the library. */
const areOf = ({ userId, id }: Pick<Asking, 'userId' | 'id'>) =>
  and(
    eq(questions.userId, userId),
    id === null ? isNull(questions.transcriptionId) : eq(questions.transcriptionId, id),
  )

/** The recordings that a question quotes and that lie in the bin. */
const quotesDeleted = (db: Db) =>
  db
    .select({ one: sql`1` })
    .from(questionSources)
    .innerJoin(everyRow, eq(everyRow.id, questionSources.transcriptionId))
    .where(and(eq(questionSources.questionId, questions.id), isNotNull(everyRow.deletedAt)))

const IN_VAIN_A_DAY = 5

/** Unless the answer was delivered, or too many came to nothing: then it is counted. */
async function giveBack(
  { db, clock }: Deps,
  { userId, place }: { userId: string; place: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const isOpen = and(eq(askedModel.id, place), eq(askedModel.isAnswered, false))
    const [open] = await tx.select().from(askedModel).where(isOpen).for('update')
    if (!open) return
    const { retryAfterSeconds } = await limits.take(tx, {
      key: `day:asked-in-vain:${userId}`,
      limit: IN_VAIN_A_DAY,
      now: clock(),
      withinMs: limits.DAY_MS,
    })
    if (retryAfterSeconds > 0) await countPlace(tx, place)
    else await tx.delete(askedModel).where(isOpen)
  })
}

async function countPlace(db: Db | Tx, place: string): Promise<void> {
  await db.update(askedModel).set({ isAnswered: true }).where(eq(askedModel.id, place))
}

/** Longer than any answer takes: what is left of a process that broke down counts no longer. */
const UNDER_WAY_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000

const beginOf = (now: Date): Date => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)

/** Answered on this day (UTC), or being answered now. */
const areCounted = (userId: string, now: Date) =>
  and(
    eq(askedModel.userId, userId),
    gte(askedModel.askedAt, beginOf(now)),
    or(askedModel.isAnswered, gt(askedModel.askedAt, new Date(now.getTime() - UNDER_WAY_MS))),
  )

/** Takes one of the questions of this day; null where all are used up. */
async function takePlace({ db, clock, asksPerDay }: Deps, userId: string): Promise<string | null> {
  const now = clock()
  return db.transaction(async (tx) => {
    await lock(tx, `asked:${userId}`)
    await tx
      .delete(askedModel)
      .where(and(eq(askedModel.userId, userId), lt(askedModel.askedAt, beginOf(now))))
    if ((await leftOf(tx, { userId, now, asksPerDay })) === 0) return null
    const [row] = await tx
      .insert(askedModel)
      .values({ userId, askedAt: now })
      .returning({ id: askedModel.id })
    return row?.id ?? null
  })
}

async function leftOf(
  db: Db | Tx,
  { userId, now, asksPerDay }: { userId: string; now: Date; asksPerDay: number },
): Promise<number> {
  const [{ asked } = { asked: 0 }] = await db
    .select({ asked: count() })
    .from(askedModel)
    .where(areCounted(userId, now))
  return Math.max(0, asksPerDay - asked)
}

/** Keeps an answer, and counts it where a model gave it. */
async function keep(
  { db, clock, writer, asksPerDay }: Deps,
  { userId, id, question, begunAt }: Asking & { begunAt: string },
  answer: KeptAnswer,
  place?: string,
): Promise<Answered> {
  const now = clock()
  return db.transaction(async (tx) => {
    // Deleted meanwhile: nothing is kept of it.
    if (id !== null) await requireThere(tx, { userId, id })
    // Asked again, a question takes the place of the passages that were found for it.
    await tx
      .delete(questions)
      .where(
        and(
          areOf({ userId, id }),
          eq(questions.question, question),
          sql`${questions.answer} ->> 'kind' = 'passages'`,
        ),
      )
    const [row] = await tx
      .insert(questions)
      .values({ id: randomUUID(), userId, transcriptionId: id, question, answer, createdAt: now })
      .returning()
    if (!row) throw new Error('the question was not kept')
    const sources = [...new Set(answer.quotes.map(({ transcriptionId }) => transcriptionId))]
    // An answer that quotes a recording removed meanwhile is shown and not kept.
    const there = await tx
      .select({ id: everyRow.id })
      .from(everyRow)
      .where(inArray(everyRow.id, sources))
      .for('key share')
    // One that may quote words which were hidden meanwhile is not shown either.
    const isHidden = await tx.$count(
      hidings,
      and(
        inArray(hidings.transcriptionId, id === null ? sources : [...sources, id]),
        sql`${hidings.createdAt} > ${begunAt}::timestamptz`,
      ),
    )
    if (isHidden > 0) throw new Refusal('words_hidden')
    if (there.length < sources.length) await tx.delete(questions).where(eq(questions.id, row.id))
    else if (sources.length > 0)
      await tx
        .insert(questionSources)
        .values(sources.map((transcriptionId) => ({ questionId: row.id, transcriptionId })))
    const old = tx
      .select({ id: questions.id })
      .from(questions)
      .where(areOf({ userId, id }))
      .orderBy(desc(questions.createdAt), desc(questions.id))
      .offset(MOST_KEPT)
    await tx.delete(questions).where(inArray(questions.id, old))
    if (place !== undefined) await countPlace(tx, place)
    const left = writer.answer ? await leftOf(tx, { userId, now, asksPerDay }) : null
    return { answer: toAnswer(row), left }
  })
}

/** By the database, whose clock says when words were hidden. */
async function now(db: Db): Promise<string> {
  const { rows } = await db.execute<{ now: string }>(sql`select now()::text as now`)
  return rows[0]?.now ?? 'infinity'
}

async function requireThere(db: Db | Tx, owned: Owned): Promise<void> {
  const [row] = await db
    .select({ id: shownRows.id })
    .from(shownRows)
    .where(isThere(owned))
    .for('key share')
  if (!row) throw new Refusal('not_found')
}

type Row = typeof questions.$inferSelect

const toAnswer = ({ id, question, answer, createdAt }: Row): Answer => ({
  id,
  question,
  ...answer,
  createdAt: createdAt.toISOString(),
})

/**
 * What was asked of a recording, or of the library, and questions to begin with.
 *
 * @throws Refusal `not_found`
 */
export async function list(
  deps: Deps,
  { userId, id }: { userId: string; id: string | null },
): Promise<Answers> {
  const { db, clock, writer, asksPerDay } = deps
  const offers =
    id === null ? await offersForLibrary(db, userId) : await offersFor(db, { userId, id })
  const rows = await db
    .select()
    .from(questions)
    .where(and(areOf({ userId, id }), notExists(quotesDeleted(db))))
    .orderBy(asc(questions.createdAt), asc(questions.id))
  const names = await namesNow(db, rows)
  const left = writer.answer ? await leftOf(db, { userId, now: clock(), asksPerDay }) : null
  return {
    answers: rows.map(toAnswer).map((answer) => ({
      ...answer,
      quotes: answer.quotes.map((quote) => ({
        ...quote,
        name: names.get(quote.transcriptionId) ?? quote.name,
      })),
    })),
    hasModel: writer.answer !== undefined,
    left,
    perDay: writer.answer ? asksPerDay : null,
    offers,
  }
}

/** A recording may have been renamed since. */
async function namesNow(db: Db, rows: readonly Row[]): Promise<Map<string, string>> {
  const ids = new Set(
    rows.flatMap(({ answer }) => answer.quotes.map(({ transcriptionId }) => transcriptionId)),
  )
  if (ids.size === 0) return new Map()
  const named = await db
    .select({ id: shownRows.id, name: shownRows.originalName })
    .from(shownRows)
    .where(inArray(shownRows.id, [...ids]))
  return new Map(named.map(({ id, name }) => [id, name]))
}

/** @throws Refusal `not_found` */
export async function remove({ db }: Pick<Deps, 'db'>, { userId, id }: Owned): Promise<void> {
  requireId(id)
  const gone = await db
    .delete(questions)
    .where(and(eq(questions.id, id), eq(questions.userId, userId)))
    .returning({ id: questions.id })
  if (gone.length === 0) throw new Refusal('not_found')
}
