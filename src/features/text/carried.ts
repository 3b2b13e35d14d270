/**
 * Carries corrections and names over when a recording is worked on again, and keeps the questions that
 * are left for its owner to decide. What this promises:
 *
 * - Each correction is in the new text, or is listed with its place. None is lost without a word.
 * - Everything that is carried over is one change of the new text, after the account's fixed
 *   replacements; so is each decision. Each can be taken back.
 * - A change of the old text goes with it, and is never taken back in the new one.
 */
import { and, asc, eq, gte, lte, sql } from 'drizzle-orm'

import { type Owned, everyRow, lockOwned } from '#features/row/row.ts'
import type { KeptAction, NamedSpeaker } from '#features/row/kept.ts'
import { type SpeakerTurn, type Turn, type Word, joinWords } from '#features/speech/contract.ts'
import type { FixedReplacement } from '#features/vocabulary/contract.ts'
import * as vocabulary from '#features/vocabulary/vocabulary.ts'
import type { Db, Queryable, Tx } from '#server/db.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import { type FixedTurn, fix } from './fixed-replacements.ts'
import { reassignActions } from './carried-actions.ts'
import { renumberMarks } from './speaker-marks.ts'
import { speakersOf } from './named-speakers.ts'
import {
  type TurnRow,
  turns,
  turnsOf,
  type CarriedQuestion,
  carriedOver,
  checkedTexts,
  edits,
  originalTurns,
} from './tables.ts'
import { type Unplaced, carryOver, countCorrections, putIn } from './carry-over.ts'
import type { DecidedAgain } from './contract.ts'
import { put, putAt, spoken, write } from './text.ts'
import { type Locked, type EditDeps, askNames, edit, find, stored, undo } from './history.ts'
import { within } from './in-turn.ts'
import type { StoredTurn } from './kept-turns.ts'
import * as naming from './naming.ts'
import { regroup as regrouped } from './regroup.ts'
import { type SameVoices, sameVoices } from './same-voices.ts'

type Decision = CarriedQuestion['decision']

/** Corrections and names, as a new text has them. */
export interface Carried {
  /** The new text with the corrections, for its summary. */
  turns: Turn[]
  /** Those of the turns that a correction changed. */
  changed: FixedTurn[]
  names: NamedSpeaker[]
  /** The questions that are left to decide. */
  report: Report
}

interface Report {
  placed: number
  unplaced: Unplaced[]
  likely: SameVoices['likely']
}

export interface Regrouped extends SameVoices {
  turns: StoredTurn[]
}

/** The text as it is, and its words as the engine left them; null while they are the same. */
async function textOf(db: Queryable, id: string) {
  const [row] = await db.select().from(everyRow).where(eq(everyRow.id, id))
  if (!row) throw new Refusal('not_found')
  const now = await turnsOf(db, id)
  if (row.revision === row.textSince) return { row, now, originals: null }
  const originals = await db
    .select()
    .from(originalTurns)
    .where(eq(originalTurns.transcriptionId, id))
    .orderBy(asc(originalTurns.position))
  return { row, now, originals }
}

/** The engine's words with the fixed replacements: what differs from them was corrected by hand. */
async function uncorrected(
  originals: readonly Omit<Turn, 'position'>[],
  replacements: readonly FixedReplacement[],
): Promise<Word[]> {
  return (await fix(originals, replacements)).turns.flatMap(({ words }) => words)
}

/** For a thread: hours of words are compared. */
export async function carry(
  db: Db,
  asked: { id: string; turns: Turn[]; replacements: FixedReplacement[] },
): Promise<Carried> {
  const { row, now, originals } = await textOf(db, asked.id)
  const corrected = now.flatMap(({ words }) => words)
  const carried = originals
    ? carryOver({
        before: await uncorrected(originals, asked.replacements),
        corrected,
        after: asked.turns.map(({ words }) => words),
      })
    : { turns: asked.turns.map(({ words }) => words), kept: 0, unplaced: [] }
  const changed: FixedTurn[] = []
  const written = asked.turns.map((turn, position): Turn => {
    const words = within(carried.turns[position] ?? [], turn)
    if (isSame(words, turn.words)) return turn
    const hasText = words.length !== turn.words.length || !isSameText(words, turn.words)
    const text = hasText ? joinWords(words.map((word) => word.text)) : turn.text
    changed.push({ position, text, words })
    return { ...turn, text, words }
  })
  const voices = sameVoices({ named: speakersOf(row), before: now, after: asked.turns })
  const { kept: placed, unplaced } = carried
  const report = { placed, unplaced, likely: voices.likely }
  return { turns: written, changed, names: voices.names, report }
}

const isSameText = (a: readonly Word[], b: readonly Word[]): boolean =>
  a.every((word, index) => word.text === b[index]?.text)
const isSame = (a: readonly Word[], b: readonly Word[]): boolean =>
  a.length === b.length &&
  isSameText(a, b) &&
  a.every((word, index) => word.confidence === b[index]?.confidence)

/** For a thread too. */
export async function regroup(
  db: Db,
  {
    id,
    ...found
  }: {
    id: string
    speakers: SpeakerTurn[]
    regions: { startMs: number; endMs: number }[]
  },
): Promise<Regrouped> {
  const { row, now, originals } = await textOf(db, id)
  const words = originals?.flatMap((turn) => turn.words) ?? null
  const after = regrouped({ turns: now, originals: words, ...found })
  return { turns: after, ...sameVoices({ named: speakersOf(row), before: now, after }) }
}

export async function handOverEdits(
  tx: Tx,
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const table of [originalTurns, edits, checkedTexts, carriedOver])
    await tx.update(table).set({ transcriptionId: to }).where(eq(table.transcriptionId, from))
}

export async function writeCarried(
  deps: EditDeps,
  tx: Tx,
  { userId, id, carried }: Owned & { carried: Carried },
): Promise<void> {
  const { changed, names } = carried
  if (changed.length > 0 || names.length > 0)
    await edit(deps, { userId, id }, async (locked) => {
      const done = await putAt(locked, changed, { isByHand: true })
      const unnamed = names.map(({ speaker }) => ({ speaker, name: null }))
      return { ...done, undo: { ...done.undo, names: unnamed }, names }
    })
  const { placed, unplaced, likely } = carried.report
  const questions = [...likely.map(asName), ...unplaced.map(asText)].map(numbered)
  await tx.insert(carriedOver).values({ transcriptionId: id, placed, questions })
}

export async function writeRegrouped(
  deps: EditDeps,
  tx: Tx,
  { userId, id, found }: Owned & { found: Regrouped },
): Promise<void> {
  const { turns: after, names, likely } = found
  await edit(deps, { userId, id }, async (locked) => {
    const all = await turnsOf(tx, id)
    const done = await put(locked, all, after)
    await reassignActions(tx, id, regroupedAction({ named: locked.speakers, before: all, after }))
    const present = new Set(after.flatMap(({ speaker }) => speaker ?? []))
    const given = [...present].map((speaker) => ({
      speaker,
      name: names.find((each) => each.speaker === speaker)?.name ?? null,
    }))
    await renumberMarks(tx, id, { before: locked.speakers, after: given })
    // Names that were not decided were those of the speakers before.
    const asked = await askNames(locked, await numberedFree(locked, likely.map(asName)))
    const back = { ...done.undo, names: locked.speakers, asked }
    return { ...done, undo: back, names: given, reload: true }
  })
}

/**
 * Finds the person of an action item again when the speakers have other numbers: one with a name by
 * the name, others by the place where they said it.
 */
function regroupedAction({
  named,
  before,
  after,
}: {
  named: readonly NamedSpeaker[]
  before: readonly Pick<Turn, 'speaker' | 'startMs'>[]
  after: readonly Pick<Turn, 'speaker' | 'startMs'>[]
}) {
  return ({ speaker, startMs }: KeptAction) => {
    const name = named.find((one) => one.speaker === speaker)?.name ?? null
    const at = (turns: typeof before) =>
      startMs === null ? null : (turns.findLast((turn) => turn.startMs <= startMs)?.speaker ?? null)
    return { speaker: name === null && at(before) === speaker ? at(after) : null, who: name }
  }
}

/** Numbers that no correction has. */
async function numberedFree(
  { tx, id }: Locked,
  asked: readonly CarriedQuestion[],
): Promise<CarriedQuestion[]> {
  const [before] = await tx.select().from(carriedOver).where(eq(carriedOver.transcriptionId, id))
  const texts = before?.questions.filter(({ kind }) => kind === 'text') ?? []
  const free = texts.reduce((next, { number }) => Math.max(next, number + 1), 0)
  return asked.map((question, index) => numbered(question, free + index))
}

const asName = (likely: SameVoices['likely'][number]) => ({
  kind: 'name' as const,
  ...likely,
  ...open,
})
const asText = (unplaced: Unplaced) => ({ kind: 'text' as const, ...unplaced, ...open })
const open = { number: 0, decision: 'open' as const, edit: null }
const numbered = (question: CarriedQuestion, number: number): CarriedQuestion => ({
  ...question,
  number,
})

export async function correctionsOf(db: Db, { userId, id }: Owned): Promise<number> {
  const { now, originals } = await textOf(db, id)
  if (!originals) return 0
  const { replacements } = await vocabulary.replacementsOf(db, userId)
  return countCorrections(
    await uncorrected(originals, replacements),
    now.flatMap(({ words }) => words),
  )
}

export async function shown(
  db: Queryable,
  id: string,
  questions: readonly CarriedQuestion[],
): Promise<DecidedAgain['question'][]> {
  const said = questions.some(({ kind }) => kind === 'text')
    ? await db
        .select({ speaker: turns.speaker, startMs: turns.startMs })
        .from(turns)
        .where(eq(turns.transcriptionId, id))
        .orderBy(asc(turns.startMs))
    : []
  return questions.map(({ edit: _edit, ...question }) => {
    if (question.kind === 'name') return question
    const { startMs, endMs, ...rest } = question
    const there = said.findLast((turn) => turn.startMs <= startMs) ?? said[0]
    return { ...rest, speaker: there?.speaker ?? null, start: startMs / 1000, end: endMs / 1000 }
  })
}

/**
 * Decides one question, or takes a decision back. Asked again, it is decided already.
 *
 * @throws Refusal `not_found`, `not_finished`, `being_rewritten`, `cannot_undo`, `turn_too_long`,
 * `text_too_long`
 */
export async function decide(
  { db, clock }: { db: Db; clock: Clock },
  { number, decision, ...owned }: Owned & { number: number; decision: Decision },
): Promise<DecidedAgain> {
  return db.transaction(async (tx) => {
    await lockOwned(tx, owned)
    const isIt = eq(carriedOver.transcriptionId, owned.id)
    const [carried] = await tx.select().from(carriedOver).where(isIt)
    const question = carried?.questions.find((each) => each.number === number)
    if (!carried || !question) throw new Refusal('not_found')
    const outcome =
      question.decision === decision
        ? null
        : await (decision === 'put'
            ? putAnswer({ db: tx, clock }, owned, question)
            : question.edit === null
              ? null
              : undo({ db: tx, clock }, { ...owned, edit: question.edit }))
    if (outcome?.kind === 'conflict') throw new Refusal('cannot_undo')
    const edited = outcome?.edited ?? null
    const now: CarriedQuestion = {
      ...question,
      decision,
      edit: decision === 'put' ? (edited?.undo ?? question.edit) : null,
    }
    const questions = carried.questions.map((each) => (each.number === number ? now : each))
    await tx.update(carriedOver).set({ questions }).where(isIt)
    const [answer] = await shown(tx, owned.id, [now])
    if (!answer) throw new Error('a question that was decided is gone')
    return { question: answer, edited: edited && edited.undo !== null ? edited : null }
  })
}

function putAnswer(deps: EditDeps, owned: Owned, question: CarriedQuestion) {
  if (question.kind === 'name') return naming.rename(deps, { ...owned, ...question })
  return edit(deps, owned, async (locked) => {
    const near = await turnsNear(locked.tx, { id: locked.id, ...question })
    const after = putIn(
      near.map(({ words }) => words),
      question,
    )
    const take = near.filter((turn, at) => !isSame(after[at] ?? [], turn.words))
    if (take.length === 0) return { kind: 'changed', undo: null, changed: [] }
    const place = take.map((turn): StoredTurn => {
      const words = after[near.indexOf(turn)] ?? []
      const text = joinWords(words.map((word) => word.text))
      return { ...stored(turn), ...spoken(words, text, turn), isEdited: true }
    })
    return write(locked, take, place)
  })
}

/** How far from its place a correction may find a turn, if nobody speaks right there now. */
const NEAR_MS = 5_000

async function turnsNear(
  tx: Tx,
  { id, startMs, endMs }: { id: string; startMs: number; endMs: number },
): Promise<TurnRow[]> {
  const isNear = and(gte(turns.endMs, startMs - NEAR_MS), lte(turns.startMs, endMs + NEAR_MS))
  const near = await turnsOf(tx, id, isNear)
  if (near.length > 0) return near
  const [nearest] = await tx
    .select({ id: turns.id })
    .from(turns)
    .where(eq(turns.transcriptionId, id))
    .orderBy(sql`abs(${turns.startMs} - ${startMs})`)
    .limit(1)
  return nearest ? find(tx, id, [nearest.id]) : []
}
