import { speakerColours } from './speaker-badge.tsx'

/** A conversation of three: who speaks, and for how much of it. */
const turns = [
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
] as const
const lengthOf = (some: readonly (readonly [speaker: number, length: number])[]) =>
  some.reduce((sum, [, length]) => sum + length, 0)
const total = lengthOf(turns)

/** The edge of footers: an 8 px strip of lane colours in speaking order. Decorative. */
export function SpeakerRibbon() {
  return (
    <svg width="100%" height="8" aria-hidden="true" className="keeps-colour block">
      {turns.map(([speaker, length], index) => (
        <rect
          key={index} // oxlint-disable-line react/no-array-index-key -- turns have no identity but their place
          {...speakerColours(speaker)}
          x={`${((lengthOf(turns.slice(0, index)) / total) * 100).toFixed(2)}%`}
          // Half a pixel more than its share, or hairlines show between neighbours.
          width={`${((length / total) * 100 + 0.05).toFixed(2)}%`}
          height="8"
          className="fill-speaker-lane"
        />
      ))}
    </svg>
  )
}
