/** How long each voice speaks: one calculation for the app, links to others and documents. */

export interface TalkTime<Voice> {
  voice: Voice
  ms: number
  /** Whole percent of all speech; the shares of all voices add up to 100. */
  share: number
}

/** In order of first speech. Speech of no known voice counts as a voice of its own. */
export function talkTime<Voice>(turns: Iterable<{ voice: Voice; ms: number }>): TalkTime<Voice>[] {
  const times = new Map<Voice, number>()
  for (const { voice, ms } of turns)
    times.set(voice, (times.get(voice) ?? 0) + Math.max(0, Math.round(ms)))
  const shares = percentages([...times.values()])
  return Array.from(times, ([voice, ms], index) => ({ voice, ms, share: shares[index] ?? 0 }))
}

/** Rounds down, then gives the missing percents to the values that lost most, so the sum is 100. */
function percentages(values: number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  if (total <= 0) return values.map(() => 0)
  const whole = values.map((value) => Math.floor((100 * value) / total))
  const left = 100 - whole.reduce((sum, value) => sum + value, 0)
  // Whole numbers, so that equal losses are equal, and the first of them is given its percent.
  const byLoss = values
    .map((value, index) => ({ index, loss: (100 * value) % total }))
    .sort((a, b) => b.loss - a.loss)
  for (const { index } of byLoss.slice(0, left)) whole[index] = (whole[index] ?? 0) + 1
  return whole
}
