/** A passage that begins less than this before the end of a turn begins with the next turn. */
const REST_S = 1

/**
 * The turn with which a passage begins that starts at this second, such as a chapter. A second inside
 * of a turn belongs to that turn, which is not divided for it; one in a pause, or at the very end of a
 * turn, to the next. After all turns it is their number.
 */
export function turnFrom(
  turns: readonly { start: number; end: number }[],
  seconds: number,
): number {
  const at = turns.findIndex(({ end }) => end > seconds)
  const turn = turns[at]
  if (!turn) return turns.length
  const isOver = turn.start < seconds && turn.end - seconds < REST_S
  return isOver && at + 1 < turns.length ? at + 1 : at
}
