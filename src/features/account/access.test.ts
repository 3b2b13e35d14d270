import { readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'

import { describe, expect, test } from 'vitest'

import { type Act, aRound, acts } from '#test/access-storm.ts'
import { anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { startGoogle } from '#test/fakes/google.ts'

const ROUNDS = 2

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

/** What needs no grant, and why. */
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

describe('whatever opens an account', () => {
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
