import { ask } from '#web/api.ts'
import { useForm } from '#web/use-form.ts'
import { ADJUST_MOST } from '#shared/business.ts'
import { formatCredits } from '#shared/format.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'

import { adjustCredits } from '../calls.ts'
import type { UserRow } from '../contract.ts'
import { Password } from './password.tsx'
import { useAct } from './use-act.ts'

const reasons = ['Engine fault', 'Goodwill', 'Test', 'Other'] as const
const isGood = (text: string) =>
  Number.isInteger(Number(text)) && Number(text) >= 1 && Number(text) <= ADJUST_MOST
const UNDO_MS = 60_000

/** Gives credits, or takes them: the user reads why. */
export function GrantForm({ user }: { user: UserRow }) {
  const grant = useAct<{ credits: number; reason: string }>(
    (body) => ask(adjustCredits, { params: { id: user.id }, body }),
    {
      onDone: ({ credits, reason }) => {
        // A second press is another wish, and is typed anew.
        form.reset()
        const isUndoing = reason.startsWith('Taken back:')
        toast({
          title: `${formatCredits(Math.abs(credits))} ${credits > 0 ? 'granted' : 'taken'}.`,
          ...(isUndoing
            ? {}
            : {
                durationMs: UNDO_MS,
                action: {
                  label: 'Undo',
                  onPress: () => grant.act({ credits: -credits, reason: `Taken back: ${reason}` }),
                },
              }),
        })
      },
    },
  )
  const form = useForm({
    start: { credits: '', verb: 'grant', why: 'Engine fault', happened: '' },
    checks: {
      credits: (text) => (isGood(text) ? undefined : `1 to ${ADJUST_MOST.toLocaleString('en-US')}`),
      happened: (text, { why }) =>
        why === 'Other' && text.trim() === '' ? 'Say what happened.' : undefined,
    },
    onSubmit: ({ credits, verb, why, happened }) => {
      const words = happened.trim()
      const reason = why === 'Other' ? words : words ? `${why}: ${words}` : why
      grant.act({ credits: verb === 'take' ? -Number(credits) : Number(credits), reason })
    },
  })
  const { credits, verb } = form.values
  const shownVerb = verb === 'take' ? 'Take' : 'Grant'

  return (
    <form noValidate className="mt-3" onSubmit={form.submit}>
      <div className="grid grid-cols-[6.75rem_1fr] gap-x-3">
        <TextField {...form.field('credits')} label="Credits" inputMode="numeric" />
        <Select {...form.field('why')} label="Reason">
          {reasons.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Select>
      </div>
      <TextField
        {...form.field('happened')}
        label="What happened"
        placeholder="The owner sees this"
        maxLength={250}
        hint={`${user.name.split(' ')[0] || 'The owner'} sees it with their credits, with your name.`}
        className="mt-3"
      />
      <Select {...form.field('verb')} label="Grant or take" hideLabel className="mt-3">
        <option value="grant">Grant them</option>
        <option value="take">Take them back</option>
      </Select>
      <Password act={grant} />
      <Failure error={grant.error} />
      <Button type="submit" variant="primary" pending={grant.isPending} className="mt-4 w-full">
        {isGood(credits)
          ? `${shownVerb} ${formatCredits(Number(credits))}`
          : `${shownVerb} credits`}
      </Button>
    </form>
  )
}
