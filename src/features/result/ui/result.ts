import type { Sound } from './sound.ts'
import type { ResultText } from './text.ts'
import type { View } from './view.ts'

/** A result that is open: what was said, how it is heard, and what is seen of it. */
export interface Result {
  text: ResultText
  sound: Sound
  view: View
}
