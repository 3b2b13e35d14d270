import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'

import { Loaded } from '#features/account/ui/loaded.tsx'
import { BRAND } from '#shared/business.ts'
import { formatClock } from '#shared/format.ts'
import { adminPaths } from '#web/admin-paths.ts'
import { Container } from '#web/ui/container.tsx'

import { Health } from './health.tsx'
import { Invitations } from './invitations.tsx'
import { Jobs } from './jobs.tsx'
import { Letters } from './letters.tsx'
import { EVERY_MS, overviewQuery } from './queries.ts'
import { Unmatched } from './unmatched.tsx'
import { Users } from './users.tsx'

/** Whether anything is wrong, seen in five seconds, and mended in two presses. */
export default function AdminPage() {
  const query = useQuery(overviewQuery)
  return (
    <Container className="pt-8 pb-16 lg:pt-9">
      <title>{`Operations · ${BRAND}`}</title>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h1 className="font-display text-app font-semibold">Operations</h1>
        <ReadAt at={query.data?.readAt} />
        <p className="flex gap-5 text-small max-sm:w-full sm:ml-auto">
          <Link to={adminPaths.adminServer} className="text-link">
            Models, mail, settings
          </Link>
          <Link to={adminPaths.adminLog} className="text-link">
            Log
          </Link>
        </p>
      </div>
      <Loaded query={query} what="the state of this server">
        {({ health, jobs, users, unanswered, unmatched, signUp }) => (
          <>
            <Health rows={health} />
            <Unmatched payments={unmatched} />
            <Jobs counts={jobs} />
            {/* A section, so that it waits for the jobs above it: see styles.css. */}
            <section className="mt-8 grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]">
              <Users count={users} />
              <div className="grid gap-y-10">
                <Letters unanswered={unanswered} />
                {signUp === 'invited' ? <Invitations /> : null}
              </div>
            </section>
          </>
        )}
      </Loaded>
    </Container>
  )
}

const STALE_MS = 60_000

/** The time of the last answer of the server. Without it, old figures look like good news. */
function ReadAt({ at }: { at: string | undefined }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  // The height of the line, before there is a time.
  if (at === undefined) return <p className="text-small">&nbsp;</p>
  const ageMs = now - Date.parse(at)
  if (ageMs > STALE_MS)
    return (
      <p className="text-small font-semibold text-warn">
        Not read for {Math.round(ageMs / 60_000)} min
      </p>
    )
  return (
    <p className="text-small text-ink-2 tabular-nums">
      Read at {formatClock(at, { seconds: true })}, every {EVERY_MS / 1000} s
    </p>
  )
}
