import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import { expect } from 'vitest'

import { silentLog } from '#server/log.ts'
import { test } from '#test/database.ts'
import { isLong } from '#test/long.ts'
import { capabilities } from '#test/engine.ts'

import type { EngineNames } from './engines.ts'
import { workerEngines } from './tables.ts'
import { engineForUsers, enginesNow, sayEngines, unusedOf } from './workers.ts'

const web: EngineNames = { speech: 'workers', writing: 'workers' }
const embedded: EngineNames = { speech: 'pocketsphinx', writing: 'extractive' }

if (isLong)
  test('a web process knows what its workers work with, and how far a better model is', async ({
    db,
  }) => {
    const now = () => enginesNow({ db, engines: web })
    expect(await now()).toEqual({ ...web, workers: [] })
    const engines: EngineNames = { ...embedded, fetching: { model: 'Parakeet', percent: 62 } }
    const saying = sayEngines({ db, log: silentLog, engines })
    const faster = { ...embedded, fetching: { model: 'Parakeet', percent: 80 } }
    await db.insert(workerEngines).values([
      { worker: randomUUID(), says: faster },
      // It was killed, and could not take back what it said.
      { worker: randomUUID(), says: embedded, saidAt: sql`now() - interval '2 minutes'` },
    ])
    await expect.poll(now).toMatchObject({ fetching: { percent: 62 } })
    expect((await now()).workers).toHaveLength(2)
    // Both have the same engine, so users are told of that.
    const users = () => engineForUsers({ db, engines: web })
    expect(await users()).toEqual({ ...embedded, fetching: { model: 'Parakeet', percent: 62 } })

    Object.assign(engines, { speech: 'sherpa', speechModel: 'Parakeet', fetching: undefined })
    await expect.poll(now).toMatchObject({ fetching: { percent: 80 } })
    expect(await users()).toMatchObject({ speech: 'workers', fetching: { percent: 80 } })
    expect((await now()).workers).toContainEqual({
      speech: 'sherpa',
      speechModel: 'Parakeet',
      writing: 'extractive',
    })
    await saying.stop()
    expect((await now()).workers).toEqual([faster])
  })

test('names and terms are told as unused where one worker of several takes none', async ({
  db,
}) => {
  const unused = () => unusedOf({ db, engines: web }, { terms: ['Kendal'] })
  const worker = (more: { takesTerms?: true }) => {
    const says: EngineNames = { ...embedded, capabilities: { ...capabilities, ...more } }
    return { worker: randomUUID(), says }
  }
  await db.delete(workerEngines)
  await db.insert(workerEngines).values(worker({ takesTerms: true }))
  expect(await unused()).toEqual([])
  await db.insert(workerEngines).values(worker({}))
  expect(await unused()).toEqual(['terms'])
})

test('a process that has an engine speaks for itself', async ({ db }) => {
  expect(await enginesNow({ db, engines: embedded })).toEqual(embedded)
})
