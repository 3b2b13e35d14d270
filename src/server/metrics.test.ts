import { readFile } from 'node:fs/promises'

import { sql } from 'drizzle-orm'
import { expect, onTestFinished } from 'vitest'
import { z } from 'zod'

import { countUnmatched } from '#features/billing/billing.ts'
import { type Reason, whyUnmatched } from '#features/billing/status.ts'
import { unmatched } from '#features/billing/tables.ts'
import * as credits from '#features/credits/credits.ts'
import { standing, tally } from '#features/credits/tally.ts'
import { storedBytes, storedBytesLately } from '#features/recordings/recordings.ts'
import { queues } from '#root/worker.ts'
import { refusals } from '#shared/refusals.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { aUser, anUpload } from '#test/factories.ts'

import type { Database } from './db.ts'
import { problems } from './health.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { openQueue } from './queue.ts'
import { silentLog } from './log.ts'

const TOKEN = 'a token for prometheus'.replaceAll(' ', '-')
const shown = { authorization: `Bearer ${TOKEN}` }

const test = base.extend<{ $file: { metrics: Metrics; server: TestApp } }>({
  metrics: [async ({ database }, use) => use(await metricsOf(database)), { scope: 'file' }],
  server: [
    async ({ database, metrics }, use) => {
      const settings = { METRICS_TOKEN: TOKEN }
      const server = await anApp(database, { works: false, settings, parts: { metrics } })
      await use(server)
      await server.close()
    },
    { scope: 'file' },
  ],
})

const metricsOf = (database: Database, others: Partial<Parameters<typeof openMetrics>[0]> = {}) =>
  openMetrics({
    role: 'all',
    decoder: 'sandboxed',
    database,
    creditsMoved: tally(database.db),
    standing: async () => ({
      ...(await standing(database.db)),
      recordingBytes: await storedBytes(database.db),
      unmatchedPayments: await countUnmatched(database.db, new Date()),
    }),
    queues: queues.map(({ name }) => name),
    lastBackupAt: async () => null,
    ...others,
  })

/** The lines of /metrics, `name{label="value"}` to its number. */
async function read({ app }: TestApp): Promise<ReadonlyMap<string, number>> {
  const { body } = await app.inject({
    url: '/metrics',
    headers: { host: '10.0.0.7:3000', ...shown },
  })
  return numbersIn(body)
}

const numbersIn = (text: string) =>
  new Map(
    text.split('\n').flatMap((line): [string, number][] => {
      const [, name = '', value] = /^([^# ].*) (\S+)$/.exec(line) ?? []
      return value === undefined ? [] : [[name, Number(value)]]
    }),
  )

test('what waits is told as the tables have it, and credits as the ledger has them', async ({
  db,
  server,
}) => {
  expect((await read(server)).get('quoth_queue_jobs{queue="transcribe",state="due"}')).toBe(0)
  const user = await aUser(db, { credits: 10 })
  const ask = await server.as(user)
  for (const seconds of [61, 30]) {
    const { id } = await anUpload(db, { userId: user.id, seconds })
    const url = `/api/transcriptions/${id}/confirm`
    expect((await ask({ method: 'POST', url })).statusCode).toBe(200)
  }
  // Not told: a transaction that was rolled back has moved nothing.
  const move = { userId: user.id, cause: 'taken back', credits: 5 }
  const takenBack = db.transaction(async (tx) => {
    await credits.grant(tx, move)
    tx.rollback()
  })
  await takenBack.catch(() => undefined)
  await db.execute(sql`
    update pgboss.job set created_on = created_on - interval '1 hour',
      start_after = start_after - interval '1 hour' where data ->> 'durationMs' = '61000'`)
  const { rows } = await db.execute<{ kind: string; sum: string }>(
    sql`select kind, sum(credits) from credit_entries group by kind`,
  )

  const told = await read(server)
  expect(told.get('quoth_queue_jobs{queue="transcribe",state="due"}')).toBe(2)
  expect(told.get('quoth_queue_audio_seconds')).toBe(91)
  const oldest = told.get('quoth_queue_oldest_seconds{queue="transcribe"}')
  expect(Math.floor(oldest! / 600)).toBe(6)
  expect(rows).toHaveLength(2)
  for (const { kind, sum } of rows)
    expect(told.get(`quoth_credits_total{kind="${kind}"}`)).toBe(Number(sum))
  expect(told.get('quoth_credits_total{kind="charge"}')).toBe(0)
  const { rows: held } = await db.execute<{ held: string }>(
    sql`select sum(held) as held from credit_accounts`,
  )
  expect(told.get('quoth_credits{state="held"}')).toBe(Number(held[0]!.held))
  expect(told.get('quoth_credits{state="held"}')).toBeGreaterThan(0)
  expect(told.get('quoth_recording_bytes')).toBeGreaterThan(0)
  const confirmed = 'method="POST",route="/api/transcriptions/:id/confirm",status="2xx"'
  expect(told.get(`quoth_http_request_duration_seconds_count{${confirmed}}`)).toBe(2)
  expect(told.get('quoth_problem{problem="database_unavailable"}')).toBe(0)
  expect(told.get('quoth_storage_bytes{state="total"}')).toBeGreaterThan(0)
})

test('the stored recordings are added up once a minute, however often that is asked', async ({
  db,
}) => {
  let now = Date.now()
  const bytes = storedBytesLately({ db, clock: () => new Date(now) })
  const { id: userId } = await aUser(db)
  const before = await bytes()
  await anUpload(db, { userId })
  expect(await bytes()).toBe(before)
  now += 60_000
  expect(await bytes()).toBe(await storedBytes(db))
  expect(await bytes()).toBeGreaterThan(before)
})

test('credits are counted on from entries that no older one can follow', async ({ db }) => {
  const count = tally(db)
  await count()
  const { id: userId } = await aUser(db, { credits: 3 })
  const grant = (cause: string, amount: number, minutesAgo: number) => sql`
    insert into credit_entries
      (user_id, kind, cause, credits, available_after, held_after, hash, created_at)
    values (${userId}, 'grant', ${cause}, ${amount}, 0, 0, '',
      now() - ${minutesAgo} * interval '1 minute')`
  await db.execute(grant('old', 20, 11))
  await db.execute(grant('new', 100, 9))
  for (let times = 0; times < 3; times++) expect((await count()).get('grant')).toBe(123)
  await db.execute(grant('newer', 1000, 0))
  expect((await count()).get('grant')).toBe(1123)
})

test('who does not show the token is told nothing, and without settings there is nothing', async ({
  server,
  database,
}) => {
  for (const authorization of [undefined, 'Bearer ', `Bearer ${TOKEN}x`, TOKEN]) {
    const answer = await server.app.inject({
      url: '/metrics',
      headers: { host: '10.0.0.7', ...(authorization === undefined ? {} : { authorization }) },
    })
    expect([answer.statusCode, answer.body]).toEqual([401, ''])
  }
  await server.inject('/api/account')
  expect((await read(server)).get('quoth_refusals_total{code="not_signed_in"}')).toBe(1)
  const plain = await anApp(database, { works: false })
  onTestFinished(() => plain.close())
  expect(plain.app.hasRoute({ method: 'GET', url: '/metrics' })).toBe(false)
})

test('each job is counted by how it ended, with its sound, its time and its stages', async ({
  database,
  metrics,
  server,
}) => {
  const counted = { name: 'counted', data: z.object({}) }
  const queue = await openQueue(database, {
    log: silentLog,
    queues: [{ name: 'counted', retryLimit: 1, retryDelaySeconds: 0 }],
    watch: metrics.watch,
  })
  onTestFinished(() => queue.stop())
  await queue.work(counted, { concurrency: 1 }, async ({ attempt }) => {
    if (attempt === 1) throw new Error('try again')
    return { outcome: 'no_speech', engine: 'ear', audioMs: 90_000, stages: { words: 7_000 } }
  })
  await database.db.transaction((tx) => queue.add(tx, counted, {}))
  const ended = 'quoth_jobs_total{queue="counted",engine="ear",outcome="no_speech"}'
  await expect.poll(async () => (await read(server)).get(ended)).toBe(1)
  const told = await read(server)
  expect(told.get('quoth_job_tries_unended_total{queue="counted",why="broken"}')).toBe(1)
  expect(told.get('quoth_jobs_running{queue="counted"}')).toBe(0)
  expect(told.get('quoth_audio_seconds_total{engine="ear"}')).toBe(90)
  const words = 'stage="words",engine="ear"'
  expect(told.get(`quoth_stage_duration_seconds_sum{${words}}`)).toBe(7)
  expect(told.get(`quoth_stage_duration_seconds_bucket{le="5",${words}}`)).toBe(0)
  expect(told.has('quoth_work_seconds_total{queue="counted"}')).toBe(true)
})

test.for([
  '../../deploy/monitoring/quoth.rules.yml',
  '../../deploy/monitoring/dashboard.json',
  '../../docs/operating.md',
])('what %s asks for is told', async (file, { metrics }) => {
  const { text } = await metrics.read({ problems: [], space: null })
  const told = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
  const written = await readFile(new URL(file, import.meta.url), 'utf8')
  const asked = [...written.matchAll(/\b(?:quoth|nodejs|process)_[a-z0-9_]*[a-z0-9]\b/g)]
  expect(asked.length).toBeGreaterThan(15)
  expect(told).toEqual(expect.arrayContaining(asked.map(([name]) => name)))
})

test('alerts ask for refused work too, by codes and problems that there are', async () => {
  const file = new URL('../../deploy/monitoring/quoth.rules.yml', import.meta.url)
  const rules = await readFile(file, 'utf8')
  const askedBy = (label: string) =>
    [...rules.matchAll(new RegExp(`${label}=~?"([^"]+)"`, 'g'))].flatMap(([, list = '']) =>
      list.split('|'),
    )
  expect(askedBy('code')).toEqual(expect.arrayContaining(['not_set_up', 'too_much_work']))
  expect(Object.keys(refusals)).toEqual(expect.arrayContaining(askedBy('code')))
  expect(problems).toEqual(expect.arrayContaining(askedBy('problem')))
})

test('what alerts see grow is told before it happens, so that the first one is seen', async ({
  database,
}) => {
  const rules = await readFile(
    new URL('../../deploy/monitoring/quoth.rules.yml', import.meta.url),
    'utf8',
  )
  const grows = [...rules.matchAll(/increase\(quoth_(\w+)\{(\w+)=~?"([^"]+)"\}/g)].flatMap(
    ([, name, label, values = '']) => values.split('|').map((value) => ({ name, label, value })),
  )
  expect(grows.length).toBeGreaterThan(3)
  const fresh = await metricsOf(database)
  const told = numbersIn((await fresh.read({ problems: [], space: null })).text)
  for (const { name, label, value } of grows)
    for (const queue of name === 'jobs_total' ? queues.map((each) => each.name) : [null]) {
      const labels = queue === null ? '' : `queue="${queue}",engine="none",`
      const line = `quoth_${name}{${labels}${label}="${value}"}`
      expect([line, told.get(line)]).toEqual([line, 0])
    }
  const signal = new AbortController().signal
  const outcome = { outcome: 'given up', engine: 'sherpa' }
  await fresh.watch({ queue: 'transcribe', signal }, async () => outcome)
  const later = numbersIn((await fresh.read({ problems: [], space: null })).text)
  const givenUp = 'quoth_jobs_total{queue="transcribe",engine="none",outcome="given up"}'
  expect(later.get(givenUp)).toBe(1)
})

test('payments that granted nothing are counted, and the last back-up has an age', async ({
  database,
  db,
}) => {
  let madeAt: Date | null = null
  const metrics = await metricsOf(database, { lastBackupAt: async () => madeAt })
  const read = async () => numbersIn((await metrics.read({ problems: [], space: null })).text)
  expect((await read()).get('quoth_unmatched_payments')).toBe(0)
  expect((await read()).has('quoth_backup_age_seconds')).toBe(false)
  madeAt = new Date(Date.now() - 7_200_000)
  const paid = { reason: Object.keys(whyUnmatched)[0] as Reason, amountCents: 900, currency: 'eur' }
  await db.insert(unmatched).values([
    { ...paid, id: 'in_now', paidAt: new Date() },
    { ...paid, id: 'in_long_ago', paidAt: new Date(Date.now() - 40 * 86_400_000) },
  ])
  const told = await read()
  expect(told.get('quoth_unmatched_payments')).toBe(1)
  expect(Math.round((told.get('quoth_backup_age_seconds') ?? 0) / 60)).toBe(120)
})

test('while the database is away the rest is told, and nothing old of the tables', async ({
  database,
}) => {
  let isAway = false
  const metrics = await openMetrics({
    role: 'worker',
    decoder: 'sandboxed',
    database,
    creditsMoved: async () => {
      if (isAway) throw new Error('away')
      return new Map([['grant', 1]])
    },
    standing: async () => ({ available: 1, held: 1, recordingBytes: 1, unmatchedPayments: 1 }),
    queues: [],
    lastBackupAt: async () => null,
  })
  const look = { problems: [], space: null }
  expect((await metrics.read(look)).text).toContain('quoth_queue_jobs{')
  isAway = true
  const { text } = await metrics.read({ problems: ['database_unavailable'], space: null })
  const told = numbersIn(text)
  expect(told.get('quoth_problem{problem="database_unavailable"}')).toBe(1)
  expect(told.get('quoth_process{role="worker",decoder="sandboxed"}')).toBe(1)
  expect(text).not.toContain('quoth_queue_jobs{')
  for (const name of ['unmatched_payments', 'recording_bytes', 'queue_audio_seconds'])
    expect([name, told.has(`quoth_${name}`)]).toEqual([name, false])
})
