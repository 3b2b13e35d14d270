import type { ReactNode } from 'react'

import { Timecode } from '#web/ui/timecode.tsx'

import type { HeadingRef } from './face.ts'
import type { Job } from './queries.ts'

/** The card of one job, running or failed, with the name of its file. */
export function JobCard({
  heading,
  headingRef,
  job,
  children,
}: {
  heading: string
  headingRef: HeadingRef
  job: Pick<Job, 'originalName' | 'duration'>
  children: ReactNode
}) {
  return (
    <section
      aria-labelledby="processing-heading"
      className="rounded-panel border border-rule bg-card p-4 sm:p-8"
    >
      <h2
        ref={headingRef}
        id="processing-heading"
        tabIndex={-1}
        className="font-display text-section font-semibold outline-none"
      >
        {heading}
      </h2>
      <p className="mt-1 text-ui text-ink-2">
        <span className="font-[650] wrap-anywhere text-ink sm:text-body">{job.originalName}</span>
        {' · '}
        <Timecode s={job.duration} className="text-fine!" />
      </p>
      {children}
    </section>
  )
}
