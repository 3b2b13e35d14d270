import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { type PlanId, planOf } from '#shared/business.ts'
import { formatDate } from '#shared/format.ts'
import { ask, sentenceOf } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { AlertDialog, DialogActions } from '#web/ui/dialog.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import { changePlan } from '../calls.ts'
import type { ChangePreview } from '../contract.ts'
import { added, money } from './plan-words.ts'
import { previewQuery, refreshMoney } from './queries.ts'

const verbs = { now: 'Pay and change', next: 'Change plan', keep: 'Keep plan' } as const

/** A change of plan: its cost and its day, before anything is done. */
export function ChangeDialog({ planId, onClose }: { planId: PlanId; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { name } = planOf(planId)
  const preview = useQuery(previewQuery(planId))
  const change = useMutation({
    mutationFn: ({ amountNow }: ChangePreview) => ask(changePlan, { body: { planId, amountNow } }),
    onSuccess: async ({ confirmUrl }, { when, creditsNow }) => {
      if (confirmUrl) {
        location.assign(confirmUrl)
        return
      }
      await refreshMoney(queryClient)
      onClose()
      toast(said(when, { name, creditsNow }))
    },
    onError: (error) => {
      toastFailure('Payment Failed', sentenceOf(error, 'Please try again. Nothing was changed.'))
    },
  })
  const { data } = preview
  const error = change.error ?? preview.error
  return (
    <AlertDialog
      open
      onOpenChange={(open) => {
        if (!open && !change.isPending) onClose()
      }}
      title={`Change to ${name}?`}
      description={data ? words(data) : 'Asking what it would cost…'}
    >
      {data ? <Bill preview={data} /> : null}
      <Failure
        error={error}
        otherwise="We could not find out what it would cost. Please try again."
      />
      <DialogActions className="*:w-full *:sm:w-auto">
        <Button onClick={onClose} disabled={change.isPending}>
          Not now
        </Button>
        <Button
          variant="primary"
          disabled={!data}
          pending={change.isPending}
          onClick={() => {
            if (data) change.mutate(data)
          }}
        >
          {data ? verbs[data.when] : 'Change plan'}
        </Button>
      </DialogActions>
    </AlertDialog>
  )
}

function said(
  when: ChangePreview['when'],
  { name, creditsNow }: { name: string; creditsNow: number },
): { title: string; description?: string } {
  switch (when) {
    case 'now':
      return { title: 'Payment Successful!', description: added(creditsNow) }
    case 'next':
      return { title: `${name} begins when this month ends.` }
    case 'keep':
      return { title: `You stay on ${name}.` }
  }
}

function words({ when, nextPaymentAt, planId }: ChangePreview): string {
  const { name } = planOf(planId)
  const date = formatDate(nextPaymentAt)
  switch (when) {
    case 'now':
      return `${name} begins at once, with its full credits and a new month. The credits you have stay.`
    case 'next':
      return `You keep your plan until ${date}; ${name} begins then. The credits you have stay.`
    case 'keep':
      return `The change that was planned for ${date} is called off. You stay on ${name}.`
  }
}

function Bill({ preview }: { preview: ChangePreview }) {
  const { amountNow, creditsNow, amountMonthly, nextPaymentAt } = preview
  const lines = [
    ['To pay today', money(amountNow)],
    ...(creditsNow > 0 ? [['Credits added today', `+${creditsNow}`]] : []),
    [`Each month from ${formatDate(nextPaymentAt)}`, money(amountMonthly)],
  ]
  return (
    <dl className="mt-4 border-t border-rule text-body">
      {lines.map(([what, amount]) => (
        <div key={what} className="flex justify-between gap-4 border-b border-rule py-2.5">
          <dt className="text-ink-2">{what}</dt>
          <dd className="font-semibold tabular-nums">{amount}</dd>
        </div>
      ))}
    </dl>
  )
}
