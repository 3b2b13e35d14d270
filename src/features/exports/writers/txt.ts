import * as speech from '#features/speech/speech.ts'

import type { Write } from './writer.ts'

export const write: Write = ({ said, names, note, summaryText, ...described }) => {
  const text = speech.toPlainText(said, names, described)
  const head = note === null ? '' : `${note}\n\n`
  return head + (summaryText === '' ? text : `${summaryText}\n\n\n${text}`)
}
