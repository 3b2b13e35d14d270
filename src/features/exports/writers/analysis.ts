import type { Write } from './writer.ts'
import { toTimedParagraphs } from '../text-formats.ts'

export const write: Write = ({ said, names, speakers }) =>
  toTimedParagraphs(said, names, { speakers })
