import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import { anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { aSession, aUser } from '#test/factories.ts'

import { type SessionMemory, rememberSessions } from './session-memory.ts'
import * as sessions from './sessions.ts'
import { sessions as rows, users } from './tables.ts'

const test = base.extend<{ memory: SessionMemory }>({
  memory: async ({ database }, hand) => {
    const memory = rememberSessions(database)
    await expect.poll(() => memory.isListening()).toBe(true)
    await hand(memory)
    memory.close()
  },
})

/** A session in the database, and how often it was looked up there. */
async function aLookedUp({ db }: { db: Parameters<typeof sessions.find>[0] }, userId: string) {
  const now = new Date()
  const { id, token } = await aSession(db, { userId, now })
  const looks = { count: 0 }
  const look = async () => {
    looks.count += 1
    return sessions.find(db, { token, kinds: ['web'], now })
  }
  return { id, token, look, looks }
}

test('a session that is asked about again is not looked up again', async ({ db, memory }) => {
  const { id, look, looks } = await aLookedUp({ db }, (await aUser(db)).id)
  for (let n = 0; n < 5; n++) expect(await memory.find('key', look)).toMatchObject({ id })
  expect(looks.count).toBe(1)
})

test('a session is forgotten when it ends, whoever ends it, and with its user', async ({
  db,
  memory,
}) => {
  const endings = [
    ({ id }: { id: string; userId: string }) => db.delete(rows).where(eq(rows.id, id)),
    ({ userId }: { id: string; userId: string }) => db.delete(users).where(eq(users.id, userId)),
  ]
  for (const end of endings) {
    const { id: userId } = await aUser(db)
    const { id, look } = await aLookedUp({ db }, userId)
    expect(await memory.find(id, look)).not.toBeNull()
    await end({ id, userId })
    await expect.poll(() => memory.find(id, look)).toBeNull()
  }
})

test('a session that ends while it is looked up is not kept', async ({ db, memory }) => {
  const { id, look, looks } = await aLookedUp({ db }, (await aUser(db)).id)
  const other = await aLookedUp({ db }, (await aUser(db)).id)
  expect(await memory.find('other', other.look)).not.toBeNull()
  const found = await memory.find(id, async () => {
    const session = await look()
    await db.delete(rows).where(eq(rows.id, id))
    // Told in order: once this one is forgotten, the first has been told of too.
    await db.delete(rows).where(eq(rows.id, other.id))
    await expect.poll(() => memory.find('other', other.look)).toBeNull()
    return session
  })
  expect(found).toMatchObject({ id })
  expect(await memory.find(id, look)).toBeNull()
  expect(looks.count).toBe(2)
})

test('while nobody tells of ends the database is asked each time', async ({
  db,
  database,
  memory,
}) => {
  const { look, looks } = await aLookedUp({ db }, (await aUser(db)).id)
  await memory.find('key', look)
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'quoth listener' and datname = current_database()`,
  )
  await expect.poll(() => memory.isListening()).toBe(false)
  await memory.find('key', look)
  await memory.find('key', look)
  expect(looks.count).toBe(3)
  await expect.poll(() => memory.isListening()).toBe(true)
  await memory.find('key', look)
  await memory.find('key', look)
  expect(looks.count).toBe(4)
})

test('after a minute it is looked up again', async ({ db, database }) => {
  const now = { value: 0 }
  const memory = rememberSessions(database, { now: () => now.value })
  try {
    await expect.poll(() => memory.isListening()).toBe(true)
    const { look, looks } = await aLookedUp({ db }, (await aUser(db)).id)
    await memory.find('key', look)
    now.value = 59_999
    await memory.find('key', look)
    expect(looks.count).toBe(1)
    now.value = 60_001
    await memory.find('key', look)
    expect(looks.count).toBe(2)
  } finally {
    memory.close()
  }
})

test('two processes with a memory: signing out of one ends the session in both', async ({
  db,
  database,
}) => {
  const memories = [1, 2].map(() => rememberSessions(database))
  const servers = await Promise.all(
    memories.map((sessionMemory) => anApp(database, { works: false, parts: { sessionMemory } })),
  )
  try {
    for (const memory of memories) await expect.poll(() => memory.isListening()).toBe(true)
    const { token } = await aLookedUp({ db }, (await aUser(db)).id)
    const headers = { cookie: `quoth_session=${token}` }
    const [here, elsewhere] = servers
    const statusAt = async (server = here) =>
      (await server!.inject({ url: '/api/user', headers })).statusCode
    expect([await statusAt(here), await statusAt(elsewhere)]).toEqual([200, 200])
    await here!.inject({ method: 'POST', url: '/api/logout', headers })
    expect(await statusAt(here)).toBe(401)
    await expect.poll(() => statusAt(elsewhere), { timeout: 1_000 }).toBe(401)
  } finally {
    for (const server of servers) await server.close()
    for (const memory of memories) memory.close()
  }
})
