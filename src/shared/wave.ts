/** The waveform as it is drawn: as many bars as there is room for, each with its height and speaker. */

/** The colour of a speaker (from 0): A, B and C have their own, five others repeat. */
export const laneOf = (speaker: number): number => (speaker < 3 ? speaker : 3 + ((speaker - 3) % 5))

interface Stretch {
  start: number
  end: number
  /** Number of the speaker, null for nobody in particular. */
  lane: number | null
}

/** Heights of bars from 0 to 1. Each bar is as high as the highest of the peaks it stands for. */
export function heightsOf(peaks: readonly number[], count: number): number[] {
  const loudestOf = (some: readonly number[]) =>
    some.reduce((most, peak) => Math.max(most, peak), 0)
  const loudest = loudestOf(peaks)
  return Array.from({ length: count }, (_, bar) => {
    const from = Math.floor((bar * peaks.length) / count)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / count))
    return loudest > 0 ? loudestOf(peaks.slice(from, to)) / loudest : 0
  })
}

/** The speaker of each bar: the one who speaks longest in its stretch of time; null in pauses. */
export function lanesOfBars(
  stretches: readonly Stretch[],
  count: number,
  duration: number,
): (number | null)[] {
  const lanes: (number | null)[] = Array.from({ length: count }, () => null)
  if (duration <= 0) return lanes
  const most = Array.from({ length: count }, () => 0)
  for (const { start, end, lane } of stretches) {
    if (lane === null) continue
    const first = Math.max(0, Math.floor((start / duration) * count))
    const last = Math.min(count - 1, Math.floor((end / duration) * count))
    for (let bar = first; bar <= last; bar += 1) {
      const from = (bar / count) * duration
      const to = ((bar + 1) / count) * duration
      const shared = Math.min(end, to) - Math.max(start, from)
      if (shared <= (most[bar] ?? 0)) continue
      most[bar] = shared
      lanes[bar] = lane
    }
  }
  return lanes
}

/**
 * The position in words, for screen readers, with the speaker and the chapter: "30 seconds of 41
 * minutes, Ben Okafor".
 */
export function placeInWords(
  seconds: number,
  duration: number,
  ...heard: (string | undefined)[]
): string {
  const words = `${spell(seconds)} of ${spell(duration)}`
  return [words, ...heard.filter((name) => name !== undefined)].join(', ')
}

function spell(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const units = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor((whole % 3600) / 60), 'minute'],
    [whole % 60, 'second'],
  ] as const
  const said = units.filter(([count, unit]) => count > 0 || (unit === 'second' && whole < 60))
  return said.map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(' ')
}

/** Nowhere as loud as one part in 256 of what can be recorded. Levels from 0 to 255. */
export const isSilent = (levels: readonly number[] | null | undefined): boolean =>
  levels?.length ? levels.every((level) => level === 0) : false
