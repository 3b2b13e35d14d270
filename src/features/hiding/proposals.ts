/**
 * Other ways in which a name may stand in a text: a part of it, and what a recogniser may have heard
 * in its place. These are proposals: their owner listens, and picks. Pure.
 */
import { type SaidTurn, type WordPlace, wordPlaces } from '#features/text/word-places.ts'
import { fold } from '#shared/fold.ts'
import { foldedWords, hiderOf } from '#shared/hidden-words.ts'

export interface Proposal {
  /** As it stands in the text. */
  text: string
  /** A part of the name, or another spelling of it. */
  kind: 'part' | 'near'
  /** Whether it is taken unless its owner says no. */
  isLikely: boolean
  places: WordPlace[]
}

/** Every place of these words. */
export const placesOf = (words: readonly string[], said: readonly SaidTurn[]): WordPlace[] =>
  wordPlaces(said, hiderOf(words).hitsIn)

const MOST = 24
/** A part of a name that is shorter is half of other words. */
const LEAST_PART = 3
/** Shorter words are like too many others. */
const LEAST_NEAR = 4
/** Words within names that name nobody alone. */
const between = new Set(
  'da de del della den der di dos du el la le of ten ter the van von y zu dr mr mrs ms miss prof sir st jr sr'.split(
    ' ',
  ),
)

/** The likeliest first; none that the words themselves find. */
export function proposalsFor(words: readonly string[], said: readonly SaidTurn[]): Proposal[] {
  const known = hiderOf(words)
  const parts = [...new Set(words.flatMap(foldedWords))].filter(
    (part) => part.length >= LEAST_PART && !between.has(part) && !/^\p{N}+$/u.test(part),
  )
  const found = new Map<string, Omit<Proposal, 'places'>>()
  const add = (key: string, proposal: Omit<Proposal, 'places'>) => {
    const before = found.get(key)
    if (!before || (!before.isLikely && proposal.isLikely)) found.set(key, proposal)
  }
  for (const { text } of said) {
    const hidden = known.hitsIn(text)
    let last: { folded: string; from: number } | null = null
    for (const { 0: word, index } of text.matchAll(/\p{L}[\p{L}\p{M}'’]*/gu)) {
      const isHidden = hidden.some(([from, to]) => index < to && index + word.length > from)
      const folded = plain(word)
      if (isHidden) {
        last = null
        continue
      }
      const isNamed = /^\p{Lu}/u.test(word) && !beginsSentence(text, index)
      for (const part of parts) {
        if (isPart(folded, part)) add(part, { text: bare(word), kind: 'part', isLikely: true })
        else if (isNear(folded, part, isNamed))
          add(folded, {
            text: bare(word),
            kind: 'near',
            isLikely: isNamed && distance(folded, part) <= 1,
          })
        else if (last && part.length > LEAST_NEAR + 1) {
          // "Mar gret": heard as two words.
          const both = last.folded + folded
          const stretch = text.slice(last.from, index + word.length)
          if (distance(both, part) <= 1)
            add(both, { text: bare(stretch), kind: 'near', isLikely: true })
        }
      }
      last = { folded, from: index }
    }
  }
  const taken = placesOf(words, said)
  return [...found.values()]
    .map((proposal) => ({
      ...proposal,
      places: placesOf([proposal.text], said).filter(
        (place) => !taken.some((other) => areOne(place, other)),
      ),
    }))
    .filter(({ places }) => places.length > 0)
    .toSorted(
      (a, b) => Number(b.isLikely) - Number(a.isLikely) || b.places.length - a.places.length,
    )
    .slice(0, MOST)
}

const areOne = (one: WordPlace, other: WordPlace): boolean =>
  one.turnId === other.turnId && one.from < other.to && other.from < one.to

const bare = (word: string): string => word.replace(/['’](?:s)?$/iu, '')
const plain = (word: string): string => fold(bare(word)).text.replace(/[^\p{L}\p{M}]/gu, '')
const beginsSentence = (text: string, at: number): boolean =>
  /(?:^|[.!?…:]["'”’)]*\s+["'“‘(]*)$/u.test(text.slice(Math.max(0, at - 8), at))

/** The part itself, or one bent by another language: "Margarets", "Маргариты". */
function isPart(word: string, part: string): boolean {
  if (word === part) return true
  const longer = word.length - part.length
  if (part.length < LEAST_NEAR || longer < -1 || longer > 3) return false
  const stem = longer <= 0 ? part.slice(0, -1) : part
  // An ending in English is another name: "Haley", "Marian".
  return word.startsWith(stem) && /\P{Script=Latin}/u.test(part)
}

/** Whether a recogniser may have heard one for the other. */
function isNear(word: string, part: string, isNamed: boolean): boolean {
  if (word.length < LEAST_NEAR || part.length < LEAST_NEAR) return false
  if (soundOf(word).charAt(0) !== soundOf(part).charAt(0)) return false
  const apart = distance(word, part)
  if (soundOf(word) === soundOf(part) && apart <= 3) return true
  return isNamed && apart <= (part.length >= 6 ? 2 : 1)
}

/** Consonants that sound alike are one; vowels are only told from them at the beginning. */
function soundOf(word: string): string {
  const alike = word
    .replace(/^(?:kn|gn)/u, 'n')
    .replace(/^wr/u, 'r')
    .replace(/ph/gu, 'f')
    .replace(/(?:ck|qu|[cq])/gu, 'k')
    .replace(/x/gu, 'ks')
    .replace(/[zß]/gu, 's')
    .replace(/d/gu, 't')
    .replace(/b/gu, 'p')
    .replace(/[vw]/gu, 'f')
    .replace(/[gj]/gu, 'g')
  const [first = '', ...rest] = alike.replace(/(.)\1+/gu, '$1')
  const start = /[aeiouy]/u.test(first) ? 'a' : first
  return start + rest.join('').replace(/[aeiouyh]/gu, '')
}

/** How many letters are to be changed, put in, taken out or exchanged with the next. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return Infinity
  let older: number[] = []
  let before = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      let least = Math.min(
        (before[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (before[j - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (older[j - 2] ?? 0) + 1)
      row.push(least)
    }
    older = before
    before = row
  }
  return before[b.length] ?? Infinity
}
