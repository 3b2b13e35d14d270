import type { Write } from './writer.ts'
import { toPlainText } from '../plain-text.ts'

export const write: Write = ({ said, names, note, summaryText, ...described }) => {
  const text = toPlainText(said, names, described)
  const head = note === null ? '' : `${note}\n\n`
  return head + (summaryText === '' ? text : `${summaryText}\n\n\n${text}`)
}
