/**
 * Random moves of credits by many users over many connections, and the audit of the books. The
 * bench runs thousands of them with kills in between, the test a few hundred.
 */
import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'

import * as credits from '#features/credits/credits.ts'
import type { Db } from '#server/db.ts'

/** The moves: buy credits, hold them for a job, end a job in one of its ways, return a payment. */
const kinds = [
  'buy',
  'buy',
  'hold',
  'hold',
  'hold',
  'post',
  'post',
  'void',
  'part',
  'expire',
  'refund',
] as const

export interface Acknowledged {
  userId: string
  cause: string
  kind: string
  credits: number
}

interface StormOptions {
  userIds: readonly string[]
  lanes: number
  /** How many operations all lanes together attempt. */
  operations: number
  random: () => number
  /** Called for each answered operation; with its move when one was committed. */
  onDone: (move: Acknowledged | null) => void
  /** Called when an operation's connection was cut, so that nobody knows whether it was done. */
  onCut: (error: unknown) => void
}

export async function storm(db: Db, options: StormOptions): Promise<void> {
  const { userIds, random, onDone, onCut } = options
  let left = options.operations
  const pick = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)]!
  const lane = async () => {
    const open: { userId: string; cause: string; credits: number }[] = []
    while (left-- > 0) await operate(open).then(onDone, onCut)
  }

  async function operate(open: { userId: string; cause: string; credits: number }[]) {
    const kind = pick(kinds)
    const amount = 1 + Math.floor(random() * 20)
    const userId = pick(userIds)
    if (kind === 'buy' || kind === 'hold' || kind === 'refund') {
      const move = { userId, cause: `storm:${randomUUID()}`, credits: amount }
      return begin(kind, move, open)
    }
    const job = open.splice(Math.floor(random() * open.length), 1)[0]
    if (!job) return null
    const taken = kind === 'post' ? job.credits : kind === 'part' ? Math.floor(job.credits / 2) : 0
    await db.transaction((tx) => credits.settle(tx, { ...job, credits: taken }))
    return {
      ...job,
      kind: taken > 0 ? 'charge' : 'release',
      credits: taken > 0 ? taken : job.credits,
    }
  }

  async function begin(
    kind: 'buy' | 'hold' | 'refund',
    move: { userId: string; cause: string; credits: number },
    open: (typeof move)[],
  ): Promise<Acknowledged | null> {
    if (kind === 'buy') {
      await db.transaction((tx) => credits.grant(tx, move))
      return { ...move, kind: 'grant' }
    }
    if (kind === 'refund') {
      const taken = await db.transaction((tx) => credits.reverse(tx, move))
      return taken > 0 ? { ...move, kind: 'reversal', credits: taken } : null
    }
    const isHeld = await db
      .transaction((tx) => credits.hold(tx, move))
      .catch((error: unknown) => {
        if (error instanceof Error && error.name === 'Refusal') return false
        throw error
      })
    if (isHeld) open.push(move)
    return isHeld ? { ...move, kind: 'hold' } : null
  }

  await Promise.all(Array.from({ length: options.lanes }, lane))
}

/** Everything that is wrong with the books, and every acknowledged move that is not in them. */
export async function auditBooks(db: Db, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const problems = await credits.verify(db)
  const { rows } = await db.execute<{ entries: string; accounts: string; negative: number }>(sql`
    select
      (select coalesce(sum(case kind when 'grant' then credits when 'charge' then -credits
        when 'reversal' then -credits when 'adjustment' then credits else 0 end), 0) from credit_entries) as entries,
      (select coalesce(sum(available + held), 0) from credit_accounts) as accounts,
      (select count(*)::int from credit_accounts where available < 0 or held < 0) as negative`)
  const [sums] = rows
  if (sums?.entries !== sums?.accounts)
    problems.push('issued, available, held and spent are not zero')
  if (sums?.negative !== 0) problems.push('a balance is below zero')

  const { rows: known } = await db.execute<{ key: string }>(
    sql`select cause || ' ' || kind || ' ' || credits as key from credit_entries`,
  )
  const keys = new Set(known.map(({ key }) => key))
  for (const { cause, kind, credits: amount } of acknowledged)
    if (!keys.has(`${cause} ${kind} ${amount}`)) problems.push(`${kind} of ${cause} was lost`)
  return problems
}
