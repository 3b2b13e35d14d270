import * as speech from '#features/speech/speech.ts'

import { cuesOf } from '../captions.ts'
import type { Write } from './writer.ts'

export const write: Write = (exported) =>
  speech.toSrt(cuesOf(exported, { hasVoices: false }), exported)
