/**
 * The list of words to check. An item is a word in doubt, or all words in doubt that were written
 * alike, because they were probably misheard alike.
 */
import type { WordTurn } from '../contract.ts'
import { SURE } from '../packed-words.ts'
import type { WordPlace } from './word-places.ts'

export interface CheckItem {
  /** The word without the punctuation around it, and its letters in the text of the first place. */
  word: string
  from: number
  to: number
  /** The words in doubt it stands for, in order; the first is the one that is shown. */
  places: readonly WordPlace[]
  first: WordPlace
}

type Texts = readonly Pick<WordTurn, 'text'>[]

const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

/** The letters of a word in its turn, without quotes, commas and full stops around it. */
function bareOf(turns: Texts, { turn, from, to }: WordPlace) {
  const written = turns[turn]?.text.slice(from, to) ?? ''
  const word = written.replace(edges, '')
  const start = from + Math.max(0, written.indexOf(word))
  return word === '' ? { word: written, from, to } : { word, from: start, to: start + word.length }
}

/** Words are alike when they differ in nothing but capitals and the punctuation around them. */
const keyOf = (word: string) => word.toLowerCase()

/**
 * A shorter word stands alone. Who heard one "the" or "then" knows nothing of the others; who heard
 * "bender" for "binder" once will hear it again.
 */
const LEAST_LETTERS = 5

export function itemsOf(turns: Texts, toCheck: readonly WordPlace[]): CheckItem[] {
  const items = new Map<string, CheckItem & { places: WordPlace[] }>()
  for (const [index, place] of toCheck.entries()) {
    const bare = bareOf(turns, place)
    const key = bare.word.length < LEAST_LETTERS ? `#${index}` : keyOf(bare.word)
    const alike = items.get(key)
    if (alike) alike.places.push(place)
    else items.set(key, { ...bare, places: [place], first: place })
  }
  return [...items.values()]
}

/** All words of the recording that are written like an item's, but for those that are sure. */
export interface Alike {
  places: readonly (WordPlace & { wordFrom: number })[]
  /** Most of the words written so are in doubt, so a correction is probably right for all. */
  isMostlyDoubtful: boolean
}

export function alikeTo(
  item: CheckItem,
  { turns, places }: { turns: Texts; places: readonly WordPlace[] },
): Alike {
  if (item.word.length < LEAST_LETTERS)
    return { places: [{ ...item.first, wordFrom: item.from }], isMostlyDoubtful: false }
  const key = keyOf(item.word)
  const written = places.flatMap((place) => {
    const { word, from } = bareOf(turns, place)
    return keyOf(word) === key ? [{ ...place, wordFrom: from }] : []
  })
  return {
    places: written.filter(({ confidence }) => confidence !== SURE),
    isMostlyDoubtful: item.places.length * 2 >= written.length,
  }
}

/** The text of the item's turn with something else in its place; nothing there takes its space along. */
export function corrected(text: string, { from, to }: CheckItem, replacement: string): string {
  const before = text.slice(0, from)
  return `${replacement === '' ? before.trimEnd() : before}${replacement}${text.slice(to)}`
}

/** Whether two words differ in nothing that is heard: then a correction settles no doubt by itself. */
export const soundsAlike = (one: string, other: string): boolean => keyOf(one) === keyOf(other)

/** A word with the words around it: on either side the whole words that fit into `letters`. */
export function contextOf(
  turns: Texts,
  { first, from, to }: Pick<CheckItem, 'from' | 'to'> & { first: Pick<WordPlace, 'turn'> },
  letters: number,
) {
  const text = turns[first.turn]?.text ?? ''
  const start = from <= letters ? 0 : text.indexOf(' ', from - letters - 1) + 1
  const cut = text.lastIndexOf(' ', to + letters)
  const end = to + letters >= text.length ? text.length : Math.max(to, cut)
  return {
    before: `${start > 0 ? '… ' : ''}${text.slice(Math.min(start, from), from)}`,
    after: `${text.slice(to, end)}${end < text.length ? ' …' : ''}`,
  }
}
