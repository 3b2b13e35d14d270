import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { tasksOfRequests } from './app.ts'
import { tasksOfJobs } from './worker.ts'

/** Once for a recording, in a thread with little memory, beside seconds of other work. */
const alone = [import.meta.resolve('#features/speech/speakers/speakers.ts')]

test('a thread has loaded all its tasks before somebody waits for one', async () => {
  const asked = new Set<string>()
  for await (const path of glob('src/features/**/*.ts', { exclude: ['**/*.test.ts'] })) {
    const [, module] = /tasksIn<[^>]*>\(new URL\('([^']+)'/.exec(readFileSync(path, 'utf8')) ?? []
    if (module) asked.add(new URL(module, new URL(path, `file://${process.cwd()}/`)).href)
  }
  const loaded = new Set([...tasksOfRequests, ...tasksOfJobs, ...alone])
  expect([...loaded].toSorted()).toEqual([...asked].toSorted())
})
