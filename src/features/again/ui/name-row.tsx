import type { LikelyName, Speaker } from '#features/text/contract.ts'

import { QuestionRow, type RowProps } from './question-row.tsx'

/** Asks whether a voice is the one that had a name before. */
export function NameRow({
  question: { speaker, name, decision },
  speakers,
  ...row
}: RowProps & { question: LikelyName; speakers: readonly Speaker[] }) {
  const label = speakers.find((one) => one.speaker === speaker)?.label ?? 'A speaker'
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
