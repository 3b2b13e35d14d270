/** Cuts the same words into new turns, after the speakers were told apart again. Pure. */
import { randomUUID } from 'node:crypto'

import { type SpeakerTurn, type Word, joinWords } from '#features/speech/contract.ts'
import * as speech from '#features/speech/speech.ts'
import { isOtherLanguage } from '#shared/other-language.ts'
import type { TurnRow } from './tables.ts'

import type { Span } from './align.ts'
import { extentOf } from './in-turn.ts'
import type { StoredTurn } from './kept-turns.ts'

/** Where a word stands in the text as it is. */
interface WordPosition {
  turn: number
  index: number
  word: Word
}

/**
 * @param turns the text as it is, in order
 * @param originals the engine's words, in order; null while the text is as the engine left it
 */
export function regroup({
  turns,
  originals,
  speakers,
  regions,
}: {
  turns: readonly TurnRow[]
  originals: readonly Word[] | null
  speakers: readonly SpeakerTurn[]
  regions: readonly { startMs: number; endMs: number }[]
}): StoredTurn[] {
  const engine = originals ?? turns.flatMap(({ words }) => words)
  const places = new Map<Word, WordPosition>()
  // Words stay in the order in which they are read, also where a correction gave them odd times.
  let lastMs = 0
  for (const [turn, { words, text }] of turns.entries())
    for (const [index, word] of words.entries()) {
      const startMs = Math.max(lastMs, word.startMs)
      lastMs = startMs
      const timed = { ...word, startMs, endMs: Math.max(startMs, word.endMs) }
      const isFirst = index === 0 && { isPieceStart: true as const }
      const mark = isOtherLanguage(text) && { isOther: true as const, ...isFirst }
      places.set({ ...timed, ...mark }, { turn, index, word })
    }
  const numbers = numbersOf(turns)
  const grouped = speech.inTurns({
    words: [...places.keys()],
    speakers,
    regions,
    hasPunctuation: true,
    isWritten: true,
  })
  const said = grouped.map(({ speaker, words }) => ({
    speaker,
    places: words.flatMap((word) => places.get(word) ?? []),
  }))
  const kept = said.reduce((sum, turn) => sum + turn.places.length, 0)
  if (kept !== places.size) throw new Error('words were lost on the way to new turns')
  let border = 0
  const borders = said.map(({ places: [first] }) => {
    if (first) border = Math.max(border, numberOf(first, { turns, numbers, engine }))
    return border
  })
  return said.map(({ speaker, places: members }, at): StoredTurn => {
    const originalFrom = at === 0 ? 0 : (borders[at] ?? 0)
    const originalTo = borders[at + 1] ?? engine.length
    const words = members.map(({ word }) => word)
    const of = { speaker, words, revision: 0, originalFrom, originalTo }
    const times = timesOf(members, turns)
    const whole = wholeTurn(members, turns)
    if (whole) return { ...of, ...times, id: whole.id, text: whole.text, isEdited: whole.isEdited }
    const text = joinWords(words.map((word) => word.text))
    const wasEdited = members.some(({ turn }) => turns[turn]?.isEdited)
    const written = engine.slice(originalFrom, originalTo).map((word) => word.text)
    const isEdited = wasEdited && joinWords(written) !== text
    return { ...of, ...times, id: randomUUID(), text, isEdited }
  })
}

/** A turn begins and ends as those did whose first and last word it has, or else with its words. */
function timesOf(members: readonly WordPosition[], turns: readonly TurnRow[]): Span {
  const said = extentOf(members.map(({ word }) => word))
  const [first, last] = [members[0], members.at(-1)]
  const from = first?.index === 0 ? turns[first.turn] : undefined
  const to = last && turns[last.turn]
  const isEnd = last?.index === (to?.words.length ?? 0) - 1
  return {
    startMs: Math.min(said.startMs, from?.startMs ?? Infinity),
    endMs: Math.max(said.endMs, isEnd ? (to?.endMs ?? 0) : 0),
  }
}

/** A turn that has the same words as before stays the same turn. */
function wholeTurn(members: readonly WordPosition[], turns: readonly TurnRow[]): TurnRow | null {
  const [first] = members
  const turn = first && turns[first.turn]
  if (!turn || first.index !== 0 || turn.words.length !== members.length) return null
  return members.every((each) => each.turn === first.turn) ? turn : null
}

/** The number of the engine's word with which each turn begins, while no turn says so itself. */
function numbersOf(turns: readonly TurnRow[]): number[] {
  let number = 0
  return turns.map(({ words }) => {
    const from = number
    number += words.length
    return from
  })
}

/** The first of the engine's words for the stretch of text that begins with this one. */
function numberOf(
  { turn: at, index, word }: WordPosition,
  {
    turns,
    numbers,
    engine,
  }: { turns: readonly TurnRow[]; numbers: readonly number[]; engine: readonly Word[] },
): number {
  const turn = turns[at]
  const from = turn?.originalFrom ?? numbers[at] ?? 0
  const to = turn?.originalTo ?? from + (turn?.words.length ?? 0)
  if (index === 0) return from
  const later = engine.slice(from, to).findIndex(({ startMs }) => startMs >= word.startMs)
  return later === -1 ? to : from + later
}
