import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { Loaded, ShowMore } from '#features/account/ui/loaded.tsx'
import { signed } from '#features/billing/ui/plan-words.ts'
import { adminUserPath } from '#web/admin-paths.ts'

import { logQuery } from './queries.ts'
import { Subpage } from './subpage.tsx'
import { acts, day, limitsSaid } from './words.ts'

/** The log of operators' acts. Lines are added, never changed. */
export default function LogPage() {
  const query = useInfiniteQuery(logQuery)
  return (
    <Subpage title="Log">
      <h1 className="mt-1 font-display text-app font-semibold">Log</h1>
      <p className="mt-2 text-small text-ink-2">
        What operators did, here and on the command line. Nobody can change it.
      </p>
      <Loaded query={query} what="the log">
        {({ pages }) => {
          const lines = pages.flatMap((page) => page.lines)
          if (lines.length === 0) return <p className="mt-6 text-ui text-ink-2">Nothing yet.</p>
          return (
            <>
              <table className="mt-5 w-full text-small max-sm:block max-sm:border-t max-sm:border-line">
                <caption className="sr-only">Acts of operators, newest first</caption>
                <thead className="max-sm:sr-only">
                  <tr className="border-b border-line text-left text-ink-2 [&>th]:py-2.5 [&>th]:pr-4 [&>th]:font-semibold">
                    <th scope="col">When</th>
                    <th scope="col">Who</th>
                    <th scope="col">What</th>
                    <th scope="col">About</th>
                    <th scope="col">Reason</th>
                  </tr>
                </thead>
                <tbody className="max-sm:block">
                  {lines.map((line) => (
                    <tr
                      key={line.id}
                      className="border-b border-rule align-baseline max-sm:grid max-sm:py-3 sm:[&>td]:py-3 sm:[&>td]:pr-4"
                    >
                      <td className="whitespace-nowrap tabular-nums max-sm:text-ink-2">
                        <time dateTime={line.at} title={line.at}>
                          {day(line.at)}
                        </time>
                      </td>
                      <td className="wrap-anywhere">{line.operator}</td>
                      <td className="font-semibold">
                        {acts[line.kind]}
                        {line.credits === null ? '' : ` ${signed(line.credits)}`}
                        {line.limits ? `: ${limitsSaid(line.limits)}` : ''}
                      </td>
                      <td className="wrap-anywhere">
                        {line.userId === null ? null : line.email === null ? (
                          'A deleted account'
                        ) : (
                          <Link to={adminUserPath(line.userId)} className="text-link">
                            {line.email}
                          </Link>
                        )}
                      </td>
                      <td className="wrap-anywhere text-ink-2">{line.reason}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <ShowMore query={query}>Show older</ShowMore>
            </>
          )
        }}
      </Loaded>
    </Subpage>
  )
}
