import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { tasksOfRequests } from './app.ts'
import { tasksOfJobs } from './worker.ts'

const speakers = import.meta.resolve('#features/speech/speakers/speakers.ts')
/** Asked for by jobs alone. That of speakers runs once for a recording, in a thread of its own. */
const notOfRequests = [
  speakers,
  ...['#features/cuts/tasks.ts', '#features/writing/extractive.ts'].map((path) =>
    import.meta.resolve(path),
  ),
]

test('a thread has loaded all its tasks before somebody waits for one', async () => {
  const asked = new Set<string>()
  for await (const path of glob('src/features/**/*.ts', { exclude: ['**/*.test.ts'] })) {
    const text = readFileSync(path, 'utf8')
    const named = Array.from(text.matchAll(/tasksIn<[^>]*>\(\s*new URL\(\s*'([^']+)'/g))
    // However it is written, none is passed over.
    expect([path, named.length]).toEqual([path, text.split('tasksIn<').length - 1])
    for (const [, module = ''] of named)
      asked.add(new URL(module, new URL(path, `file://${process.cwd()}/`)).href)
  }
  const ofRequests = [...asked].filter((one) => !notOfRequests.includes(one))
  expect(tasksOfRequests.toSorted()).toEqual(ofRequests.toSorted())
  const loaded = new Set([...tasksOfRequests, ...tasksOfJobs, speakers])
  expect([...loaded].toSorted()).toEqual([...asked].toSorted())
})
