import { classes } from '#web/ui/classes.ts'
import { speakerColours } from '#web/ui/speaker-badge.tsx'

const TALL = 100

/**
 * A waveform in a few strokes instead of an element for each bar: it stretches to its box, and the
 * strokes keep their width. Decorative. `every` bars are left out on phones but each so many-th.
 *
 * `<Wave id="sample" heights={peaks} speakers={lanes} playedTo={0.42} className="h-[92px]" />`
 */
export function Wave({
  id,
  heights,
  speakers,
  playedTo,
  playedTone,
  every = 2,
  movesAlong = false,
  className,
}: {
  /** Of the parts that are used twice: one of a kind on its page. */
  id: string
  /** From 0 to 1, one per bar. */
  heights: readonly number[]
  /** Speaker number of each bar; without it the bars are grey. */
  speakers?: readonly (number | null)[]
  /** From 0 to 1: where the playhead stands. */
  playedTo: number
  /** Of the bars before the playhead; without it, and with speakers, the bars after it are pale. */
  playedTone?: string
  every?: number
  /** The playhead follows the scrolling of the page. */
  movesAlong?: boolean
  className: string
}) {
  const count = heights.length
  const at = playedTo * count
  const isPale = speakers !== undefined
  const lanes = speakers ? [...new Set(speakers)] : [null]
  const bars = lanes.flatMap((lane) =>
    [true, false].map((isOnPhones) => {
      const d = heights
        .map((height, index) =>
          (speakers?.[index] ?? null) === lane && (index % every === 0) === isOnPhones
            ? bar(index, height)
            : '',
        )
        .join('')
      return d ? (
        <path
          key={`${lane} ${isOnPhones}`}
          {...(lane === null ? {} : speakerColours(lane))}
          d={d}
          vectorEffect="non-scaling-stroke"
          className={classes(
            lane === null ? '' : 'stroke-speaker-lane',
            isOnPhones ? '' : 'max-sm:hidden',
          )}
        />
      ) : null
    }),
  )
  return (
    <svg
      viewBox={`0 0 ${count} ${TALL}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      strokeWidth="4"
      strokeLinecap="round"
      className={classes('keeps-colour block w-full overflow-visible', className)}
    >
      {isPale || playedTone ? (
        <>
          <clipPath id={`${id}-played`}>
            <rect data-wave-played width={at} height={TALL} />
          </clipPath>
          <g className={isPale ? 'opacity-42' : 'stroke-line'}>{bars}</g>
          {/* Drawn again in full up to the playhead. */}
          <g clipPath={`url(#${id}-played)`} className={playedTone}>
            {bars}
          </g>
        </>
      ) : (
        <g className="stroke-line">{bars}</g>
      )}
      <g className={classes('stroke-playhead', movesAlong && 'goes-along')}>
        <path
          data-wave-playhead
          d={`M${at} -8V108`}
          vectorEffect="non-scaling-stroke"
          strokeWidth="2.5"
        />
        {/* Of a stroke without any length WebKit stretches the round end with the picture. */}
        <path
          data-wave-playhead
          d={`M${at} -8h.001`}
          vectorEffect="non-scaling-stroke"
          strokeWidth="10"
        />
      </g>
    </svg>
  )
}

/** Round the middle, as a line from top to bottom. */
function bar(index: number, height: number): string {
  const half = Math.max(1, Math.round(height * (TALL / 2 - 2)))
  return `M${index}.5 ${TALL / 2 - half}v${2 * half}`
}
