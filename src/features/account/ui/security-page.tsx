import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound, Monitor, Smartphone } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'

import { formatClock, formatDate } from '#shared/format.ts'
import { ask } from '#web/api.ts'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmAlert } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { toast } from '#web/ui/toast.tsx'

import {
  changePassword,
  endOtherSessions,
  endSession,
  forgotPassword,
  linkIssuer,
  unlinkIssuer,
} from '../calls.ts'
import type { Account, ActivityEntry, ChangePassword, SessionRow } from '../contract.ts'
import { accountQuery, activityQuery, sessionsQuery } from './account-queries.ts'
import { AccountHead, Section } from './account-section.tsx'
import { activityWords, ago } from './activity-words.ts'
import { useUser } from './auth.tsx'
import { newPasswordError, passwordError, passwordHint } from './form-errors.ts'
import { Loaded, ShowMore } from './loaded.tsx'
import { useAccountChange } from './use-change.ts'
import { useForm } from '#web/use-form.ts'

export default function SecurityPage() {
  const account = useQuery(accountQuery)
  useNewsOfLinking()
  return (
    <>
      <AccountHead title="Security">
        How you sign in, where you are signed in, and what has happened.
      </AccountHead>
      <Section title="Password">
        <Loaded query={account} what="your account">
          {({ hasPassword, issuers }) =>
            hasPassword ? <ChangeOwnPassword /> : <FirstPassword issuers={issuers} />
          }
        </Loaded>
      </Section>
      {account.data?.issuers.map((issuer) => (
        <Section key={issuer.id} title={issuer.name}>
          <SignInAt issuer={issuer} hasPassword={account.data.hasPassword} />
        </Section>
      ))}
      <Sessions />
      <Activity />
    </>
  )
}

const signedInBy = {
  password: 'with a password',
  google: 'with Google',
  oidc: 'with single sign-on',
} as const

/** The other effects of a new password, as `setPassword` of the room has them. */
const whatEnds =
  'A new password signs out every other device, revokes your API keys, pauses your webhooks and unlinks Google and single sign-on. Either with the address of this account is linked again when you next sign in with it.'

/** `?google=…` or `?oidc=…` is how a trip there ends; it is said once and leaves the address. */
function useNewsOfLinking(): void {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const name = search.has('google') ? 'Google' : 'Single sign-on'
  const news = search.get('google') ?? search.get('oidc')
  useEffect(() => {
    if (!news) return
    toast(
      news === 'linked'
        ? { title: `${name} now opens this account.` }
        : {
            variant: 'destructive',
            title: `${name} was not linked.`,
            description: 'That account there belongs to another account here, or you have one.',
          },
    )
    void navigate(paths.accountSecurity, { replace: true })
  }, [name, news, navigate])
}

function ChangeOwnPassword() {
  const change = useAccountChange((body: ChangePassword) => ask(changePassword, { body }), {
    onDone: () => form.reset(),
  })
  const form = useForm({
    start: { password: '', newPassword: '' },
    checks: { password: passwordError, newPassword: newPasswordError },
    onSubmit: (values) => change.mutate(values),
  })
  return (
    <form noValidate onSubmit={form.submit} className="mt-4 max-w-[30rem]">
      <PasswordField
        {...form.field('password')}
        label="Current password"
        autoComplete="current-password"
      />
      <PasswordField
        {...form.field('newPassword')}
        label="New password"
        autoComplete="new-password"
        hint={passwordHint(form.values.newPassword)}
        className="mt-4"
      />
      <Failure error={change.error} />
      <Button type="submit" pending={change.isPending} className="mt-4">
        Change password
      </Button>
      <p className="mt-2 max-w-[66ch] text-small text-ink-2">{whatEnds}</p>
    </form>
  )
}

/** An account that came from elsewhere has none; a mailed link proves that the mailbox is theirs. */
function FirstPassword({ issuers }: Pick<Account, 'issuers'>) {
  const where = issuers.find(({ email }) => email !== null)?.name ?? 'Google'
  const { email } = useUser()
  const forgot = useAccountChange(() => ask(forgotPassword, { body: { email } }), {
    says: `We have mailed a link to ${email}.`,
  })
  return (
    <>
      <p className="mt-2 max-w-[66ch] text-body text-ink-2">
        You sign in with {where}. To sign in with a password as well, let us mail you a link to
        choose one. Choosing it signs you out everywhere, revokes your API keys and pauses your
        webhooks. {where} opens this account as before.
      </p>
      <Failure error={forgot.error} />
      <Button pending={forgot.isPending} onClick={() => forgot.mutate()} className="mt-4">
        Mail me a link
      </Button>
    </>
  )
}

function SignInAt({
  issuer: { id, name, email, isOffered },
  hasPassword,
}: {
  issuer: Account['issuers'][number]
  hasPassword: boolean
}) {
  const [isAsking, setAsking] = useState(false)
  const unlink = useAccountChange(() => ask(unlinkIssuer(id)), { onDone: () => setAsking(false) })
  if (email !== null)
    return (
      <>
        <p className="mt-2 text-body text-ink-2">
          <span className="font-semibold wrap-anywhere text-ink">{email}</span> at {name} opens this
          account.
        </p>
        <Button
          disabled={!hasPassword}
          onClick={() => setAsking(true)}
          aria-describedby={hasPassword ? undefined : `${id}-is-last`}
          className="mt-4"
        >
          Remove {name}
        </Button>
        {hasPassword ? null : (
          <p id={`${id}-is-last`} className="mt-2 text-small text-ink-2">
            It is your only way to sign in. Choose a password first.
          </p>
        )}
        <ConfirmAlert
          open={isAsking}
          title={`Remove ${name}?`}
          description={`You will sign in with your email address and password. You can link ${name} again at any time.`}
          keep={`Keep ${name}`}
          verb={`Remove ${name}`}
          isPending={unlink.isPending}
          onKeep={() => setAsking(false)}
          onAct={() => unlink.mutate()}
        >
          <Failure error={unlink.error} />
        </ConfirmAlert>
      </>
    )
  return (
    <>
      <p className="mt-2 max-w-[66ch] text-body text-ink-2">
        {isOffered
          ? `Link a ${name} account, and it opens this account beside your password. Its address may be another one.`
          : `${name} sign-in is not set up on this server.`}
      </p>
      {isOffered ? <LinkIssuer id={id} name={name} hasPassword={hasPassword} /> : null}
    </>
  )
}

function LinkIssuer({
  id,
  name,
  hasPassword,
}: Pick<Account['issuers'][number], 'id' | 'name'> & { hasPassword: boolean }) {
  const link = useMutation({
    mutationFn: (body: { password: string }) => ask(linkIssuer(id), { body }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const form = useForm({
    start: { password: '' },
    checks: { password: passwordError },
    onSubmit: (values) => link.mutate(values),
  })
  return (
    <form noValidate onSubmit={form.submit} className="mt-4 max-w-[30rem]">
      {hasPassword ? (
        <PasswordField
          {...form.field('password')}
          label="Your password"
          autoComplete="current-password"
        />
      ) : null}
      <Failure error={link.error} />
      <Button
        type="submit"
        disabled={!hasPassword}
        pending={link.isPending || link.isSuccess}
        aria-describedby={hasPassword ? undefined : `${id}-needs-password`}
        className="mt-4"
      >
        Link {name}
      </Button>
      {hasPassword ? null : (
        <p id={`${id}-needs-password`} className="mt-2 text-small text-ink-2">
          Choose a password first.
        </p>
      )}
    </form>
  )
}

function Sessions() {
  const query = useQuery(sessionsQuery)
  const endOthers = useAccountChange(() => ask(endOtherSessions))
  const hasOthers = (query.data?.length ?? 0) > 1
  return (
    <Section
      title="Sessions"
      lead="Where you are signed in. Signing one out ends it at once. If you do not know one of these, sign it out and change your password."
      action={
        hasOthers ? (
          <Button
            variant="danger-outline"
            size="small"
            pending={endOthers.isPending}
            onClick={() => endOthers.mutate()}
          >
            Sign out everywhere else
          </Button>
        ) : null
      }
    >
      <Failure error={endOthers.error} />
      <Loaded query={query} what="your sessions">
        {(rows) => {
          const browsers = rows.filter(({ kind }) => kind === 'web')
          const tokens = rows.filter(({ kind }) => kind === 'token')
          return (
            <>
              <List title="Browsers" rows={browsers} />
              {tokens.length > 0 ? <List title="Tokens of scripts" rows={tokens} /> : null}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

function List({ title, rows }: { title: string; rows: SessionRow[] }) {
  return (
    <>
      <h3 className="mt-6 text-h3 font-semibold">{title}</h3>
      <ul className="mt-2 border-t border-rule">
        {rows.map((row) => (
          <Session key={row.id} row={row} />
        ))}
      </ul>
    </>
  )
}

function Session({ row }: { row: SessionRow }) {
  const end = useAccountChange(() => ask(endSession, { params: { id: row.id } }))
  const isPhone = /Android|iOS/.test(row.device)
  const Icon = row.kind === 'token' ? KeyRound : isPhone ? Smartphone : Monitor
  const verb = row.kind === 'token' ? 'Revoke' : 'Sign out'
  const name = row.kind === 'token' ? `Token ending ${row.tokenEnd ?? ''}` : row.device
  return (
    <li className="grid grid-cols-[20px_1fr_auto] items-center gap-x-4 gap-y-1 border-b border-rule py-4">
      <Icon size={20} className="text-ink-2" />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body font-semibold">
          {row.kind === 'token' ? (
            <span>
              Token ending <span className="font-mono text-fine">{row.tokenEnd}</span>
            </span>
          ) : (
            row.device || 'Unknown device'
          )}
          {row.isCurrent ? <Badge>This device</Badge> : null}
        </p>
        <p className="text-small text-ink-2">
          {row.kind === 'token'
            ? `Made ${formatDate(row.createdAt)} · ends ${formatDate(row.expiresAt)}`
            : `Signed in ${formatDate(row.createdAt)} ${signedInBy[row.method]}`}
          {' · '}
          {row.isCurrent ? 'active now' : `last used ${ago(row.lastUsedAt)}`}
        </p>
        <Failure error={end.error} />
      </div>
      {row.isCurrent ? null : (
        <Button
          size="small"
          pending={end.isPending}
          onClick={() => end.mutate()}
          aria-label={`${verb}: ${name}`}
        >
          {verb}
        </Button>
      )}
    </li>
  )
}

function Activity() {
  const query = useInfiniteQuery(activityQuery)
  return (
    <Section title="Activity" lead="What has happened to this account in the last 180 days.">
      <Loaded query={query} what="what has happened">
        {({ pages }) => (
          <>
            <ol className="mt-4 border-t border-rule">
              {pages.flat().map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ol>
            {pages.flat().length === 0 ? (
              <p className="mt-4 text-body text-ink-2">Nothing yet.</p>
            ) : null}
            <ShowMore query={query}>Show earlier</ShowMore>
          </>
        )}
      </Loaded>
    </Section>
  )
}

function Entry({ entry }: { entry: ActivityEntry }) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-rule py-3">
      <span className="text-body">
        {activityWords(entry)}
        {entry.device ? <span className="text-ink-2"> · {entry.device}</span> : null}
      </span>
      <time dateTime={entry.at} className="text-small text-ink-2 tabular-nums">
        {formatDate(entry.at)}, {formatClock(entry.at)}
      </time>
    </li>
  )
}
