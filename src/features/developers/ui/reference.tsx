/** The API reference. Calls, parameters and fields are drawn from the API's own description. */
import type { ReactNode } from 'react'

import { BRAND, callsPerHour, plans } from '#shared/business.ts'
import { refusals } from '#shared/refusals.ts'
import { paths } from '#web/paths.ts'
import { classes } from '#web/ui/classes.ts'
import { InlineScript } from '#web/ui/inline-script.tsx'
import { Select } from '#web/ui/select.tsx'

import { webhookTypes, webhookWords } from '../words.ts'
import {
  type Operation,
  type Schema,
  headers,
  operationOf,
  operations,
  schemas,
} from './api-document.ts'
import { Code, CodeTabs } from './code-tabs.tsx'
import { PUBLIC_URL, examples, verifying } from './examples.ts'
import script from './reference-script.ts?script'
import { answers } from './sample-answers.ts'

const main = [
  'createTranscription',
  'listTranscriptions',
  'getTranscription',
  'deleteTranscription',
  'exportTranscription',
  'getUser',
] as const
const sections = [
  ['overview', 'Overview'],
  ['authentication', 'Authentication'],
  ['rate-limits', 'Rate limits'],
  ...main.map((id) => [id, operationOf(id).summary] as const),
  ['idempotency', 'Idempotency'],
  ['openai', 'OpenAI-compatible'],
  ['webhooks', 'Webhooks'],
  ['more', 'All other calls'],
  ['errors', 'Errors'],
  ['transcription', 'The transcription object'],
] as const

export function Reference() {
  return (
    <div className="mt-10 grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 lg:grid-cols-[200px_minmax(0,1fr)]">
      <Index />
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-y-14">
        <Overview />
        <Authentication />
        <RateLimits />
        {main.map((id) => (
          <Call key={id} id={id} />
        ))}
        <Idempotency />
        <OpenAi />
        <Webhooks />
        <More />
        <Errors />
        <TranscriptionObject />
      </div>
      <InlineScript code={script} />
    </div>
  )
}

function Index() {
  return (
    <>
      <nav
        aria-label="On this page"
        className="sticky top-8 self-start text-small max-lg:hidden print:hidden"
      >
        <ol className="grid gap-y-2.5 border-l border-rule pl-4">
          {sections.map(([id, title]) => (
            <li key={id}>
              <a href={`#${id}`} className="text-ink-2 hover:text-ink hover:underline">
                {title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <nav aria-label="On this page" className="lg:hidden">
        <Select label="Section" hideLabel data-index="">
          {sections.map(([id, title]) => (
            <option key={id} value={`#${id}`}>
              {title}
            </option>
          ))}
        </Select>
      </nav>
    </>
  )
}

/** Words on the left, code on the right; on phones the code follows. */
function Section({
  id,
  title,
  code,
  children,
}: {
  id: string
  title: string
  code?: ReactNode
  children: ReactNode
}) {
  return (
    <section aria-labelledby={id} className="border-t border-rule pt-6 first:border-t-0 first:pt-0">
      <h2 id={id} className="scroll-mt-6 font-display text-section font-semibold">
        {title}
      </h2>
      <div
        className={classes(
          'mt-3 grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6',
          code ? 'xl:grid-cols-[minmax(0,1fr)_420px]' : '',
        )}
      >
        <div className="running-text min-w-0">{children}</div>
        {code ? (
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-y-4 self-start xl:sticky xl:top-6">
            {code}
          </div>
        ) : null}
      </div>
    </section>
  )
}

function Overview() {
  return (
    <Section id="overview" title="Overview">
      <p>
        Everything the web app does with recordings is a call. Send a recording, ask for it until
        its status is <C>completed</C> or <C>error</C>, and read text, summary and speakers as JSON.
        Or add a webhook and be told.
      </p>
      <p>
        Answers are JSON in UTF-8, times in seconds, moments in ISO 8601, ids are UUIDs. Every
        answer carries an <C>X-Request-Id</C>; mention it when you write to us. New fields may be
        added at any time; nothing that is documented here is taken away.
      </p>
      <p>
        The whole API as an OpenAPI 3.1 document:{' '}
        <a href="/api/openapi.json" className="text-link">
          {PUBLIC_URL}/api/openapi.json
        </a>
      </p>
    </Section>
  )
}

function Authentication() {
  return (
    <Section
      id="authentication"
      title="Authentication"
      code={<CodeTabs id="signIn" title="Get a sign-in token" example={examples.signIn} />}
    >
      <p>
        Every call carries <C>Authorization: Bearer TOKEN</C>. API keys are part of Enterprise; a
        sign-in token works on every plan.
      </p>
      <Table
        label="Kinds of tokens"
        head={['Token', 'Plan', 'How to get it', 'Good for']}
        rows={[
          [
            'API key, quoth_live_…',
            'Enterprise',
            'Account, API keys',
            'As long as you choose, or until it is revoked',
          ],
          [
            'Sign-in token',
            'Every plan',
            'POST /api/login with "token": true',
            '30 days from its last use',
          ],
        ]}
      />
      <p>
        A key is shown once; we keep only a hash of it. It may read, or read and write, and makes
        the calls of this page only. Revoking it takes effect with the next call. Keys are made{' '}
        <a href={paths.accountApiKeys} className="text-link">
          in your account
        </a>
        .
      </p>
    </Section>
  )
}

function RateLimits() {
  return (
    <Section id="rate-limits" title="Rate limits">
      <Table
        label="Calls an hour by plan"
        head={['Plan', 'Calls an hour']}
        rows={plans.map(({ id, name }) => [name, callsPerHour[id].toLocaleString('en-US')])}
      />
      <p>
        Counted over any sixty minutes, all keys and tokens of an account together. The web app's
        own calls never count. Every counted answer says where you stand:
      </p>
      <Table
        label="Headers of the limit"
        head={['Header', 'Meaning']}
        rows={[
          ...Object.entries(headers).map(([name, { description }]) => [name, description]),
          ['Retry-After', 'With 429: seconds until a call passes again.'],
        ]}
      />
    </Section>
  )
}

function Call({ id }: { id: (typeof main)[number] }) {
  const operation = operationOf(id)
  const { summary, description, answer } = operation
  const sample = id === 'exportTranscription' ? null : answers[id]
  return (
    <Section
      id={id}
      title={summary}
      code={
        <>
          <CodeTabs id={`code-${id}`} title={summary} example={examples[id]} />
          {sample ? <Code title={`${answer.status}, ${answer.description}`} code={sample} /> : null}
        </>
      }
    >
      <Signature operation={operation} />
      {description ? <p>{description}</p> : null}
      <Parameters operation={operation} />
      <AnswerHeaders operation={operation} />
    </Section>
  )
}

function Signature({ operation: { method, path } }: { operation: Operation }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-mono text-fine">
      <span className="rounded-badge border border-line px-1.5 py-0.5 font-semibold">{method}</span>
      <span className="wrap-anywhere">{path}</span>
    </p>
  )
}

function Parameters({ operation }: { operation: Operation }) {
  const { method, path, parameters = [], requestBody } = operation
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const { properties = {}, required = [] } = body?.schema ?? {}
  const where = type === 'application/json' ? 'JSON' : 'form'
  const inPath = parameters.filter((each) => each.in === 'path')
  const others = parameters.filter((each) => each.in !== 'path')
  const rows = [
    ...[...inPath, ...others].map((each) =>
      row(each.name, each.in, each.required ?? false, { ...each.schema, ...each }),
    ),
    ...Object.entries(properties).map(([name, schema]) =>
      row(name, where, required.includes(name), schema),
    ),
  ]
  if (rows.length === 0) return null
  return (
    <Table
      label={`Parameters of ${method} ${path}`}
      head={['Parameter', 'Where', 'Type', 'Meaning']}
      rows={rows}
      isCode
    />
  )
}

function row(name: string, where: string, isRequired: boolean, schema: Omit<Schema, 'required'>) {
  const type = schema.enum
    ? schema.enum.join(' | ')
    : schema.format === 'binary'
      ? 'file'
      : (schema.format ?? [schema.type ?? 'text'].flat().join(' | '))
  const words = [
    schema.description,
    isRequired ? 'Required.' : null,
    schema.default === undefined || schema.default === ''
      ? null
      : `Default ${JSON.stringify(schema.default)}.`,
  ]
  return [name, where, type, words.filter(Boolean).join(' ')]
}

function AnswerHeaders({ operation }: { operation: Operation }) {
  const rows = Object.entries(operation.answer.headers ?? {}).flatMap(([name, { description }]) =>
    description ? [[name, description]] : [],
  )
  if (rows.length === 0) return null
  return (
    <Table
      label={`Headers of the answer to ${operation.method} ${operation.path}`}
      head={['Header', 'Meaning']}
      rows={rows}
      isCode
    />
  )
}

function Idempotency() {
  return (
    <Section id="idempotency" title="Idempotency">
      <p>
        Calls that cost take an <C>Idempotency-Key</C>: any text of up to 255 characters that you
        choose anew for each recording. However often the same call arrives under one key, at once
        or after an outage, it is carried out and charged once, and every answer is the first one,
        for a day. Another call under the same key is refused with 422. A call that was refused cost
        nothing and may be sent again under its key.
      </p>
    </Section>
  )
}

function OpenAi() {
  const operation = operationOf('createSpeechTranscription')
  return (
    <Section
      id="openai"
      title="OpenAI-compatible"
      code={
        <CodeTabs
          id="code-openai"
          title="Transcribe as OpenAI does"
          example={examples.createSpeechTranscription}
        />
      }
    >
      <p>
        Programs made for OpenAI's speech API work when their base URL is <C>{PUBLIC_URL}/v1</C> and
        their key is one of ours. The answer comes when the work is done; the transcription, with
        summary and speakers, is in the account as well.
      </p>
      <Signature operation={operation} />
      <Parameters operation={operation} />
      <AnswerHeaders operation={operation} />
      <p>
        With <C>stream=true</C> the text comes as server-sent events once the work is done:{' '}
        <C>transcript.text.delta</C>, with diarized_json also <C>transcript.text.segment</C>, and
        last <C>transcript.text.done</C>. Errors have OpenAI's shape; a short balance is 402 with
        the code <C>insufficient_credits</C>. References for known speakers are passed over:
        speakers are A, B, and so on.
      </p>
      <p>
        A long recording can take longer than a client waits by itself, and many then send it again.
        Give such calls an <C>Idempotency-Key</C>: sent again, they wait for the same transcription
        and are charged once. A call without one is known by its file and its fields: sent again
        while the first is not finished, and for ten minutes after it was answered, it gets the same
        transcription and is not charged. Another <C>Idempotency-Key</C> makes it a new call.
      </p>
    </Section>
  )
}

function Webhooks() {
  return (
    <Section
      id="webhooks"
      title="Webhooks"
      code={
        <>
          <CodeTabs id="code-webhooks" title="Add a webhook" example={examples.createWebhook} />
          <Code title="Receive, in JavaScript" code={verifying} />
        </>
      }
    >
      <p>
        Add up to ten addresses{' '}
        <a href={paths.accountWebhooks} className="text-link">
          in your account
        </a>{' '}
        or by call. Messages follow Standard Webhooks 1.0: <C>webhook-id</C>,{' '}
        <C>webhook-timestamp</C> and <C>webhook-signature</C>, an HMAC-SHA256 by the secret you were
        shown. They hold ids and figures, never what was said.
      </p>
      <Table
        label="Types of messages"
        head={['Type', 'When']}
        rows={webhookTypes.map((type) => [type, webhookWords[type]])}
        isCode
      />
      <p>
        Any 2xx within 20 seconds means taken; redirects are not followed. Otherwise it is tried
        again after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, always with the same
        id; <C>Retry-After</C> is honoured. Then, or at once after 410, the webhook is paused and we
        mail you. Everything sent is kept for 30 days, and can be sent again.
      </p>
    </Section>
  )
}

function More() {
  const known = new Set<string>([...main, 'createSpeechTranscription'])
  return (
    <Section id="more" title="All other calls">
      <p>Their parameters and answers are in the OpenAPI document.</p>
      <Table
        label="Calls and what they do"
        head={['Call', 'What it does']}
        rows={operations
          .filter(({ operationId }) => !known.has(operationId))
          .map(({ method, path, summary }) => [`${method} ${path}`, summary])}
        isCode
      />
    </Section>
  )
}

const errorCodes = [
  'invalid_request',
  'not_signed_in',
  'insufficient_credits',
  'key_reads_only',
  'key_paused',
  'key_not_allowed',
  'not_found',
  'not_finished',
  'too_large',
  'unsupported_format',
  'not_media',
  'idempotency_key_reused',
  'too_many_calls',
] as const

function Errors() {
  return (
    <Section
      id="errors"
      title="Errors"
      code={<Code title="402, in the body" code={answers.insufficientCredits} />}
    >
      <p>
        An error has a <C>message</C> for people and a <C>code</C> for programs, which stays the
        same. A 402 also says how many credits are missing. What broke on our side is 500 with the
        id of the request; nothing is charged for it.
      </p>
      <Table
        label="Errors and their causes"
        head={['Status', 'Code', 'Cause and what to do']}
        rows={[...errorCodes]
          .toSorted((a, b) => refusals[a][0] - refusals[b][0])
          .map((code) => [String(refusals[code][0]), code, refusals[code][1]])}
        isCode
      />
    </Section>
  )
}

/** Fields without a description are found in the OpenAPI document only. */
const fields = Object.entries(schemas['Transcription']?.properties ?? {}).flatMap(
  ([name, schema]) => (schema.description ? [[name, typeOf(schema), schema.description]] : []),
)

function typeOf({ type = '', format, items, anyOf }: Schema): string {
  const kinds = anyOf ?? (Array.isArray(type) ? type.map((each) => ({ type: each })) : null)
  if (kinds) return kinds.map(typeOf).join(' or ')
  if (items) return `list of ${typeOf(items)}s`
  if (format === 'date-time') return 'moment'
  return { string: 'text', integer: 'number' }[String(type)] ?? String(type)
}

function TranscriptionObject() {
  return (
    <Section
      id="transcription"
      title="The transcription object"
      code={<Code title="A transcription" code={answers.getTranscription} />}
    >
      <Table
        label="Fields of a transcription"
        head={['Field', 'Type', 'Meaning']}
        rows={fields}
        isCode
      />
      <p>The OpenAPI document lists every field, and how often each may be null.</p>
    </Section>
  )
}

function C({ children }: { children: ReactNode }) {
  return <code className="rounded-badge bg-paper-2 px-1 font-mono text-fine">{children}</code>
}

function Table({
  label,
  head,
  rows,
  isCode = false,
}: {
  label: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
  /** Whether the first column is code. */
  isCode?: boolean
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls on phones, and keys must be able to
    <div role="region" aria-label={label} tabIndex={0} className="my-4 overflow-x-auto">
      <table className="w-full border-collapse text-left text-small sm:min-w-[480px]">
        <thead className="max-sm:sr-only">
          <tr className="border-b border-line text-ink-2">
            {head.map((cell) => (
              <th key={cell} scope="col" className="py-2 pr-5 font-semibold">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first = '', ...others]) => (
            <tr
              key={first + others.join()}
              className="border-b border-rule align-top max-sm:flex max-sm:flex-wrap max-sm:gap-x-3 max-sm:py-2.5"
            >
              <th
                scope="row"
                className={classes(
                  'font-semibold max-sm:border-0! max-sm:p-0! max-sm:wrap-anywhere sm:py-2.5 sm:pr-5',
                  isCode && 'font-mono text-fine',
                )}
              >
                {first}
              </th>
              {others.map((cell, index) => (
                <td
                  key={head[index + 1]}
                  className="text-ink-2 last:basis-full max-sm:border-0! max-sm:p-0! sm:py-2.5 sm:pr-5"
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export const referenceDescription =
  'Create and read transcriptions over HTTP with a bearer token. Requests, responses, limits and errors.'
export const referenceTitle = `API documentation · ${BRAND}`
