/**
 * How far a text can be trusted: which of its words the engine was less sure of, and one sentence
 * that says how many. Library, screen and exports read it, so that they never differ.
 */
import { counted } from '#shared/format.ts'

/**
 * In percent: a word that the engine is less sure of is marked. Engines are sure in different ways,
 * so each has the threshold that `npm run bench -- doubt` found: with it more than half of the wrong
 * words are marked, and more than a third of the marked ones are wrong. For pocketsphinx, which errs
 * more, it marks 80 %. `sherpa` was measured with Moonshine v2 tiny. Engines that were not measured
 * have the one of `CHECK_BELOW`.
 */
const measured: Record<string, number> = { pocketsphinx: 66, sherpa: 70 }
const CHECK_BELOW = 50

export const checkBelowOf = (engine: string | null): number => measured[engine ?? ''] ?? CHECK_BELOW

/** Engines say it as a probability; everybody else reads whole percents. */
export const percentOf = (confidence: number | null): number | null =>
  confidence === null ? null : Math.round(confidence * 100)

/** A word nobody gave a confidence for is not in doubt: nothing is known about it. */
export const isInDoubt = (percent: number | null, checkBelow: number): boolean =>
  percent !== null && percent < checkBelow

export interface Doubt {
  words: number
  inDoubt: number
}

type Turns = readonly { words: readonly { confidence: number | null }[] }[]

/**
 * Null where it cannot be told: some engines do not say how sure they are. A word that somebody
 * corrected is sure, which says nothing about the others.
 */
export function doubtIn(turns: Turns, checkBelow: number): Doubt | null {
  const confidences = turns.flatMap(({ words }) => words.map(({ confidence }) => confidence))
  const isTold = !confidences.includes(null) || confidences.some((one) => one !== null && one < 1)
  return isTold ? { words: confidences.length, inDoubt: countInDoubt(turns, checkBelow) } : null
}

export const countInDoubt = (turns: Turns, checkBelow: number): number =>
  turns.reduce((sum, { words }) => {
    const marked = words.filter((word) => isInDoubt(percentOf(word.confidence), checkBelow))
    return sum + marked.length
  }, 0)

/** "41 words to check" */
export const wordsToCheck = (count: number): string => `${counted(count, 'word')} to check`

/** Said in place of how many words are in doubt. */
export const DOUBT_UNKNOWN = 'How sure the recogniser was of its words cannot be told.'

/** Fewer are checked one by one, without a word about the whole text. */
const LEAST_WORDS = 8
const LEAST_SHARE = 1 / 25

export const isWorthSaying = (doubt: Doubt | null): doubt is Doubt =>
  doubt !== null && doubt.inDoubt >= LEAST_WORDS && doubt.inDoubt >= doubt.words * LEAST_SHARE

/** "About 1 word in 6 is in doubt." */
export function doubtSentence(doubt: Doubt, { of = '' }: { of?: string } = {}): string {
  const { share, isMost } = shareOf(doubt)
  return `${share}${of} ${isMost ? 'are' : 'is'} in doubt.`
}

/** The line at the head of a file; null where the text is good enough to go without. */
export function exportedDoubt(doubt: Doubt | null): string | null {
  if (doubt === null) return DOUBT_UNKNOWN
  if (!isWorthSaying(doubt)) return null
  const { share, isMost } = shareOf(doubt)
  return `${share} ${isMost ? 'were' : 'was'} in doubt when this was exported.`
}

function shareOf({ words, inDoubt }: Doubt) {
  const each = Math.round(words / inDoubt)
  return each < 2
    ? { share: 'Most words', isMost: true }
    : { share: `About 1 word in ${each.toLocaleString('en-US')}`, isMost: false }
}
