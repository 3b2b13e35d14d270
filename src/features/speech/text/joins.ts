/**
 * Mends the places where a recording was cut to be recognised. An engine that writes capitals and
 * full stops takes every piece for whole sentences: it begins with a capital and likes to end with a
 * full stop, also where the cut went through a sentence. The length of the pause there tells whether it did.
 */
import { sentenceEnd } from '../contract.ts'
import type { Region, Word } from '../engines/engine.ts'

/** After a longer pause a new sentence begins. It is the pause after which a new turn begins. */
const APART_MS = 1000
/** A shorter one is no pause: the piece was cut because it had become too long. */
const PAUSE_MS = 100
/** In German every noun has a capital, about a quarter of all words; in English about 1 in 20. */
const NOUNS_SHARE = 0.15

const endsSentence = (text: string): boolean => sentenceEnd.test(text)
const isCapital = (text: string): boolean => /^["'“‘([]*\p{Lu}/u.test(text)
const isSmall = (text: string): boolean => /^["'“‘([]*\p{Ll}/u.test(text)
const plain = (text: string): string => text.replaceAll(/[^\p{L}\p{M}\p{N}'’]+/gu, '')
const always = new Set(
  'Mr Mrs Ms Dr Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February April June July August September October November December'.split(
    ' ',
  ),
)

/**
 * @param regions where somebody speaks
 * @returns the words, none of which is marked as the first of its piece any more
 */
export function mendJoins(words: readonly Word[], regions: readonly Region[]): Word[] {
  const spelling = spellingsIn(words.filter(({ isOther }) => !isOther))
  const mended: Word[] = []
  for (const { isPieceStart, ...word } of words) {
    const last = mended.at(-1)
    if (!isPieceStart || !last || last.isOther !== word.isOther) {
      mended.push(word)
      continue
    }
    const text = word.text.replace(/^[,.;:!?…]+(?=.)/u, '')
    if (!/[\p{L}\p{N}]/u.test(text)) {
      // A mark that stands alone belongs to the word before it, which mostly has one.
      if (!/\p{P}$/u.test(last.text)) last.text += text
      continue
    }
    const pauseMs = pauseBetween(last, word, regions)
    const next = { ...word, text }
    join(last, next, { pauseMs, isName: () => spelling.isName(text) })
    mended.push(next)
  }
  return mended
}

function join(
  last: Word,
  next: Word,
  { pauseMs, isName }: { pauseMs: number; isName: () => boolean },
): void {
  if (isSmall(next.text)) {
    if (!endsSentence(last.text)) return
    // Both pieces were heard without a pause, and the second goes on: the stop was a guess.
    if (pauseMs < PAUSE_MS && /[^.]\.$/u.test(last.text)) last.text = last.text.slice(0, -1)
    else next.text = capital(next.text)
  } else if (isCapital(next.text) && !endsSentence(last.text)) {
    if (pauseMs >= APART_MS) last.text = `${last.text.replace(/[,;:–—-]$/u, '')}.`
    else if (!isName()) next.text = small(next.text)
  }
}

/** How the words of a text are written in the middle of sentences, where a capital means something. */
function spellingsIn(words: readonly Word[]) {
  const capitals = new Map<string, number>()
  const smalls = new Map<string, number>()
  let inside = 0
  let isBegun = false
  for (const { text, isPieceStart } of words) {
    const word = plain(text)
    if (isBegun && !isPieceStart && word !== '') {
      const counts = isCapital(text) ? capitals : smalls
      const key = word.toLowerCase()
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (!isI(word)) inside += 1
    }
    isBegun = !endsSentence(text)
  }
  const withCapital = [...capitals].reduce((sum, [word, n]) => sum + (isI(word) ? 0 : n), 0)
  const haveNounsCapitals = withCapital > inside * NOUNS_SHARE
  return {
    isName(text: string): boolean {
      const word = plain(text)
      if (isI(word) || always.has(word) || /^.+[\p{Lu}\p{N}]/u.test(word)) return true
      const capitalised = capitals.get(word.toLowerCase()) ?? 0
      const small = smalls.get(word.toLowerCase()) ?? 0
      return small === 0 ? capitalised > 0 || haveNounsCapitals : capitalised > small
    },
  }
}

const isI = (word: string): boolean => /^i(['’]\p{L}+)?$/iu.test(word)

/** How long nobody spoke between two words; 0 where both lie in one stretch of speech. */
function pauseBetween(last: Word, next: Word, regions: readonly Region[]): number {
  const fromMs = (last.startMs + last.endMs) / 2
  const toMs = (next.startMs + next.endMs) / 2
  let pauseMs = 0
  for (const [place, { startMs }] of regions.entries()) {
    const before = regions[place - 1]
    if (!before || startMs <= fromMs) continue
    if (startMs > toMs) break
    pauseMs = Math.max(pauseMs, startMs - before.endMs)
  }
  return pauseMs
}

const changed = (text: string, change: (letter: string) => string): string =>
  text.replace(/\p{L}/u, change)
/** "20th" and "iPhone" stay as they are. */
export const capital = (text: string): string =>
  text.replace(/^[^\p{L}\p{N}]*\p{Ll}(?!\p{L}*\p{Lu})/u, (begin) => begin.toUpperCase())
const small = (text: string): string => changed(text, (letter) => letter.toLowerCase())
