import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { AccountHead, Section } from '#features/account/ui/account-section.tsx'
import { missing } from '#features/account/ui/form-errors.ts'
import { Loaded } from '#features/account/ui/loaded.tsx'
import { useChange } from '#features/account/ui/use-change.ts'
import { useForm } from '#web/use-form.ts'
import { formatDate } from '#shared/format.ts'
import { ask } from '#web/api.ts'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { ConfirmAlert } from '#web/ui/dialog.tsx'
import { EmptyPad } from '#web/ui/empty-pad.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { Select } from '#web/ui/select.tsx'

import { makeKey, revokeKey } from '../calls.ts'
import type { ApiKey, ApiKeys, MakeKey, NewKey } from '../contract.ts'
import { keysQuery } from './queries.ts'
import { SecretNote } from './secret-note.tsx'

/** Long-lived keys for programs: made, shown once, revoked. */
export default function KeysPage() {
  const query = useQuery(keysQuery)
  const [made, setMade] = useState<NewKey | null>(null)
  return (
    <>
      <AccountHead title="API keys">
        For programs that work in your name. What they can do is in the{' '}
        <a href={paths.api} className="text-link">
          API documentation
        </a>
        .
      </AccountHead>
      {made ? (
        <SecretNote
          title={`The key “${made.name}”`}
          secret={made.key}
          onClose={() => setMade(null)}
        />
      ) : null}
      <Loaded query={query} what="your keys">
        {(data) => (
          <>
            {data.isAllowed ? <MakeOne onMade={setMade} /> : <NeedsPlan />}
            <Keys data={data} />
            <Section title="Limit">
              <p className="mt-2 text-body text-ink-2">
                {data.callsMade.toLocaleString('en-US')} of{' '}
                {data.callsPerHour.toLocaleString('en-US')} calls made in the last hour, by all keys
                and sign-in tokens together. This app's own calls do not count.
              </p>
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}

function NeedsPlan() {
  return (
    <Section
      title="Make a key"
      lead="API keys are part of Enterprise. On every plan, a sign-in token does the same for 30 days: the documentation shows how to get one."
    >
      <ButtonLink href={paths.subscribe} className="mt-4">
        See the plans
      </ButtonLink>
    </Section>
  )
}

const lives = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'One year'],
  ['', 'Until I revoke it'],
] as const

function MakeOne({ onMade }: { onMade: (made: NewKey) => void }) {
  const make = useChange((body: MakeKey) => ask(makeKey, { body }), {
    reads: [keysQuery.queryKey],
    onDone: (made) => {
      // The next key keeps the chosen rights, so that nobody makes a stronger key than they meant to.
      form.reset({ ...form.values, name: '' })
      onMade(made)
    },
  })
  const form = useForm({
    start: { name: '', access: 'write', days: '90' },
    checks: { name: missing('Please name the key') },
    onSubmit: ({ name, access, days }) =>
      make.mutate({
        name,
        scopes: access === 'write' ? ['read', 'write'] : ['read'],
        expiresInDays: days === '' ? null : Number(days),
      }),
  })
  return (
    <Section title="Make a key">
      <form noValidate className="mt-4 grid max-w-[30rem] gap-y-4" onSubmit={form.submit}>
        <TextField
          {...form.field('name')}
          label="Name"
          hint="Where it is used, so that you know which one to revoke."
          maxLength={80}
        />
        <Select {...form.field('access')} label="It may">
          <option value="write">Read and write</option>
          <option value="read">Only read</option>
        </Select>
        <Select {...form.field('days')} label="Good for">
          {lives.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
        <Failure error={make.error} otherwise="No key was made. Please try again." className="" />
        <Button type="submit" pending={make.isPending} className="justify-self-start">
          Make key
        </Button>
      </form>
    </Section>
  )
}

function Keys({ data: { keys, isAllowed } }: { data: ApiKeys }) {
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  return (
    <Section
      title="Your keys"
      lead={
        isAllowed || keys.length === 0
          ? null
          : 'They are paused until your account is on Enterprise again.'
      }
    >
      {keys.length === 0 ? (
        <EmptyPad className="mt-4" text="No keys yet." />
      ) : (
        <div
          role="region"
          aria-label="Your keys"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls on phones, and keys must be able to
          tabIndex={0}
          className="relative mt-4 overflow-x-auto"
        >
          <table className="w-full min-w-[560px] border-collapse text-left text-small">
            <thead>
              <tr className="border-b border-line text-ink-2">
                {['Name', 'Key', 'May', 'Last used', 'Expires'].map((cell) => (
                  <th key={cell} scope="col" className="py-2 pr-4 font-semibold">
                    {cell}
                  </th>
                ))}
                <th scope="col">
                  <span className="sr-only">Revoke</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.map((key) => (
                <Row key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {revoking ? <Revoke apiKey={revoking} onClose={() => setRevoking(null)} /> : null}
    </Section>
  )
}

function Row({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { name, prefix, scopes, lastUsedAt, expiresAt } = apiKey
  const [openedAt] = useState(() => new Date().toISOString())
  const isOver = expiresAt !== null && expiresAt <= openedAt
  return (
    <tr className="border-b border-rule">
      <th scope="row" className="py-3 pr-4 font-semibold wrap-anywhere">
        {name}
      </th>
      <td className="py-3 pr-4 font-mono text-fine">{prefix}…</td>
      <td className="py-3 pr-4 text-ink-2">{scopes.join(', ')}</td>
      <td className="py-3 pr-4 text-ink-2">{lastUsedAt ? formatDate(lastUsedAt) : 'never'}</td>
      <td className="py-3 pr-4 text-ink-2">
        {isOver ? <Badge>Expired</Badge> : expiresAt ? formatDate(expiresAt) : 'never'}
      </td>
      <td className="py-2 pr-1 text-right">
        <Button
          size="small"
          variant="danger-outline"
          onClick={onRevoke}
          aria-label={`Revoke ${name}`}
        >
          Revoke
        </Button>
      </td>
    </tr>
  )
}

function Revoke({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useChange(() => ask(revokeKey, { params: { id } }), {
    reads: [keysQuery.queryKey],
    says: ({ message }) => message,
    onDone: onClose,
  })
  return (
    <ConfirmAlert
      title={`Revoke “${name}”?`}
      description="Programs that use it are refused from their next call on. This cannot be undone."
      keep="Keep it"
      verb="Revoke key"
      isPending={revoke.isPending}
      onKeep={onClose}
      onAct={() => revoke.mutate()}
    >
      <Failure error={revoke.error} otherwise="It was not revoked. Please try again." />
    </ConfirmAlert>
  )
}
