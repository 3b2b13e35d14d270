import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { AccountHead, Section } from '#features/account/ui/account-section.tsx'
import { Loaded } from '#features/account/ui/loaded.tsx'
import { useChange } from '#features/account/ui/use-change.ts'
import { parseUrl } from '#shared/parse-url.ts'
import { ask } from '#web/api.ts'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ConfirmAlert } from '#web/ui/dialog.tsx'
import { EmptyPad } from '#web/ui/empty-pad.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'

import {
  changeWebhook,
  changeWebhookSecret,
  createWebhook,
  deleteWebhook,
  testWebhook,
} from '../calls.ts'
import type { MakeWebhook, NewWebhook, Webhook } from '../contract.ts'
import { type WebhookTypeName, webhookTypes, webhookWords } from '../words.ts'
import { Deliveries } from './deliveries.tsx'
import { webhooksQuery } from './queries.ts'
import { SecretNote } from './secret-note.tsx'

/** The webhooks of the account, each with its log. */
export default function WebhooksPage() {
  const query = useQuery(webhooksQuery)
  const [made, setMade] = useState<{ webhook: NewWebhook; isRenewed: boolean } | null>(null)
  return (
    <>
      <AccountHead title="Webhooks">
        Your own programs can be told when something happens, instead of asking again and again. How
        to receive and verify messages is in the{' '}
        <a href={`${paths.api}#webhooks`} className="text-link">
          API documentation
        </a>
        .
      </AccountHead>
      {made ? (
        <SecretNote
          title={`The secret for ${made.webhook.url}`}
          secret={made.webhook.secret}
          onClose={() => setMade(null)}
        >
          <p className="mt-3 text-small text-ink-2">
            By it your program tells that a message is from here.
            {made.isRenewed ? ' The old one signs along for a day.' : ''}
          </p>
        </SecretNote>
      ) : null}
      <Loaded query={query} what="your webhooks">
        {(webhooks) => (
          <>
            {webhooks.length === 0 ? (
              <EmptyPad className="mt-8" text="No webhooks yet." />
            ) : (
              webhooks.map((webhook) => (
                <Endpoint
                  key={webhook.id}
                  webhook={webhook}
                  onSecret={(one) => setMade({ webhook: one, isRenewed: true })}
                />
              ))
            )}
            <AddOne onMade={(one) => setMade({ webhook: one, isRenewed: false })} />
          </>
        )}
      </Loaded>
    </>
  )
}

function AddOne({ onMade }: { onMade: (made: NewWebhook) => void }) {
  const [url, setUrl] = useState('')
  const [isAll, setAll] = useState(true)
  const [chosen, setChosen] = useState<WebhookTypeName[]>([])
  const [isAsked, setAsked] = useState(false)
  const add = useChange((body: MakeWebhook) => ask(createWebhook, { body }), {
    reads: [webhooksQuery.queryKey],
    onDone: (made) => {
      setUrl('')
      setAsked(false)
      onMade(made)
    },
  })
  const problem = url.trim() === '' ? 'Please enter an address' : undefined
  const isNone = !isAll && chosen.length === 0
  return (
    <Section title="Add a webhook">
      <form
        noValidate
        className="mt-4 grid max-w-[34rem] gap-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(true)
          if (!problem && !isNone) add.mutate({ url, types: isAll ? [] : chosen })
        }}
      >
        <TextField
          label="Address"
          type="url"
          inputMode="url"
          placeholder="https://"
          hint="It must be reachable from the internet."
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          error={isAsked ? problem : undefined}
        />
        <fieldset className="grid gap-y-1">
          <legend className="mb-1 text-ui font-semibold">Tell it of</legend>
          <Checkbox checked={isAll} onChange={(event) => setAll(event.target.checked)}>
            Everything
          </Checkbox>
          {isAll
            ? null
            : webhookTypes.map((type) => (
                <Checkbox
                  key={type}
                  checked={chosen.includes(type)}
                  onChange={(event) =>
                    setChosen(
                      event.target.checked
                        ? [...chosen, type]
                        : chosen.filter((each) => each !== type),
                    )
                  }
                >
                  <span className="font-mono text-fine">{type}</span>
                  <span className="block text-small text-ink-2">{webhookWords[type]}</span>
                </Checkbox>
              ))}
          {isAsked && isNone ? (
            <p role="alert" className="text-small font-medium text-danger">
              Please choose at least one
            </p>
          ) : null}
        </fieldset>
        <Failure error={add.error} otherwise="It was not added. Please try again." className="" />
        <Button type="submit" pending={add.isPending} className="justify-self-start">
          Add webhook
        </Button>
      </form>
    </Section>
  )
}

const pauses: Record<NonNullable<Webhook['paused']>, string> = {
  by_owner: 'You paused it. What happens meanwhile is kept in its log.',
  dead: 'It did not take a message in ten tries over three days, so nothing more is sent.',
  gone: 'It answered that it is gone (410), so nothing more is sent.',
  new_password: 'Paused because the password was changed. Resume it if it is yours.',
}

function Endpoint({
  webhook,
  onSecret,
}: {
  webhook: Webhook
  onSecret: (made: NewWebhook) => void
}) {
  const { id, url, types, paused } = webhook
  const [isRemoving, setRemoving] = useState(false)
  const [isShown, setShown] = useState(false)
  const params = { id }
  const reads = [webhooksQuery.queryKey]
  const change = useChange((body: { isPaused: boolean }) => ask(changeWebhook, { params, body }), {
    reads,
  })
  const renew = useChange(() => ask(changeWebhookSecret, { params }), {
    reads,
    onDone: onSecret,
  })
  const test = useChange(() => ask(testWebhook, { params }), {
    reads,
    says: 'A test message is on its way.',
    onDone: () => setShown(true),
  })
  const error = change.error ?? renew.error ?? test.error
  return (
    <Section
      title={hostOf(url)}
      action={paused ? <Badge>Paused</Badge> : <Badge>Active</Badge>}
      lead={
        <>
          <span className="font-mono text-fine wrap-anywhere">{url}</span>
          <span className="mt-1 block text-small">
            {types.length === 0 ? 'Told of everything.' : `Told of ${types.join(', ')}.`}
          </span>
        </>
      }
    >
      <div className="mt-4 flex flex-wrap gap-3">
        <Button size="small" pending={test.isPending} onClick={() => test.mutate()}>
          Send a test
        </Button>
        <Button
          size="small"
          pending={change.isPending}
          onClick={() => change.mutate({ isPaused: paused === null })}
        >
          {paused ? 'Resume' : 'Pause'}
        </Button>
        <Button size="small" pending={renew.isPending} onClick={() => renew.mutate()}>
          New secret
        </Button>
        <Button size="small" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide the log' : 'Show the log'}
        </Button>
        <Button size="small" variant="danger-outline" onClick={() => setRemoving(true)}>
          Delete
        </Button>
      </div>
      {/* Under the buttons: above them it would move "Resume" away from the finger on "Pause". */}
      {paused ? <p className="mt-3 text-small text-ink-2">{pauses[paused]}</p> : null}
      <Failure error={error} />
      {isShown ? <Deliveries webhook={webhook} /> : null}
      {isRemoving ? <Remove webhook={webhook} onClose={() => setRemoving(false)} /> : null}
    </Section>
  )
}

const hostOf = (url: string) => parseUrl(url)?.host ?? url

function Remove({ webhook: { id, url }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useChange(() => ask(deleteWebhook, { params: { id } }), {
    reads: [webhooksQuery.queryKey],
    says: ({ message }) => message,
    onDone: onClose,
  })
  return (
    <ConfirmAlert
      title="Delete this webhook?"
      description={`Nothing is sent to ${hostOf(url)} any more, and its log is deleted with it.`}
      keep="Keep it"
      verb="Delete webhook"
      isPending={remove.isPending}
      onKeep={onClose}
      onAct={() => remove.mutate()}
    >
      <Failure error={remove.error} otherwise="It was not deleted. Please try again." />
    </ConfirmAlert>
  )
}
