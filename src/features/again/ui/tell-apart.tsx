import { AudioLines } from 'lucide-react'
import { useId, useState } from 'react'

import { SpeakersField } from '#features/recordings/ui/speech-fields.tsx'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { canTranscribeAgain } from '#features/transcriptions/ui/again-run.ts'
import { Button } from '#web/ui/button.tsx'
import { Failure } from '#web/ui/inline-error.tsx'

import { useTellApart } from './again-queries.ts'
import { foundBefore } from './again-words.ts'

/** It opens above the player. */
const showWhole = (form: HTMLElement | null) => form?.scrollIntoView({ block: 'nearest' })

/** Asks for the speakers once more, with a number where the user knows it. It is free. */
export function TellApart({
  transcription,
  found,
}: {
  transcription: Transcription
  /** How many speakers were told apart. */
  found: number
}) {
  const [isOpen, setOpen] = useState(false)
  const [speakers, setSpeakers] = useState('auto')
  const tellApart = useTellApart(transcription.id)
  const id = useId()
  if (!canTranscribeAgain(transcription)) return null
  return (
    <div className="mt-6 max-w-[34rem]">
      <Button
        size="small"
        icon={<AudioLines />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Tell the speakers apart again
      </Button>
      {isOpen ? (
        <form
          id={id}
          ref={showWhole}
          className="mt-3 rounded-panel border border-line bg-card p-4 sm:p-5"
          onSubmit={(event) => {
            event.preventDefault()
            if (!tellApart.isPending)
              tellApart.mutate(speakers, { onSuccess: () => setOpen(false) })
          }}
        >
          <SpeakersField
            className="space-y-2"
            value={speakers}
            hint={foundBefore(found)}
            onChange={setSpeakers}
          />
          <p className="mt-3 text-small text-ink-2">
            <strong className="font-[650] text-ink">Free.</strong> The words stay as they are, and
            names are carried over by voice.
          </p>
          <div className="mt-4 flex flex-wrap gap-2.5">
            <Button size="small" type="submit" pending={tellApart.isPending}>
              Tell them apart
            </Button>
            <Button size="small" variant="quiet" onClick={() => setOpen(false)}>
              Cancel
            </Button>
          </div>
          <Failure comesIntoSight error={tellApart.error} className="mt-3" />
        </form>
      ) : null}
    </div>
  )
}
