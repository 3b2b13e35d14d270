import { useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'

import { Loaded } from '#features/account/ui/loaded.tsx'
import { progressFor, stageOf } from '#features/transcriptions/status.ts'
import { formatTime } from '#shared/format.ts'
import { adminUserPath } from '#web/admin-paths.ts'
import { ask } from '#web/api.ts'
import { Button, buttonClasses } from '#web/ui/button.tsx'
import { ConfirmAlert } from '#web/ui/dialog.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { toast } from '#web/ui/toast.tsx'

import { runJobAgain, stopJob } from '../calls.ts'
import type { Job, Overview } from '../contract.ts'
import { jobsQuery, type JobFilter } from './queries.ts'
import { useAct } from './use-act.ts'
import { failure, when } from './words.ts'

const filters: readonly [JobFilter, string][] = [
  ['running', 'Running'],
  ['waiting', 'Waiting'],
  ['failed', 'Failed'],
  ['done', 'Finished'],
  ['all', 'All'],
]

export function Jobs({ counts }: { counts: Overview['jobs'] }) {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('jobs')
  const shown = filters.find(([state]) => state === asked)?.[0] ?? 'all'
  const query = useQuery(jobsQuery(shown))
  const choose = (state: JobFilter) => {
    const next = new URLSearchParams(search)
    if (state === 'all') next.delete('jobs')
    else next.set('jobs', state)
    setSearch(next, { replace: true, preventScrollReset: true })
  }
  return (
    <section aria-labelledby="jobs" className="mt-8">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <h2 id="jobs" className="font-display text-h3 font-semibold max-sm:w-full">
          Jobs
        </h2>
        <div role="group" aria-label="Which jobs" className="flex flex-wrap gap-2">
          {filters.map(([state, label]) => (
            <button
              key={state}
              type="button"
              aria-pressed={state === shown}
              onClick={() => choose(state)}
              className={buttonClasses({
                size: 'small',
                variant: state === shown ? 'primary' : 'secondary',
              })}
            >
              {label}
              {state === 'all' || state === 'done'
                ? ''
                : ` ${counts[state].toLocaleString('en-US')}`}
            </button>
          ))}
        </div>
      </div>
      <Loaded query={query} what="the jobs">
        {(jobs) =>
          jobs.length === 0 ? (
            <p className="mt-3 border-t border-line pt-4 text-small text-ink-2">
              {shown === 'failed' ? 'None has failed in 30 days.' : 'There are none.'}
            </p>
          ) : (
            <ShortTable key={shown} jobs={jobs} />
          )
        }
      </Loaded>
    </section>
  )
}

const FEW = 15

/** Running, waiting and failed jobs come first, so that a long past is not in the way. */
function ShortTable({ jobs }: { jobs: Job[] }) {
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      <JobTable jobs={isWhole ? jobs : jobs.slice(0, FEW)} hasAccounts />
      {isWhole || jobs.length <= FEW ? null : (
        <Button size="small" className="mt-4" onClick={() => setWhole(true)}>
          Show {jobs.length - FEW} more
        </Button>
      )}
    </>
  )
}

/**
 * A job without the name of its file or a word of it: operators see that it runs, not what is said.
 */
export function JobTable({ jobs, hasAccounts = false }: { jobs: Job[]; hasAccounts?: boolean }) {
  return (
    <table className="mt-3 w-full text-small max-sm:block max-sm:border-t max-sm:border-line">
      <caption className="sr-only">Jobs</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line text-left text-ink-2 [&>th]:pb-3 [&>th]:font-semibold">
          <th scope="col" className="w-20">
            Began
          </th>
          {hasAccounts ? (
            <th scope="col" className="w-68">
              Account
            </th>
          ) : null}
          {hasAccounts ? (
            <th scope="col" className="w-32">
              Work
            </th>
          ) : null}
          <th scope="col" className="w-28 pr-10 text-right">
            Length
          </th>
          <th scope="col">State</th>
          <th scope="col">
            <span className="sr-only">What to do</span>
          </th>
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {jobs.map((job) => (
          <Row key={job.id} job={job} hasAccounts={hasAccounts} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ job, hasAccounts }: { job: Job; hasAccounts: boolean }) {
  return (
    <tr className="border-b border-rule max-sm:grid max-sm:grid-cols-[auto_auto_1fr_auto] max-sm:gap-x-1.5 max-sm:py-3 sm:[&>td]:h-12 sm:[&>td]:py-1">
      <td className="tabular-nums max-sm:row-start-2">
        <time dateTime={job.beganAt}>{when(job.beganAt)}</time>
        <span aria-hidden="true" className="sm:hidden">
          {' '}
          ·
        </span>
      </td>
      {hasAccounts ? (
        <td className="pr-4 wrap-anywhere max-sm:col-span-3 max-sm:row-start-1 max-sm:font-semibold">
          {job.userId === null ? (
            <span className="text-ink-2">Nobody’s</span>
          ) : (
            <Link to={adminUserPath(job.userId)} className="text-link">
              {job.email}
            </Link>
          )}
        </td>
      ) : null}
      {hasAccounts ? <td className="max-sm:row-start-2">{job.kind}</td> : null}
      <td className="font-mono text-code tabular-nums max-sm:row-start-2 sm:pr-10 sm:text-right">
        {job.seconds === null ? '' : formatTime(job.seconds)}
      </td>
      <td className="max-sm:col-span-3 max-sm:row-start-3">
        <State job={job} />
      </td>
      <td className="text-right max-sm:col-start-4 max-sm:row-span-3 max-sm:row-start-1 max-sm:self-center">
        <Act job={job} />
      </td>
    </tr>
  )
}

const stages: Partial<Record<ReturnType<typeof stageOf>, string>> = {
  transcribing: 'Transcribing',
  summarizing: 'Summary',
  processing: 'Preparing',
}

function State({ job }: { job: Job }) {
  if (job.state === 'failed')
    return (
      <p className="flex items-center gap-2 text-danger">
        <CircleAlert size={18} className="shrink-0 max-sm:hidden" aria-hidden="true" />
        <span>
          <strong className="font-semibold max-sm:sr-only">Failed.</strong> {failure(job)}
          {job.hasFailedAlike ? '. Failed twice the same way' : ''}
        </span>
      </p>
    )
  if (job.state === 'done') return <p className="text-ink-2">Finished</p>
  if (job.state === 'waiting')
    return (
      <p className="text-ink-2">
        {job.kind !== 'Transcription' && job.tries > 1 ? `Waiting for try ${job.tries}` : 'Waiting'}
      </p>
    )
  if (job.kind !== 'Transcription') return <p>Running</p>
  const percent = progressFor(job.status)
  const end = Math.max(2, 1.6 * percent)
  return (
    <div className="flex items-center gap-4">
      <span className="sm:w-38">
        {stages[stageOf(job.status)] ?? 'Working'} · {percent}%
      </span>
      <svg viewBox="0 0 160 16" aria-hidden="true" className="h-4 w-40 max-lg:hidden">
        <g strokeWidth="4" strokeLinecap="round">
          <line x1="2" x2="158" y1="8" y2="8" className="stroke-rule" />
          <line x1="2" x2={end} y1="8" y2="8" className="stroke-ink-2" />
        </g>
        <line x1={end} x2={end} y1="1" y2="15" strokeWidth="2.5" className="stroke-playhead" />
      </svg>
    </div>
  )
}

/** Only transcriptions are stopped and run again by hand; the queue tries the rest again by itself. */
function Act({ job }: { job: Job }) {
  if (job.kind !== 'Transcription' || job.state === 'done') return null
  return job.state === 'failed' ? <RunAgain job={job} /> : <Stop job={job} />
}

function RunAgain({ job }: { job: Job }) {
  const again = useAct((body) => ask(runJobAgain, { params: { id: job.id }, body }), {
    onDone: () => toast({ title: 'Running again', description: 'At no charge for its owner.' }),
  })
  if (again.isDone) return <span className="text-ink-2">Running again</span>
  return (
    <>
      <Button
        size="small"
        disabled={!job.canRunAgain}
        title={job.canRunAgain ? undefined : 'Its recording is deleted.'}
        pending={again.isPending}
        onClick={() => again.act({})}
        aria-label={`Run again: the job of ${job.email} from ${when(job.beganAt)}`}
      >
        Run again
      </Button>
      <Failure error={again.error} className="mt-2 text-left" />
    </>
  )
}

function Stop({ job }: { job: Job }) {
  const [isAsking, setAsking] = useState(false)
  const stop = useAct((body) => ask(stopJob, { params: { id: job.id }, body }), {
    onDone: () => {
      setAsking(false)
      toast({ title: 'The job is stopped.', description: 'Its credits are returned.' })
    },
  })
  return (
    <>
      <Button
        size="small"
        onClick={() => setAsking(true)}
        aria-label={`Stop: the job of ${job.email} from ${when(job.beganAt)}`}
      >
        Stop
      </Button>
      <ConfirmAlert
        open={isAsking}
        title="Stop this job?"
        description={`${job.email} gets the credits back, and can try the recording again.`}
        keep="Keep it running"
        verb="Stop"
        isPending={stop.isPending}
        onKeep={() => setAsking(false)}
        onAct={() => stop.act({})}
      >
        <Failure error={stop.error} />
      </ConfirmAlert>
    </>
  )
}
