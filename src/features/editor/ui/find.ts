/** Searching in a transcript: case and accents do not matter, places are those of the real text. */
import { type Folded, fold } from '#shared/fold.ts'

export interface Hit {
  turn: number
  /** [from, to) in the turn's text. */
  from: number
  to: number
}

/**
 * Every place of what is wanted as it stands. Where it stands nowhere, its words: those of the turns
 * that have the most of them. In order; none when only spaces are wanted.
 */
export function findIn(turns: readonly Folded[], wanted: string): Hit[] {
  const whole = placesOf(turns, [fold(wanted.trim()).text])
  const words = wordsOf(wanted)
  if (whole.length > 0 || words.length === 0) return whole
  const found = turns.map((turn) => words.filter((word) => beginsIn(turn, word)))
  const most = found.reduce((highest, { length }) => Math.max(highest, length), 1)
  return placesOf(turns, words, beginnings).filter(({ turn }) => found[turn]?.length === most)
}

/** What of a search in the library stands in the turn that it led to; empty where none of it does. */
export function wantedIn(turn: Folded, searched: string): string {
  const phrase = searched.replace(quotes, ' ').trim()
  if (turn.text.includes(fold(phrase).text)) return phrase
  return wordsOf(searched)
    .filter((word) => beginsIn(turn, word))
    .join(' ')
}

const quotes = /["“”„«»]+/g
const wordsOf = (text: string) => fold(text.replace(quotes, ' ')).text.split(/\s+/).filter(Boolean)

/** Everywhere, or only where a word begins; in writings without spaces it may begin everywhere. */
const beginnings = (text: string, at: number, word: string) =>
  word >= '\u0e00' || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')

const beginsIn = (turn: Folded, word: string) => placesOf([turn], [word], beginnings).length > 0

function placesOf(
  turns: readonly Folded[],
  needles: readonly string[],
  isPlace: typeof beginnings = () => true,
): Hit[] {
  const hits: Hit[] = []
  turns.forEach(({ text, origin }, turn) => {
    for (const needle of needles)
      for (let at = text.indexOf(needle); at >= 0 && needle;) {
        const end = at + needle.length
        const isHit = isPlace(text, at, needle)
        if (isHit) hits.push({ turn, from: origin?.[at] ?? at, to: origin?.[end] ?? end })
        at = text.indexOf(needle, isHit ? end : at + 1)
      }
  })
  return needles.length > 1
    ? hits.toSorted((one, other) => one.turn - other.turn || one.from - other.from)
    : hits
}
