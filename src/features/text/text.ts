/**
 * Correcting a transcription. What this promises:
 *
 * - A turn keeps its start and its end, whatever is written in it. They change only when somebody
 *   gives it other times, or brings back an original that lies elsewhere. A cut is made at a word.
 * - Words that stay keep their times. The engine's own text is kept and can be brought back: by
 *   asking for it, or by typing its words again, which then have their times and their doubt again,
 *   and are no correction.
 * - A user who would write over a change they have not seen is told so, and nothing is written.
 *   Saving the same text twice is one change.
 * - Every change is one transaction, has a number, and can be taken back by that number. All
 *   changes can be taken back one after the other, and be made again.
 *
 * Public: carried-actions.ts, carried.ts, earlier.ts, fixed-replacements.ts, hidden.ts, in-turn.ts, named-speakers.ts, packed-words.ts, places.ts, speaker-marks.ts, speakers.ts, tables.ts, taking-over.ts, user-threads.ts, word-places.ts, words-in-doubt.ts
 */
import { and, asc, desc, eq, gt, lt } from 'drizzle-orm'

import { type Owned, shownRows } from '#features/row/row.ts'
import type { Word } from '#features/speech/contract.ts'
import * as vocabulary from '#features/vocabulary/vocabulary.ts'
import { hitsOf } from '#shared/hits.ts'
import { Refusal, refusals } from '#shared/refusals.ts'
import { tidyText, wordsIn } from '#shared/written.ts'

import type { Fixed, FixedTurn } from './fixed-replacements.ts'
import { type Replacement, replacer } from './replacing.ts'
import { turns, type TurnRow, turnsOf, isAmong, originalTurns } from './tables.ts'
import { type Span, align } from './align.ts'
import { type EditConflict, type Edited, MOST_TURN_CHARACTERS, type WordTurn } from './contract.ts'
import {
  type Change,
  type Locked,
  type EditDeps,
  type EditOutcome,
  MANY,
  MOST_WORDS,
  type Outcome,
  edit,
  find,
  forgetFixed,
  setConfidences,
  stored,
  swap,
} from './history.ts'
import { beginIn, extentOf, heardIn, respread, within } from './in-turn.ts'
import { joined } from './joined-turns.ts'
import type { StoredTurn } from './kept-turns.ts'
import { originalOf } from './originals.ts'
import { toWordTurn } from './turn-view.ts'

interface OfTurn extends Owned {
  turnId: string
  /** Of the turn's text, as the caller has seen it. */
  revision: number
}

type Step = Outcome<Change & { kind: 'changed' }>

const nothing: Step = { kind: 'changed', undo: null, changed: [] }

/** @throws Refusal `not_found`, `not_finished` */
export async function setText(
  deps: EditDeps,
  { text, ...of }: OfTurn & { text: string },
): Promise<EditOutcome> {
  return edit(deps, of, async (locked) => {
    const [turn] = await find(locked.tx, locked.id, [of.turnId])
    const wanted = tidyText(text)
    // Also when the caller's turn is older: an answer was lost, and it asks again.
    if (turn?.text === wanted) return { ...nothing, changed: [turn.id] }
    if (turn?.revision !== of.revision) return conflict(turn)
    const original = await originalOf(locked, turn)
    const words = align(turn.words, wanted, turn, heardIn(turn, original.words))
    // Who types the engine's words again, or leaves the turn without the changes, has corrected nothing.
    const isEdited = wanted !== tidyText(original.text)
    return write(locked, [turn], [{ ...stored(turn), ...spoken(words, wanted, turn), isEdited }])
  })
}

/**
 * Cuts a turn in two at a place in its text, or in the text that is sent with it.
 *
 * @throws Refusal `not_found`, `not_finished`, `invalid_request` where nothing would be left of one half
 */
export async function split(
  deps: EditDeps,
  { at, text, ...of }: OfTurn & { at: number; text?: string | undefined },
): Promise<EditOutcome> {
  return edit(deps, of, async (locked) => {
    const [turn] = await find(locked.tx, locked.id, [of.turnId])
    if (turn?.revision !== of.revision) return conflict(turn)
    const whole = text ?? turn.text
    const before = tidyText(whole.slice(0, at))
    const after = tidyText(whole.slice(at))
    if (before === '' || after === '') throw new Refusal('invalid_request')

    // Cut apart first: where a word is cut in two, each half is a word.
    const count = wordsIn(before).length
    const original = (await originalOf(locked, turn)).words
    const heard = heardIn(turn, original)
    const words = align(turn.words, `${before} ${after}`, turn, heard)
    const [left, right] = [words.slice(0, count), words.slice(count)]
    const cutMs = Math.round(right[0]?.startMs ?? turn.endMs)
    const border = borderAt(heard.length > 0 ? heard : original, { left, right, cutMs })
    // As far as something was said in it, also where that was taken out: it may be typed again.
    const lastMs = Math.min(cutMs, extentOf(heard.slice(0, border)).endMs)
    const endMs = Math.max(turn.startMs, lastMs, extentOf(left).endMs)
    const originalAt = turn.originalFrom === null ? null : turn.originalFrom + border
    const isEdited = turn.isEdited || tidyText(whole) !== turn.text
    const half = { ...stored(turn), isEdited }
    const first = { ...half, endMs, originalTo: originalAt }
    const second = {
      ...half,
      id: crypto.randomUUID(),
      startMs: Math.min(cutMs, turn.endMs),
      originalFrom: originalAt,
    }
    return write(
      locked,
      [turn],
      [
        { ...first, ...spoken(left, before, first) },
        { ...second, ...spoken(right, after, second) },
      ],
    )
  })
}

/** How many of the engine's words go to the left of a cut: those that begin before it. */
function borderAt(
  heard: readonly Word[],
  { left, right, cutMs }: { left: readonly Word[]; right: readonly Word[]; cutMs: number },
): number {
  const timesOf = ({ startMs, endMs }: Word) => `${startMs} ${endMs}`
  const numbers = new Map(heard.map((word, index) => [timesOf(word), index]))
  const numberOf = (word: Word) => numbers.get(timesOf(word)) ?? []
  const later = heard.findIndex(({ startMs }) => startMs >= cutMs)
  const least = left.flatMap(numberOf).at(-1) ?? -1
  const most = right.flatMap(numberOf)[0] ?? heard.length
  return Math.min(most, Math.max(least + 1, later === -1 ? heard.length : later))
}

/**
 * Appends a turn to the one before it, whose id and speaker the two then have.
 *
 * @throws Refusal `not_found`, `not_finished`, `invalid_request` where the two are no neighbours
 */
export async function merge(
  deps: EditDeps,
  {
    previous,
    text,
    ...of
  }: OfTurn & { previous: { id: string; revision: number }; text?: string | undefined },
): Promise<EditOutcome> {
  return edit(deps, of, async (locked) => {
    const both = await find(locked.tx, locked.id, [previous.id, of.turnId])
    const first = both.find(({ id }) => id === previous.id)
    const second = both.find(({ id }) => id === of.turnId)
    if (second?.revision !== of.revision) return conflict(second)
    if (first?.revision !== previous.revision) return conflict(first)
    if (first.id === second.id || (await before(locked, second))?.id !== first.id)
      throw new Refusal('invalid_request')

    const typed = text === undefined ? second.text : tidyText(text)
    const words = typed === second.text ? second.words : await retyped(locked, second, typed)
    const isEdited = second.isEdited || typed !== second.text
    const typedInto = { ...stored(second), words, text: typed, isEdited }
    return write(locked, [first, second], [joined(stored(first), typedInto)])
  })
}

/** A turn is not shorter than a sound. */
const SHORTEST_TURN_MS = 100

/**
 * Moves the ends of a turn. Its words are spread over the new time as they were over the old.
 *
 * @throws Refusal `not_found`, `not_finished`, `times_taken` where it would reach into the turns
 * beside it or beyond the recording, `invalid_request` where nothing would be left of it
 */
export async function retime(
  deps: EditDeps,
  { startMs, endMs, ...of }: OfTurn & { startMs: number; endMs: number },
): Promise<EditOutcome> {
  return edit(deps, of, async (locked) => {
    const [turn] = await find(locked.tx, locked.id, [of.turnId])
    if (turn?.revision !== of.revision) return conflict(turn)
    if (startMs === turn.startMs && endMs === turn.endMs) return { ...nothing, changed: [turn.id] }
    if (endMs - startMs < SHORTEST_TURN_MS) throw new Refusal('invalid_request')
    const free = await freeTime(locked, turn)
    if (startMs < free.startMs || endMs > free.endMs) throw new Refusal('times_taken')
    const words = respread(turn.words, turn, { startMs, endMs })
    return put(locked, [turn], [{ ...stored(turn), words, startMs, endMs }])
  })
}

/** As far as a turn may reach: to the turns beside it, unless it reaches into them already. */
async function freeTime(locked: Locked, turn: TurnRow): Promise<Span> {
  const { previous, next } = await neighbours(locked, turn)
  const [row] = await locked.tx
    .select({ durationMs: shownRows.durationMs })
    .from(shownRows)
    .where(eq(shownRows.id, locked.id))
  return {
    startMs: Math.min(turn.startMs, previous?.endMs ?? 0),
    endMs: Math.max(turn.endMs, next?.startMs ?? row?.durationMs ?? 0),
  }
}

/**
 * Somebody listened and found these words right.
 *
 * @throws Refusal `not_found`, `not_finished`, `invalid_request` for a word that is not there
 */
export async function accept(
  deps: EditDeps,
  { words, ...of }: OfTurn & { words: readonly number[] },
): Promise<EditOutcome> {
  return edit(deps, of, async (locked) => {
    const [turn] = await find(locked.tx, locked.id, [of.turnId])
    if (turn?.revision !== of.revision) return conflict(turn)
    if (words.some((index) => turn.words[index] === undefined)) throw new Refusal('invalid_request')
    const doubted = words.filter((index) => turn.words[index]?.confidence !== 1)
    if (doubted.length === 0) return { ...nothing, changed: [turn.id] }
    const confidences = await setConfidences(
      locked,
      turn,
      doubted.map((index) => [index, 1]),
    )
    return { kind: 'changed', undo: { confidences }, changed: [turn.id] }
  })
}

/**
 * Gives one turn the engine's words for its stretch back.
 *
 * @throws Refusal `not_found`, `not_finished`, `nothing_to_restore`
 */
export async function restore(deps: EditDeps, of: OfTurn): Promise<EditOutcome> {
  return edit(deps, of, async (locked) => {
    const [turn] = await find(locked.tx, locked.id, [of.turnId])
    if (turn?.revision !== of.revision) return conflict(turn)
    const { words, text } = await originalOf(locked, turn)
    if (words.length === 0) throw new Refusal('nothing_to_restore')
    if (text === turn.text && !turn.isEdited) return { ...nothing, changed: [turn.id] }
    const restored = { ...stored(turn), text, isEdited: false }
    return write(locked, [turn], [{ ...restored, ...(await originalTimes(locked, turn, words)) }])
  })
}

/**
 * Where the engine's words do not lie in the turn, because somebody gave it other times, it has those
 * of the words again, as far as the turns beside it leave room.
 */
async function originalTimes(locked: Locked, turn: TurnRow, words: readonly Word[]) {
  const { startMs, endMs } = turn
  if (beginIn(words, turn)) return { words: within(words, turn), startMs, endMs }
  const [free, extent] = [await freeTime(locked, turn), extentOf(words)]
  const clipped = {
    startMs: Math.max(extent.startMs, free.startMs),
    endMs: Math.min(extent.endMs, free.endMs),
  }
  const times = clipped.endMs - clipped.startMs < SHORTEST_TURN_MS ? { startMs, endMs } : clipped
  return {
    words: beginIn(words, times) ? within(words, times) : respread(words, extent, times),
    ...times,
  }
}

/**
 * Everything as the engine left it: text, turns, and who speaks; names stay with their speakers.
 * `revision` is that of the whole transcription.
 *
 * @throws Refusal `not_found`, `not_finished`
 */
export async function restoreAll(
  deps: EditDeps,
  { revision, ...owned }: Owned & { revision: number },
): Promise<EditOutcome> {
  return edit(deps, owned, async (locked, now) => {
    if (now !== revision) return { kind: 'conflict', current: null }
    const { tx, id } = locked
    const kept = await tx
      .select()
      .from(originalTurns)
      .where(eq(originalTurns.transcriptionId, id))
      .orderBy(asc(originalTurns.position))
    const all = await turnsOf(tx, id)
    const originals = kept.map(
      ({ wordsFrom, wordsTo, transcriptionId: _id, position: _position, ...turn }): StoredTurn => ({
        ...turn,
        revision: 0,
        isEdited: false,
        originalFrom: wordsFrom,
        originalTo: wordsTo,
      }),
    )
    await forgetFixed(locked)
    return { ...(await put(locked, all, originals)), reload: true }
  })
}

/** Turns in which hits were seen; `at`: only those of them that begin at these places. */
export interface SeenTurn {
  id: string
  revision: number
  at?: readonly number[] | undefined
}

export type ReplaceOutcome = Outcome<{
  kind: 'edited'
  edited: Edited
  replaced: number
  /** Turns that are not as they were seen, or have no hit where one was seen. */
  left: string[]
}>

/**
 * Replaces every hit, or those in the turns that were seen, as one change. A turn that somebody
 * changed since it was seen is left as it is.
 *
 * @throws Refusal `not_found`, `not_finished`, `turn_too_long`, `text_too_long`, `vocabulary_full`
 */
export async function replace(
  deps: EditDeps,
  {
    turns: seen,
    remember = false,
    userId,
    id,
    ...wanted
  }: Owned & Replacement & { turns?: SeenTurn[] | undefined; remember?: boolean },
): Promise<ReplaceOutcome> {
  const replacement = {
    ...wanted,
    find: tidyText(wanted.find),
    replaceWith: tidyText(wanted.replaceWith),
  }
  const make = replacer(replacement)
  let replaced = 0
  const left = new Set<string>()
  const outcome = await edit(deps, { userId, id }, async (locked) => {
    const known = seen && new Map(seen.map((turn) => [turn.id, turn]))
    const take: TurnRow[] = []
    const place: StoredTurn[] = []
    let added = 0
    for (const turn of await turnsWith(locked, hitsOf(replacement), known)) {
      const now = known?.get(turn.id)
      if (now && now.revision !== turn.revision) continue
      const most = Math.max(MOST_TURN_CHARACTERS, turn.text.length)
      const { words, text, found, ...done } = make(turn, { at: now?.at, most })
      if (done.isTooLong) throw new Refusal('turn_too_long')
      added += Math.max(0, words.length - turn.words.length)
      if (added > MOST_WORDS) throw new Refusal('text_too_long')
      if (found === (now?.at?.length ?? found)) known?.delete(turn.id)
      if (done.replaced === 0) continue
      replaced += done.replaced
      take.push(turn)
      place.push({ ...stored(turn), ...spoken(words, text, turn), isEdited: true })
    }
    for (const turn of known?.keys() ?? []) left.add(turn)
    if (take.length === 0) return nothing
    if (remember) {
      const { find: from, replaceWith: to, matchCase, wholeWord } = replacement
      await vocabulary.remember(locked.tx, { userId, from, to, matchCase, wholeWord })
    }
    return write(locked, take, place)
  })
  return outcome.kind === 'conflict' ? outcome : { ...outcome, replaced, left: [...left] }
}

/**
 * Writes what an account's fixed replacements made of a new transcription, as its first change: the
 * engine's text is kept, and one undo takes all of them back.
 */
export async function writeFixed(
  deps: EditDeps,
  { userId, id, changed, replaced }: Owned & Pick<Fixed, 'changed' | 'replaced'>,
): Promise<void> {
  await edit(deps, { userId, id }, async (locked) => {
    const done = await putAt(locked, changed, { isByHand: false })
    return { ...done, undo: { ...done.undo, fixed: replaced } }
  })
}

/** Writes what turns, which are told by their places, say now; `isByHand`: because somebody corrected them. */
export async function putAt(
  locked: Locked,
  changed: readonly FixedTurn[],
  { isByHand }: { isByHand: boolean },
) {
  const by = new Map(changed.map((turn) => [turn.position, turn]))
  const rows = await turnsOf(locked.tx, locked.id, isAmong(turns.position, [...by.keys()]))
  const place = rows.map((turn): StoredTurn => {
    const { words, text } = by.get(turn.position) ?? turn
    const isEdited = turn.isEdited || (isByHand && text !== turn.text)
    return { ...stored(turn), ...spoken(words, text, turn), isEdited }
  })
  return put(locked, rows, place)
}

/** The turns that have a hit. Of the others only the text is read. */
async function turnsWith(
  { tx, id }: Locked,
  hits: ReturnType<typeof hitsOf>,
  known: ReadonlyMap<string, SeenTurn> | undefined,
): Promise<TurnRow[]> {
  const said = await tx
    .select({ id: turns.id, text: turns.text })
    .from(turns)
    .where(eq(turns.transcriptionId, id))
  const ids = said
    .filter((turn) => known === undefined || known.has(turn.id))
    .filter(({ text }) => hits(text).length > 0)
    .map((turn) => turn.id)
  return find(tx, id, ids)
}

/** A conflict is answered with what there is now, so that nothing that was typed is lost. */
export function asConflict(current: WordTurn | null): EditConflict {
  return { message: refusals.edited_elsewhere[1], code: 'edited_elsewhere', current }
}

function conflict(turn: TurnRow | undefined): Step {
  return { kind: 'conflict', current: turn ? toWordTurn(turn) : null }
}

/** @throws Refusal `turn_too_long` for a turn that is longer than each of those it replaces */
export async function write(
  locked: Locked,
  take: readonly TurnRow[],
  place: readonly StoredTurn[],
) {
  const lengths = take.map(({ text }) => text.length)
  const most = Math.max(MOST_TURN_CHARACTERS, ...lengths)
  if (place.some(({ text }) => text.length > most)) throw new Refusal('turn_too_long')
  return put(locked, take, place)
}

export async function put(
  locked: Locked,
  take: readonly TurnRow[],
  place: readonly StoredTurn[],
): Promise<Change & { kind: 'changed' }> {
  const { undo, reload, moreWords } = await swap(locked, take, place)
  const changed = place.map(({ id }) => id)
  const removed = take.map(({ id }) => id).filter((id) => !changed.includes(id))
  return {
    kind: 'changed',
    undo,
    changed,
    removed,
    moreWords,
    hasNewText: true,
    reload: reload || place.length > MANY,
  }
}

/** Writes a text into a turn. The turn keeps its time, and the words lie in it. */
export const spoken = (words: readonly Word[], text: string, turn: Span) => ({
  words: within(words, turn),
  text,
})

/** The words of a turn for a text that was typed into it. */
async function retyped(locked: Locked, turn: TurnRow, text: string): Promise<Word[]> {
  const { words } = await originalOf(locked, turn)
  return align(turn.words, text, turn, heardIn(turn, words))
}

async function neighbours(locked: Locked, turn: TurnRow) {
  const previous = await before(locked, turn)
  const [next] = await locked.tx
    .select({ startMs: turns.startMs })
    .from(turns)
    .where(and(eq(turns.transcriptionId, locked.id), gt(turns.position, turn.position)))
    .orderBy(asc(turns.position))
    .limit(1)
  return { previous, next }
}

async function before({ tx, id }: Locked, turn: TurnRow) {
  const [previous] = await tx
    .select({ id: turns.id, endMs: turns.endMs })
    .from(turns)
    .where(and(eq(turns.transcriptionId, id), lt(turns.position, turn.position)))
    .orderBy(desc(turns.position))
    .limit(1)
  return previous
}
