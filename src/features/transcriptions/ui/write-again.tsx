import { useState } from 'react'

import { SummaryLanguageSelect } from '#features/recordings/ui/summary-language-select.tsx'
import type { SummaryLength } from '#features/writing/contract.ts'
import { Button } from '#web/ui/button.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { Segments } from '#web/ui/segments.tsx'

import type { Transcription } from '../contract.ts'
import { useWriteAgain } from './summary-again.ts'

interface Props {
  transcription: Pick<Transcription, 'id' | 'summaryLanguage' | 'summaryAgain'>
  /** The button that was pressed; null where there is none, as in the palette. */
  anchor: Element | null
  onClose: () => void
  focusAfter: () => void
}

/** Asks in which language and how long a summary is to be written again, beside what was pressed. */
export function WriteAgain({ anchor, onClose, focusAfter, transcription }: Props) {
  return (
    <Popover title="Write it again" className="w-84" {...{ anchor, onClose, focusAfter }}>
      <Form {...{ transcription, onClose }} />
    </Popover>
  )
}

const lengths: { value: SummaryLength; label: string }[] = [
  { value: 'short', label: 'Short' },
  { value: 'medium', label: 'Medium' },
  { value: 'long', label: 'Long' },
]

function Form({ transcription, onClose }: Pick<Props, 'transcription' | 'onClose'>) {
  const { id, summaryLanguage, summaryAgain } = transcription
  const [language, setLanguage] = useState(summaryLanguage)
  const [length, setLength] = useState(summaryAgain?.length ?? 'medium')
  const write = useWriteAgain(id, { onAsked: onClose })
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!write.isPending) write.mutate({ language, length })
      }}
    >
      <SummaryLanguageSelect value={language} onChange={setLanguage} />
      <Segments label="Length" value={length} onChange={setLength} choices={lengths} />
      {write.error ? (
        <Failure error={write.error} className="" />
      ) : (
        <p className="text-fine text-ink-2">
          Key points, topics and action items are written again too. What you changed is kept.
        </p>
      )}
      <div className="flex justify-end gap-2.5">
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size="small" variant="primary" pending={write.isPending}>
          Write it again
        </Button>
      </div>
    </form>
  )
}
