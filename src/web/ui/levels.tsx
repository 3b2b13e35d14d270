import { heightsOf } from '#shared/wave.ts'

import { classes } from './classes.ts'

const BARS = 26
const WIDTH = 96
const HEIGHT = 28
const SLOT = WIDTH / BARS

/**
 * The small wave of a recording, 96 × 28, by how loud it is: flat where it is silent, and a dotted
 * line while nobody has measured it. `<Levels levels={row.levels} />`
 */
export function Levels({
  levels,
  className,
}: {
  /** 0 to 255, of equal stretches. */
  levels: readonly number[] | null | undefined
  className?: string
}) {
  return levels && levels.length > 0 ? (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
      className={classes('keeps-colour shrink-0', className)}
    >
      {heightsOf(levels, BARS).map((height, index) => {
        const tall = Math.max(2, height * (HEIGHT - 2))
        return (
          <rect
            key={index} // oxlint-disable-line react/no-array-index-key -- bars have no identity but their place
            x={short(index * SLOT + (SLOT - 2.5) / 2)}
            y={short((HEIGHT - tall) / 2)}
            width="2.5"
            height={short(tall)}
            rx="1"
            className="fill-ink-2"
          />
        )
      })}
    </svg>
  ) : (
    <DottedLine className={classes('h-7 w-24 shrink-0', className)} />
  )
}

/** In the place of a wave that nobody knows yet. */
export function DottedLine({ className }: { className?: string | undefined }) {
  return (
    <div aria-hidden="true" className={className}>
      <div className="relative top-1/2 h-[3px] -translate-y-1/2 bg-[radial-gradient(circle,var(--color-line)_1.5px,transparent_1.6px)] bg-size-[6px_3px]" />
    </div>
  )
}

/** Rounds to a hundredth of a pixel: more digits would only make the pages larger. */
const short = (value: number) => Math.round(value * 100) / 100
