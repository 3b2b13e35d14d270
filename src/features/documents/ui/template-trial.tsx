import { useEffect, useState } from 'react'

import { TRIALS_A_DAY } from '#shared/business.ts'
import { formatTime } from '#shared/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { UnknownBar } from '#web/ui/unknown-bar.tsx'

import type { Trial } from '../contract.ts'
import { DocumentText } from './document-text.tsx'
import type { useTrial } from './template-queries.ts'

/** The document that the model writes of the sample by these instructions. */
export function TemplateTrial({
  trial: { data, error, isPending, stop },
  isOfThis,
  trialsLeft,
  onBegin,
}: {
  trial: ReturnType<typeof useTrial>
  /** Whether nothing was changed since it was begun. */
  isOfThis: boolean
  trialsLeft: number | undefined
  onBegin: () => void
}) {
  return (
    <section
      aria-label="Trial on the sample"
      className="min-w-0 max-lg:border-t max-lg:border-rule max-lg:pt-6"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {isPending ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button disabled={trialsLeft === 0} aria-describedby="trials-left" onClick={onBegin}>
            Try it on the sample
          </Button>
        )}
        <p id="trials-left" className="text-small text-ink-2 tabular-nums max-sm:w-full">
          {trialsLeft === undefined
            ? 'Free'
            : `Free, ${trialsLeft} of ${TRIALS_A_DAY} left for today`}
        </p>
      </div>
      <p role="status" className="sr-only">
        {isPending ? 'Writing the trial.' : data ? `The trial has ${data.wordCount} words.` : ''}
      </p>
      <div className="mt-4 min-w-0">
        {isPending ? (
          <Writing />
        ) : data ? (
          <Written trial={data} isOfThis={isOfThis} />
        ) : error ? null : (
          <p className="ruled-pad border-y border-rule py-8 text-body leading-8! text-ink-2">
            Here you see what it makes of our sample recording, before you save it.
          </p>
        )}
      </div>
      <Failure
        error={error}
        otherwise="The trial could not be written. Please try again."
        className=""
      />
    </section>
  )
}

function Writing() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <p className="font-semibold">
        Writing…{' '}
        <span aria-hidden="true" className="font-normal text-ink-2 tabular-nums">
          {formatTime(seconds)}
        </span>
      </p>
      <UnknownBar />
    </>
  )
}

function Written({ trial, isOfThis }: { trial: Trial; isOfThis: boolean }) {
  const { title, content, wordCount, seconds, note } = trial
  return (
    <>
      <h3 className="font-display text-h3 font-semibold wrap-anywhere">{title}</h3>
      <p className="mt-0.5 text-small text-ink-2 tabular-nums">
        {wordCount.toLocaleString('en-US')} words · written in {seconds.toLocaleString('en-US')} s
        {isOfThis ? null : ' · changed since'}
      </p>
      <div className="mt-4 rounded-panel border border-rule bg-paper px-5 py-5">
        <DocumentText content={content} />
      </div>
      <p className="mt-2.5 text-small text-ink-2">{note}</p>
    </>
  )
}
