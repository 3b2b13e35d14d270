import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'

import { type SmtpFake, smtpFake } from '#test/fakes/smtp.ts'

import { writeLetter } from './letter.ts'
import { createLog } from './log.ts'
import { type Mail, findInOutbox, listOutbox, outboxMailer, smtpMailer } from './mail.ts'

const from = 'Quoth <no-reply@quoth.example>'
const mail: Mail = {
  to: "o'neil+quoth@example.com",
  subject: 'Confirm your email for Quoth',
  text: `Grüße!\n\nhttp://localhost:3000/auth?verify=${'x'.repeat(80)}\n`,
  html: '<p>Grüße!</p>',
}

let server: SmtpFake
let dir: string

beforeEach(async () => {
  server = await smtpFake()
  dir = await mkdtemp(join(tmpdir(), 'quoth-outbox-'))
})

afterEach(async () => {
  await server.close()
  await rm(dir, { recursive: true, force: true })
})

test('a mail goes to the stored address, byte for byte', async () => {
  const mailer = smtpMailer(server.url, from)
  expect(await mailer.send(mail)).toEqual({ kind: 'sent' })
  mailer.close()
  expect(server.received).toHaveLength(1)
  expect(server.received[0]).toMatchObject({ from: 'no-reply@quoth.example', to: [mail.to] })
})

test('a line break in a subject makes no header of its own', async () => {
  const mailer = smtpMailer(server.url, from)
  await mailer.send(mail)
  await mailer.send({ ...mail, subject: 'Hello\r\nBcc: evil@evil.example\r\n\r\nbody' })
  mailer.close()
  const [plain, hostile] = server.received.map(({ raw }) => raw.split('\r\n\r\n', 1)[0]!)
  const names = (head: string) => [...head.matchAll(/^[A-Za-z-]+(?=:)/gm)].map(String).sort()
  expect(names(hostile!)).toEqual(names(plain!))
  expect(server.received[1]!.to).toEqual([mail.to])
})

test('a mail that can be switched off says how to the program that shows it', async () => {
  const mailer = smtpMailer(server.url, from)
  await mailer.send({ ...mail, offUrl: 'https://quoth.example/mails-off?key=1' })
  mailer.close()
  const { raw } = server.received[0]!
  expect(raw).toContain('List-Unsubscribe: <https://quoth.example/mails-off?key=1>\r\n')
  expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n')
})

test('a mail that is sent again carries the same Message-ID', async () => {
  const mailer = smtpMailer(server.url, from)
  await mailer.send({ ...mail, id: 'job-1' })
  await mailer.send({ ...mail, id: 'job-1' })
  mailer.close()
  for (const { raw } of server.received) expect(raw).toContain('Message-ID: <job-1@quoth.example>')
})

test('a mailbox that does not exist is refused for good', async () => {
  server.refuseWith(550)
  const mailer = smtpMailer(server.url, from)
  expect(await mailer.send(mail)).toEqual({ kind: 'refused', status: 550 })
  mailer.close()
})

test('a password is not told to a server that offers no TLS, unless TLS is off by setting', async () => {
  const { port } = new URL(server.url)
  // Not one of the names of this machine, as far as the setting shows.
  const address = `smtp://quoth:secret@0.0.0.0:${port}`
  const strict = smtpMailer(address, from)
  await strict.check()
  expect(strict.failure()?.error).toMatchObject({ code: 'ETLS' })
  await expect(strict.send(mail)).rejects.toThrow('STARTTLS')
  strict.close()
  expect([server.passwords, server.received]).toEqual([[], []])

  const lax = smtpMailer(`${address}?tls=off`, from)
  expect(await lax.send(mail)).toEqual({ kind: 'sent' })
  lax.close()
  expect(server.passwords).toEqual(['secret'])
})

test('it is known and said once whether the mail server works', async () => {
  const lines: unknown[] = []
  const write = (line: string) =>
    void lines.push(z.object({ msg: z.string() }).parse(JSON.parse(line)).msg)
  const mailer = smtpMailer(server.url, from, { log: createLog({ destination: { write } }) })
  await mailer.check()
  await mailer.send(mail)
  server.refuseWith(550)
  await mailer.send(mail)
  expect(mailer.failure()).toBeNull()
  await server.close()
  for (const _ of [1, 2]) await expect(mailer.send(mail)).rejects.toThrow()
  expect(mailer.failure()).not.toBeNull()
  mailer.close()
  expect(lines).toEqual(['the mail server takes mails', 'the mail server cannot be used'])
  server = await smtpFake()
})

test('mails are sent over one connection, and answered to whom the setting names', async () => {
  const mailer = smtpMailer(server.url, from, { replyTo: 'help@quoth.example' })
  await mailer.send(mail)
  await mailer.send({ ...mail, replyTo: 'ada@example.com' })
  mailer.close()
  const answers = server.received.map(({ raw }) => /^Reply-To: (.*)$/m.exec(raw)?.[1]?.trim())
  expect(answers).toEqual(['help@quoth.example', 'ada@example.com'])
  expect(server.connections()).toBe(1)
})

test('a mail says that it is made for light and for dark', () => {
  const { html } = writeLetter('ada@example.com', {
    subject: 'Hello',
    heading: 'Hello',
    before: [],
    button: { label: 'Open', url: 'https://quoth.example' },
    after: [],
  })
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  expect(html).toContain('@media (prefers-color-scheme:dark)')
})

test('a mailbox that is busy, and a server that is away, are worth another try', async () => {
  server.refuseWith(451)
  const mailer = smtpMailer(server.url, from)
  await expect(mailer.send(mail)).rejects.toThrow()
  mailer.close()
  const away = smtpMailer('smtp://127.0.0.1:1', from)
  await expect(away.send(mail)).rejects.toThrow()
  away.close()
})

test('without a server a mail is a file that can be read again', async () => {
  await outboxMailer(dir, from).send(mail)
  const names = await readdir(dir)
  expect(names).toHaveLength(1)
  expect(names[0]).toMatch(/\.eml$/)
  expect(await readFile(join(dir, names[0]!), 'utf8')).toContain(`To: ${mail.to}`)

  const [kept] = await listOutbox(dir)
  expect(kept).toMatchObject({ to: mail.to, subject: mail.subject, text: mail.text.trim() })
  expect(await findInOutbox(dir, kept!.name)).toEqual(kept)
})

test('a link that looks as if it were encoded is read as it was written', async () => {
  const text = 'http://localhost:3000/auth?verify=B5_3D-x'
  await outboxMailer(dir, from).send({ ...mail, text })
  const [kept] = await listOutbox(dir)
  expect(kept!.text).toBe(text)
})

test('the outbox lists the newest mail first, with subjects in any script', async () => {
  const mailer = outboxMailer(dir, from)
  for (const subject of ['First', 'Zweite Nachricht: schöne Grüße aus Köln', '三通目のメール']) {
    await mailer.send({ ...mail, subject })
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const subjects = (await listOutbox(dir)).map(({ subject }) => subject)
  expect(subjects).toEqual(['三通目のメール', 'Zweite Nachricht: schöne Grüße aus Köln', 'First'])
})

test('only names of mails are looked up in the outbox', async () => {
  for (const name of ['../secret.eml', '..', '/etc/passwd', 'x.eml', ''])
    expect(await findInOutbox(dir, name)).toBeNull()
})
