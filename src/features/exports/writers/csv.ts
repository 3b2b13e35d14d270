import type { Write } from './writer.ts'
import { toCsv } from '../text-formats.ts'

export const write: Write = ({ said, names, speakers }) => toCsv(said, names, { speakers })
