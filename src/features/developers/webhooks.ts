/**
 * Webhooks: messages about a user's recordings, documents and credits, to addresses that the user
 * names. What this part promises:
 *
 * - A message is written in the transaction of the event that it tells of: it is sent if and only if
 *   the event happened.
 * - It is signed by Standard Webhooks, tried for three days, and has one id however often it is sent.
 * - Only public addresses are reached, checked when one is saved and again at every try.
 * - An endpoint that never answered in all that time is paused, and its owner is told.
 * - A new password pauses every endpoint of the account, so that somebody it shuts out hears nothing
 *   more. Endpoints are made and changed under the lock that it takes (account/access.ts).
 * - Messages that were not delivered are kept for a month and can be sent again, one or all of a time.
 */
import { randomBytes, randomUUID } from 'node:crypto'

import { and, asc, desc, eq, gte, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { z } from 'zod'

import * as account from '#features/account/account.ts'
import { asJson } from '#server/columns.ts'
import type { Db, Queryable, Tx } from '#server/db.ts'
import type { Happened, OnEvent } from '#server/events.ts'
import { job } from '#server/jobs.ts'
import * as limits from '#server/limits.ts'
import { addMail } from '#server/mail-jobs.ts'
import type { Queue } from '#server/queue.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import { type Lookup, targetOf } from './addresses.ts'
import {
  type ChangeWebhook,
  type Delivery,
  MakeWebhook,
  type NewWebhook,
  Webhook,
  type WebhookMessage,
} from './contract.ts'
import { webhookPaused } from './mails.ts'
import { webhookDeliveries, webhookEndpoints } from './tables.ts'
import { type Sent, post } from './webhook-sender.ts'

export interface Deps {
  db: Db
  queue: Queue
  clock: Clock
  /** Internal hosts and networks that the operator lets webhooks reach. */
  webhookAllow: readonly string[]
  /** Names are looked up by the system, unless a test says how. */
  find?: Lookup
}

interface Owned {
  userId: string
  id: string
}

/** The user and the session or key that asks. It is checked again when an endpoint is written. */
interface Caller {
  userId: string
  proof: account.Proof
}

type Endpoint = typeof webhookEndpoints.$inferSelect
type DeliveryRow = typeof webhookDeliveries.$inferSelect

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Seconds to wait before each try. */
export const schedule = [
  0,
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const
/** So that many messages to one endpoint that was away do not all come back at once. */
const JITTER = 0.1
const LONGEST_WAIT = 24 * HOUR

const MOST_ENDPOINTS = 10
const MOST_RESENT = 1_000
/** Test messages to one endpoint an hour. */
const MOST_TESTS = 10
const PAGE = 50
const SECRET_BYTES = 32
const OLD_SECRET_MS = 24 * 60 * 60 * 1000
const KEPT_DAYS = 30
const TEST = 'webhook.test'

// ---- endpoints ----

/** @throws Refusal `too_many_webhooks`, `not_signed_in`, and whatever the address is refused for */
export async function make(
  deps: Deps,
  { userId, proof, ...asked }: Caller & MakeWebhook,
): Promise<NewWebhook> {
  const { db, clock } = deps
  const { url, types, description } = MakeWebhook.parse(asked)
  await targetOf(url, { ...deps, allow: deps.webhookAllow })
  const secret = newSecret()
  return account.grantAccess(db, { userId, proofs: [proof] }, async (tx, grant) => {
    // Their account is locked: two at once cannot both become the tenth.
    const own = eq(webhookEndpoints.userId, userId)
    if ((await tx.$count(webhookEndpoints, own)) >= MOST_ENDPOINTS)
      throw new Refusal('too_many_webhooks')
    const row = await keep(tx, grant, { url, types, description, secret, createdAt: clock() })
    return { ...shown(row), secret }
  })
}

async function keep(
  tx: Tx,
  { userId }: account.Grant,
  endpoint: Omit<typeof webhookEndpoints.$inferInsert, 'userId'>,
): Promise<Endpoint> {
  const [row] = await tx
    .insert(webhookEndpoints)
    .values({ userId, ...endpoint })
    .returning()
  if (!row) throw new Error('a webhook that was just made has no row')
  return row
}

export async function list({ db }: Pick<Deps, 'db'>, userId: string): Promise<Webhook[]> {
  const rows = await db
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.userId, userId))
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id))
  return rows.map(shown)
}

/** @throws Refusal `not_found`, `not_signed_in`, and whatever the address is refused for */
export async function change(
  deps: Deps,
  { userId, proof, id, isPaused, ...changed }: Owned & Caller & ChangeWebhook,
): Promise<Webhook> {
  if (changed.url !== undefined) await targetOf(changed.url, { ...deps, allow: deps.webhookAllow })
  const paused = isPaused === undefined ? {} : { paused: isPaused ? ('by_owner' as const) : null }
  // Setting the id to itself, so that an empty change is one too.
  const set = { id, ...changed, ...paused }
  const row = await account.grantAccess(deps.db, { userId, proofs: [proof] }, (tx, grant) =>
    write(tx, grant, id, set),
  )
  return shown(row)
}

/** A new secret; the one before it signs along for a day. @throws Refusal `not_found`, `not_signed_in` */
export async function changeSecret(
  { db, clock }: Deps,
  { userId, proof, id }: Owned & Caller,
): Promise<NewWebhook> {
  const secret = newSecret()
  const set = {
    secret,
    oldSecret: sql<string>`${webhookEndpoints.secret}`,
    oldSecretUntil: new Date(clock().getTime() + OLD_SECRET_MS),
  }
  const row = await account.grantAccess(db, { userId, proofs: [proof] }, (tx, grant) =>
    write(tx, grant, id, set),
  )
  return { ...shown(row), secret }
}

async function write(
  tx: Tx,
  { userId }: account.Grant,
  id: string,
  set: PgUpdateSetSource<typeof webhookEndpoints>,
): Promise<Endpoint> {
  const [row] = await tx
    .update(webhookEndpoints)
    .set(set)
    .where(isOwned({ userId, id }))
    .returning()
  if (!row) throw new Refusal('not_found')
  return row
}

/** With its log. @throws Refusal `not_found` */
export async function remove({ db }: Pick<Deps, 'db'>, owned: Owned): Promise<void> {
  const removed = await db
    .delete(webhookEndpoints)
    .where(isOwned(owned))
    .returning({ id: webhookEndpoints.id })
  if (removed.length === 0) throw new Refusal('not_found')
}

// ---- messages ----

/** Takes the events that the rooms tell of. */
export function announceTo({ queue, clock }: Pick<Deps, 'queue' | 'clock'>): OnEvent {
  return async (tx, happened) => {
    const endpoints = await tx
      .select()
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.userId, happened.userId))
    const asked = endpoints.filter(
      ({ types }) => types.length === 0 || types.includes(happened.type),
    )
    if (asked.length === 0) return
    const message = messageOf(happened, clock())
    for (const endpoint of asked) await add(tx, queue, endpoint, message)
  }
}

function messageOf({ type, data }: Pick<Happened, 'data'> & { type: string }, now: Date) {
  const body: WebhookMessage = { type, timestamp: now.toISOString(), data }
  return {
    messageId: `msg_${randomUUID().replaceAll('-', '')}`,
    type,
    body: JSON.stringify(body),
    createdAt: now,
  }
}

async function add(
  tx: Tx,
  queue: Queue,
  endpoint: Endpoint,
  message: ReturnType<typeof messageOf>,
): Promise<DeliveryRow> {
  const isPaused = endpoint.paused !== null && message.type !== TEST
  const [row] = await tx
    .insert(webhookDeliveries)
    .values({
      endpointId: endpoint.id,
      ...message,
      // Kept in the log, to be sent when the endpoint works again.
      ...(isPaused ? { status: 'failed' as const, lastProblem: WAS_PAUSED } : {}),
      nextTryAt: isPaused ? null : message.createdAt,
    })
    .returning()
  if (!row) throw new Error('a delivery that was just made has no row')
  if (!isPaused) await queue.add(tx, webhookJob, jobFor(row))
  return row
}

const WAS_PAUSED = 'The webhook was paused.'

/**
 * A message that says only that messages arrive. One try, whose result is in the log.
 *
 * @throws Refusal `not_found`, `too_many_test_messages`
 */
export async function test(deps: Deps, owned: Owned): Promise<Delivery> {
  const { db, queue, clock } = deps
  return db.transaction(async (tx) => {
    const endpoint = await find(tx, owned)
    const now = clock()
    const tests = { key: `webhook-tests:${endpoint.id}`, limit: MOST_TESTS, now }
    limits.refuseFull(await limits.take(tx, tests), 'too_many_test_messages')
    const message = messageOf({ type: TEST, data: { webhookId: endpoint.id } }, now)
    return asJson(await add(tx, queue, endpoint, message))
  })
}

/** Newest first. @throws Refusal `not_found` */
export async function deliveries(
  { db }: Pick<Deps, 'db'>,
  { before, status, ...owned }: Owned & { before?: string | undefined; status: string },
): Promise<Delivery[]> {
  const endpoint = await find(db, owned)
  const { createdAt, id } = webhookDeliveries
  const [last] = before
    ? await db
        .select({ createdAt, id })
        .from(webhookDeliveries)
        .where(and(eq(id, before), eq(webhookDeliveries.endpointId, endpoint.id)))
    : []
  const rows = await db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpoint.id),
        status === 'all' ? undefined : sql`${webhookDeliveries.status} = ${status}`,
        last &&
          or(lt(createdAt, last.createdAt), and(eq(createdAt, last.createdAt), lt(id, last.id))),
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(PAGE)
  return rows.map(asJson)
}

/** Sends one message again, from the start of the schedule. @throws Refusal `not_found`, `webhook_is_paused` */
export async function resend(
  { db, queue, clock }: Deps,
  { deliveryId, ...owned }: Owned & { deliveryId: string },
): Promise<Delivery> {
  return db.transaction(async (tx) => {
    const endpoint = await findActive(tx, owned)
    const [row] = await again(tx, queue, clock(), [
      eq(webhookDeliveries.endpointId, endpoint.id),
      eq(webhookDeliveries.id, deliveryId),
    ])
    if (!row) throw new Refusal('not_found')
    return asJson(row)
  })
}

/**
 * Sends again the messages of a time that failed. Answers how many.
 *
 * @throws Refusal `not_found`, `webhook_is_paused`
 */
export async function resendRange(
  { db, queue, clock }: Deps,
  { from, to, ...owned }: Owned & { from: Date; to: Date },
): Promise<number> {
  return db.transaction(async (tx) => {
    const endpoint = await findActive(tx, owned)
    const failed = tx
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.endpointId, endpoint.id),
          eq(webhookDeliveries.status, 'failed'),
          gte(webhookDeliveries.createdAt, from),
          lte(webhookDeliveries.createdAt, to),
        ),
      )
      .orderBy(asc(webhookDeliveries.createdAt))
      .limit(MOST_RESENT)
    const rows = await again(tx, queue, clock(), [sql`${webhookDeliveries.id} in (${failed})`])
    return rows.length
  })
}

async function again(
  tx: Tx,
  queue: Queue,
  now: Date,
  which: Parameters<typeof and>,
): Promise<DeliveryRow[]> {
  const rows = await tx
    .update(webhookDeliveries)
    .set({
      status: 'waiting',
      round: sql`${webhookDeliveries.round} + 1`,
      step: 0,
      nextTryAt: now,
    })
    .where(and(...which))
    .returning()
  for (const row of rows) await queue.add(tx, webhookJob, jobFor(row))
  return rows
}

// ---- sending ----

/** One try of one delivery: repeated by the queue, it is the same try. */
const SendJob = z.object({ deliveryId: z.uuid(), round: z.int(), step: z.int() })
type SendJob = z.infer<typeof SendJob>

const jobFor = ({ id: deliveryId, round, step }: DeliveryRow): SendJob => ({
  deliveryId,
  round,
  step,
})

/** One try. Its outcome is written down, and the next try queued with it. */
export async function send(deps: Deps, job: SendJob): Promise<void> {
  const { db, clock } = deps
  const [found] = await db
    .select({ delivery: webhookDeliveries, endpoint: webhookEndpoints })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(isCurrent(job))
  // Delivered by an earlier run of this job, sent again since, or deleted.
  if (!found) return
  const { delivery, endpoint } = found
  if (endpoint.paused !== null && delivery.type !== TEST) {
    await db
      .update(webhookDeliveries)
      .set({ status: 'failed', lastProblem: WAS_PAUSED, nextTryAt: null })
      .where(isCurrent(job))
    return
  }
  const now = clock()
  const sent = await tryOnce(deps, endpoint, delivery, now)
  await db.transaction((tx) => note(tx, deps, { delivery, endpoint, sent, now }))
}

async function tryOnce(
  deps: Deps,
  endpoint: Endpoint,
  { messageId, body }: DeliveryRow,
  now: Date,
): Promise<Sent> {
  const { secret, oldSecret, oldSecretUntil } = endpoint
  const isOldGood = oldSecret !== null && oldSecretUntil !== null && oldSecretUntil > now
  const secrets = isOldGood ? [secret, oldSecret] : [secret]
  try {
    const target = await targetOf(endpoint.url, { ...deps, allow: deps.webhookAllow })
    return await post(target, { messageId, body, secrets, now })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: null, problem: error.message, durationMs: 0, retryAfterSeconds: null }
  }
}

async function note(
  tx: Tx,
  { queue }: Pick<Deps, 'queue'>,
  {
    delivery,
    endpoint,
    sent: { status, problem, durationMs, retryAfterSeconds },
    now,
  }: { delivery: DeliveryRow; endpoint: Endpoint; sent: Sent; now: Date },
): Promise<void> {
  const { step, type } = delivery
  const isDelivered = problem === null
  const wait = isDelivered || status === 410 || type === TEST ? undefined : schedule[step + 1]
  const waitSeconds =
    wait === undefined
      ? null
      : Math.min(LONGEST_WAIT, Math.max(withJitter(wait), retryAfterSeconds ?? 0))
  const written = await tx
    .update(webhookDeliveries)
    .set({
      status: isDelivered ? 'delivered' : waitSeconds === null ? 'failed' : 'waiting',
      tries: sql`${webhookDeliveries.tries} + 1`,
      step: step + 1,
      lastTriedAt: now,
      lastStatus: status,
      lastProblem: problem,
      lastDurationMs: durationMs,
      nextTryAt: waitSeconds === null ? null : new Date(now.getTime() + waitSeconds * 1000),
    })
    .where(isCurrent(jobFor(delivery)))
    .returning()
  const [next] = written
  if (!next) return
  if (waitSeconds !== null)
    await queue.add(tx, webhookJob, jobFor(next), { startAfterSeconds: Math.ceil(waitSeconds) })
  else if (isDelivered || type === TEST) return
  else if (status === 410) await pause(tx, queue, endpoint, 'gone')
  else if (!(await hasTakenOneSince(tx, delivery))) await pause(tx, queue, endpoint, 'dead')
}

/** Whether the endpoint took any message since this one was made: then only this one is not taken. */
async function hasTakenOneSince(tx: Tx, { endpointId, createdAt }: DeliveryRow): Promise<boolean> {
  const [taken] = await tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        eq(webhookDeliveries.status, 'delivered'),
        gte(webhookDeliveries.lastTriedAt, createdAt),
      ),
    )
    .limit(1)
  return taken !== undefined
}

/** Nothing more is sent until its owner resumes it; the first failure to end so tells them. */
async function pause(
  tx: Tx,
  queue: Queue,
  { id, userId }: Endpoint,
  why: 'gone' | 'dead',
): Promise<void> {
  const paused = await tx
    .update(webhookEndpoints)
    .set({ paused: why })
    .where(and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.paused)))
    .returning({ id: webhookEndpoints.id })
  if (paused.length > 0) await addMail(queue, tx, webhookPaused, { userId, why })
}

/** Pauses every endpoint of an account, when its owner shuts out somebody who may have made one. */
export async function pauseAll(
  tx: Tx,
  queue: Queue,
  { userId }: { userId: string },
): Promise<void> {
  const paused = await tx
    .update(webhookEndpoints)
    .set({ paused: 'new_password' })
    .where(and(eq(webhookEndpoints.userId, userId), isNull(webhookEndpoints.paused)))
    .returning({ id: webhookEndpoints.id })
  if (paused.length > 0) await addMail(queue, tx, webhookPaused, { userId, why: 'new_password' })
}

const withJitter = (seconds: number): number => seconds * (1 + JITTER * (2 * Math.random() - 1))

export const webhookJob = job({
  name: 'webhook-send',
  data: SendJob,
  // A failed try is written down and the next one queued. Only a failure on our side repeats the job.
  retryLimit: 10,
  retryDelaySeconds: 5,
  expireSeconds: 120,
  // Waiting for somebody else's server costs nothing, so several are sent to at once.
  concurrency: 4,
  run: send,
})

const isCurrent = ({ deliveryId, round, step }: SendJob) =>
  and(
    eq(webhookDeliveries.id, deliveryId),
    eq(webhookDeliveries.round, round),
    eq(webhookDeliveries.step, step),
    eq(webhookDeliveries.status, 'waiting'),
  )

/** The log is kept for a month. */
export async function forgetOld(db: Db, now: Date): Promise<void> {
  const since = new Date(now.getTime() - KEPT_DAYS * 24 * 60 * 60 * 1000)
  await db.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAt, since))
}

// ---- rows ----

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

const isOwned = ({ userId, id }: Owned) =>
  and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.userId, userId))

async function find(db: Queryable, owned: Owned): Promise<Endpoint> {
  const [row] = await db.select().from(webhookEndpoints).where(isOwned(owned))
  if (!row) throw new Refusal('not_found')
  return row
}

async function findActive(db: Queryable, owned: Owned): Promise<Endpoint> {
  const row = await find(db, owned)
  if (row.paused !== null) throw new Refusal('webhook_is_paused')
  return row
}

/** Without its secret. */
const shown = (row: Endpoint): Webhook => Webhook.parse(asJson(row))
