import type { Write } from './writer.ts'
import { toTimedParagraphs } from '../text-formats.ts'

/** The note about a translation comes last: programs look for a time at the beginning. */
export const write: Write = ({ said, names, speakers, translation }) =>
  toTimedParagraphs(said, names, { speakers }) + (translation ? `\n${translation.note}\n` : '')
