/**
 * The acts of operators on accounts and jobs. What this room promises:
 *
 * - Every act, from the page or the command line, is one line in a log, written in the transaction
 *   of the act. Nothing changes or removes it: a trigger refuses (tables.ts). An act that is asked
 *   for twice is done once.
 * - No word of a recording, nor its name, is shown or logged.
 * - Credits that are given or taken are entries of the ledger, whose owner reads why and from whom.
 * - A job that is run again costs its owner nothing: the price is given first. Where it fails again or
 *   is cancelled, the given credits are taken back.
 * - Blocking an account shuts it and stops its jobs and documents in one transaction. Nothing is
 *   deleted.
 */
import { isDeepStrictEqual } from 'node:util'

import { and, desc, eq, inArray, lt } from 'drizzle-orm'

import * as blocking from '#features/account/blocking.ts'
import * as directory from '#features/account/directory.ts'
import type { Limits, SignUp } from '#features/account/contract.ts'
import { isOperators } from '#features/account/operators.ts'
import * as invitations from '#features/account/invitations.ts'
import { setLimits as set } from '#features/account/limits.ts'
import * as credits from '#features/credits/credits.ts'
import * as renders from '#features/cuts/renders.ts'
import * as documents from '#features/documents/documents.ts'
import * as site from '#features/site/site.ts'
import * as jobs from '#features/transcriptions/by-operators.ts'
import * as translations from '#features/translations/translations.ts'
import { asJson } from '#server/columns.ts'
import { type Db, type Queryable, type Tx, lock } from '#server/db.ts'
import type { OnEvent } from '#server/events.ts'
import type { Queue } from '#server/queue.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import type { Adjust, Block, LogPage, SetLimits } from './contract.ts'
import { operatorActs, operatorReasons } from './tables.ts'

export interface Deps {
  db: Db
  queue: Queue
  clock: Clock
  /** Hears of jobs that are stopped: `takeBackUnused` among others. */
  onEvent: OnEvent
  /** The addresses in ADMIN_EMAILS, as account reads them. */
  operators: ReadonlySet<string>
  signUp: SignUp
}

/**
 * The person who acts: an operator, or somebody who may run the command on the server's machine.
 */
export interface Operator {
  address: string
  /** The name that users read. */
  name: string
}

/** One act of an operator; the same id is done once. */
interface OperatorAct {
  operator: Operator
  id: string
  credits?: number
  limits?: Limits
  reason?: string
}

/**
 * Gives a user credits, or takes some.
 *
 * @throws Refusal `not_found`, `not_so_many_credits`, `idempotency_key_reused`
 */
export async function adjust(
  deps: Deps,
  asked: OperatorAct & { userId: string } & Pick<Adjust, 'credits' | 'reason'>,
): Promise<void> {
  const { userId, credits: amount, reason } = asked
  await find(deps.db, userId)
  await act(deps, asked, { kind: 'adjust', userId }, async (tx) => {
    await credits.adjust(tx, { userId, cause: causeOf(asked.id), credits: amount })
    return { credits: amount, reason }
  })
}

/**
 * Shuts an account: sessions end, keys refuse, jobs stop and their credits come back.
 *
 * @throws Refusal `not_found`, `operator_not_blocked`, `idempotency_key_reused`
 */
export async function block(
  deps: Deps,
  asked: OperatorAct & { userId: string } & Pick<Block, 'reason'>,
): Promise<void> {
  const { userId, reason } = asked
  const user = await find(deps.db, userId)
  if (isOperators(deps.operators, user)) throw new Refusal('operator_not_blocked')
  await act(deps, asked, { kind: 'block', userId }, async (tx, now) => {
    await blocking.block(tx, { userId, now })
    await documents.lockAllOf(tx, userId)
    await translations.lockAllOf(tx, userId)
    await jobs.stopAllOf(tx, deps, userId)
    await documents.stopAllOf(tx, deps, userId)
    await translations.stopAllOf(tx, deps, userId)
    await renders.stopAllOf(tx, deps, userId)
    return { reason }
  })
}

/**
 * Sets how much one account may do, whatever its plan says.
 *
 * @throws Refusal `not_found`, `idempotency_key_reused`
 */
export async function setLimits(
  deps: Deps,
  asked: OperatorAct & { userId: string; limits: Limits } & Pick<SetLimits, 'reason'>,
): Promise<void> {
  const { userId, limits, reason } = asked
  await find(deps.db, userId)
  await act(deps, asked, { kind: 'limits', userId }, async (tx) => {
    await set(tx, { userId, limits })
    return { limits, reason }
  })
}

/** @throws Refusal `not_found`, `idempotency_key_reused` */
export async function unblock(deps: Deps, asked: OperatorAct & { userId: string }): Promise<void> {
  const { userId } = asked
  await find(deps.db, userId)
  await act(deps, asked, { kind: 'unblock', userId }, async (tx, now) => {
    await blocking.unblock(tx, { userId, now })
  })
}

/** @throws Refusal `not_found`, `already_finished`, `idempotency_key_reused` */
export async function stopJob(deps: Deps, asked: OperatorAct & { jobId: string }): Promise<void> {
  const { jobId: subject } = asked
  const userId = await ownerOf(deps.db, subject)
  await act(deps, asked, { kind: 'stop', userId, subject }, (tx) => jobs.stop(tx, deps, subject))
}

/**
 * Runs a failed job again, for nothing: its price is given before it is set aside.
 *
 * @throws Refusal `not_found`, `not_retryable`, `recording_deleted`, `owner_blocked`,
 * `idempotency_key_reused`
 */
export async function runJobAgain(
  deps: Deps,
  asked: OperatorAct & { jobId: string },
): Promise<void> {
  const { jobId: subject } = asked
  const userId = await ownerOf(deps.db, subject)
  await act(deps, asked, { kind: 'run_again', userId, subject }, async (tx) => {
    await blocking.keepOpen(tx, userId).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'account_blocked')
        throw new Refusal('owner_blocked', { cause: error })
      throw error
    })
    const pay = (price: number) =>
      credits.adjust(tx, { userId, cause: causeOf(asked.id), credits: price })
    const { price, attempt, failedBy } = await jobs.runAgain(tx, deps, { id: subject, pay })
    return { credits: price, attempt, before: failedBy, reason: AGAIN }
  })
}

/** @throws Refusal `not_found`, `idempotency_key_reused` */
export async function markAnswered(
  deps: Deps,
  asked: OperatorAct & { letterId: string },
): Promise<void> {
  const { letterId: subject } = asked
  const letter = await site.letter(deps.db, subject)
  await act(deps, asked, { kind: 'answer', userId: letter.userId, subject }, (tx, now) =>
    site.markAnswered(tx, { id: subject, now }),
  )
}

/**
 * Mails somebody a link with which they may sign up.
 *
 * @throws Refusal `invalid_email`, `has_account`, `sign_up_closed`, `idempotency_key_reused`
 */
export async function invite(deps: Deps, asked: OperatorAct & { email: string }): Promise<void> {
  const { id, email } = asked
  await act(deps, asked, { kind: 'invite', subject: id }, (tx, now) =>
    invitations.invite(tx, deps, { id, email, now }),
  )
}

/** @throws Refusal `not_found`, `idempotency_key_reused` */
export async function withdraw(
  deps: Deps,
  asked: OperatorAct & { invitationId: string },
): Promise<void> {
  const { invitationId: subject } = asked
  await act(deps, asked, { kind: 'withdraw', subject }, (tx) => invitations.withdraw(tx, subject))
}

const AGAIN = 'A recording that had failed was run again at no charge.'

/**
 * Does an act and writes its line, both or neither. An act with this id that was done before is not
 * done again; a second call of the same moment waits.
 *
 * @throws Refusal `idempotency_key_reused` when that one was about something else
 */
async function act(
  { db, clock }: Deps,
  { operator, id, credits: amount, limits, reason: why }: OperatorAct,
  about: Pick<typeof operatorActs.$inferInsert, 'kind' | 'userId' | 'subject'>,
  work: (tx: Tx, now: Date) => Promise<Outcome | void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lock(tx, `act:${id}`)
    const [before] = await tx
      .select({ done: operatorActs, reason: operatorReasons.reason })
      .from(operatorActs)
      .leftJoin(operatorReasons, eq(operatorReasons.actId, operatorActs.id))
      .where(eq(operatorActs.id, id))
    if (before) {
      const { done } = before
      const isSame =
        done.kind === about.kind &&
        done.userId === (about.userId ?? null) &&
        done.subject === (about.subject ?? null) &&
        (amount === undefined || done.credits === amount) &&
        (limits === undefined || isDeepStrictEqual(done.limits, limits)) &&
        (why === undefined || before.reason === why)
      if (!isSame) throw new Refusal('idempotency_key_reused')
      return
    }
    const at = clock()
    const { reason, ...figures } = (await work(tx, at)) ?? {}
    const by = { operator: operator.address, operatorName: operator.name }
    await tx.insert(operatorActs).values({ id, at, ...by, ...about, ...figures })
    if (reason && about.userId)
      await tx.insert(operatorReasons).values({ actId: id, userId: about.userId, reason })
  })
}

interface Outcome {
  credits?: number
  limits?: Limits
  attempt?: number
  before?: string | null
  reason?: string
}

/** Under this name an act moves credits. */
const causeOf = (actId: string): string => `adjustment:${actId}`

/** @throws Refusal `not_found` */
export async function find(db: Queryable, userId: string): Promise<directory.Person> {
  const user = (await directory.byIds(db, [userId])).get(userId)
  if (!user) throw new Refusal('not_found')
  return user
}

async function ownerOf(db: Queryable, jobId: string): Promise<string> {
  const userId = await jobs.ownerOf(db, jobId)
  if (userId === null) throw new Refusal('not_found')
  return userId
}

/**
 * Hears that a job has failed or is gone, inside the transaction in which it does. The credits that
 * were given to run it again are taken back where they have not paid for a result; so is the part for a
 * document that was ordered with it and failed.
 */
export const takeBackUnused: OnEvent = async (tx, { userId, type, data }) => {
  const isOfDocument = type === 'document.failed'
  if (!isOfDocument && type !== 'transcription.failed' && type !== 'transcription.deleted') return
  const id = String(data[isOfDocument ? 'transcriptionId' : 'id'])
  const isOfJob = and(eq(operatorActs.subject, id), eq(operatorActs.kind, 'run_again'))
  for (const { id: actId, credits: given, attempt } of await tx
    .select()
    .from(operatorActs)
    .where(isOfJob)) {
    if (given === null || attempt === null) continue
    const paid = await jobs.paid(tx, { userId, id, attempt })
    const isUnused = isOfDocument
      ? paid > 0 &&
        paid < given &&
        (await documents.isFirst(tx, { id: String(data['id']), transcriptionId: id }))
      : paid === 0
    if (isUnused)
      await credits.reverse(tx, { userId, cause: causeOf(actId), credits: given - paid })
  }
}

/** Why operators have changed a user's credits, and who: for the lines of a bill. */
export async function explain(
  db: Queryable,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({
      id: operatorActs.id,
      reason: operatorReasons.reason,
      name: operatorActs.operatorName,
    })
    .from(operatorReasons)
    .innerJoin(operatorActs, eq(operatorActs.id, operatorReasons.actId))
    .where(and(eq(operatorReasons.userId, userId), inArray(operatorActs.id, [...ids])))
  return new Map(rows.map(({ id, reason, name }) => [id, `${reason} (${name})`]))
}

const LINES = 100

/** The log, newest first, `before` the number of a line for the next page. */
export async function log(
  db: Queryable,
  { before }: { before?: number | undefined } = {},
): Promise<LogPage> {
  const rows = await db
    .select({ act: operatorActs, reason: operatorReasons.reason })
    .from(operatorActs)
    .leftJoin(operatorReasons, eq(operatorReasons.actId, operatorActs.id))
    .where(before === undefined ? undefined : lt(operatorActs.seq, before))
    .orderBy(desc(operatorActs.seq))
    .limit(LINES + 1)
  const people = await directory.byIds(
    db,
    rows.flatMap(({ act }) => act.userId ?? []),
  )
  const shown = rows.slice(0, LINES)
  return {
    lines: shown.map(({ act, reason }) => ({
      ...asJson(act),
      email: people.get(act.userId ?? '')?.email ?? null,
      reason,
    })),
    next: rows.length > LINES ? (shown.at(-1)?.act.seq ?? null) : null,
  }
}

/** Why and by whom somebody was blocked last; null where the log does not say. */
export async function blockOf(
  db: Queryable,
  userId: string,
): Promise<{ by: string; reason: string } | null> {
  const [row] = await db
    .select({ by: operatorActs.operator, reason: operatorReasons.reason })
    .from(operatorActs)
    .leftJoin(operatorReasons, eq(operatorReasons.actId, operatorActs.id))
    .where(and(eq(operatorActs.userId, userId), eq(operatorActs.kind, 'block')))
    .orderBy(desc(operatorActs.seq))
    .limit(1)
  return row ? { by: row.by, reason: row.reason ?? '' } : null
}

/** Why these jobs had failed before an operator ran them again, by job and attempt. */
export async function failuresBefore(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const { subject, attempt, before, kind } = operatorActs
  const rows = await db
    .select({ subject, attempt, before })
    .from(operatorActs)
    .where(and(eq(kind, 'run_again'), inArray(subject, [...ids])))
  return new Map(rows.map((row) => [`${row.subject}:${row.attempt}`, row.before]))
}
