import type { Write } from './writer.ts'
import { toJson } from '../text-formats.ts'

export const write: Write = ({ said, summary, translation, ...described }) =>
  toJson(said, {
    ...described,
    indent: 2,
    more: { ...(translation ? { translation } : {}), ...(summary ? { summary } : {}) },
  })
