import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import { expect } from 'vitest'

import { openDatabase } from '#server/db.ts'
import { seeded } from '#shared/random.ts'
import { test } from '#test/database.ts'
import { type Acknowledged, auditBooks, storm } from '#test/ledger-storm.ts'

import * as credits from './credits.ts'

test('in a storm whose connections are cut, no credit is made or lost and no history changes', async ({
  database,
}) => {
  const userIds = Array.from({ length: 20 }, () => randomUUID())
  const done: Acknowledged[] = []
  let cuts = 0
  for (const seed of [1, 2, 3]) {
    const clients = await openDatabase({ connectionString: database.url, max: 8 })
    let operations = 0
    const onDone = (move: Acknowledged | null) => {
      if (move) done.push(move)
      operations++
      // Half way: a transaction that was not committed must leave nothing.
      if (operations === 100)
        void database.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'quoth' and pid <> pg_backend_pid()`,
        )
    }
    const random = seeded(seed)
    const onCut = () => cuts++
    await storm(clients.db, { userIds, lanes: 8, operations: 250, random, onDone, onCut })
    await clients.close()
    expect(await auditBooks(database.db, done)).toEqual([])
  }
  expect(cuts).toBeGreaterThan(0)
  expect(done.length).toBeGreaterThan(200)
})

test('history refuses every statement that would change it', async ({ db }) => {
  const userId = randomUUID()
  const cause = `test:${userId}`
  await db.transaction((tx) => credits.grant(tx, { userId, cause, credits: 5 }))
  const before = await credits.entries(db, { userId })
  const mine = sql`where user_id = ${userId}`
  for (const statement of [
    sql`update credit_entries set credits = credits + 1 ${mine}`,
    sql`update credit_entries set user_id = ${randomUUID()} ${mine}`,
    sql`update credit_entries set kind = 'reversal' ${mine}`,
    sql`update credit_entries set cause = 'mine' ${mine}`,
    sql`update credit_entries set available_after = 500 ${mine}`,
    sql`update credit_entries set held_after = 500 ${mine}`,
    sql`update credit_entries set hash = '' ${mine}`,
    sql`update credit_entries set created_at = now() ${mine}`,
    sql`delete from credit_entries ${mine}`,
    sql`truncate credit_entries`,
    sql`truncate credit_entries cascade`,
    sql`with gone as (delete from credit_entries ${mine} returning *) select * from gone`,
  ]) {
    const failure: unknown = await db.execute(statement).catch((error: unknown) => error)
    expect(String((failure as Error).cause)).toContain('append-only')
  }
  expect(await credits.entries(db, { userId })).toEqual(before)
})

test('one changed field of any entry is found', async ({ db }) => {
  const random = seeded(3)
  const { rows } = await db.execute<{ id: number }>(
    sql`select id from credit_entries order by hash limit 100`,
  )
  const forgeries = [
    sql`credits = credits + 1`,
    sql`kind = case kind when 'grant' then 'reversal' else 'grant' end`,
    sql`cause = cause || '.'`,
    sql`available_after = available_after + 1`,
    sql`held_after = held_after + 1`,
    sql`created_at = created_at + interval '1 millisecond'`,
    sql`user_id = gen_random_uuid()`,
    sql`hash = reverse(hash)`,
  ]
  expect(rows.length).toBeGreaterThan(50)
  for (const { id } of rows) {
    const forgery = forgeries[Math.floor(random() * forgeries.length)]!
    // Behind the trigger's back, and undone again.
    const found = await db
      .transaction(async (tx) => {
        await tx.execute(sql`set local session_replication_role = replica`)
        await tx.execute(sql`update credit_entries set ${forgery} where id = ${id}`)
        throw new Found(await credits.verify(tx))
      })
      .catch((error: unknown) => (error instanceof Found ? error.problems : Promise.reject(error)))
    expect(found, `entry ${id}`).not.toEqual([])
  }
  expect(await credits.verify(db)).toEqual([])
})

class Found extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super('undone')
    this.problems = problems
  }
}
