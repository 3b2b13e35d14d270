import { Check } from 'lucide-react'
import { useNavigate } from 'react-router'

import { openSampleSentence, useOpenSample } from '#features/transcriptions/ui/queries.ts'
import { BRAND } from '#shared/business.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { EmptyPad } from '#web/ui/empty-pad.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'

import type { Step } from './first-steps.ts'
import { useOpening } from './library-row.tsx'

/** Shown in an empty library, and below the rows of a library with few. */
export function LibraryPad({
  isEmpty,
  hasSample,
  steps,
  onHide,
}: {
  isEmpty: boolean
  hasSample: boolean
  steps: Step[]
  onHide: () => void
}) {
  const navigate = useNavigate()
  const opening = useOpening()
  const sample = useOpenSample({ onOpened: (id) => void navigate(opening(id)) })
  if (!isEmpty && steps.length === 0) return null
  const problem = openSampleSentence(sample.error)
  return (
    <>
      <EmptyPad
        className={isEmpty ? undefined : 'mt-8'}
        text={
          isEmpty ? 'Nothing here yet. Transcribe a recording, or open the sample.' : 'First steps'
        }
        action={
          <div className="flex flex-wrap items-center gap-x-5 pr-2">
            {hasSample ? null : (
              <Button
                className="label-wraps!"
                pending={sample.isPending}
                onClick={() => sample.mutate()}
              >
                Open the sample (free)
              </Button>
            )}
            {steps.length > 0 ? (
              <button type="button" className="min-h-11 text-ui text-link" onClick={onHide}>
                Hide steps
              </button>
            ) : null}
          </div>
        }
      >
        <Steps steps={steps} />
        {isEmpty ? (
          <p className="text-ui leading-8! text-ink-2">
            <span className="max-sm:hidden pointer-coarse:hidden">
              Voice memos: open this page on the phone and add it to the home screen.{' '}
            </span>
            <span className="sm:hidden pointer-coarse:inline">
              Voice memos: add this page to the home screen.{' '}
            </span>
            Then they can be shared to {BRAND}.
          </p>
        ) : null}
      </EmptyPad>
      {problem ? <InlineError className="mt-4">{problem}</InlineError> : null}
    </>
  )
}

function Steps({ steps }: { steps: Step[] }) {
  if (steps.length === 0) return null
  return (
    <ul>
      {steps.map(({ label, isDone }) => (
        <li key={label} className="flex h-8 items-center gap-2.5">
          <span
            aria-hidden="true"
            className={classes(
              'grid size-[18px] shrink-0 place-items-center rounded-badge border',
              isDone ? 'border-primary bg-primary text-primary-fg' : 'border-line bg-card',
            )}
          >
            {isDone ? <Check size={14} strokeWidth={2.5} /> : null}
          </span>
          <span className={isDone ? 'text-ink-2' : undefined}>
            {label}
            {isDone ? <span className="sr-only"> (done)</span> : null}
          </span>
        </li>
      ))}
    </ul>
  )
}
