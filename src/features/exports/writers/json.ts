import type { Write } from './writer.ts'
import { toJson } from '../text-formats.ts'

export const write: Write = ({ said, summary, ...described }) =>
  toJson(said, { ...described, indent: 2, ...(summary ? { more: { summary } } : {}) })
