import { useQuery } from '@tanstack/react-query'
import { Outlet } from 'react-router'

import { formatDate } from '#shared/format.ts'
import { ask } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailField, PasswordField } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'

import { cancelEmailChange, changeEmail, changeNames } from '../calls.ts'
import type { Account, ChangeEmail, ChangeNames } from '../contract.ts'
import { accountQuery } from './account-queries.ts'
import { AccountHead, Section } from './account-section.tsx'
import { useUser } from './auth.tsx'
import { emailError, nameErrors, passwordError } from './form-errors.ts'
import { Loaded } from './loaded.tsx'
import { NameFields } from './name-fields.tsx'
import { ReadyMailSwitch } from './ready-mail-switch.tsx'
import { ofAccount, useAccountChange, useChange } from './use-change.ts'
import { useForm } from '#web/use-form.ts'

export default function ProfilePage() {
  const user = useUser()
  const query = useQuery(accountQuery)
  return (
    <>
      <AccountHead title="Profile">
        {user.createdAt === '' ? null : `Here since ${formatDate(user.createdAt)}.`}
      </AccountHead>
      <Section title="Your name" lead="It greets you here, and stands on the pages that you share.">
        <Names key={`${user.firstName} ${user.lastName}`} />
      </Section>
      <Section
        title="Email address"
        lead="You sign in with it, and our mails go there. It changes when both mailboxes, the old one and the new one, have said yes."
      >
        <p className="mt-3 text-body">
          Now: <span className="font-semibold wrap-anywhere">{user.email}</span>
        </p>
        <Loaded query={query} what="your account">
          {(account) =>
            account.emailChange ? (
              <Waiting change={account.emailChange} oldEmail={user.email} />
            ) : (
              <ChangeAddress needsPassword={account.hasPassword} />
            )
          }
        </Loaded>
      </Section>
      <Section
        title="When work is done"
        lead="A file that takes longer than two minutes is told of by mail, unless you are looking at it. Files that you start together are told of together."
      >
        <Loaded query={query} what="your account">
          {(account) => <ReadyMailSwitch isOn={account.readyMail} />}
        </Loaded>
      </Section>
      {/* Later rooms add their sections here. */}
      <Outlet />
    </>
  )
}

function Names() {
  const { firstName, lastName } = useUser()
  const save = useChange((body: ChangeNames) => ask(changeNames, { body }), {
    reads: ofAccount,
    says: 'Your name is saved.',
  })
  const form = useForm({
    start: { firstName, lastName },
    checks: nameErrors,
    onSubmit: (values) => save.mutate(values),
  })
  return (
    <form noValidate onSubmit={form.submit} className="mt-4 max-w-[30rem]">
      <NameFields field={form.field} className="grid gap-4 sm:grid-cols-2" />
      <Failure error={save.error} />
      <Button type="submit" pending={save.isPending} className="mt-4">
        Save name
      </Button>
    </form>
  )
}

function ChangeAddress({ needsPassword }: { needsPassword: boolean }) {
  const change = useAccountChange((body: ChangeEmail) => ask(changeEmail, { body }))
  const form = useForm({
    start: { email: '', password: '' },
    checks: { email: emailError, password: needsPassword ? passwordError : undefined },
    onSubmit: ({ email, password }) =>
      change.mutate({ email: email.trim(), ...(needsPassword ? { password } : {}) }),
  })
  return (
    <form noValidate onSubmit={form.submit} className="mt-4 max-w-[30rem]">
      <EmailField {...form.field('email')} label="New address" />
      {needsPassword ? (
        <PasswordField
          {...form.field('password')}
          label="Your password"
          autoComplete="current-password"
          className="mt-4"
        />
      ) : null}
      <Failure error={change.error} />
      <Button type="submit" pending={change.isPending} className="mt-4">
        Change address
      </Button>
    </form>
  )
}

function Waiting({
  change,
  oldEmail,
}: {
  change: NonNullable<Account['emailChange']>
  oldEmail: string
}) {
  const cancel = useAccountChange(() => ask(cancelEmailChange))
  return (
    <div className="mt-4 rounded-control bg-paper-2 p-4 text-body">
      <p className="font-semibold">A change is waiting for your mailboxes.</p>
      <ul className="mt-2 grid gap-1">
        <Mailbox address={oldEmail} isConfirmed={change.isOldConfirmed} />
        <Mailbox address={change.newEmail} isConfirmed={change.isNewConfirmed} />
      </ul>
      <Failure error={cancel.error} />
      <Button
        size="small"
        pending={cancel.isPending}
        onClick={() => cancel.mutate()}
        className="mt-4 bg-card!"
      >
        Call it off
      </Button>
    </div>
  )
}

function Mailbox({ address, isConfirmed }: { address: string; isConfirmed: boolean }) {
  return (
    <li className="wrap-anywhere">
      {address}:{' '}
      {isConfirmed ? (
        <span className="font-semibold text-success">has said yes</span>
      ) : (
        <span className="text-ink-2">we have sent a mail; open the link in it</span>
      )}
    </li>
  )
}
