import * as speech from '#features/speech/speech.ts'

import type { Write } from './writer.ts'

export const write: Write = ({ said, speakers, ...described }) =>
  speech.toVtt(speech.buildCues(said, { names: described.names, hasNames: speakers }), described)
