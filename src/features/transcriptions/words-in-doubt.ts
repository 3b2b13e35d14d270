/**
 * How far a text can be trusted: which of its words the engine was less sure of, and one sentence
 * that says how many. Library, screen and exports read it, so that they never differ.
 */

/**
 * In percent: a word that the engine is less sure of is marked. Engines are sure in different ways,
 * so each has the threshold that `npm run bench -- doubt` found: the lowest that marks 80 % of its
 * wrong words. Engines that were not measured have the one of `CHECK_BELOW`.
 */
const measured: Record<string, number> = { pocketsphinx: 66 }
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

export function doubtIn(
  turns: readonly { words: readonly { confidence: number | null }[] }[],
  checkBelow: number,
): Doubt {
  const percents = turns.flatMap(({ words }) => words.map((word) => percentOf(word.confidence)))
  const inDoubt = percents.filter((one) => isInDoubt(one, checkBelow)).length
  return { words: percents.length, inDoubt }
}

/** Fewer are checked one by one, without a word about the whole text. */
const LEAST_WORDS = 8
const LEAST_SHARE = 1 / 25

export const isWorthSaying = ({ words, inDoubt }: Doubt): boolean =>
  inDoubt >= LEAST_WORDS && inDoubt >= words * LEAST_SHARE

/** "About 1 word in 6 is in doubt." */
export function doubtSentence(doubt: Doubt, { of = '' }: { of?: string } = {}): string {
  const { share, isMost } = shareOf(doubt)
  return `${share}${of} ${isMost ? 'are' : 'is'} in doubt.`
}

/** The line at the head of a file; null where the text is good enough to go without. */
export function exportedDoubt(doubt: Doubt): string | null {
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
