import { useQuery } from '@tanstack/react-query'

import { Loaded } from '#features/account/ui/loaded.tsx'
import { ask } from '#web/api.ts'
import { useForm } from '#web/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailField } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { toast } from '#web/ui/toast.tsx'

import { invite, withdrawInvitation } from '../calls.ts'
import type { Invitation } from '../contract.ts'
import { invitationsQuery } from './queries.ts'
import { useAct } from './use-act.ts'
import { day } from './words.ts'

/** Where accounts are made by invitation: who is invited, and one more. */
export function Invitations() {
  const query = useQuery(invitationsQuery)
  const invitation = useAct<{ email: string }>((body) => ask(invite, { body }), {
    onDone: (values) => {
      form.reset()
      toast({ title: `${values.email} is invited.`, description: 'The link is good for a week.' })
    },
  })
  const form = useForm({
    start: { email: '' },
    checks: {},
    onSubmit: ({ email }) => invitation.act({ email: email.trim() }),
  })
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations" className="font-display text-h3 font-semibold">
        Invitations
      </h2>
      <form noValidate className="mt-3 flex flex-wrap items-end gap-3" onSubmit={form.submit}>
        <EmailField
          {...form.field('email')}
          label="Invite by email"
          autoComplete="off"
          className="min-w-48 flex-1"
        />
        <Button type="submit" pending={invitation.isPending}>
          Invite
        </Button>
      </form>
      <Failure error={invitation.error} />
      <Loaded query={query} what="the invitations">
        {(rows) => (
          <ul className="mt-4 border-t border-line text-small">
            {rows.length === 0 ? (
              <li className="pt-4 text-ink-2">Nobody is invited at the moment.</li>
            ) : null}
            {rows.map((row) => (
              <Row key={row.id} invitation={row} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

function Row({ invitation: { id, email, expiresAt } }: { invitation: Invitation }) {
  const withdraw = useAct((body) => ask(withdrawInvitation, { params: { id }, body }))
  return (
    <li className="flex flex-wrap items-center gap-x-4 border-b border-rule py-1.5">
      <span className="min-w-0 flex-1 wrap-anywhere">
        {email} <span className="text-ink-2">· until {day(expiresAt)}</span>
      </span>
      <Button
        size="small"
        pending={withdraw.isPending}
        onClick={() => withdraw.act({})}
        aria-label={`Withdraw the invitation of ${email}`}
      >
        Withdraw
      </Button>
      <Failure error={withdraw.error} className="w-full pb-2" />
    </li>
  )
}
