import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'

import { Loaded, ShowMore } from '#features/account/ui/loaded.tsx'
import { useChange } from '#features/account/ui/use-change.ts'
import { formatClock, formatDate } from '#shared/format.ts'
import { ask } from '#web/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Failure } from '#web/ui/inline-error.tsx'

import { resendDeliveries, resendDelivery } from '../calls.ts'
import type { Delivery, Webhook } from '../contract.ts'
import { deliveriesQuery, webhooksQuery } from './queries.ts'

const KEPT_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

/** The log of a webhook: each message, its outcome, and a button that sends it again. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const query = useInfiniteQuery(deliveriesQuery(webhook.id))
  const rows = query.data?.pages.flat() ?? []
  const hasFailed = rows.some(({ status }) => status === 'failed')
  return (
    <div className="mt-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-h3 font-semibold">Log of the last {KEPT_DAYS} days</h3>
        {hasFailed ? <ResendFailed webhook={webhook} /> : null}
      </div>
      <Loaded query={query} what="the log">
        {() =>
          rows.length === 0 ? (
            <p className="mt-2 text-body text-ink-2">Nothing was sent yet.</p>
          ) : (
            <ul className="mt-2 border-t border-rule">
              {rows.map((delivery) => (
                <Row key={delivery.id} delivery={delivery} webhook={webhook} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <ShowMore query={query}>Show earlier</ShowMore>
    </div>
  )
}

const states: Record<Delivery['status'], string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
}

function Row({ delivery, webhook }: { delivery: Delivery; webhook: Webhook }) {
  const { id, type, status, tries, lastStatus, lastProblem, lastDurationMs, body } = delivery
  const resend = useChange(
    () => ask(resendDelivery, { params: { id: webhook.id, deliveryId: id } }),
    { reads: [webhooksQuery.queryKey], says: 'It is sent again.' },
  )
  const facts = [
    tries === 0 ? 'not tried yet' : tries === 1 ? '1 try' : `${tries} tries`,
    lastStatus === null ? null : `answered ${lastStatus}`,
    lastDurationMs === null ? null : `${lastDurationMs} ms`,
    delivery.nextTryAt && tries > 0 ? `next try ${moment(delivery.nextTryAt)}` : null,
  ]
  return (
    <li className="border-b border-rule py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span className="min-w-0">
          <span className="font-mono text-fine font-semibold wrap-anywhere">{type}</span>{' '}
          <Badge>{states[status]}</Badge>
          <span className="block text-small text-ink-2 tabular-nums">
            <time dateTime={delivery.createdAt}>{moment(delivery.createdAt)}</time>
            {' · '}
            {facts.filter(Boolean).join(' · ')}
          </span>
        </span>
        <Button
          size="small"
          disabled={webhook.paused !== null}
          title={webhook.paused === null ? undefined : 'Resume the webhook first'}
          pending={resend.isPending}
          onClick={() => resend.mutate()}
          aria-label={`Send again: ${type} of ${moment(delivery.createdAt)}`}
        >
          Send again
        </Button>
      </div>
      {lastProblem ? <p className="mt-1 text-small text-ink-2">{lastProblem}</p> : null}
      <Failure
        error={resend.error}
        otherwise="It was not sent again. Please try again."
        className="mt-2"
      />
      <details className="group mt-1">
        <summary className="inline-flex min-h-6 items-center gap-2 text-small text-ink-2">
          <ChevronRight size={16} className="transition-transform group-open:rotate-90" />
          What was sent
        </summary>
        <pre className="mt-2 overflow-x-auto rounded-control bg-code-bg px-4 py-3 font-mono text-fine text-code-ink">
          <code>{body}</code>
        </pre>
      </details>
    </li>
  )
}

function ResendFailed({ webhook: { id, paused } }: { webhook: Webhook }) {
  const resend = useChange(
    (body: { from: string; to: string }) => ask(resendDeliveries, { params: { id }, body }),
    {
      reads: [webhooksQuery.queryKey],
      says: ({ count }) =>
        count === 1 ? '1 message is sent again.' : `${count} messages are sent again.`,
    },
  )
  const now = () => Date.now()
  return (
    <span>
      <Button
        size="small"
        disabled={paused !== null}
        title={paused === null ? undefined : 'Resume the webhook first'}
        pending={resend.isPending}
        onClick={() =>
          resend.mutate({
            from: new Date(now() - KEPT_DAYS * DAY_MS).toISOString(),
            to: new Date(now()).toISOString(),
          })
        }
      >
        Send all that failed again
      </Button>
      <Failure
        error={resend.error}
        otherwise="They were not sent again. Please try again."
        className="mt-2"
      />
    </span>
  )
}

const moment = (value: string) => `${formatDate(value)}, ${formatClock(value, { seconds: true })}`
