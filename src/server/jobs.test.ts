import { expect, onTestFinished } from 'vitest'
import { z } from 'zod'

import { test } from '#test/database.ts'

import { type Working, job, queuesOf, startJobs } from './jobs.ts'
import { silentLog as log } from './log.ts'
import { deadOf, openQueue } from './queue.ts'

interface Deps {
  seen: unknown[]
  tool: Promise<unknown> | null
}

const note = job({
  name: 'note',
  data: z.object({ n: z.int() }),
  concurrency: 1,
  lacks: ({ tool }: Deps) => tool,
  async run({ seen }, { n }) {
    seen.push(n)
  },
  async giveUp({ seen }, { n }) {
    seen.push(`given up: ${n}`)
  },
  async everyMinute({ seen }) {
    seen.push('a look')
  },
})

test('two jobs of one name do not start', () => {
  const again = job({ name: 'note', data: z.object({}), concurrency: 1, run: async () => {} })
  expect(() => queuesOf([note, again])).toThrow('two jobs are named note')
})

test('a job without a handler does not compile, nor what lacks something or adds something else', async ({
  database,
  db,
}) => {
  const queue = await openQueue(database, { log, queues: queuesOf([note]) })
  onTestFinished(() => queue.stop())
  const faults = [
    // @ts-expect-error -- nobody does it
    () => job({ name: 'idle', data: z.object({}), concurrency: 1 }),
    // @ts-expect-error -- the notes have nowhere to go
    () => startJobs([note], { queue, log, tool: null }),
    // @ts-expect-error -- a note has a number
    () => db.transaction((tx) => queue.add(tx, note, { n: 'one' })),
    // @ts-expect-error -- a name is not a job
    () => db.transaction((tx) => queue.add(tx, 'note', { n: 1 })),
  ]
  expect(faults).toHaveLength(4)
})

test('jobs wait for what their work lacks, while others are given up and looked after', async ({
  database,
  db,
}) => {
  const queue = await openQueue(database, { log, queues: queuesOf([note]) })
  onTestFinished(() => queue.stop())
  const { promise: tool, resolve } = Promise.withResolvers<void>()
  const deps: Deps & Working = { queue, log, seen: [], tool }
  await db.transaction(async (tx) => {
    await queue.add(tx, note, { n: 1 })
    await queue.add(tx, { ...note, name: deadOf('note') }, { n: 2 })
  })
  const { stop } = await startJobs([note], deps)
  onTestFinished(stop)
  await expect.poll(() => deps.seen).toEqual(['a look', 'given up: 2'])
  expect(await queue.unfinished(db, note)).toContainEqual({ n: 1 })
  resolve()
  await expect.poll(() => deps.seen).toEqual(['a look', 'given up: 2', 1])
})
