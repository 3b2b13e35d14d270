import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'drizzle-orm'
import { expect, onTestFinished } from 'vitest'
import { z } from 'zod'

import { isLong } from '#test/long.ts'
import { test as base } from '#test/database.ts'

import { openDatabase } from './db.ts'
import { createLog, silentLog, type Log } from './log.ts'
import { depths, moveOn, openQueue, type Delivery, type Queue } from './queue.ts'
import { StorageAway } from './storage.ts'

const data = z.looseObject({})
const [plain, twice, dead] = [
  { name: 'plain', data },
  { name: 'twice', data },
  { name: 'dead', data },
]
const queues = [
  { name: 'dead' },
  { name: 'plain', retryDelaySeconds: 1 },
  {
    name: 'twice',
    retryLimit: 1,
    retryDelaySeconds: 1,
    retryDelayMaxSeconds: 1,
    deadLetter: 'dead',
  },
]

type Open = (options?: {
  isOnlyServer?: boolean
  retired?: readonly string[]
  log?: Log
  hasRoom?: () => Promise<boolean>
}) => Promise<Queue>

const test = base.extend('open', async ({ database }, { onCleanup }): Promise<Open> => {
  const opened: Queue[] = []
  await database.db.execute(
    sql`do $$ begin
      if to_regclass('pgboss.job') is not null then delete from pgboss.job; end if;
    end $$`,
  )
  onCleanup(async () => {
    for (const queue of opened) await queue.stop({ timeoutMs: 1_000 })
  })
  return async (options = {}) => {
    const queue = await openQueue(database, { log: silentLog, queues, ...options })
    opened.push(queue)
    return queue
  }
})

const until = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const abort = () => reject(new Error('aborted'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })

test('a job is delivered with its data', async ({ db, open }) => {
  const queue = await open()
  const jobs: Delivery[] = []
  await queue.work(plain, { concurrency: 1 }, async (job) => void jobs.push(job))
  const id = await db.transaction((tx) => queue.add(tx, plain, { n: 1 }))
  await expect.poll(() => jobs).toHaveLength(1)
  expect(jobs[0]).toMatchObject({ id, data: { n: 1 }, attempt: 1, isLastAttempt: false })
})

test('the log has one line for each job that ended, with ids and nothing that was said', async ({
  db,
  open,
}) => {
  const lines: unknown[] = []
  const log = createLog({ destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  const queue = await open({ log })
  await queue.work(plain, { concurrency: 1 }, async ({ attempt }) => {
    if (attempt === 1) throw new Error('no luck')
    return { outcome: 'completed', engine: 'pocketsphinx' }
  })
  const transcriptionId = randomUUID()
  const data = { transcriptionId, name: 'a secret.m4a', attempt: 7 }
  const jobId = await db.transaction((tx) => queue.add(tx, plain, data))
  await expect.poll(() => lines).toHaveLength(2)
  const ids = { queue: 'plain', jobId, transcriptionId }
  const ms = expect.any(Number)
  expect(lines).toMatchObject([
    { ...ids, attempt: 1, ms, msg: 'job failed' },
    { ...ids, attempt: 2, ms, msg: 'job finished', outcome: 'completed', engine: 'pocketsphinx' },
  ])
  expect(JSON.stringify(lines)).not.toContain('secret')
})

test('a transaction that is rolled back leaves no job', async ({ db, open }) => {
  const queue = await open()
  const seen: unknown[] = []
  await queue.work(plain, { concurrency: 1 }, async ({ data }) => void seen.push(data))
  await expect(
    db.transaction(async (tx) => {
      await queue.add(tx, plain, { n: 'lost' })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  await db.transaction((tx) => queue.add(tx, plain, { n: 'kept' }))
  await expect.poll(() => seen).toEqual([{ n: 'kept' }])
  expect((await db.execute(sql`select 1 from pgboss.job where name = 'plain'`)).rows).toHaveLength(
    1,
  )
})

test('a handler that throws is tried again, and told when it is the last time', async ({
  db,
  open,
}) => {
  const queue = await open()
  const tries: Pick<Delivery, 'attempt' | 'isLastAttempt'>[] = []
  const died: unknown[] = []
  await queue.work(twice, { concurrency: 1 }, async ({ attempt, isLastAttempt }) => {
    tries.push({ attempt, isLastAttempt })
    throw new Error('no luck')
  })
  await queue.work(dead, { concurrency: 1 }, async ({ data }) => void died.push(data))
  await db.transaction((tx) => queue.add(tx, twice, { n: 1 }))
  await expect.poll(() => died).toEqual([{ n: 1 }])
  expect(tries).toEqual([
    { attempt: 1, isLastAttempt: false },
    { attempt: 2, isLastAttempt: true },
  ])
})

test('of an error only its name and its code stay with the job', async ({ db, open }) => {
  const queue = await open()
  await queue.work(twice, { concurrency: 1 }, async () => {
    await db.execute(sql`select ${'what was said'}::int`)
  })
  await db.transaction((tx) => queue.add(tx, twice, {}))
  const outputs = async () => {
    const { rows } = await db.execute<{ output: unknown }>(sql`
      select output from pgboss.job where output is not null and state = 'failed'
      union all select source_output from pgboss.job where source_output is not null`)
    return rows.map(({ output }) => output)
  }
  const trace = { name: 'DrizzleQueryError', code: '22P02' }
  await expect.poll(outputs).toEqual([trace, trace])
})

test('as many jobs run at once as are asked for', async ({ db, open }) => {
  const queue = await open()
  let running = 0
  let most = 0
  let done = 0
  await queue.work(plain, { concurrency: 2 }, async () => {
    most = Math.max(most, ++running)
    await sleep(50)
    running--
    done++
  })
  await db.transaction(async (tx) => {
    for (let n = 0; n < 5; n++) await queue.add(tx, plain, { n })
  })
  await expect.poll(() => done).toBe(5)
  expect(most).toBe(2)
})

test('a stop that may take its time lets the running job end, and begins no other', async ({
  db,
  open,
}) => {
  const queue = await open()
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let isStopped = false
  await queue.work(plain, { concurrency: 1 }, async ({ signal }) => {
    begun.resolve()
    await goOn.promise
    isStopped ||= signal.aborted
  })
  const states = async () => {
    const { rows } = await db.execute<{ state: string }>(
      sql`select state::text from pgboss.job order by created_on`,
    )
    return rows.map(({ state }) => state)
  }
  for (let n = 0; n < 2; n++) await db.transaction((tx) => queue.add(tx, plain, { n }))
  // A job is `active` a moment before its handler has it. A stop in between gives it back.
  await begun.promise
  expect(await states()).toEqual(['active', 'created'])
  const stopped = queue.stop({ drainMs: 30_000 })
  goOn.resolve()
  await stopped
  expect(await states()).toEqual(['completed', 'created'])
  expect(isStopped).toBe(false)
})

test('a stop gives a running job back without using up a try', async ({ db, open }) => {
  const first = await open()
  let started = 0
  await first.work(twice, { concurrency: 1 }, async ({ signal }) => {
    started++
    await until(signal)
  })
  const id = await db.transaction((tx) => first.add(tx, twice, {}))
  await expect.poll(() => started).toBe(1)
  await first.stop()

  const left = (row: unknown) => z.object({ state: z.string(), left: z.number() }).parse(row)
  const { rows } = await db.execute(
    sql`select state, retry_limit - retry_count as left from pgboss.job where id = ${id}`,
  )
  expect(left(rows[0])).toEqual({ state: 'retry', left: 2 })

  const second = await open()
  const jobs: Delivery[] = []
  await second.work(twice, { concurrency: 1 }, async (job) => void jobs.push(job))
  await expect.poll(() => jobs).toHaveLength(1)
  expect(jobs[0]).toMatchObject({ id, isLastAttempt: false })
})

test('a stop leaves a job alone that another worker has taken over', async ({ db, open }) => {
  const queue = await open()
  const begun = Promise.withResolvers<void>()
  await queue.work(twice, { concurrency: 1 }, async ({ signal }) => {
    begun.resolve()
    await until(signal)
  })
  const id = await db.transaction((tx) => queue.add(tx, twice, {}))
  await begun.promise
  // This worker was silent for so long that it counts as dead.
  await db.execute(sql`update pgboss.job set retry_count = 1 where id = ${id}`)
  await queue.stop()
  const { rows } = await db.execute(
    sql`select state::text, retry_count, retry_limit from pgboss.job where id = ${id}`,
  )
  expect(rows).toEqual([{ state: 'active', retry_count: 1, retry_limit: 1 }])
})

test('a job that only the database interrupted keeps its tries', async ({ db, open }) => {
  const queue = await open()
  const tries: Pick<Delivery, 'attempt' | 'isLastAttempt'>[] = []
  await queue.work(twice, { concurrency: 1 }, async ({ attempt, isLastAttempt }) => {
    tries.push({ attempt, isLastAttempt })
    if (attempt < 4) await db.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
  })
  const id = await db.transaction((tx) => queue.add(tx, twice, {}))
  const state = async () =>
    (await db.execute(sql`select state::text from pgboss.job where id = ${id}`)).rows
  await expect.poll(state).toEqual([{ state: 'completed' }])
  // It may be tried once after the first time, and nothing of that is used up.
  expect(tries).toEqual(
    [1, 2, 3, 4].map((attempt) => expect.objectContaining({ attempt, isLastAttempt: false })),
  )
})

if (isLong)
  test('a job that storage interrupted waits, and the database still costs it no try', async ({
    db,
    open,
  }) => {
    const queue = await open()
    const refused = Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' })
    const last: boolean[] = []
    await queue.work(twice, { concurrency: 1 }, async ({ isLastAttempt }) => {
      last.push(isLastAttempt)
      if (last.length === 1) throw new StorageAway(refused)
      if (last.length === 2) await db.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
    })
    const id = await db.transaction((tx) => queue.add(tx, twice, {}))
    const job = async () => {
      const { rows } = await db.execute(sql`
      select state::text, retry_limit - retry_count as left, start_after > now() as waits
      from pgboss.job where id = ${id}`)
      return rows
    }
    // As many as before its first try.
    await expect.poll(job, { interval: 20 }).toEqual([{ state: 'retry', left: 2, waits: true }])
    // As if storage had sent it back ten times more.
    await db.execute(sql`
    update pgboss.job set retry_limit = retry_limit + 10, retry_count = retry_count + 10,
      start_after = now() where id = ${id}`)
    await expect.poll(() => last).toEqual([false, false, false])
  })

if (isLong)
  test('while storage is away, a worker does not go through all jobs in vain', async ({
    db,
    open,
  }) => {
    const queue = await open()
    let isAway = true
    let inVain = 0
    await queue.work(plain, { concurrency: 2 }, async ({ attempt }) => {
      // It is back when the pause of the first job is over.
      if (attempt > 1) isAway = false
      if (!isAway) return
      inVain += 1
      throw new StorageAway(undefined)
    })
    const add = async () => db.transaction((tx) => queue.add(tx, plain, {}))
    for (let count = 0; count < 10; count++) await add()
    const done = async () => {
      const { rows } = await db.execute(
        sql`select 1 from pgboss.job where name = 'plain' and state = 'completed'`,
      )
      return rows.length
    }
    await expect.poll(done).toBe(10)
    // On a busy machine the first has failed before the second is begun.
    expect(inVain).toBeLessThanOrEqual(2)
  })

if (isLong)
  test('a worker that found its disk full begins nothing until there is room, and no job loses a try', async ({
    db,
    open,
  }) => {
    let isFull = true
    const tries = { full: 0, healthy: [] as boolean[] }
    const full = await open({ hasRoom: async () => !isFull })
    await full.work(twice, { concurrency: 1 }, async () => {
      tries.full += 1
      if (isFull)
        throw new Error('no stage', {
          cause: Object.assign(new Error('write'), { code: tries.full > 1 ? 'EDQUOT' : 'ENOSPC' }),
        })
    })
    const add = async () => db.transaction((tx) => full.add(tx, twice, {}))
    for (let count = 0; count < 5; count++) await add()
    await expect.poll(() => tries.full).toBe(1)
    const healthy = await open()
    await healthy.work(twice, { concurrency: 1 }, async ({ isLastAttempt }) => {
      tries.healthy.push(isLastAttempt)
    })
    // One of them after the pause that it was given back for.
    await expect.poll(() => tries.healthy).toEqual(Array(5).fill(false))
    expect(tries.full).toBe(1)

    await healthy.stop()
    isFull = false
    await add()
    await expect.poll(() => tries.full).toBe(2)
  })

test("a job that the database's own full disk interrupted is given back once there is room", async ({
  db,
  open,
}) => {
  const queue = await open()
  await db.execute(sql`create sequence times_full`)
  await db.execute(sql`
    create function refuse_once() returns trigger language plpgsql as $$ begin
      if nextval('times_full') = 1 then raise 'no room' using errcode = '53100'; end if;
      return new;
    end $$`)
  await db.execute(sql`
    create trigger refuse_once before update on pgboss.job for each row
    when (old.state = 'active' and new.state = 'retry') execute function refuse_once()`)
  onTestFinished(async () => {
    await db.execute(sql`drop function refuse_once cascade`)
    await db.execute(sql`drop sequence times_full`)
  })
  await queue.work(twice, { concurrency: 1 }, async () => {
    await db.execute(sql`do $$ begin raise 'no room' using errcode = '53100'; end $$`)
  })
  const id = await db.transaction((tx) => queue.add(tx, twice, {}))
  const job = async () => {
    const { rows } = await db.execute(sql`
      select state::text, retry_limit - retry_count as left from pgboss.job where id = ${id}`)
    return rows
  }
  // As many as before its first try.
  await expect.poll(job, { interval: 20 }).toEqual([{ state: 'retry', left: 2 }])
})

test('a job that found no database keeps its tries, also when that answers again at once', async ({
  database,
  db,
  open,
}) => {
  // Each connection is used once, so that the next statement needs a new one.
  const away = await openDatabase({ connectionString: database.url, maxUses: 1 })
  const queue = await open()
  const last: boolean[] = []
  await queue.work(twice, { concurrency: 1 }, async ({ isLastAttempt }) => {
    last.push(isLastAttempt)
    if (last.length === 1) await away.db.transaction(async () => undefined)
  })
  Object.assign(away.pool.options, { connectionString: 'postgres://127.0.0.1:1/none' })
  await db.transaction((tx) => queue.add(tx, twice, {}))
  await expect.poll(() => last).toEqual([false, false])
  await away.close()
})

if (isLong)
  test('a job that cuts its connection every time is given up in the end', async ({ db, open }) => {
    const queue = await open()
    let tries = 0
    const died: unknown[] = []
    await queue.work(twice, { concurrency: 1 }, async () => {
      tries++
      await db.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
    })
    await queue.work(dead, { concurrency: 1 }, async ({ data }) => void died.push(data))
    await db.transaction((tx) => queue.add(tx, twice, { n: 1 }))
    await expect.poll(() => died).toEqual([{ n: 1 }])
    // Each of its two tries is given back ten times.
    expect(tries).toBe(22)
  })

test('another server that refuses its connection is an error like all others', async ({
  db,
  open,
}) => {
  const queue = await open()
  const tries: boolean[] = []
  await queue.work(twice, { concurrency: 1 }, async ({ isLastAttempt }) => {
    tries.push(isLastAttempt)
    await fetch('http://127.0.0.1:1')
  })
  await db.transaction((tx) => queue.add(tx, twice, {}))
  await expect.poll(() => tries).toEqual([false, true])
})

test('a cancelled job stops, wherever it runs', async ({ db, open }) => {
  const worker = await open()
  const web = await open()
  let state: 'waiting' | 'running' | 'stopped' = 'waiting'
  const next: unknown[] = []
  await worker.work(plain, { concurrency: 1 }, async ({ data, signal }) => {
    if (state !== 'waiting') return void next.push(data)
    state = 'running'
    await until(signal).finally(() => (state = 'stopped'))
  })
  const id = await db.transaction((tx) => web.add(tx, plain, {}))
  await expect.poll(() => state).toBe('running')
  await web.cancel(db, plain, id)
  await expect.poll(() => state).toBe('stopped')
  // The worker takes its next job when it has done with this one.
  await db.transaction((tx) => web.add(tx, plain, { n: 2 }))
  await expect.poll(() => next).toEqual([{ n: 2 }])
  const { rows } = await db.execute(sql`select state from pgboss.job where id = ${id}`)
  expect(rows).toEqual([{ state: 'cancelled' }])
})

test('the jobs of a worker that is gone are delivered to the next server at once', async ({
  db,
  open,
}) => {
  const gone = await open()
  const id = await db.transaction((tx) => gone.add(tx, plain, {}))
  await gone.stop()
  // What a killed worker leaves: an active job with a fresh heartbeat.
  await db.execute(sql`
    update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now()
    where id = ${id}`)

  const next = await open({ isOnlyServer: true })
  const jobs: Delivery[] = []
  await next.work(plain, { concurrency: 1 }, async (job) => void jobs.push(job))
  await expect.poll(() => jobs).toHaveLength(1)
  expect(jobs[0]).toMatchObject({ id, attempt: 2 })
})

test('a job whose worker was killed on its last try ends in the dead letters', async ({
  db,
  open,
}) => {
  const gone = await open()
  await db.transaction((tx) => gone.add(tx, twice, { n: 1 }))
  await gone.stop()
  await db.execute(sql`
    update pgboss.job
    set state = 'active', started_on = now(), heartbeat_on = now(), retry_count = 1
    where name = 'twice'`)

  const next = await open({ isOnlyServer: true })
  const died: unknown[] = []
  await next.work(dead, { concurrency: 1 }, async ({ data }) => void died.push(data))
  await expect.poll(() => died).toEqual([{ n: 1 }])
})

if (isLong)
  test('after thirty rounds of supervision the job of a dead worker is still handed on', async ({
    db,
    open,
  }) => {
    const queue = await open()
    const [ofDead, old] = await db.transaction(async (tx) => [
      await queue.add(tx, plain, {}),
      await queue.add(tx, plain, {}),
    ])
    const supervise = async () => {
      // As if the time between two rounds had passed.
      await db.execute(sql`
      update pgboss.queue set monitor_on = null, monitor_claim_on = null, maintain_on = null`)
      await queue.supervise()
    }
    for (let round = 1; round <= 30; round++) await supervise()
    // What a killed worker leaves: an active job, and nobody who refreshes it.
    await db.execute(sql`
    update pgboss.job set state = 'active', started_on = now() - interval '1 minute',
      heartbeat_on = now() - interval '1 minute'
    where id = ${ofDead}`)
    await db.execute(sql`
    update pgboss.job set state = 'completed', completed_on = now() - interval '1 year'
    where id = ${old}`)
    await supervise()
    // What ended long ago is removed.
    const { rows } = await db.execute(sql`select id, state from pgboss.job`)
    expect(rows).toEqual([{ id: ofDead, state: 'retry' }])
    const jobs: Delivery[] = []
    await queue.work(plain, { concurrency: 1 }, async (job) => void jobs.push(job))
    await expect.poll(() => jobs).toHaveLength(1)
    expect(jobs[0]).toMatchObject({ id: ofDead, attempt: 2 })
  })

if (isLong)
  test('jobs whose worker died run one at a time, and new ones beside them', async ({
    db,
    open,
  }) => {
    const gone = await open()
    await db.transaction(async (tx) => {
      for (let n = 0; n < 2; n++) await gone.add(tx, plain, { kind: 'old' })
    })
    await gone.stop()
    await db.execute(sql`
    update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now()`)

    const next = await open({ isOnlyServer: true })
    await db.transaction((tx) => next.add(tx, plain, { kind: 'new' }))
    const running: string[] = []
    const atOnce: string[] = []
    let ended = 0
    const goOn = Promise.withResolvers<void>()
    await next.work(plain, { concurrency: 3 }, async ({ data }) => {
      const { kind } = z.object({ kind: z.string() }).parse(data)
      running.push(kind)
      atOnce.push(running.toSorted().join(' '))
      await goOn.promise
      running.splice(running.indexOf(kind), 1)
      ended++
    })
    // While one of them runs, the other is claimed and put aside.
    const aside = async () => {
      const { rows } = await db.execute(sql`
      select data from pgboss.job where state = 'retry' and start_after > now()`)
      return rows
    }
    await expect
      .poll(aside, { message: 'jobs that were put aside', interval: 20 })
      .toEqual([{ data: { kind: 'old' } }])
    await expect.poll(() => atOnce).toContain('new old')
    goOn.resolve()
    await expect.poll(() => ended).toBe(3)
    expect(atOnce.filter((each) => each.includes('old old'))).toEqual([])
  })

test('jobs of a higher priority go first, and those that have not ended are known', async ({
  db,
  open,
}) => {
  const queue = await open()
  await db.transaction(async (tx) => {
    for (const [n, priority] of [0, -1, -2, 0].entries())
      await queue.add(tx, plain, { n }, { priority })
  })
  expect(await queue.unfinished(db, plain)).toHaveLength(4)
  expect(await queue.unfinished(db, twice)).toEqual([])
  const seen: unknown[] = []
  await queue.work(plain, { concurrency: 1 }, async ({ data }) => void seen.push(data))
  await expect.poll(() => seen).toEqual([0, 3, 1, 2].map((n) => ({ n })))
  await expect.poll(() => queue.unfinished(db, plain)).toEqual([])
})

test('a job that has waited for long moves on, and begins before those that come without end', async ({
  db,
  open,
}) => {
  const queue = await open()
  const add = (n: string, priority: number) =>
    db.transaction((tx) => queue.add(tx, plain, { n }, { priority }))
  await add('the twentieth of a batch', -20)
  await db.execute(sql`update pgboss.job set created_on = now() - interval '6 minutes'
    where data->>'n' = 'the twentieth of a batch'`)
  await add('the tenth of another', -10)
  for (let minute = 0; minute < 25; minute += 1) await moveOn(db, plain)
  await add('the only one of somebody', -1)
  const seen: unknown[] = []
  await queue.work(plain, { concurrency: 1 }, async ({ data }) => void seen.push(data))
  await expect
    .poll(() => seen)
    .toEqual(
      ['the twentieth of a batch', 'the only one of somebody', 'the tenth of another'].map((n) => ({
        n,
      })),
    )
})

test('a job that runs, or waits for its next try, has not ended', async ({ db, open }) => {
  const queue = await open()
  await db.transaction((tx) => queue.add(tx, plain, { n: 'tried' }))
  let whileItRan: unknown[] = []
  await queue.work(plain, { concurrency: 1 }, async () => {
    whileItRan = await queue.unfinished(db, plain)
    throw new Error('not this time')
  })
  const states = async () => {
    const { rows } = await db.execute<{ state: string }>(
      sql`select state from pgboss.job where data->>'n' = 'tried'`,
    )
    return rows.map(({ state }) => state)
  }
  await expect.poll(states, { interval: 20 }).toEqual(['retry'])
  for (const known of [whileItRan, await queue.unfinished(db, plain)])
    expect(known).toEqual([{ n: 'tried' }])
})

test('work goes on after every connection to the database was cut', async ({
  database,
  db,
  open,
}) => {
  const queue = await open()
  const seen: unknown[] = []
  await queue.work(plain, { concurrency: 1 }, async ({ data }) => void seen.push(data))
  await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await expect
    .poll(() => database.db.transaction((tx) => queue.add(tx, plain, { n: 1 })).catch(() => ''))
    .not.toBe('')
  await expect.poll(() => seen.length).toBeGreaterThan(0)
})

test('a queue that an older process declares once more is put to rest by the next newer one', async ({
  database,
  db,
  open,
}) => {
  const gone = { name: 'gone', data }
  const older = await openQueue(database, {
    log: silentLog,
    queues: [{ name: 'gone', cron: '0 * * * *' }],
  })
  onTestFinished(() => older.stop())
  await db.transaction((tx) => older.add(tx, gone, {}))
  const schedules = async () =>
    (await db.execute(sql`select name from pgboss.schedule where name = 'gone'`)).rows
  expect(await schedules()).toHaveLength(1)

  await open({ retired: ['gone'] })
  expect(await schedules()).toEqual([])
  expect(await depths(db)).toContainEqual(
    expect.objectContaining({ queue: 'gone', due: 0, later: 0 }),
  )
})
