import { classes } from './classes.ts'
import { speakerColours } from './speaker-badge.tsx'

/**
 * A waveform as a picture. It is as wide as its box; its bars have a fixed width and are not stretched.
 * The played part is drawn full, the rest at 42 %, with the playhead between. Screen readers skip it,
 * so the text beside it must say the same.
 *
 * `<WaveFigure heights={peaks} speakers={laneOfEachBar} playedTo={0.42} />`
 */
export function WaveFigure({
  heights,
  speakers,
  playedTo,
  height = 80,
  barWidth = 4,
  tone = 'line',
  allFull = false,
  className,
}: {
  /** From 0 to 1, one per bar. */
  heights: readonly number[]
  /** Speaker number of each bar; without it the bars are grey. */
  speakers?: readonly (number | null)[]
  /** From 0 to 1; without it there is no playhead and all bars are drawn full. */
  playedTo?: number
  /** Height of the bars in px; the playhead is 12 px longer at both ends. */
  height?: number
  barWidth?: number
  /** The colour of bars without a speaker; pauses are always pale. */
  tone?: 'line' | 'ink'
  /** Draws the bars after the playhead full too. */
  allFull?: boolean
  className?: string
}) {
  const margin = playedTo === undefined ? 0 : 16
  const middle = height / 2 + margin
  return (
    <svg
      width="100%"
      height={height + 2 * margin}
      aria-hidden="true"
      className={classes('keeps-colour block overflow-visible', className)}
    >
      {heights.map((value, index) => {
        // Each bar is in the middle of a slot; all slots are equal, and percent keep them so at any
        // width.
        const at = (index + 0.5) / heights.length
        const tall = Math.max(barWidth * 0.75, value * height)
        const speaker = speakers?.[index]
        return (
          <rect
            key={index} // oxlint-disable-line react/no-array-index-key -- bars have no identity but their place
            {...(typeof speaker === 'number' ? speakerColours(speaker) : {})}
            x={`${Number((at * 100).toFixed(2))}%`}
            y={middle - Math.round(tall) / 2}
            width={barWidth}
            height={Math.round(tall)}
            rx={barWidth / 2}
            transform={`translate(${-barWidth / 2} 0)`}
            opacity={!allFull && playedTo !== undefined && at > playedTo ? 0.42 : undefined}
            className={classes(
              typeof speaker === 'number'
                ? 'fill-speaker-lane'
                : tone === 'ink' && value > 0
                  ? 'fill-ink'
                  : 'fill-line',
              index % 2 === 1 && 'max-sm:hidden',
            )}
          />
        )
      })}
      {playedTo === undefined ? null : (
        <Playhead at={playedTo} top={4} bottom={height + 2 * margin - 4} />
      )}
    </svg>
  )
}

/** The vermilion line that marks the present moment. Inside an `<svg>`. */
function Playhead({ at, top, bottom }: { at: number; top: number; bottom: number }) {
  const x = `${(at * 100).toFixed(3)}%`
  return (
    <g className="fill-playhead stroke-playhead">
      <line x1={x} x2={x} y1={top} y2={bottom} strokeWidth="2.5" strokeLinecap="round" />
      <circle cx={x} cy={top} r="5" stroke="none" />
    </g>
  )
}
