import type { Write } from './writer.ts'
import { toJson } from '../text-formats.ts'

export const write: Write = ({ said, recordedAt, summary, translation, more, ...described }) =>
  toJson(said, {
    ...described,
    indent: 2,
    more: {
      ...(recordedAt === null ? {} : { recordedAt }),
      ...more,
      ...(translation ? { translation } : {}),
      ...(summary ? { summary } : {}),
    },
  })
