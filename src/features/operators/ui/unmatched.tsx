import { Link } from 'react-router'

import { adminUserPath } from '#web/admin-paths.ts'

import type { Overview } from '../contract.ts'
import { day } from './words.ts'

/** Only there when something was paid for and nothing came of it: somebody waits for their credits. */
export function Unmatched({ payments }: { payments: Overview['unmatched'] }) {
  if (payments.length === 0) return null
  return (
    <section aria-labelledby="unmatched" className="mt-8">
      <h2 id="unmatched" className="pb-3 font-display text-h3 font-semibold text-warn">
        Paid, and nothing granted
      </h2>
      <ul className="border-t border-line text-small">
        {payments.map(({ id, at, amount, why, userId, email }) => (
          <li
            key={id}
            className="grid grid-cols-[1fr_auto] gap-x-4 border-b border-rule py-2 wrap-anywhere"
          >
            <span>
              <span className="font-[650] tabular-nums">{amount}</span> of{' '}
              {email && userId ? (
                <Link to={adminUserPath(userId)} className="text-link">
                  {email}
                </Link>
              ) : (
                'nobody here'
              )}
              : {why}.
            </span>
            <time dateTime={at} className="text-ink-2">
              {day(at)}
            </time>
            <span className="font-mono text-code text-ink-2">{id}</span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-small text-ink-2">
        Give the payment back at the card provider, or grant the credits on the page of its user,
        who was told by mail. It stands here for 30 days.
      </p>
    </section>
  )
}
