import { randomUUID } from 'node:crypto'

import { expect } from 'vitest'

import type { Database } from '#server/db.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { aUser } from '#test/factories.ts'
import { type FakeGoogle, startGoogle } from '#test/fakes/google.ts'

import * as invitations from './invitations.ts'

const test = base.extend<{ $file: { google: FakeGoogle; invited: TestApp; closed: TestApp } }>({
  google: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern that it needs nothing
    async ({}, use) => {
      const google = await startGoogle()
      await use(google)
      await google.close()
    },
    { scope: 'file' },
  ],
  invited: [
    async ({ database, google }, use) => {
      const settings = { SIGN_UP: 'invited', ...google.settings }
      const server = await anApp(database, { settings })
      await use(server)
      await server.close()
    },
    { scope: 'file' },
  ],
  closed: [
    async ({ database, google }, use) => {
      const settings = { SIGN_UP: 'closed', ...google.settings }
      const server = await anApp(database, { settings, works: false })
      await use(server)
      await server.close()
    },
    { scope: 'file' },
  ],
})

const anAddress = () => `In-${randomUUID()}@invited.example`
const names = { firstName: 'Ada', lastName: 'Lovett' }

const signUp = ({ inject }: TestApp, email: string, invitation?: string) =>
  inject({
    method: 'POST',
    url: '/api/register',
    payload: { email, password: 'a long passphrase', ...names, invitation },
  })

/** Invites as an operator does; answers the token in the link of the mail. */
async function invite(server: TestApp, { db }: Database, email: string): Promise<string> {
  const { queue, clock } = server.parts
  await db.transaction((tx) =>
    invitations.invite(tx, { queue, signUp: 'invited' }, { email, now: clock() }),
  )
  const [mail] = await server.mailsTo(email, { atLeast: 1 })
  return /invitation=([\w-]+)/.exec(mail!.text)?.[1] ?? ''
}

async function comeFromGoogle(server: TestApp, google: FakeGoogle, email: string) {
  const browse = server.aBrowser()
  const left = await browse('/api/auth/google')
  const back = await google.approve(String(left.headers.location), { email })
  return String((await browse(back.pathname + back.search)).headers.location)
}

test('an invited address makes one account, with the link of its mail', async ({
  invited,
  database,
}) => {
  const email = anAddress()
  const token = await invite(invited, database, email)
  for (const [address, shown] of [
    [email, undefined],
    [email, 'made-up'],
    [anAddress(), token],
  ] as const)
    expect((await signUp(invited, address, shown)).json()).toMatchObject({
      code: 'invitation_needed',
    })
  expect((await signUp(invited, email.toLowerCase(), token)).statusCode).toBe(201)
  expect((await signUp(invited, email, token)).statusCode).toBe(403)
})

test('an invitation ends after a week, when it is withdrawn, and when a newer one is sent', async ({
  invited,
  database,
  db,
}) => {
  const { queue } = invited.parts
  const isGood = async (email: string, now: Date) =>
    db.transaction((tx) =>
      invitations.admit(tx, 'invited', { email, token: { proven: true }, now }).then(
        () => true,
        () => false,
      ),
    )
  const [late, withdrawn] = [anAddress(), anAddress()]
  const now = new Date()
  for (const [email, id] of [[late], [withdrawn, randomUUID()]] as const)
    await db.transaction((tx) =>
      invitations.invite(tx, { queue, signUp: 'invited' }, { email, now, ...(id && { id }) }),
    )
  expect(await isGood(late, new Date(now.getTime() + 8 * 24 * 3_600_000))).toBe(false)
  const all = await invitations.list(db, now)
  const { id } = all.find(({ email }) => email === withdrawn)!
  await db.transaction((tx) => invitations.withdraw(tx, id))
  expect(await isGood(withdrawn, now)).toBe(false)

  const email = anAddress()
  const first = await invite(invited, database, email)
  await db.transaction((tx) =>
    invitations.invite(tx, { queue, signUp: 'invited' }, { email, now: new Date() }),
  )
  expect((await signUp(invited, email, first)).statusCode).toBe(403)
})

test('with Google the same addresses may come in, and no others', async ({
  invited,
  closed,
  google,
  database,
  db,
}) => {
  const email = anAddress()
  expect(await comeFromGoogle(invited, google, email)).toBe('/auth?error=invitation_needed')
  await invite(invited, database, email)
  expect(await comeFromGoogle(closed, google, email)).toBe('/auth?error=sign_up_closed')
  expect(await comeFromGoogle(invited, google, email)).toBe('/auth?welcome=1')
  const known = await aUser(db)
  expect(await comeFromGoogle(closed, google, known.email)).toMatch(/^\/\?token=/)
})

test('a closed server makes no account, and says so where one would be made', async ({
  closed,
  db,
}) => {
  const known = await aUser(db)
  for (const email of [anAddress(), known.email])
    expect((await signUp(closed, email)).json()).toMatchObject({ code: 'sign_up_closed' })
  const options = await closed.inject('/api/auth/options')
  expect(options.json()).toMatchObject({ signUp: 'closed' })
})
