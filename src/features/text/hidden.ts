/**
 * Takes words out of a text for good: out of its turns and their words, and out of what is kept to go back
 * to. What was before is not kept: the engine's own turns, the changes, earlier texts, and questions that
 * a new text left, go.
 */
import { and, desc, eq } from 'drizzle-orm'

import { everyRow, type Row, writeRow } from '#features/row/row.ts'
import { type Word, joinWords } from '#features/speech/contract.ts'
import { inParts, type Queryable, type Tx } from '#server/db.ts'
import { type Hiding, written } from '#shared/hidden-words.ts'
import type { Hit } from '#shared/hits.ts'
import { wordsIn } from '#shared/written.ts'

import { Undo, textOf } from './history.ts'
import { putBack } from './kept-turns.ts'
import { placesIn } from './places.ts'
import {
  carriedOver,
  edits,
  isAmong,
  originalTurns,
  turns,
  type TurnRow,
  turnsOf,
} from './tables.ts'
import { type SaidTurn, type WordPlace, wordPlaces } from './word-places.ts'
import { checkBelowOf, doubtIn } from './words-in-doubt.ts'

type HitsIn = (text: string) => Hit[]

/**
 * When these words are said, in every text of the recording that is kept, and in every turn that a change
 * has replaced: somebody may have taken them out of the text that is shown.
 */
export async function everSaid(tx: Queryable, id: string, hitsIn: HitsIn): Promise<WordPlace[]> {
  const before = await tx
    .select({
      id: originalTurns.id,
      text: originalTurns.text,
      startMs: originalTurns.startMs,
      endMs: originalTurns.endMs,
      words: originalTurns.words,
    })
    .from(originalTurns)
    .where(eq(originalTurns.transcriptionId, id))
    .orderBy(originalTurns.position)
  const now = await turnsOf(tx, id)
  const texts: SaidTurn[][] = [now, before]
  const others = await tx.select({ id: everyRow.id }).from(everyRow).where(eq(everyRow.againOf, id))
  for (const other of others) texts.push(await turnsOf(tx, other.id))
  const replaced = await placesReplaced(tx, now, { id, hitsIn })
  return [...texts.flatMap((said) => wordPlaces(said, hitsIn)), ...replaced]
}

/** The last change is taken back first: of a turn that it has replaced, it keeps what is no more. */
async function placesReplaced(
  tx: Queryable,
  now: readonly TurnRow[],
  { id, hitsIn }: { id: string; hitsIn: HitsIn },
): Promise<WordPlace[]> {
  const changes = await tx
    .select({ undo: edits.undo })
    .from(edits)
    .where(eq(edits.transcriptionId, id))
    .orderBy(desc(edits.revision))
  const wordsOf = new Map(now.map((turn) => [turn.id, turn.words]))
  return changes.flatMap(({ undo }) =>
    (Undo.parse(undo).swap ?? []).toReversed().flatMap(({ take, put }) => {
      const instead = take.flatMap((turn) => wordsOf.get(turn.id) ?? [])
      const before = putBack(put, instead)
      for (const turn of before) wordsOf.set(turn.id, turn.words)
      return wordPlaces(before, hitsIn)
    }),
  )
}

/** Of the row of what is shown, which is locked. Answers how many places are hidden, and in which turns. */
export async function hideWords(
  tx: Tx,
  row: Pick<Row, 'id' | 'revision' | 'speakers' | 'engine'>,
  hiding: Hiding,
): Promise<{ places: number; changed: string[] }> {
  const { id } = row
  const { hitsIn } = hiding
  await tx.delete(everyRow).where(eq(everyRow.againOf, id))
  const ofIt = [originalTurns, edits, carriedOver] as const
  for (const table of ofIt) await tx.delete(table).where(eq(table.transcriptionId, id))

  const said = await turnsOf(tx, id)
  const { turns: hidden, places } = turnsWithout(said, hiding)
  const changed = [...hidden.values()].map((turn) => ({ ...turn, revision: turn.revision + 1 }))
  await tx.delete(turns).where(
    and(
      eq(turns.transcriptionId, id),
      isAmong(
        turns.id,
        changed.map((turn) => turn.id),
      ),
    ),
  )
  for (const part of inParts(changed, 500)) await tx.insert(turns).values(part)
  // The next change keeps these turns as the engine's: of others nothing is left.
  await tx
    .update(turns)
    .set({ originalFrom: null, originalTo: null, isEdited: false })
    .where(eq(turns.transcriptionId, id))

  const now = new Map(changed.map((turn) => [turn.id, turn]))
  const left = said.map((turn) => now.get(turn.id) ?? turn)
  const revision = row.revision + 1
  await writeRow(tx, id, {
    revision,
    textSince: revision,
    transcriptionText: textOf(id),
    wordCount: left.reduce((sum, { words }) => sum + words.length, 0),
    wordsInDoubt: doubtIn(left, checkBelowOf(row.engine))?.inDoubt ?? null,
    speakers: speakersWithout(row, hitsIn),
  })
  return { places, changed: changed.map((turn) => turn.id) }
}

type Texted = SaidTurn & { words: Word[] }

/** Without a name a speaker is known by a letter. */
export const speakersWithout = ({ speakers }: Pick<Row, 'speakers'>, hitsIn: HitsIn) =>
  speakers?.map(({ speaker, name }) => ({
    speaker,
    name: name !== null && hitsIn(name).length > 0 ? null : name,
  })) ?? null

/** The turns that have the words, each without them, by their ids; and in how many places they were. */
export function turnsWithout<Turn extends Texted>(
  said: readonly Turn[],
  hiding: Pick<Hiding, 'hitsIn' | 'markFor'>,
): { turns: Map<string, Turn>; places: number } {
  const all = wordPlaces(said, hiding.hitsIn)
  const places = Map.groupBy(all, ({ turnId }) => turnId)
  const hidden = said.flatMap((turn): [string, Turn][] => {
    const hits = (places.get(turn.id) ?? []).map(({ from, to }): Hit => [from, to])
    const without = hiddenIn(turn, hits, hiding)
    return without ? [[turn.id, { ...turn, ...without }]] : []
  })
  return { turns: new Map(hidden), places: all.length }
}

/** A turn without its hits; null where it has none. */
function hiddenIn(
  turn: Texted,
  hits: readonly Hit[],
  { hitsIn, markFor }: Pick<Hiding, 'hitsIn' | 'markFor'>,
): { text: string; words: Word[] } | null {
  const isClean = (words: readonly Word[]) => {
    const joined = joinWords(words.map((word) => word.text))
    // What was found in the text is all of it, where these are the words of the text.
    return joined === turn.text ? hits.length === 0 : hitsIn(joined).length === 0
  }
  if (hits.length === 0 && isClean(turn.words)) return null
  const markOf = ([from, to]: Hit) => markFor(turn.text.slice(from, to))
  const text = written(turn.text, hits, markOf)
  const words = wordsWithout(turn, hits, markOf)
  // Words that do not stand in their text cannot be told one by one.
  return { text, words: isClean(words) ? words : spread(text, turn) }
}

/** Each hit is one word, from the beginning of its first to the end of its last. */
function wordsWithout(
  { text, words }: Pick<TurnRow, 'text' | 'words'>,
  hits: readonly Hit[],
  markOf: (hit: Hit) => string,
): Word[] {
  const places = placesIn(text, words)
  const left: Word[] = []
  let open: Hit | null = null
  for (const [at, word] of words.entries()) {
    const { from, to } = places[at] ?? { from: 0, to: 0 }
    const within = hits.filter((hit) => from < hit[1] && to > hit[0])
    if (within.length === 0) {
      left.push(word)
      continue
    }
    const [first] = within
    const last = left.at(-1)
    const marks = within.map(markOf)
    const parts = within.map((hit): Hit => [
      Math.max(0, hit[0] - from),
      Math.min(to, hit[1]) - from,
    ])
    const shown = written(word.text, parts, (part) => marks[parts.indexOf(part)] ?? '')
    // It goes on from the word before.
    if (open && first === open && last) {
      last.text += shown.slice(marks[0]?.length)
      last.endMs = Math.max(last.endMs, word.endMs)
    } else left.push({ ...word, text: shown, confidence: 1 })
    open = within.at(-1) ?? null
  }
  return left
}

/** Words of a text over the time of its turn. */
function spread(text: string, { startMs, endMs }: Pick<TurnRow, 'startMs' | 'endMs'>): Word[] {
  const said = wordsIn(text)
  const each = (endMs - startMs) / Math.max(1, said.length)
  return said.map((word, at) => ({
    text: word,
    startMs: Math.round(startMs + at * each),
    endMs: Math.round(startMs + (at + 1) * each),
    confidence: null,
    isEstimated: true,
  }))
}

/** In how many changes, open questions and earlier texts words are kept, beside what was said. */
export async function countKept(tx: Tx, id: string, hitsIn: HitsIn): Promise<number> {
  const changes = await tx
    .select({ undo: edits.undo })
    .from(edits)
    .where(eq(edits.transcriptionId, id))
  const carried = await tx
    .select({ questions: carriedOver.questions })
    .from(carriedOver)
    .where(eq(carriedOver.transcriptionId, id))
  const earlier = await tx.select().from(everyRow).where(eq(everyRow.againOf, id))
  return [...changes, ...carried, ...earlier].filter(
    (kept) => hitsIn(JSON.stringify(kept)).length > 0,
  ).length
}
