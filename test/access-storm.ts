/**
 * Sets a new password while attackers, who know the old one or have a session that it opened,
 * create new ways into the account as fast as they can.
 */
import { randomUUID } from 'node:crypto'

import { and, eq, isNull } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { InjectOptions } from 'fastify'

import {
  emailChanges,
  emailLinks,
  identities,
  sessions as sessionRows,
  users,
} from '#features/account/tables.ts'
import * as links from '#features/account/email-links.ts'
import { apiKeys, webhookEndpoints } from '#features/developers/tables.ts'
import type { TestApp } from '#test/app.ts'
import { aSession, aUser, granted } from '#test/factories.ts'
import type { FakeGoogle } from '#test/fakes/google.ts'

export const acts = ['reset', 'change'] as const
export type Act = (typeof acts)[number]

const AT_ONCE = 6
const KEYS_EACH = 3
const password = 'quoth the raven'
const newPassword = 'nothing more than this'

export interface Round {
  /** How many of the attackers' calls were accepted. */
  letIn: number
  /** The faults: a way in that still works, or a call without a proper answer. */
  wrong: string[]
}

/** Sets a new password beside 30 other calls at once. `place` is its place among them. */
export async function aRound(
  server: TestApp,
  google: FakeGoogle,
  { act, place }: { act: Act; place: number },
): Promise<Round> {
  const { db } = server.parts.database
  const email = `${randomUUID()}@example.com`
  const { id: userId } = await aUser(db, { email, password, plan: 'enterprise' })
  const stolen = (await aSession(db, { userId })).token
  const own = (await aSession(db, { userId })).token
  const reset = await granted(db, userId, (tx, grant) =>
    links.create(tx, grant, { kind: 'reset', now: new Date() }),
  )
  const wrong: string[] = []
  let letIn = 0
  const ask = async (url: string, payload: object, token?: string) =>
    server.inject({ method: 'POST', url, payload, ...from(token) })
  const others = (one: () => Promise<{ statusCode: number; body: string }>) =>
    Array.from({ length: AT_ONCE }, () => async () => {
      const { statusCode, body } = await one()
      if (statusCode < 400) letIn += 1
      if (statusCode >= 500) wrong.push(`${statusCode} ${body}`)
    })

  const trips = await Promise.all(
    Array.from({ length: AT_ONCE }, () => leaveForGoogle(server, google, stolen)),
  )
  const tries = [
    ...others(() => ask('/api/login', { email, password })),
    ...others(() =>
      ask('/api/account/email', { email: `${randomUUID()}@example.com`, password }, stolen),
    ),
    ...others(async () => {
      const wish = { name: 'Stolen', scopes: ['read'] }
      for (let n = 1; n < KEYS_EACH; n++) await ask('/api/keys', wish, stolen)
      return ask('/api/keys', wish, stolen)
    }),
    // An IP address, so that no name is looked up. Nothing is ever sent there.
    ...others(() => ask('/api/webhooks', { url: 'https://93.184.215.14/' }, stolen)),
    ...trips.map((trip) => async () => {
      const { headers } = await server.inject(trip)
      if (String(headers.location).endsWith('google=linked')) letIn += 1
    }),
  ]
  const setPassword = () =>
    act === 'reset'
      ? ask('/api/reset-password', { token: reset, password: newPassword })
      : ask('/api/account/password', { password, newPassword }, own)
  tries.splice(place % (tries.length + 1), 0, async () => {
    const { statusCode, body } = await setPassword()
    if (statusCode !== 200) wrong.push(`the new password: ${statusCode} ${body}`)
  })
  await Promise.all(tries.map((each) => each()))

  const isOwn = (table: { userId: AnyPgColumn }) => eq(table.userId, userId)
  const left = {
    sessions: (await db.$count(sessionRows, isOwn(sessionRows))) - (act === 'change' ? 1 : 0),
    keys: await db.$count(apiKeys, isOwn(apiKeys)),
    'webhooks that hear': await db.$count(
      webhookEndpoints,
      and(isOwn(webhookEndpoints), isNull(webhookEndpoints.paused)),
    ),
    'linked Google': await db.$count(identities, isOwn(identities)),
    'changes of address': await db.$count(emailChanges, isOwn(emailChanges)),
    'mailed links': await db.$count(emailLinks, and(isOwn(emailLinks), isNull(emailLinks.usedAt))),
    'other addresses': 1 - (await db.$count(users, eq(users.email, email))),
  }
  for (const [what, count] of Object.entries(left)) if (count !== 0) wrong.push(`${count} ${what}`)
  return { letIn, wrong }
}

/** Begins to link Google, and answers the request of the browser that comes back from Google. */
async function leaveForGoogle(
  server: TestApp,
  google: FakeGoogle,
  token: string,
): Promise<InjectOptions> {
  const asked = await server.inject({
    method: 'POST',
    url: '/api/account/google',
    payload: { password },
    ...from(token),
  })
  const person = { email: `${randomUUID()}@g.example` }
  const { pathname, search } = await google.approve(asked.json<{ url: string }>().url, person)
  const cookie = asked.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return { url: pathname + search, headers: { cookie: `${cookie}; quoth_session=${token}` } }
}

let visitors = 0

/** Each call comes from its own network, so that no limit of calls gets in the way of the races. */
function from(token: string | undefined): Pick<InjectOptions, 'headers' | 'remoteAddress'> {
  visitors += 1
  const remoteAddress = `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}`
  return { remoteAddress, ...(token ? { headers: { cookie: `quoth_session=${token}` } } : {}) }
}
