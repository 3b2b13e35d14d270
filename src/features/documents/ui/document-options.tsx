import { Checkbox } from '#web/ui/checkbox.tsx'

import { type DocumentChoice, wanting } from './choice.ts'
import { useMadeOf } from './made-of.ts'
import { TypeList } from './type-list.tsx'

/** Whether a document is to be made of the upload, and which; one quiet line for other plans. */
export function DocumentOptions({
  isOffered,
  isOfEach = false,
  choice,
  onChange,
}: {
  isOffered: boolean
  /** Of each of several files. */
  isOfEach?: boolean
  choice: DocumentChoice
  onChange: (choice: DocumentChoice) => void
}) {
  const madeOf = useMadeOf()
  if (!isOffered)
    return <p className="text-small text-ink-2">Documents are part of Professional.</p>
  return (
    <div>
      <Checkbox
        checked={choice.isWanted}
        onChange={(event) => onChange(wanting(event.target.checked))}
      >
        <span className="font-semibold">Generate Document</span>{' '}
        <span className="text-small text-ink-2">
          +1 credit{isOfEach ? ' each' : null}
          {madeOf === null ? null : `, ${madeOf}`}
        </span>
      </Checkbox>
      {choice.isWanted ? (
        <div className="mt-4">
          <TypeList choice={choice} onChange={onChange} />
        </div>
      ) : null}
    </div>
  )
}
