import { mkdir } from 'node:fs/promises'

import { expect } from 'vitest'

import { healthFor, workRootOf } from '#root/app.ts'
import { anApp } from '#test/app.ts'
import { test } from '#test/database.ts'
import { canMount, fill, smallDisk } from '#test/small-disk.ts'

import { openDatabase } from './db.ts'
import { buildDoor } from './door.ts'

const GB = 1024 ** 3

/** A process whose parts fail as a test wants, and how its door answers. */
async function aProcess(database: Awaited<ReturnType<typeof openDatabase>>) {
  const own = await openDatabase(database.url)
  const server = await anApp(database, { works: false })
  const space = { freeBytes: 100 * GB, totalBytes: 200 * GB }
  const is = { mounted: true, mailing: true, daysAhead: 0 }
  const storage = {
    ...server.parts.storage,
    space: async () => {
      if (!is.mounted) throw new Error('no such folder')
      return space
    },
  }
  const mailer = {
    failure: () => (is.mailing ? null : { at: new Date(), error: new Error('refused') }),
  }
  const clock = () => new Date(Date.now() + is.daysAhead * 24 * 60 * 60 * 1000)
  const health = healthFor({ ...server.parts, database: own, storage, clock, mailer })
  const door = buildDoor(health)
  const answers = async () => {
    const [live, ready, healthy] = await Promise.all(
      ['/livez', '/readyz', '/healthz'].map((url) => door.inject(url)),
    )
    return {
      codes: [live!.statusCode, ready!.statusCode, healthy!.statusCode],
      ready: ready!.json<object>(),
      healthy: healthy!.json<object>(),
    }
  }
  const close = async () => {
    await door.close()
    await server.close()
  }
  return { own, health, space, is, answers, close, workRoot: workRootOf(server.parts.config) }
}

test('a process tells whether it lives, whether it can be given work, and its faults', async ({
  database,
}) => {
  const { own, health, space, is, answers, close } = await aProcess(database)
  const facts = { speech: 'pocketsphinx', writing: 'extractive', decoder: 'unsandboxed' }
  const ok = { status: 'ok' }
  expect(await answers()).toEqual({
    codes: [200, 200, 200],
    ready: ok,
    healthy: { ...ok, ...facts },
  })

  // It goes on with most of its work.
  is.mailing = false
  space.freeBytes = GB
  const degraded = { status: 'degraded', problems: ['disk_full', 'mail_failing'] }
  expect(await answers()).toEqual({
    codes: [200, 200, 200],
    ready: degraded,
    healthy: { ...degraded, ...facts },
  })

  is.mailing = true
  is.daysAhead = 40
  space.freeBytes = 100 * GB
  const wrong = { status: 'degraded', problems: ['clocks_apart'] }
  expect(await answers()).toMatchObject({ codes: [200, 200, 200], ready: wrong })

  is.daysAhead = 0
  is.mounted = false
  const away = { status: 'storage_unavailable', problems: ['storage_unavailable'] }
  expect(await answers()).toMatchObject({ codes: [200, 503, 200], ready: away })

  is.mounted = true
  health.leave()
  const stopping = { status: 'stopping', problems: ['stopping'] }
  expect(await answers()).toMatchObject({ codes: [200, 503, 200], ready: stopping })

  await own.close()
  const both = { problems: ['stopping', 'database_unavailable'] }
  expect(await answers()).toMatchObject({ codes: [200, 503, 503], ready: both })
  await close()
})

test.runIf(canMount)(
  'a process whose own disk is full says so, and goes on',
  async ({ database }) => {
    const { own, answers, close, workRoot } = await aProcess(database)
    await mkdir(workRoot)
    {
      await using _ = await smallDisk(workRoot, '4m')
      expect(await answers()).toMatchObject({ codes: [200, 200, 200], ready: { status: 'ok' } })
      await fill(workRoot)
      const full = { status: 'degraded', problems: ['work_disk_full'] }
      expect(await answers()).toMatchObject({ codes: [200, 200, 200], ready: full })
    }
    await own.close()
    await close()
  },
)
