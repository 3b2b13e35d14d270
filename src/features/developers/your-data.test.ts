import { expect } from 'vitest'

import { aDeveloper } from '#test/api.ts'
import { attempts } from '#server/tables.ts'
import { anApp } from '#test/app.ts'
import { test } from '#test/database.ts'
import { anyProof } from '#test/factories.ts'

import { apiKeys, idempotencyKeys, webhookEndpoints } from './tables.ts'
import * as webhooks from './webhooks.ts'
import { developersExporter } from './your-data.ts'

test('an owner gets a copy of keys and webhooks without their secrets, and they end with the account', async ({
  database,
  db,
}) => {
  const server = await anApp(database, { works: false })
  const { user, key } = await aDeveloper(server)
  const { queue, clock } = server.parts
  const deps = { db, queue, clock, webhookAllow: ['127.0.0.1'] }
  const url = 'http://127.0.0.1:65009/hook'
  const { secret } = await webhooks.make(deps, { userId: user.id, proof: anyProof, url })
  await server.inject({ url: '/api/user', headers: { authorization: `Bearer ${key}` } })

  const exporter = developersExporter(db)
  const files = []
  for await (const file of exporter.exportFor(user.id)) files.push(file)
  expect(files.map(({ path }) => path)).toEqual(['api-keys.json', 'webhooks.json'])
  const all = files.map(({ content }) => String(content)).join('')
  expect(all).toContain(url)
  expect(all).not.toContain(secret)
  expect(all).not.toContain(key)
  expect(all).not.toContain('keyHash')
  expect((await exporter.sizeFor(user.id)).files).toBe(2)

  const call = await server.as(user)
  const confirmation = { confirmation: user.email }
  const ended = await call({ method: 'DELETE', url: '/api/account', payload: confirmation })
  expect(ended.json()).toMatchObject({ erased: { apiKeys: 1, webhooks: 1 } })
  for (const table of [apiKeys, webhookEndpoints, attempts, idempotencyKeys])
    expect(await db.$count(table)).toBe(0)
  await server.close()
})
