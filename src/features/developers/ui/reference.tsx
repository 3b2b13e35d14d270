/**
 * The API reference. Its words stand in reference.md; where a comment there names a table or an
 * operation, it is drawn from the API's own description.
 */
import type { ReactNode } from 'react'
import { z } from 'zod'

import { callsPerHour, plans } from '#shared/business.ts'
import { refusals } from '#shared/refusals.ts'
import { readProse } from '#web/prose.ts'
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
// oxlint-disable-next-line import/default -- made by the plugin in vite.config.ts
import script from './reference-script.ts?script'
import text from './reference.md?raw'
import { answers } from './sample-answers.ts'

const summaries = operations.map(({ operationId, summary }) => [operationId, summary])
export const reference = readProse(
  text,
  z.strictObject({
    title: z.string(),
    description: z.string(),
    /** The rows of a table, its head first. */
    tokens: z.tuple([z.array(z.string())], z.array(z.string())),
  }),
  { publicUrl: PUBLIC_URL, ...Object.fromEntries(summaries) },
)

export function Reference() {
  return (
    <div className="mt-10 grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 lg:grid-cols-[200px_minmax(0,1fr)]">
      <Index />
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-y-14">
        {reference.sections.map((section) => (
          <Section key={section.id} {...section} />
        ))}
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
          {reference.sections.map(({ id, title }) => (
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
          {reference.sections.map(({ id, title }) => (
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
function Section({ id, title, html }: (typeof reference.sections)[number]) {
  const code = codeOf(id)
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
        <div className="running-text min-w-0">
          {html
            .replaceAll(
              '<code>',
              '<code class="rounded-badge bg-paper-2 px-1 font-mono text-fine">',
            )
            .split(/<!-- (\w+) -->/)
            .map((part, index) =>
              index % 2 === 0 ? (
                <Words key={part} html={part} />
              ) : (
                <Drawing key={part} name={part} isWholeSection={part === id} />
              ),
            )}
        </div>
        {code ? (
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-y-4 self-start xl:sticky xl:top-6">
            {code}
          </div>
        ) : null}
      </div>
    </section>
  )
}

function Words({ html }: { html: string }) {
  if (!html.trim()) return null
  return <div className="running-text" dangerouslySetInnerHTML={{ __html: html }} />
}

/** The right side of a section: its examples, and their answers. */
function codeOf(id: string): ReactNode {
  switch (id) {
    case 'authentication':
      return <CodeTabs id="signIn" title="Get a sign-in token" example={examples.signIn} />
    case 'openai':
      return (
        <CodeTabs
          id="code-openai"
          title="Transcribe as OpenAI does"
          example={examples.createSpeechTranscription}
        />
      )
    case 'webhooks':
      return (
        <>
          <CodeTabs id="code-webhooks" title="Add a webhook" example={examples.createWebhook} />
          <Code title="Receive, in JavaScript" code={verifying} />
        </>
      )
    case 'errors':
      return <Code title="402, in the body" code={answers.insufficientCredits} />
    case 'transcription':
      return <Code title="A transcription" code={answers.getTranscription} />
    case 'createTranscription':
    case 'listTranscriptions':
    case 'getTranscription':
    case 'deleteTranscription':
    case 'exportTranscription':
    case 'getMedia':
    case 'getUser':
      return <CallExample id={id} />
    default:
      return null
  }
}

function CallExample({
  id,
}: {
  id: (keyof typeof examples & keyof typeof answers) | 'exportTranscription' | 'getMedia'
}) {
  const { summary, answer } = operationOf(id)
  const sample = id === 'exportTranscription' || id === 'getMedia' ? null : answers[id]
  return (
    <>
      <CodeTabs id={`code-${id}`} title={summary} example={examples[id]} />
      {sample ? <Code title={`${answer.status}, ${answer.description}`} code={sample} /> : null}
    </>
  )
}

/** A table of this page, or an operation as the API's description has it. */
function Drawing({ name, isWholeSection }: { name: string; isWholeSection: boolean }) {
  const table = tables[name]
  if (table) return <Table {...table} />
  const operation = operationOf(name)
  return (
    <>
      <Signature operation={operation} />
      {isWholeSection && operation.description ? <p>{operation.description}</p> : null}
      <Parameters operation={operation} />
      <AnswerHeaders operation={operation} />
    </>
  )
}

const keyFor = (scopes: string) => (scopes === '' ? 'anybody' : `a key that may ${scopes}`)

function Signature({ operation: { method, path, scopes } }: { operation: Operation }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-mono text-fine">
      <span className="rounded-badge border border-line px-1.5 py-0.5 font-semibold">{method}</span>
      <span className="wrap-anywhere">{path}</span>
      <span className="font-sans text-ink-2">for {keyFor(scopes)}</span>
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

const errorCodes = [
  'invalid_request',
  'not_signed_in',
  'insufficient_credits',
  'key_reads_only',
  'key_writes_only',
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

const [tokensHead, ...tokensRows] = reference.tokens
const tables: Readonly<Record<string, TableProps>> = {
  tokens: { label: 'Kinds of tokens', head: tokensHead, rows: tokensRows },
  callsPerHour: {
    label: 'Calls an hour by plan',
    head: ['Plan', 'Calls an hour'],
    rows: plans.map(({ id, name }) => [name, callsPerHour[id].toLocaleString('en-US')]),
  },
  limitHeaders: {
    label: 'Headers of the limit',
    head: ['Header', 'Meaning'],
    rows: [
      ...Object.entries(headers).map(([name, { description }]) => [name, description]),
      ['Retry-After', 'With 429: seconds until a call passes again.'],
    ],
  },
  webhookTypes: {
    label: 'Types of messages',
    head: ['Type', 'When'],
    rows: webhookTypes.map((type) => [type, webhookWords[type]]),
    isCode: true,
  },
  otherCalls: {
    label: 'Calls and what they do',
    head: ['Call', 'A key must be allowed to', 'What it does'],
    rows: operations
      .filter(({ operationId }) => !text.includes(`<!-- ${operationId} -->`))
      .map(({ method, path, scopes, summary }) => [
        `${method} ${path}`,
        scopes || 'nothing',
        summary,
      ]),
    isCode: true,
  },
  errors: {
    label: 'Errors and their causes',
    head: ['Status', 'Code', 'Cause and what to do'],
    rows: errorCodes
      .toSorted((a, b) => refusals[a][0] - refusals[b][0])
      .map((code) => [String(refusals[code][0]), code, refusals[code][1]]),
    isCode: true,
  },
  fields: {
    label: 'Fields of a transcription',
    head: ['Field', 'Type', 'Meaning'],
    rows: fields,
    isCode: true,
  },
}

interface TableProps {
  label: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
  /** Whether the first column is code. */
  isCode?: boolean
}

function Table({ label, head, rows, isCode = false }: TableProps) {
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
