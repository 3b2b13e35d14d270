import { expect } from 'vitest'

import { openThreads, tasksIn } from '#server/threads.ts'
import { systemClock } from '#shared/clock.ts'
import { test } from '#test/database.ts'
import type * as tasks from '#test/thread-tasks.ts'

import { threadsForUsers } from './user-threads.ts'

const task = tasksIn<typeof tasks>(new URL('../../../test/thread-tasks.ts', import.meta.url))

test('a change that is refused because many wait does not count against the limit of changes', async ({
  database,
}) => {
  const threads = openThreads({ databaseUrl: database.url, clock: systemClock, count: 1 })
  const userThreads = threadsForUsers({ threads, clock: systemClock })
  const change = () => userThreads.edit(task('add'), { a: 1, b: 1, userId: 'ada' })
  const shared = new Int32Array(new SharedArrayBuffer(4))
  const held = threads.run(task('wait'), shared, { owner: 'held', kind: 'any', limitMs: 60_000 })
  const asked = Array.from({ length: 100 }, change)
  const settled = Promise.allSettled(asked)
  for (const refused of asked.slice(20))
    await expect(refused).rejects.toMatchObject({ code: 'too_much_at_once' })
  Atomics.store(shared, 0, 1)
  Atomics.notify(shared, 0)
  await Promise.all([held, settled])
  expect((await change()).sum).toBe(2)
  await threads.close()
})
