import * as speech from '#features/speech/speech.ts'

import { cuesOf, written } from '../captions.ts'
import type { Write } from './writer.ts'

export const write: Write = (exported) =>
  speech.toSrt(cuesOf(exported, { hasVoices: false }), written(exported))
