import { eq } from 'drizzle-orm'
import { describe, expect } from 'vitest'

import { type TestApp, anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { aUser } from '#test/factories.ts'

import * as contact from './contact.ts'
import { contactMessages } from './tables.ts'

const test = base.extend<{ $file: { server: TestApp } }>({
  server: [
    async ({ database }, use) => {
      const server = await anApp(database, { settings: { SUPPORT_EMAIL: 'support@quoth.example' } })
      await use(server)
      await server.close()
    },
    { scope: 'file' },
  ],
})

const post = (payload: object) => ({ method: 'POST', url: '/api/contact', payload }) as const
const aMessage = {
  name: 'Ada Lovett',
  email: 'ada@example.com',
  subject: 'A question',
  type: 'technical',
  message: 'Why is the raven like a writing desk?',
}

describe('POST /api/contact', () => {
  test('keeps the message and mails it to the support address', async ({ server, db }) => {
    const answer = await server.inject(post({ ...aMessage, reference: 'request-42' }))
    expect(answer.json()).toEqual({
      message: "Message Sent: We'll get back to you within 24 hours.",
    })
    const [row] = await db.select().from(contactMessages)
    expect(row).toMatchObject({ ...aMessage, reference: 'request-42', userId: null })
    const [mail] = await server.mailsTo('support@quoth.example', { atLeast: 1 })
    expect(mail!.subject).toBe('[Quoth] Technical: A question')
    expect(mail!.text).toContain('From: Ada Lovett <ada@example.com>')
    expect(mail!.text).toContain('About: request-42')
    expect(mail!.text).toContain(aMessage.message)
  })

  test('answers the address that is seen, where it was copied with invisible letters', async ({
    server,
    db,
  }) => {
    const message = 'from a copied address'
    const email = '\ufeffada\u200b@example.com\u200e '
    expect((await server.inject(post({ ...aMessage, email, message }))).statusCode).toBe(200)
    const [row] = await db
      .select()
      .from(contactMessages)
      .where(eq(contactMessages.message, message))
    expect(row!.email).toBe('ada@example.com')
  })

  test('knows who is signed in', async ({ server, db }) => {
    const user = await aUser(db)
    const call = await server.as(user)
    await call(post({ ...aMessage, message: 'from inside' }))
    const [row] = await db
      .select()
      .from(contactMessages)
      .where(eq(contactMessages.message, 'from inside'))
    expect(row!.userId).toBe(user.id)
  })

  test('with an account end its messages, also those of before signing in', async ({
    server,
    db,
  }) => {
    const user = await aUser(db, { email: 'Leaving@example.com' })
    const said = async (message: string, email: string) =>
      server.inject(post({ ...aMessage, message, email }))
    await said('written before signing in', 'leaving@Example.com')
    await said('written by somebody else', 'staying@example.com')
    await (
      await server.as(user)
    )(post({ ...aMessage, message: 'written inside' }))
    const gone = await db.transaction((tx) => contact.eraseMessages(tx, user.id))
    expect(gone.counts).toEqual({ messages: 2 })
    const kept = await db.select({ message: contactMessages.message }).from(contactMessages)
    const left = kept.map(({ message }) => message).filter((each) => each.startsWith('written'))
    expect(left).toEqual(['written by somebody else'])
  })

  test.for(['name', 'email', 'type', 'message'])(
    'without a %s is refused',
    async (field, { server }) => {
      for (const nothing of [undefined, '', '   ']) {
        const answer = await server.inject(post({ ...aMessage, [field]: nothing }))
        expect(answer.statusCode).toBe(400)
        expect(answer.json()).toMatchObject({ message: 'Please fill in all required fields.' })
      }
    },
  )

  test('needs no subject, and takes only the six types', async ({ server }) => {
    const { subject: _subject, ...without } = aMessage
    expect((await server.inject(post(without))).statusCode).toBe(200)
    expect((await server.inject(post({ ...aMessage, type: 'praise' }))).statusCode).toBe(400)
  })

  test.for(['a@b@c.example', '"a b"@example.com', 'a@example.com\r\nBcc: x@y.example', 'nobody'])(
    'the address %j is refused',
    async (email, { server }) => {
      const answer = await server.inject(post({ ...aMessage, email }))
      expect(answer.json()).toMatchObject({ code: 'invalid_email' })
    },
  )

  test('more than ten an hour from one network are refused', async ({ server }) => {
    const from = (remoteAddress: string) => server.inject({ ...post(aMessage), remoteAddress })
    const statuses = []
    for (let n = 0; n < 12; n++) statuses.push((await from('203.0.113.9')).statusCode)
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429])
    expect((await from('203.0.113.10')).statusCode).toBe(200)
  })
})

describe('the mail about a message', () => {
  test('has the same headers for every text', async ({ server, db }) => {
    const hostile = {
      name: 'Eve\r\nBcc: everybody@example.com',
      subject: 'Hello\r\nBcc: everybody@example.com\r\n\r\nnew body',
      message: '<script>alert(1)</script>\n.\r\nMAIL FROM:<x@y.example>',
      reference: 'r\r\nX-Injected: yes',
    }
    await server.inject(post({ ...aMessage, ...hostile }))
    const rows = await db.select().from(contactMessages)
    const row = rows.find(({ message }) => message.includes('alert(1)'))!
    const mail = await contact.mailAbout(db, { messageId: row.id, to: 'support@quoth.example' })
    expect(mail!.replyTo).toBe(aMessage.email)
    expect(mail!.html).not.toContain('<script>')
    const mails = () => server.mailsTo('support@quoth.example', { atLeast: 1 })
    await expect.poll(mails).toContainEqual(
      expect.objectContaining({
        subject: '[Quoth] Technical: Hello Bcc: everybody@example.com new body',
        to: 'support@quoth.example',
      }),
    )
  })
})
