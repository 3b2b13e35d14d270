import * as speech from '#features/speech/speech.ts'

import type { Write } from './writer.ts'

export const write: Write = ({ said, names, speakers }) =>
  speech.toTimedParagraphs(said, names, { speakers })
