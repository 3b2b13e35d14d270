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

/** Writes of what opens an account. Taking a password away opens nothing. */
const ways =
  /\.insert\((?:sessions|identities|apiKeys|emailChanges|emailLinks|signInTickets)\)|\.set\(\{[^}]*?\b(?:passwordHash(?!: null)|email(?!'))\b/g

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
    expect(writers.filter(({ isGranted }) => !isGranted).map(({ name }) => name)).toEqual([])
  })

  test('cannot be written by a function that asks for none', () => {
    const source = `export async function sneak(\n  tx: Tx,\n): Promise<void> {\n  await tx.insert(sessions).values({})\n}\n`
    expect(writersIn('x.ts', source)).toEqual([{ name: 'x.ts: sneak', isGranted: false }])
  })

  test('gets its grant from nobody but grantAccess', () => {
    const forgers = files.filter((path) =>
      /\bas (?:account\.)?Grant\b/.test(readFileSync(path, 'utf8')),
    )
    expect(forgers).toEqual(['src/features/account/access.ts'])
  })
})
