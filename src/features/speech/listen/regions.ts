/** A stretch of the recording, in integer ms; lists of them are sorted and never overlap. */
export interface Region {
  startMs: number
  endMs: number
}
