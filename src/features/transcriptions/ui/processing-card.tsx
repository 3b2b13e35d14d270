import { useQuery } from '@tanstack/react-query'
import { Check, Mic } from 'lucide-react'
import type { ReactNode } from 'react'

import { peaksQuery } from '#features/text/ui/words-query.ts'
import { heightsOf } from '#shared/wave.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { InlineError } from '#web/ui/inline-error.tsx'
import { DottedLine } from '#web/ui/levels.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import type { Again, HeadingRef } from './face.ts'
import { JobCard } from './job-card.tsx'
import { NotifyOffer } from './notify-offer.tsx'
import { waitInWords } from './place.ts'
import { type Step, stepsFor } from './progress.ts'
import type { Job } from './queries.ts'

/** A running job: its steps, and a wave that shows the progress. */
export function ProcessingCard({
  job,
  readTo,
  headingRef,
  lost,
  onCancel,
  onNewFile,
  onRecord,
}: {
  job: Job
  /** The second up to which its text is there; 0 before the first word. */
  readTo: number
  headingRef: HeadingRef
  /** Set while the connection is lost. */
  lost: Again | null
  onCancel: () => void
  /** Opens the panel for the next file; the job of this one goes on. */
  onNewFile: () => void
  /** Records the next one; the job of this one goes on. */
  onRecord?: () => void
}) {
  const steps = stepsFor(job.status)
  const place = waitInWords(job)
  return (
    <JobCard heading="Processing Your File" headingRef={headingRef} job={job}>
      <ol className="mt-5">
        {steps.map((step, index) => (
          <StepRow key={step.label} step={step}>
            {/* It stays when the step is done, so that the text below does not move. */}
            {index === 1 && readTo > 0 ? (
              <>
                <Timecode s={readTo} className="text-fine!" /> of{' '}
                <Timecode s={job.duration} className="text-fine!" /> read
              </>
            ) : (
              ((step.state === 'active' ? place : null) ?? step.detail)
            )}
          </StepRow>
        ))}
      </ol>
      {place === null ? (
        <progress
          className="sr-only"
          aria-label={`Progress of ${job.originalName}`}
          aria-valuetext={`${job.percent}% complete`}
          value={job.percent}
          max={100}
        />
      ) : null}
      <ProgressWave id={job.id} percent={place === null ? job.percent : null} />
      <div className="mt-3 flex-wrap items-center gap-x-4 gap-y-3 sm:flex">
        {/* Its line is there from the start, so that nothing moves when the work begins. */}
        <p className="min-h-7 text-lead leading-7! font-semibold tabular-nums sm:flex-1">
          {place === null ? `${job.percent}% complete` : null}
        </p>
        {/* On a phone there is room for two lines from the start, for the same reason. */}
        <p className="mt-1 text-ink-2 max-sm:min-h-[2lh] sm:mt-0">
          {job.timeLeft === null ? null : `${job.timeLeft} `}You can leave this page.
        </p>
        <div className="mt-4 flex gap-3 max-sm:flex-wrap max-sm:*:flex-1 max-sm:*:last:basis-full sm:mt-0">
          <Button size="small" onClick={onNewFile}>
            Add another
          </Button>
          {onRecord ? (
            <Button size="small" icon={<Mic />} onClick={onRecord}>
              Record
            </Button>
          ) : null}
          <Button size="small" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </div>
      <NotifyOffer ids={[job.id]} told="when it is done" />
      {lost ? <ConnectionLost lost={lost} /> : null}
    </JobCard>
  )
}

function ConnectionLost({ lost }: { lost: Again }) {
  return (
    <InlineError
      tone="warn"
      className="mt-4"
      action={
        <Button size="small" pending={lost.isAsking} onClick={lost.askAgain}>
          Check again
        </Button>
      }
    >
      Connection lost. Your file is still being processed.
    </InlineError>
  )
}

function StepRow({
  step: { label, state },
  children,
}: {
  step: Step
  /** What is happening inside the step. */
  children: ReactNode
}) {
  return (
    <li
      aria-current={state === 'active' ? 'step' : undefined}
      className="flex gap-3.5 border-rule py-3.5 not-last:border-b sm:items-center"
    >
      <span
        aria-hidden="true"
        className={classes(
          'grid size-7 shrink-0 place-items-center rounded-full',
          state === 'done' && 'bg-success-tint text-success',
          state === 'active' && 'bg-paper-2',
          state === 'pending' && 'border border-line',
        )}
      >
        {state === 'done' ? <Check size={16} className="stroke-2" /> : null}
        {state === 'active' ? (
          <span className="h-3.5 w-[2.5px] animate-breathe rounded-full bg-playhead" />
        ) : null}
      </span>
      <span className="flex flex-1 flex-col gap-x-6 sm:flex-row sm:items-baseline sm:justify-between">
        <span
          className={classes(
            'text-body',
            state === 'active' ? 'font-[650] text-ink' : 'text-ink-2',
          )}
        >
          {label}
          {state === 'done' ? <span className="sr-only"> (done)</span> : null}
        </span>
        {children ? <span className="text-small text-ink-2 tabular-nums">{children}</span> : null}
      </span>
    </li>
  )
}

const BARS = 120
const HEIGHT = 56

/**
 * The wave of this recording. The part that is done is dark, and the playhead stands at its end; there
 * is none before the work has begun. A dotted line where the wave is not known.
 */
function ProgressWave({ id, percent }: { id: string; percent: number | null }) {
  const { data } = useQuery(peaksQuery(id))
  const heights = data?.peaks ? heightsOf(data.peaks, BARS) : null
  return (
    <div aria-hidden="true" className="relative mt-4 py-4">
      {heights ? (
        <>
          <Wave heights={heights} className="text-ink opacity-42" />
          <div
            className="absolute inset-x-0 inset-y-4 transition-[clip-path] duration-[1200ms]"
            style={{ clipPath: `inset(0 ${100 - (percent ?? 0)}% 0 0)` }}
          >
            <Wave heights={heights} className="text-ink" />
          </div>
        </>
      ) : (
        <DottedLine className="h-14" />
      )}
      {percent === null ? null : (
        <div className="pointer-events-none absolute inset-0 overflow-clip [overflow-clip-margin:6px]">
          <div
            className="size-full transition-transform duration-[1200ms]"
            style={{ transform: `translateX(${percent}%)` }}
          >
            <div className="absolute inset-y-1 left-0 w-[2.5px] -translate-x-1/2 animate-breathe rounded-full bg-playhead">
              <div className="absolute -top-0.5 left-1/2 size-2.5 -translate-x-1/2 rounded-full bg-playhead" />
            </div>
          </div>
        </div>
      )}
    </div>
  )
}

function Wave({ heights, className }: { heights: number[]; className: string }) {
  return (
    <svg width="100%" height={HEIGHT} className={classes('keeps-colour block', className)}>
      {heights.map((value, index) => {
        const tall = Math.max(2, value * HEIGHT)
        return (
          <rect
            key={index} // oxlint-disable-line react/no-array-index-key -- bars have no identity but their place
            x={`${(((index + 0.5) / heights.length) * 100).toFixed(3)}%`}
            y={(HEIGHT - tall) / 2}
            width="3.5"
            height={tall}
            rx="1"
            transform="translate(-1.75 0)"
            fill="currentColor"
            className={index % 2 === 1 ? 'max-sm:hidden' : undefined}
          />
        )
      })}
    </svg>
  )
}
