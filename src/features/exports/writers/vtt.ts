import { cuesOf, written } from '../captions.ts'
import type { Write } from './writer.ts'
import { toVtt } from '../captions/cues.ts'

export const write: Write = (exported) =>
  toVtt(cuesOf(exported, { hasVoices: true }), written(exported))
