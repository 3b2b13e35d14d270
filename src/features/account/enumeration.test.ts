/** Nobody can find out who has an account, neither from an answer nor from the work it takes. */
import { randomUUID } from 'node:crypto'

import { expect } from 'vitest'

import { anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { hashOf } from '#test/factories.ts'
import { hashesDuring } from '#test/hashes.ts'

import { users } from './tables.ts'

const test = base.extend('server', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const server = await anApp(database, { works: false })
  onCleanup(() => server.close())
  return server
})

const calls: [string, (email: string) => object][] = [
  ['/api/login', (email) => ({ email, password: 'surely not the password' })],
  [
    '/api/register',
    (email) => ({ email, password: 'quoth the raven', firstName: 'Ada', lastName: 'Lovett' }),
  ],
  ['/api/forgot-password', (email) => ({ email })],
  ['/api/resend-verification', (email) => ({ email })],
]

test.for(calls)(
  '%s answers the same after as many hashes, whoever has the address',
  async ([url, bodyFor], { server, db }) => {
    const passwordHash = await hashOf('quoth the raven')
    const account = { firstName: 'Ada', lastName: 'Lovett', emailVerifiedAt: new Date() }
    const people = {
      nobody: null,
      'an owner': { ...account, passwordHash },
      'who never confirmed': { ...account, passwordHash, emailVerifiedAt: null },
      'who comes from Google': { ...account, passwordHash: null, provider: 'google' as const },
    }
    const told: { who: string; said: string; hashes: number }[] = []
    for (const [index, [who, row]] of Object.entries(people).entries()) {
      const email = `${randomUUID()}@example.com`
      if (row) await db.insert(users).values({ ...row, email, emailKey: email })
      let said = ''
      const { all: hashes } = await hashesDuring(async () => {
        const remoteAddress = `198.51.100.${index}`
        const payload = bodyFor(email)
        const answer = await server.inject({ method: 'POST', url, payload, remoteAddress })
        said = `${answer.statusCode} ${answer.body}`
      })
      told.push({ who, said, hashes })
    }
    const [first] = told
    expect(told).toEqual(told.map(({ who }) => ({ ...first, who })))
  },
)
