import * as speech from '#features/speech/speech.ts'

import type { Write } from './writer.ts'

export const write: Write = ({ said, sections, ...described }) =>
  speech.toMarkdown(said, { ...described, before: sections })
