/**
 * Keeps of the turns that a change has replaced as much as it takes to put them back. Words that are in the new
 * turns too are not kept: of a turn of ten thousand words in which one was corrected, that is one
 * word. Pure.
 */
import { z } from 'zod'

import { type Word, joinWords } from '#features/speech/contract.ts'

const KeptWord = z.object({
  text: z.string(),
  startMs: z.number(),
  endMs: z.number(),
  confidence: z.number().nullable(),
})

/** A word, or a stretch of the words that came instead: number of the first, and how many. */
const WordOrStretch = z.union([z.tuple([z.int(), z.int()]), KeptWord])
type WordOrStretch = z.infer<typeof WordOrStretch>

export const KeptTurn = z.object({
  id: z.uuid(),
  speaker: z.int().nullable(),
  startMs: z.int(),
  endMs: z.int(),
  /** Null where it is its words, one after the other. */
  text: z.string().nullable(),
  words: z.array(WordOrStretch),
  revision: z.int(),
  isEdited: z.boolean(),
  originalFrom: z.int().nullable(),
  originalTo: z.int().nullable(),
})
export type KeptTurn = z.infer<typeof KeptTurn>

/** A turn as it is put back. */
export type StoredTurn = Omit<KeptTurn, 'text' | 'words'> & { text: string; words: Word[] }

/** Packs turns that were replaced. `instead` are the words of the turns that stand in their place. */
export function keep(turns: readonly StoredTurn[], instead: readonly Word[]): KeptTurn[] {
  const places = new Map(instead.map((word, index) => [keyOf(word), index] as const).toReversed())
  let at = 0
  return turns.map((turn) => {
    const words: WordOrStretch[] = []
    for (const word of turn.words) {
      const key = keyOf(word)
      const next = instead[at]
      const place = next && keyOf(next) === key ? at : places.get(key)
      if (place === undefined || place < at) {
        words.push(word)
        continue
      }
      const last = words.at(-1)
      if (Array.isArray(last) && last[0] + last[1] === place) last[1] += 1
      else words.push([place, 1])
      at = place + 1
    }
    return { ...turn, words, text: textOf(turn.words) === turn.text ? null : turn.text }
  })
}

/** Puts kept turns back, with the help of the words that stand in their place now. */
export function putBack(kept: readonly KeptTurn[], instead: readonly Word[]): StoredTurn[] {
  return kept.map((turn) => {
    const words = turn.words.flatMap((piece) =>
      Array.isArray(piece) ? instead.slice(piece[0], piece[0] + piece[1]) : [piece],
    )
    return { ...turn, words, text: turn.text ?? textOf(words) }
  })
}

const keyOf = ({ text, startMs, endMs, confidence }: Word): string =>
  `${startMs} ${endMs} ${confidence} ${text}`

const textOf = (words: readonly Word[]): string => joinWords(words.map(({ text }) => text))
