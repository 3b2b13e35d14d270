import { cuesOf, written } from '../captions.ts'
import type { Write } from './writer.ts'
import { toSrt } from '../captions/cues.ts'

export const write: Write = (exported) =>
  toSrt(cuesOf(exported, { hasVoices: false }), written(exported))
