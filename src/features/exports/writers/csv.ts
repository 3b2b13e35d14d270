import type { Write } from './writer.ts'
import { toCsv } from '../text-formats.ts'

export const write: Write = ({ said, names, speakers, language, translation }) =>
  toCsv(said, names, {
    speakers,
    textColumn: translation ? `text (translated into ${language})` : 'text',
  })
