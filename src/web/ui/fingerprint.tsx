import { bars } from '#shared/format.ts'

import { classes } from './classes.ts'
import { speakerColours } from './speaker-badge.tsx'

const BARS = 26
const SLOT = 112 / BARS

/**
 * The small wave of something without a recording, 112 × 28: `<Fingerprint seed={slug} speakers={3} />`. With a
 * number of speakers its stretches take their colours; with none it is grey.
 */
export function Fingerprint({
  seed,
  speakers = 0,
  className,
}: {
  seed: string
  speakers?: number
  className?: string
}) {
  const heights = bars(seed, BARS)
  const lanes = lanesOf(seed, speakers)
  return (
    <svg
      viewBox="0 0 112 28"
      width="112"
      height="28"
      aria-hidden="true"
      className={classes('keeps-colour shrink-0', className)}
    >
      {heights.map((value, index) => {
        const tall = Math.max(2.5, value * 26)
        const lane = lanes[index]
        return (
          <rect
            key={index} // oxlint-disable-line react/no-array-index-key -- bars have no identity but their place
            {...(lane === undefined ? {} : speakerColours(lane))}
            x={short(index * SLOT + (SLOT - 2.5) / 2)}
            y={short(14 - tall / 2)}
            width="2.5"
            height={short(tall)}
            rx="1.25"
            className={lane === undefined ? 'fill-line' : 'fill-speaker-lane'}
          />
        )
      })}
    </svg>
  )
}

/** Gives speakers to stretches of a few bars each. The seed decides, because it is decoration. */
function lanesOf(seed: string, speakers: number): number[] {
  if (speakers < 1) return []
  const lengths = bars(`${seed} turns`, BARS)
  return lengths.flatMap((length, turn) =>
    Array.from({ length: 2 + Math.round(length * 8) }, () => turn % speakers),
  )
}

/** Rounds to a hundredth of a pixel: more digits would only make the pages larger. */
const short = (value: number) => Math.round(value * 100) / 100
