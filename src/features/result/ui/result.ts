import type { CutsState } from '#features/cuts/ui/use-cuts.ts'

import type { Sound } from './sound.ts'
import type { ResultText } from './text.ts'
import type { View } from './view.ts'

/** A result that is open: what was said, how it is heard, what is cut, and what is seen of it. */
export interface Result {
  text: ResultText
  sound: Sound
  cuts: CutsState
  view: View
}
