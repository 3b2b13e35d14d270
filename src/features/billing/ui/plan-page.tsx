import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'

import { Loaded } from '#features/account/ui/loaded.tsx'
import { BRAND, type PlanId, planOf, refundRules } from '#shared/business.ts'
import { addressOf } from '#shared/call.ts'
import { formatDate } from '#shared/format.ts'
import { ask } from '#web/api.ts'
import { paths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { ConfirmAlert } from '#web/ui/dialog.tsx'
import { Failure, InlineError } from '#web/ui/inline-error.tsx'
import { toast } from '#web/ui/toast.tsx'

import { cancelPlan, openPortal, readReceipt, resumePlan } from '../calls.ts'
import type { Billing } from '../contract.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { priceOf } from './plan-words.ts'
import { billingQuery, refreshMoney } from './queries.ts'

/** The running plan, its next month and its end, and the payments so far. */
export default function PlanPage() {
  const query = useQuery(billingQuery)
  const [changeTo, setChangeTo] = useState<PlanId | null>(null)
  return (
    <>
      <title>{`Plan and receipts · ${BRAND}`}</title>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <h1 className="font-display text-app font-semibold">Plan and receipts</h1>
        <ButtonLink size="small" href={paths.subscribe}>
          See the plans
        </ButtonLink>
      </div>
      <Loaded query={query} what="your plan">
        {({ plan, invoices, unmatched }) => (
          <>
            {plan ? (
              <RunningPlan plan={plan} onKeep={setChangeTo} />
            ) : (
              <p className="mt-4 text-ui text-ink-2">No plan is running. Your credits stay.</p>
            )}
            {unmatched.map(({ id, paidAt, amount, why }) => (
              <InlineError key={id} tone="warn" className="mt-4">
                A payment of {amount} on {formatDate(paidAt)} added no credits: {why}. Whoever runs
                this server has been told. To have the credits, or the payment back, write to us
                under Contact, Billing, and name{' '}
                <span className="font-mono text-code wrap-anywhere">{id}</span>.
              </InlineError>
            ))}
            <h2 className="mt-10 font-display text-section font-semibold">Receipts</h2>
            {invoices.length > 0 ? (
              <Receipts invoices={invoices} />
            ) : (
              <p className="mt-2 text-ui text-ink-2">
                None. Each payment for a plan has its receipt here.
              </p>
            )}
          </>
        )}
      </Loaded>
      {changeTo ? <ChangeDialog planId={changeTo} onClose={() => setChangeTo(null)} /> : null}
    </>
  )
}

type Running = NonNullable<Billing['plan']>

function RunningPlan({ plan, onKeep }: { plan: Running; onKeep: (planId: PlanId) => void }) {
  const [asks, setAsks] = useState(false)
  const queryClient = useQueryClient()
  const current = planOf(plan.planId)
  const isChanging = plan.nextPlanId !== plan.planId
  const date = formatDate(plan.periodEndsAt)

  const end = useMutation({
    mutationFn: (ends: boolean) => ask(ends ? cancelPlan : resumePlan),
    onSuccess: async (billing, ends) => {
      queryClient.setQueryData(billingQuery.queryKey, billing)
      setAsks(false)
      toast({
        title: ends ? `${current.name} ends on ${date}.` : `${current.name} goes on.`,
        description: 'Your credits stay.',
      })
      await refreshMoney(queryClient)
    },
  })
  const portal = useMutation({
    mutationFn: () => ask(openPortal),
    onSuccess: ({ url }) => location.assign(url),
  })
  const error = end.error ?? portal.error
  return (
    <>
      <p className="mt-4 max-w-[66ch] text-ui text-ink-2">
        {current.name}, {priceOf(current)} a month. {sentence(plan)}
      </p>
      {plan.status === 'past_due' ? (
        <InlineError tone="warn" className="mt-4">
          Your last payment did not go through. The card provider tries again over the next days;
          please check your card. Your credits stay in any case.
        </InlineError>
      ) : null}
      <Failure error={asks ? null : error} otherwise="Please try again." />
      <div className="mt-5 flex flex-wrap gap-3">
        {plan.hasPortal ? (
          <Button
            size="small"
            pending={portal.isPending || portal.isSuccess}
            onClick={() => portal.mutate()}
            iconAfter={<ExternalLink className="size-4!" />}
          >
            Cards and invoices
          </Button>
        ) : null}
        {isChanging && !plan.endsWithPeriod ? (
          <Button size="small" onClick={() => onKeep(plan.planId)}>
            Keep {current.name}
          </Button>
        ) : null}
        {plan.endsWithPeriod ? (
          <Button size="small" pending={end.isPending} onClick={() => end.mutate(false)}>
            Resume {current.name}
          </Button>
        ) : (
          <Button size="small" variant="quiet" onClick={() => setAsks(true)}>
            Cancel plan
          </Button>
        )}
      </div>
      <ConfirmAlert
        open={asks}
        title={`Cancel ${current.name}?`}
        description={`It stays as it is until ${date} and is not paid for again.`}
        keep="Keep plan"
        verb="Cancel plan"
        isPending={end.isPending}
        onKeep={() => setAsks(false)}
        onAct={() => end.mutate(true)}
      >
        <ul className="mt-4 grid list-disc gap-y-1.5 pl-5 text-ui text-ink-2">
          <li>All your credits stay, also afterwards.</li>
          <li>Transcriptions and documents stay.</li>
          <li>{refundRules[0]}</li>
        </ul>
        <Failure error={end.error} otherwise="Please try again." />
      </ConfirmAlert>
    </>
  )
}

function sentence({ endsWithPeriod, planId, nextPlanId, periodEndsAt }: Running): string {
  const date = formatDate(periodEndsAt)
  if (endsWithPeriod)
    return `It is cancelled and ends on ${date}. Until then it stays as it is; your credits stay after it.`
  const next = planOf(nextPlanId)
  if (nextPlanId !== planId) return `On ${date} it becomes ${next.name}, ${priceOf(next)} a month.`
  return `The next payment is on ${date}.`
}

function Receipts({ invoices }: { invoices: Billing['invoices'] }) {
  return (
    <table className="mt-3 w-full border-collapse text-left text-ui">
      <thead className="text-small text-ink-2">
        <tr className="border-b border-line">
          <th className="py-2.5 pr-2 sm:pr-4 font-semibold">Date</th>
          <th className="py-2.5 pr-2 sm:pr-4 font-semibold">Plan</th>
          <th className="py-2.5 pr-2 sm:pr-4 text-right font-semibold max-sm:hidden">Credits</th>
          <th className="py-2.5 pr-2 sm:pr-4 text-right font-semibold">Amount</th>
          <th className="py-2.5 text-right font-semibold">Receipt</th>
        </tr>
      </thead>
      <tbody>
        {invoices.map(({ id, number, paidAt, planId, amount, refunded, credits }) => (
          <tr key={id} className="border-b border-rule align-top">
            <td className="py-3 pr-2 sm:pr-4 sm:whitespace-nowrap">{formatDate(paidAt)}</td>
            <td className="py-3 pr-2 sm:pr-4">{planOf(planId).name}</td>
            <td className="py-3 pr-2 sm:pr-4 text-right tabular-nums max-sm:hidden">+{credits}</td>
            <td className="py-3 pr-2 sm:pr-4 text-right font-semibold tabular-nums">
              {amount}
              {refunded === null ? null : (
                <span className="block text-small font-normal text-ink-2">
                  {refunded} given back
                </span>
              )}
            </td>
            <td className="py-3 text-right">
              <a
                href={addressOf(readReceipt, { params: { id } })}
                target="_blank"
                rel="noopener"
                className="text-link"
              >
                {number ?? 'Open'}
                <span className="sr-only">
                  {' '}
                  receipt of {formatDate(paidAt)} (opens in a new tab)
                </span>
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
