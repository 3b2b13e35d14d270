import { classes } from './classes.ts'
import { speakerColours } from './speaker-badge.tsx'

/**
 * An 8 px strip of lane colours in speaking order: `<SpeakerRibbon turns={[{ speaker: 0, length: 12 }, …]} />`.
 * Decorative; lengths are shares of the whole, in any unit.
 */
export function SpeakerRibbon({
  turns = made,
  className,
}: {
  turns?: readonly { speaker: number | null; length: number }[]
  className?: string
}) {
  const total = turns.reduce((sum, turn) => sum + turn.length, 0)
  const starts = turns.map((_, index) =>
    turns.slice(0, index).reduce((sum, turn) => sum + turn.length, 0),
  )
  return (
    <svg
      width="100%"
      height="8"
      aria-hidden="true"
      className={classes('keeps-colour block', className)}
    >
      {turns.map((turn, index) => (
        <rect
          key={index} // oxlint-disable-line react/no-array-index-key -- turns have no identity but their place
          {...(turn.speaker === null ? {} : speakerColours(turn.speaker))}
          x={`${(((starts[index] ?? 0) / total) * 100).toFixed(2)}%`}
          // Half a pixel more than its share, or hairlines show between neighbours.
          width={`${((turn.length / total) * 100 + 0.05).toFixed(2)}%`}
          height="8"
          className={turn.speaker === null ? 'fill-rule' : 'fill-speaker-lane'}
        />
      ))}
    </svg>
  )
}

/** The footer's edge: a conversation of three. */
const made = [
  [0, 6],
  [1, 9],
  [0, 4],
  [2, 3],
  [1, 12],
  [0, 8],
  [2, 5],
  [1, 13],
  [2, 4],
  [1, 13],
  [0, 7],
  [1, 10],
].map(([speaker = 0, length = 1]) => ({ speaker, length }))
