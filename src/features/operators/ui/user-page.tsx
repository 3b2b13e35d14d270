import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import { useSearchParams } from 'react-router'

import { Loaded, ShowMore } from '#features/account/ui/loaded.tsx'
import { signed } from '#features/billing/ui/plan-words.ts'
import { formatDate, formatTime } from '#shared/format.ts'
import { Figures } from '#web/ui/figures.tsx'

import type { UserFacts } from '../contract.ts'
import { Block, Unblock } from './block.tsx'
import { GrantForm } from './grant-form.tsx'
import { JobTable } from './jobs.tsx'
import { LetterList } from './letters.tsx'
import { LimitsForm } from './limits-form.tsx'
import { userCreditsQuery, userFactsQuery } from './queries.ts'
import { Subpage } from './subpage.tsx'
import { day, seen } from './words.ts'

export default function UserPage() {
  const [search] = useSearchParams()
  const id = search.get('id') ?? ''
  const query = useQuery(userFactsQuery(id))
  const email = query.data?.user.email
  return (
    <Subpage title={email ?? 'User'}>
      <Loaded query={query} what="this account">
        {(facts) => <Facts key={facts.user.id} facts={facts} />}
      </Loaded>
    </Subpage>
  )
}

function Facts({ facts }: { facts: UserFacts }) {
  const { user, blocked, jobs, letters } = facts
  const hours = Math.floor(user.recordedSeconds / 3600)
  const minutes = Math.floor((user.recordedSeconds % 3600) / 60)
  const said = [
    `${user.email}, ${user.isVerified ? 'confirmed' : 'not confirmed'}`,
    `joined ${formatDate(user.joinedAt)}`,
    `seen ${seen(user.seenAt).replace(/^(Not|Now|Today)\b/, (start) => start.toLowerCase())}`,
    `${user.recordings.toLocaleString('en-US')} ${user.recordings === 1 ? 'recording' : 'recordings'}, ${hours > 0 ? `${hours} h ` : ''}${minutes} min`,
  ]
  const running = jobs.filter(({ state }) => state === 'running').length
  const failed = jobs.filter(({ state }) => state === 'failed').length
  return (
    <>
      <div className="mt-2 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 border-b border-rule pb-6">
        <div className="min-w-0">
          <h1 className="font-display text-app font-semibold wrap-anywhere">
            {user.name || user.email}
          </h1>
          <p className="mt-1 text-small wrap-anywhere text-ink-2">{said.join(' · ')}</p>
        </div>
        {blocked || user.isOperator ? null : <Block user={user} />}
      </div>
      {blocked ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-rule bg-danger-tint px-4 py-3 text-small text-danger">
          <Ban size={18} aria-hidden="true" />
          <p className="min-w-0 flex-1 wrap-anywhere">
            <strong className="font-semibold">
              Blocked on {formatDate(blocked.at)} by {blocked.by}
            </strong>
            {blocked.reason ? `: ${blocked.reason}` : ''}
          </p>
          <Unblock user={user} />
        </div>
      ) : null}
      <div className="grid grid-cols-1 gap-x-12 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0 pt-7">
          <h2 className="font-display text-h3 font-semibold">Credits</h2>
          <Sums facts={facts} />
          <Entries id={user.id} />
          <div className="mt-8 flex flex-wrap items-baseline gap-x-4 border-b border-line pb-3 max-sm:border-b-0">
            <h2 className="font-display text-h3 font-semibold">Jobs</h2>
            <p className="text-small text-ink-2">
              {running} running, {failed} failed in 30 days
            </p>
          </div>
          {jobs.length > 0 ? (
            <JobTable jobs={jobs} />
          ) : (
            <p className="mt-4 text-small text-ink-2">Nothing runs, waits or has failed.</p>
          )}
        </div>
        <div className="lg:border-l lg:border-rule lg:pl-8">
          <section className="border-b border-rule py-7">
            <h2 className="font-display text-h3 font-semibold">Grant credits</h2>
            <GrantForm user={user} />
          </section>
          <section className="border-b border-rule py-7">
            <h2 className="font-display text-h3 font-semibold">Plan</h2>
            <p className="mt-2 text-small text-ink-2">
              {user.plan ?? 'No plan'}. It follows from what is paid; to give somebody more, grant
              credits or set limits.
            </p>
          </section>
          <section className="border-b border-rule py-7">
            <h2 className="font-display text-h3 font-semibold">Limits</h2>
            <LimitsForm facts={facts} />
          </section>
          <section className="py-7">
            <h2 className="mb-3 font-display text-h3 font-semibold">Letters</h2>
            {letters.length > 0 ? (
              <LetterList letters={letters} />
            ) : (
              <p className="text-small text-ink-2">None from this address.</p>
            )}
          </section>
        </div>
      </div>
    </>
  )
}

function Sums({ facts: { available, reserved, usedThisMonth } }: { facts: UserFacts }) {
  return (
    <Figures
      className="mt-4 border-y border-line"
      figures={[
        ['Can be spent', available],
        ['Reserved', reserved],
        ['Used this month', usedThisMonth],
      ]}
    />
  )
}

function Entries({ id }: { id: string }) {
  const query = useInfiniteQuery(userCreditsQuery(id))
  return (
    <Loaded query={query} what="the credits">
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.rows)
        if (rows.length === 0)
          return <p className="mt-4 text-small text-ink-2">Nothing has moved them yet.</p>
        return (
          <>
            <table className="mt-3 w-full text-small">
              <caption className="sr-only">Credits, newest first</caption>
              <thead>
                <tr className="border-b border-line text-left text-ink-2 [&>th]:py-2.5 [&>th]:font-semibold">
                  <th scope="col" className="w-28 pr-3">
                    When
                  </th>
                  <th scope="col">What</th>
                  <th scope="col" className="w-18 text-right">
                    Credits
                  </th>
                  <th scope="col" className="w-18 text-right">
                    After
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.id} className="border-b border-rule [&>td]:py-2.5">
                    <td className="pr-3 text-ink-2">
                      <time dateTime={row.at}>{day(row.at)}</time>
                    </td>
                    <td className="wrap-anywhere">
                      {row.what}
                      {row.seconds === null ? null : (
                        <span className="font-mono text-code"> {formatTime(row.seconds)}</span>
                      )}
                    </td>
                    <td className="text-right font-semibold tabular-nums">{signed(row.change)}</td>
                    <td className="text-right text-ink-2 tabular-nums">
                      {row.after.toLocaleString('en-US')}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <ShowMore query={query}>Show all</ShowMore>
          </>
        )
      }}
    </Loaded>
  )
}
