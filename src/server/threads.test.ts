import { getPriority } from 'node:os'

import { expect } from 'vitest'

import { systemClock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'
import { test as base } from '#test/database.ts'

import { LOADS_MS } from '#test/slow-tasks.ts'
import type * as slowTasks from '#test/slow-tasks.ts'
import { isLong } from '#test/long.ts'
import type * as tasks from '#test/thread-tasks.ts'
import { type Threads, keepThread, openThreads, runAlone, tasksIn } from './threads.ts'

const task = tasksIn<typeof tasks>(new URL('../../test/thread-tasks.ts', import.meta.url))
const slow = tasksIn<typeof slowTasks>(new URL('../../test/slow-tasks.ts', import.meta.url))

const test = base.extend<{ $file: { threads: Threads } }>({
  threads: [
    async ({ database }, use) => {
      const threads = openThreads({
        databaseUrl: database.url,
        clock: systemClock,
        count: 2,
        memoryMb: 48,
      })
      await use(threads)
      await threads.close()
    },
    { scope: 'file' },
  ],
})

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  )

test('a task runs in a thread, with a database, and a refusal comes back as one', async ({
  threads,
}) => {
  const own = { owner: 'one', kind: 'any' }
  expect(await threads.run(task('add'), { a: 1, b: 2 }, own)).toEqual({
    sum: 3,
    isHere: false,
  })
  const refusal: unknown = await threads.run(task('refuse'), 7, own).catch((error) => error)
  expect(refusal).toBeInstanceOf(Refusal)
  expect(refusal).toMatchObject({ code: 'not_found', retryAfterSeconds: 7 })
})

test('an error in a thread keeps its code, so that a database that is away is known', async ({
  threads,
}) => {
  const failed: unknown = await threads
    .run(task('fail'), null, { owner: 'one', kind: 'any' })
    .catch((error) => error)
  expect(failed).toMatchObject({ message: 'outside', cause: { message: 'inside', code: '57P01' } })
})

test('a task that takes too long is ended, and its thread replaced', async ({ threads }) => {
  const endless = threads.run(task('loop'), null, { owner: 'one', kind: 'any', limitMs: 100 })
  expect(await codeOf(endless)).toBe('too_much_work')
  const { sum } = await threads.run(task('add'), { a: 2, b: 2 }, { owner: 'one', kind: 'any' })
  expect(sum).toBe(4)
})

test('a task that takes too much memory ends alone', async ({ threads }) => {
  expect(await codeOf(threads.run(task('hoard'), null, { owner: 'one', kind: 'any' }))).toBe(
    'too_much_work',
  )
  expect((await threads.run(task('add'), { a: 3, b: 2 }, { owner: 'one', kind: 'any' })).sum).toBe(
    5,
  )
})

test('a thread that dies while it has nothing to do is replaced', async ({ database }) => {
  const threads = openThreads({ databaseUrl: database.url, clock: systemClock, count: 1 })
  const shared = new Int32Array(new SharedArrayBuffer(4))
  const died = new Promise((resolve) =>
    process.once('worker', (worker) => worker.once('exit', resolve)),
  )
  await threads.run(task('dieWhenTold'), shared, { owner: 'one', kind: 'any' })
  Atomics.store(shared, 0, 1)
  Atomics.notify(shared, 0)
  await died
  expect((await threads.run(task('add'), { a: 5, b: 2 }, { owner: 'one', kind: 'any' })).sum).toBe(
    7,
  )
  await threads.close()
})

test('a task for threads that are closed is refused', async ({ database }) => {
  const threads = openThreads({ databaseUrl: database.url, clock: systemClock, count: 1 })
  await threads.close()
  await expect(
    threads.run(task('add'), { a: 1, b: 1 }, { owner: 'one', kind: 'any' }),
  ).rejects.toThrow('the server stops')
})

test('an owner with nothing waiting is let in, however much others have', async ({ database }) => {
  const threads = openThreads({ databaseUrl: database.url, clock: systemClock, count: 1 })
  const shared = new Int32Array(new SharedArrayBuffer(4))
  const held = threads.run(task('wait'), shared, { owner: 'a', kind: 'any', limitMs: 60_000 })
  const ask = (owner: string) =>
    threads.run(task('add'), { a: 1, b: 1 }, { owner, kind: 'any', most: 600 })
  const others = Promise.allSettled(Array.from({ length: 500 }, () => ask('a')))
  expect(await codeOf(ask('a'))).toBe('server_busy')
  const newcomer = ask('b')
  Atomics.store(shared, 0, 1)
  Atomics.notify(shared, 0)
  await held
  expect((await newcomer).sum).toBe(2)
  await threads.close()
  await others
})

test('a thread that becomes free goes to who has none, however many kinds another works on', async ({
  threads,
}) => {
  const held = ['read', 'edit'].map((kind) => {
    const shared = new Int32Array(new SharedArrayBuffer(4))
    return { shared, work: threads.run(task('wait'), shared, { owner: 'a', kind }) }
  })
  const done: string[] = []
  const ask = (owner: string, kind: string) =>
    threads.run(task('add'), { a: 1, b: 1 }, { owner, kind }).then(() => done.push(owner))
  const asked = [ask('a', 'export'), ask('b', 'read')]
  for (const { shared, work } of held) {
    Atomics.store(shared, 0, 1)
    Atomics.notify(shared, 0)
    await work
    await Promise.race(asked)
  }
  await Promise.all(asked)
  expect(done).toEqual(['b', 'a'])
})

test('long tasks leave one thread to short ones', async ({ threads }) => {
  const shared = new Int32Array(new SharedArrayBuffer(4))
  const long = ['a', 'b'].map((owner) =>
    threads.run(task('wait'), shared, { owner, kind: 'any', isLong: true }),
  )
  // Both would otherwise hold the two threads there are, until the line after this one.
  expect((await threads.run(task('add'), { a: 4, b: 2 }, { owner: 'c', kind: 'any' })).sum).toBe(6)
  Atomics.store(shared, 0, 1)
  Atomics.notify(shared, 0)
  await Promise.all(long)
})

test('what waits and is not wanted any more leaves its lane to others', async ({ database }) => {
  const threads = openThreads({ databaseUrl: database.url, clock: systemClock, count: 1 })
  const shared = new Int32Array(new SharedArrayBuffer(4))
  const held = threads.run(task('wait'), shared, { owner: 'a', kind: 'any' })
  const gone = new AbortController()
  const ask = (options: { signal?: AbortSignal }) =>
    threads.run(task('add'), { a: 1, b: 1 }, { owner: 'b', kind: 'any', most: 1, ...options })
  const unwanted = ask({ signal: gone.signal })
  expect(await codeOf(ask({}))).toBe('too_much_at_once')
  gone.abort('gone')
  expect(await codeOf(unwanted)).toBe('gone')
  const wanted = ask({})
  expect(await codeOf(ask({ signal: gone.signal }))).toBe('gone')
  Atomics.store(shared, 0, 1)
  Atomics.notify(shared, 0)
  await held
  expect((await wanted).sum).toBe(2)
  await threads.close()
})

test('a long task that is not wanted any more is ended, a short one keeps its thread', async ({
  database,
}) => {
  const threads = openThreads({ databaseUrl: database.url, clock: systemClock, count: 1 })
  let started = 0
  const count = () => (started += 1)
  process.on('worker', count)
  const shared = new Int32Array(new SharedArrayBuffer(4))
  const own = { owner: 'a', kind: 'any' }
  await threads.run(task('add'), { a: 1, b: 1 }, own)
  const unwanted = async (isLong: boolean) => {
    const gone = new AbortController()
    const work = codeOf(threads.run(task('wait'), shared, { ...own, isLong, signal: gone.signal }))
    await new Promise(setImmediate)
    gone.abort('gone')
    return work
  }
  expect(await unwanted(true)).toBe('gone')
  expect(await unwanted(false)).toBe('gone')
  const next = threads.run(task('add'), { a: 1, b: 1 }, own)
  Atomics.store(shared, 0, 1)
  Atomics.notify(shared, 0)
  expect((await next).sum).toBe(2)
  expect(started).toBe(2)
  process.off('worker', count)
  await threads.close()
})

test('a thread loads before it gives way, and is ready when it has loaded', async ({
  database,
}) => {
  const { module } = slow('history')
  const threads = openThreads({
    databaseUrl: database.url,
    clock: systemClock,
    count: 1,
    modules: [module],
  })
  await threads.ready()
  const readyAt = Date.now()
  const own = { owner: 'a', kind: 'any' }
  const { loadedAt, priorityAtFirst, priority } = await threads.run(slow('history'), null, own)
  expect(loadedAt + LOADS_MS).toBeLessThanOrEqual(readyAt + 1)
  expect(priorityAtFirst).toBe(getPriority())
  if (process.platform === 'linux') expect(priority).toBe(Math.max(8, getPriority()))
  await threads.close()
})

test('how long a thread takes to load is not taken from the time of its task', async ({
  database,
}) => {
  const threads = openThreads({ databaseUrl: database.url, clock: systemClock, count: 1 })
  const own = { owner: 'a', kind: 'any', limitMs: LOADS_MS - 300 }
  expect(await threads.run(slow('history'), null, own)).toMatchObject({
    loadedAt: expect.any(Number),
  })
  await threads.close()
})

test('a thread that is kept does one task after the other, and beside them each has its own', async ({
  database: { url: databaseUrl },
}) => {
  const { module } = task('add')
  const thread = keepThread({ databaseUrl, modules: [module] })
  await thread.ready()
  let started = 0
  const count = () => (started += 1)
  process.on('worker', count)
  const { signal } = new AbortController()
  const add = () => runAlone(task('add'), { a: 1, b: 2 }, { signal, databaseUrl })
  expect(await add()).toEqual({ sum: 3, isHere: false })
  expect(await add()).toEqual({ sum: 3, isHere: false })
  expect(started).toBe(0)

  const shared = new Int32Array(new SharedArrayBuffer(4))
  const stop = new AbortController()
  const held = runAlone(task('wait'), shared, { signal: stop.signal, databaseUrl })
  expect((await add()).sum).toBe(3)
  expect(started).toBe(1)
  // Its thread ends with it, and another takes its place.
  stop.abort(new Error('enough'))
  await expect(held).rejects.toThrow('enough')
  expect((await add()).sum).toBe(3)
  expect(started).toBe(2)
  process.off('worker', count)
  await thread.close()
})

if (isLong)
  test('a thread that is kept takes no task that asks for another priority or more memory than it has', async ({
    database: { url: databaseUrl },
  }) => {
    const thread = keepThread({ databaseUrl, modules: [task('add').module] })
    await thread.ready()
    let started = 0
    const count = () => (started += 1)
    process.on('worker', count)
    const { signal } = new AbortController()
    const startedFor = async (options: {
      niceness?: number
      memoryMb?: number
      youngMemoryMb?: number
    }) => {
      const before = started
      await runAlone(task('add'), { a: 1, b: 2 }, { signal, databaseUrl, ...options })
      return started - before
    }
    expect(await startedFor({ memoryMb: 512 })).toBe(0)
    expect(await startedFor({ memoryMb: 4_096 })).toBe(1)
    expect(await startedFor({ niceness: 12 })).toBe(1)
    expect(await startedFor({ youngMemoryMb: 4 })).toBe(1)
    process.off('worker', count)
    await thread.close()
  })

test('work alone in a thread ends with its signal', async () => {
  const stop = new AbortController()
  const work = runAlone(task('loop'), null, { signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(work).rejects.toThrow('enough')
})

test('work alone in a thread that cannot start fails', async () => {
  const { signal } = new AbortController()
  await expect(runAlone(task('refuse'), 7, { signal, memoryMb: 4 })).rejects.toMatchObject({
    code: 'ERR_WORKER_OUT_OF_MEMORY',
  })
})
