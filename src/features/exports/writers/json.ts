import * as speech from '#features/speech/speech.ts'

import type { Write } from './writer.ts'

export const write: Write = ({ said, summary, ...described }) =>
  speech.toJson(said, { ...described, indent: 2, ...(summary ? { more: { summary } } : {}) })
