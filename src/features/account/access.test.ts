import { readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'

import { describe, expect, test } from 'vitest'

import * as keys from '#features/developers/keys.ts'
import type { Db } from '#server/db.ts'
import type { RefusalCode } from '#shared/refusals.ts'
import { type Act, aRound, acts } from '#test/access-storm.ts'
import { anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { type User, aSession, aUser } from '#test/factories.ts'
import { startGoogle } from '#test/fakes/google.ts'
import { times } from '#test/long.ts'

import { type Proof, grantAccess } from './access.ts'
import type { Person } from './openid.ts'

const ROUNDS = times(2, 20)

describe('a new password', () => {
  base.for(acts)(
    'by %s ends all that the old one opens, also what it opens at the same moment',
    async (act: Act, { database }) => {
      const google = await startGoogle()
      const server = await anApp(database, { settings: google.settings, works: false })
      try {
        for (let place = 0; place < ROUNDS; place++)
          expect((await aRound(server, google, { act, place })).wrong).toEqual([])
      } finally {
        await server.close()
        await google.close()
      }
    },
  )
})

describe('a proof', () => {
  type ProofOf = (db: Db, other: User, own: User) => Promise<Proof>
  const cases: [string, ProofOf, RefusalCode][] = [
    [
      'the session of somebody else',
      async (db, { id: userId }) => ({
        by: 'session',
        sessionId: (await aSession(db, { userId })).id,
      }),
      'not_signed_in',
    ],
    [
      'the key of somebody else',
      async (db, { id: userId }) => keys.proofOf(await aKey(db, userId)),
      'not_signed_in',
    ],
    [
      'a key that was revoked, where another is left',
      async (db, _, { id: userId }) => {
        const [revoked] = [await aKey(db, userId), await aKey(db, userId)]
        await keys.revoke({ db, clock: () => new Date() }, { userId, id: revoked })
        return keys.proofOf(revoked)
      },
      'not_signed_in',
    ],
    [
      'a mailbox that was asked about a change that is called off',
      async (_db, _, { email: address }) => ({ by: 'mailbox', address, kind: 'change-old' }),
      'link_used',
    ],
    [
      'an issuer that has not verified the address',
      async (_db, _, { email }) => ({ by: 'identity', person: aPerson(email) }),
      'not_signed_in',
    ],
  ]

  base.for(cases)('by %s opens nothing', async ([, proofOf, code], { db }) => {
    const own = await aUser(db, { plan: 'enterprise' })
    const other = await aUser(db, { plan: 'enterprise' })
    const proof = await proofOf(db, other, own)
    const opened = grantAccess(db, { userId: own.id, proofs: [proof] }, async () => 'opened')
    await expect(opened).rejects.toMatchObject({ code })
  })

  const aKey = async (db: Db, userId: string) => {
    const { id: sessionId } = await aSession(db, { userId })
    const asked = { userId, sessionId, name: 'Backup', scopes: ['write' as const] }
    return (await keys.make({ db, clock: () => new Date() }, asked)).id
  }
  const aPerson = (email: string): Person => ({
    issuer: 'https://issuer.example',
    subject: email,
    email,
    isVerified: false,
    firstName: '',
    lastName: '',
    pictureUrl: null,
  })
})

/** Tables whose rows open an account, or let somebody hear what happens in it. */
const tables = [
  'apiKeys',
  'emailChanges',
  'emailLinks',
  'googleTrips',
  'identities',
  'knownBrowsers',
  'sessions',
  'signInTickets',
  'users',
  'webhookEndpoints',
]
/** Writes of what opens an account. Taking a password or a cookie away opens nothing. */
const ways = new RegExp(
  [
    `\\.insert\\((?:${tables.join('|')})\\)`,
    String.raw`\.update\(webhookEndpoints\)`,
    String.raw`\.set\(\{[^}]*?\b(?:(?:passwordHash|browserHash)(?!: null)|email(?!'))\b`,
  ].join('|'),
  'g',
)

/** Writes that need no grant, with the reason. */
const exceptions = {
  'src/features/account/account.ts: register': "a new account is not anybody's yet",
  'src/features/account/openid-sign-in.ts: byAddress': "a new account is not anybody's yet",
  'src/features/developers/webhooks.ts: pause': 'a paused webhook hears nothing',
  'src/features/developers/webhooks.ts: pauseAll': 'a paused webhook hears nothing',
}

/** Functions that write a way in, and whether they can be called without a grant. */
function writersIn(path: string, source: string): { name: string; isGranted: boolean }[] {
  return [...source.matchAll(ways)].map(({ index }) => {
    const head =
      source
        .slice(0, index)
        .split(/^(?:export )?(?:async )?function /m)
        .at(-1) ?? ''
    const [parameters = ''] = head.split(/^\)|\{$/m)
    const name = `${path}: ${/^\w*/.exec(head)?.[0]}`
    return { name, isGranted: /: (?:account\.)?Grant\b/.test(parameters) }
  })
}

describe('every way into an account', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => posix.join('src', name))
  const writers = files.flatMap((path) => writersIn(path, readFileSync(path, 'utf8')))

  test('is written by functions that ask for a grant', () => {
    expect(writers.length).toBeGreaterThan(7)
    const ungranted = writers.filter(({ isGranted }) => !isGranted).map(({ name }) => name)
    expect(ungranted.toSorted()).toEqual(Object.keys(exceptions))
  })

  test('cannot be written by a function that asks for none', () => {
    for (const table of tables) {
      const source = `export async function sneak(\n  tx: Tx,\n): Promise<void> {\n  await tx.insert(${table}).values({})\n}\n`
      expect(writersIn('x.ts', source)).toEqual([{ name: 'x.ts: sneak', isGranted: false }])
    }
  })

  test('gets its grant from nobody but grantAccess', () => {
    const forgers = files.filter((path) =>
      /\bas (?:account\.)?Grant\b/.test(readFileSync(path, 'utf8')),
    )
    expect(forgers).toEqual(['src/features/account/access.ts'])
  })
})
