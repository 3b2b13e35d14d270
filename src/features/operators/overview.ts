/**
 * The pages of operators. They show addresses, lengths and states, never a name or a word of a
 * recording.
 */
import { sql } from 'drizzle-orm'
import { z } from 'zod'

import * as directory from '#features/account/directory.ts'
import type { SignUp } from '#features/account/contract.ts'
import { list as listInvited } from '#features/account/invitations.ts'
import { limitsOf } from '#features/account/limits.ts'
import { isOperators } from '#features/account/operators.ts'
import * as billing from '#features/billing/billing.ts'
import * as credits from '#features/credits/credits.ts'
import type { EngineNames } from '#features/recordings/engines.ts'
import { type EnginesNow, enginesNow } from '#features/recordings/workers.ts'
import * as documents from '#features/documents/documents.ts'
import * as site from '#features/site/site.ts'
import * as jobs from '#features/transcriptions/by-operators.ts'
import { asJson } from '#server/columns.ts'
import type { Queryable } from '#server/db.ts'
import type { Health } from '#server/health.ts'
import type { Mailer } from '#server/mail.ts'
import { mailJobs } from '#server/mail-jobs.ts'
import * as queue from '#server/queue.ts'
import { planOf } from '#shared/business.ts'
import { formatBytes } from '#shared/format.ts'
import type { Clock } from '#shared/clock.ts'

import type {
  CreditRows,
  HealthRow,
  Invitation,
  Job,
  Letter,
  LetterPage,
  Overview,
  UserFacts,
  UserPage,
  UserRow,
} from './contract.ts'
import { whyMailFails } from './mail-failures.ts'
import * as operators from './operators.ts'

export interface LookDeps {
  db: Queryable
  clock: Clock
  operators: ReadonlySet<string>
  health: Pick<Health, 'look'>
  /** The engines that work on recordings. */
  engines: EngineNames
  mail: { smtpUrl: string | null }
  mailer?: Pick<Mailer, 'failure'> | undefined
  signUp: SignUp
}

const FULL_SHARE = 0.8
const LONG_WAIT_MS = 5 * 60 * 1000

export async function overview(deps: LookDeps): Promise<Overview> {
  const { db, clock } = deps
  const now = clock()
  const [counts, others, users, unanswered, unmatched] = await Promise.all([
    jobs.counts(db, now),
    queue.countStates(db, Object.keys(otherWork)),
    directory.countAll(db),
    site.countUnanswered(db),
    billing.listUnmatched(db, { now }),
  ])
  const people = await directory.byIds(
    db,
    unmatched.flatMap(({ userId }) => userId ?? []),
  )
  return {
    readAt: now.toISOString(),
    health: await healthRows(deps, { counts, now }),
    jobs: {
      running: counts.running + (others.running ?? 0),
      waiting: counts.waiting + (others.waiting ?? 0),
      failed: counts.failed + (others.failed ?? 0),
    },
    users,
    unanswered,
    unmatched: unmatched.map(({ id, paidAt: at, amount, why, userId }) => {
      const email = people.get(userId ?? '')?.email ?? null
      return { id, at, amount, why, userId, email }
    }),
    signUp: deps.signUp,
  }
}

/**
 * Six rows, two beside each other: their words, and the thresholds from which on they ask for a look.
 */
export async function healthRows(
  { db, health, engines, mail, mailer }: Omit<LookDeps, 'clock' | 'operators' | 'signUp'>,
  { counts, now }: { counts: jobs.Counts; now: Date },
): Promise<HealthRow[]> {
  const startedAt = performance.now()
  const { rows } = await db.execute<{ bytes: string }>(
    sql`select pg_database_size(current_database()) as bytes`,
  )
  const ms = Math.max(1, Math.round(performance.now() - startedAt))
  const { problems, space } = await health.look()
  const speech = speechIn(await enginesNow({ db, engines }))
  const waitsMs = counts.oldestAt ? now.getTime() - counts.oldestAt.getTime() : 0
  const used = space && space.totalBytes > 0 ? 1 - space.freeBytes / space.totalBytes : 0
  const { lastBrokeAt, lastFellBack } = counts
  const mailFailure = mailer?.failure() ?? null
  return [
    {
      name: 'Database',
      state: problems.includes('database_unavailable') ? 'fails' : ms > 1_000 ? 'look' : 'works',
      measure: `Answers in ${ms} ms · ${formatBytes(Number(rows[0]?.bytes ?? 0))}`,
      second: '',
      threshold: 'Look soon: an answer takes longer than a second.',
      advice:
        'All work stops without the database. Look at the log of PostgreSQL, at its disk, and at what else runs on its machine.',
      group: 'Database',
      last: null,
    },
    {
      name: 'Queue',
      state: waitsMs > LONG_WAIT_MS ? 'look' : 'works',
      measure: `${counts.waiting} waiting, ${counts.running} running`,
      second: waitsMs > 0 ? `Oldest waits ${inWords(waitsMs)}` : 'Nobody waits',
      threshold: 'Look soon: the oldest waits longer than 5 minutes.',
      advice:
        'Recordings wait for a free worker. More work is done at once with WORKERS, or with more processes of ROLE=worker. Where nothing runs at all, look whether a worker is there.',
      group: 'Processes',
      last: null,
    },
    {
      name: 'Storage',
      state: !space
        ? 'fails'
        : problems.includes('disk_full')
          ? 'fails'
          : used >= FULL_SHARE
            ? 'look'
            : 'works',
      measure: space
        ? space.totalBytes > 0 && Number.isFinite(space.totalBytes)
          ? `${formatBytes(space.totalBytes - space.freeBytes)} of ${formatBytes(space.totalBytes)} used`
          : 'Answers'
        : 'Does not answer',
      second: '',
      threshold: `Look soon: ${FULL_SHARE * 100} % are used. Failing: no room for another recording.`,
      advice:
        'Uploads are refused before the disk is full. Recordings leave after 30 days; make room, or move them to a larger disk or a bucket (STORAGE_URL).',
      group: 'Storage',
      last: null,
    },
    {
      name: 'Speech engine',
      state:
        engines.speech === 'none' ? 'fails' : speech.asks || counts.broke > 0 ? 'look' : 'works',
      measure: speech.words,
      second: `${counts.broke} of ${counts.done + counts.broke} broke today`,
      threshold:
        'Look soon: a job broke on our side in the last 24 hours, no worker was heard of for a minute, or no better recogniser could be had.',
      advice: `${speech.why}The log has a line “transcription given up” for each, with the reason. What broke on our side can be run again at Operations, at no charge for its owner.`,
      group: 'Speech',
      last:
        speech.asks || !lastBrokeAt
          ? null
          : {
              at: lastBrokeAt.toISOString(),
              said: 'A transcription broke on our side. Its owner paid nothing, and it can be run again at Operations.',
            },
    },
    {
      name: 'Summaries',
      state: counts.summariesFellBack > 0 ? 'look' : 'works',
      measure: writers[engines.writing] ?? engines.writing,
      second: `${counts.summariesFellBack} of ${counts.done} with a note today`,
      threshold: 'Look soon: one had to do without the language model today.',
      advice:
        'Where the language model does not answer, summaries are put together from sentences of the transcript and say so. “Try the model”, beside the settings, says what is wrong.',
      group: 'Summaries',
      last: lastFellBack && { at: lastFellBack.at.toISOString(), said: lastFellBack.note },
    },
    {
      name: 'Mail',
      state: problems.includes('mail_failing') ? 'fails' : mail.smtpUrl === null ? 'look' : 'works',
      measure: problems.includes('mail_failing')
        ? 'The mail server refuses'
        : mail.smtpUrl === null
          ? 'Kept on this machine (no SMTP_URL)'
          : 'The mail server takes mails',
      second: '',
      threshold: 'Failing: from the first refusal on.',
      advice:
        mail.smtpUrl === null
          ? 'Nobody gets a mail by which to confirm an address or to choose a new password. Set SMTP_URL.'
          : 'Mails wait in the queue for a day and go out when the mail server takes them. The log says why it refused; look at SMTP_URL.',
      group: 'Mail',
      last: mailFailure && {
        at: mailFailure.at.toISOString(),
        said: `${whyMailFails(mailFailure.error, mail)} Mails wait in the queue for a day.`,
      },
    },
  ]
}

/** `asks` for a look; `why` there is no better engine, or nothing. */
function speechIn(now: EnginesNow) {
  const all = now.workers ?? [now]
  const nameOf = ({ speech, speechModel }: EngineNames) => speechModel ?? speech
  const counted = Object.entries(Object.groupBy(all, nameOf)).map(([name, those = []]) =>
    now.workers ? `${name} on ${those.length} ${those.length === 1 ? 'worker' : 'workers'}` : name,
  )
  const { fetching } = now
  const percent = fetching?.percent ?? null
  const coming = percent === null ? 'is being tried' : `is being fetched: ${percent} %`
  const reason = all.find(({ notFetched }) => notFetched !== undefined)?.notFetched
  return {
    asks: all.length === 0 || reason !== undefined,
    words: [
      counted.join(', ') || 'No worker was heard of',
      ...(fetching ? [`${fetching.model} ${coming}`] : []),
      ...(reason === undefined ? [] : ['no better one yet']),
    ].join(' · '),
    why: reason === undefined ? '' : `There is no better recogniser yet: ${reason} `,
  }
}

const writers: Record<string, string> = {
  extractive: 'Sentences of the transcript',
  llm: 'A language model',
  workers: 'On the workers',
}

function inWords(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** The work of the queue for people beside transcriptions, by the names of its queues. */
export const otherWork: Readonly<Record<string, Exclude<Job['kind'], 'Transcription'>>> = {
  'write-document': 'Document',
  translate: 'Translation',
  'write-summary': 'Summary',
  render: 'Cut file',
  'hide-words': 'Hidden words',
  'measure-upload': 'Upload',
  ...Object.fromEntries(mailJobs.map(({ name }) => [name, 'Mail'] as const)),
  'webhook-send': 'Webhook',
}
const MOST_OTHERS = 50
const inOrder = ['running', 'waiting', 'failed', 'done'] as const

/** Work of every kind, running work first and finished work last; the newest of each state. */
export async function listJobs(
  db: Queryable,
  { state, now }: { state?: jobs.JobState | undefined; now: Date },
): Promise<Job[]> {
  const states = state ? [state] : inOrder
  const [own, others] = await Promise.all([
    transcriptionJobs(db, { states, now }),
    otherJobs(db, states),
  ])
  return [...own, ...others].toSorted(
    (one, other) =>
      inOrder.indexOf(one.state) - inOrder.indexOf(other.state) ||
      other.beganAt.localeCompare(one.beganAt),
  )
}

async function transcriptionJobs(
  db: Queryable,
  asked: Parameters<typeof jobs.list>[1],
): Promise<Job[]> {
  const found = await jobs.list(db, asked)
  const ids = found.map(({ id }) => id)
  const [people, before] = await Promise.all([
    directory.byIds(db, [...new Set(found.map(({ userId }) => userId))]),
    operators.failuresBefore(db, ids),
  ])
  return found.map(({ hasRecording, ...job }) => ({
    ...asJson(job),
    kind: 'Transcription',
    email: people.get(job.userId)?.email ?? '',
    canRunAgain: job.state === 'failed' && hasRecording,
    hasFailedAlike:
      job.state === 'failed' && before.get(`${job.id}:${job.tries}`) === job.errorCode,
  }))
}

/** The data of a job names its owner, or a thing of its owner. */
const Named = z
  .object({ userId: z.uuid(), documentId: z.uuid(), transcriptionId: z.uuid() })
  .partial()
  .catch({})

async function otherJobs(db: Queryable, states: readonly jobs.JobState[]): Promise<Job[]> {
  const queued = await queue.newest(db, { names: Object.keys(otherWork), limit: MOST_OTHERS })
  const found = queued
    .filter(({ state }) => states.includes(state))
    .map((job) => ({ ...job, of: Named.parse(job.data) }))
  const [ofDocuments, ofTranscriptions] = await Promise.all([
    documents.ownersOf(
      db,
      found.flatMap(({ of }) => of.documentId ?? []),
    ),
    jobs.ownersOf(
      db,
      found.flatMap(({ of }) => of.transcriptionId ?? []),
    ),
  ])
  const owned = found.map(({ of, ...job }) => ({
    ...job,
    userId:
      of.userId ??
      ofDocuments.get(of.documentId ?? '') ??
      ofTranscriptions.get(of.transcriptionId ?? '') ??
      null,
  }))
  const people = await directory.byIds(db, [
    ...new Set(owned.flatMap(({ userId }) => userId ?? [])),
  ])
  return owned.flatMap(({ id, queue: name, state, addedAt, tries, userId }) => {
    const kind = otherWork[name]
    const person = people.get(userId ?? '')
    if (!kind) return []
    return {
      id,
      kind,
      userId: person?.id ?? null,
      email: person?.email ?? '',
      state,
      status: state,
      beganAt: addedAt.toISOString(),
      seconds: null,
      errorCode: null,
      tries,
      canRunAgain: false,
      hasFailedAlike: false,
    }
  })
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** By name, address, or the id of a job or of the user. */
export async function searchUsers(
  db: Queryable,
  { q, page }: { q: string; page: number },
): Promise<UserPage> {
  if (uuid.test(q)) {
    const id = (await jobs.ownerOf(db, q)) ?? q
    const people = await directory.byIds(db, [id])
    return { users: await rowsOf(db, [...people.values()]), hasMore: false }
  }
  const { people, hasMore } = await directory.search(db, { q, page })
  return { users: await rowsOf(db, people), hasMore }
}

async function rowsOf(db: Queryable, people: readonly directory.Person[]): Promise<UserRow[]> {
  const balances = await credits.balances(
    db,
    people.map(({ id }) => id),
  )
  return people.map((person) => ({
    id: person.id,
    email: person.email,
    name: person.name,
    plan: person.subscriptionStatus === 'none' ? null : planOf(person.planType).name,
    credits: balances.get(person.id) ?? 0,
    seenAt: person.seenAt?.toISOString() ?? null,
    isBlocked: person.blockedAt !== null,
  }))
}

/** @throws Refusal `not_found` */
export async function userFacts(deps: LookDeps, userId: string): Promise<UserFacts> {
  const { db, clock } = deps
  const now = clock()
  const person = await operators.find(db, userId)
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()))
  const [[row], balance, used, totals, theirs, { letters }, block, limits] = await Promise.all([
    rowsOf(db, [person]),
    credits.balance(db, userId),
    credits.spentSince(db, { userId, since }),
    jobs.totals(db, userId),
    transcriptionJobs(db, { states: ['running', 'waiting', 'failed'], userId, now }),
    site.letters(db, { of: { userId, email: person.email } }),
    operators.blockOf(db, userId),
    limitsOf(db, userId),
  ])
  if (!row) throw new Error('a user that was just there has no row')
  return {
    user: {
      ...row,
      isVerified: person.isVerified,
      isOperator: isOperators(deps.operators, person),
      joinedAt: person.createdAt.toISOString(),
      recordings: totals.recordings,
      recordedSeconds: totals.seconds,
    },
    available: balance.available,
    reserved: balance.held,
    usedThisMonth: used,
    limits,
    blocked: person.blockedAt && {
      at: person.blockedAt.toISOString(),
      by: block?.by ?? 'an operator',
      reason: block?.reason ?? '',
    },
    jobs: theirs,
    letters: letters.map(shown),
  }
}

const LINES = 20

/** The lines of a user's ledger, without the names that their owner sees. */
export async function creditRows(
  db: Queryable,
  { userId, before }: { userId: string; before?: number | undefined },
): Promise<CreditRows> {
  const found = await credits.lines(db, {
    userId,
    limit: LINES + 1,
    ...(before === undefined ? {} : { before }),
  })
  const lines = found.slice(0, LINES).map((line) => {
    const [kind = '', id = ''] = line.cause.split(':')
    return { ...line, kind, causeId: id }
  })
  const idsOf = (kind: string) => lines.flatMap((line) => (line.kind === kind ? line.causeId : []))
  const [lengths, reasons] = await Promise.all([
    jobs.lengths(db, { userId, ids: [...new Set(idsOf('transcription'))] }),
    operators.explain(db, { userId, ids: idsOf('adjustment') }),
  ])
  return {
    rows: lines.map((line) => ({
      id: line.id,
      at: line.createdAt.toISOString(),
      what: whatOf(line, reasons.get(line.causeId)),
      seconds: line.kind === 'transcription' ? (lengths.get(line.causeId) ?? null) : null,
      change: line.change,
      after: line.balance,
    })),
    next: found.length > LINES ? (lines.at(-1)?.id ?? null) : null,
  }
}

function whatOf(
  { kind, entries }: Pick<credits.Line, 'entries'> & { kind: string },
  reason: string | undefined,
): string {
  const kinds = entries.map((entry) => entry.kind)
  const state = kinds.includes('charge')
    ? ''
    : kinds.includes('release')
      ? ' (returned)'
      : ' (reserved)'
  switch (kind) {
    case 'transcription':
      return `Transcription${state}`
    case 'document':
      return `Document${state}`
    case 'signup':
      return 'Sign-up credits'
    case 'payment':
      return 'Payment'
    case 'reversal':
      return 'Payment given back'
    case 'adjustment':
      return reason ?? 'Changed by an operator'
    default:
      return 'Credits'
  }
}

/** Whose invitation is still good. */
export async function invited(db: Queryable, now: Date): Promise<Invitation[]> {
  const rows = await listInvited(db, now)
  return rows.map(({ createdAt: at, ...row }) => asJson({ ...row, at }))
}

export async function letterPage(
  db: Queryable,
  { before }: { before?: string | undefined },
): Promise<LetterPage> {
  const { letters, hasMore } = await site.letters(db, {
    before: before === undefined ? undefined : new Date(before),
  })
  return { letters: letters.map(shown), hasMore }
}

const shown = ({ createdAt: at, ...letter }: site.Letter): Letter => asJson({ ...letter, at })
