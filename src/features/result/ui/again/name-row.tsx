import type { LikelyName } from '#features/text/contract.ts'
import { QuestionRow, type RowProps } from './question-row.tsx'
import type { Reader } from '../reader.ts'

/** Asks whether a voice is the one that had a name before. */
export function NameRow({
  question: { speaker, name, decision },
  reader: { words },
  ...row
}: RowProps & { question: LikelyName; reader: Reader }) {
  const label = words.speakers.find((one) => one.speaker === speaker)?.label ?? 'A speaker'
  const asked = `${label} may be ${name}.`
  return (
    <QuestionRow
      {...row}
      label={asked}
      decision={decision}
      head={<span className="text-ui">{asked}</span>}
      answers={{ put: 'Yes', left: 'No' }}
      decided={{ put: 'Yes', left: 'No' }}
    />
  )
}
