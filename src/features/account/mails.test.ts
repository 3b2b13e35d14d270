import { expect } from 'vitest'

import type { Database } from '#server/db.ts'
import { queuesOf, startJobs } from '#server/jobs.ts'
import { silentLog } from '#server/log.ts'
import { mailJob, mailJobs } from '#server/mail-jobs.ts'
import { smtpMailer } from '#server/mail.ts'
import { openQueue } from '#server/queue.ts'
import { systemClock } from '#shared/clock.ts'
import { test } from '#test/database.ts'
import { aUser, granted } from '#test/factories.ts'
import { isLong } from '#test/long.ts'
import { type SmtpFake, smtpFake } from '#test/fakes/smtp.ts'

import * as account from './account.ts'
import * as links from './email-links.ts'
import { accountMails } from './mails.ts'

const ip = '192.0.2.7'

/** The room's mails against a mail server, with pauses short enough to wait for. */
async function atWork({ db, ...database }: Database, smtp: SmtpFake) {
  const queues = queuesOf(mailJobs).map((queue) => ({
    ...queue,
    retryDelaySeconds: 1,
    retryDelayMaxSeconds: 1,
  }))
  const queue = await openQueue({ db, ...database }, { log: silentLog, queues })
  const mailer = smtpMailer(smtp.url, 'Quoth <no-reply@quoth.example>')
  const publicUrl = new URL('https://quoth.example')
  const clock = systemClock
  const signUp = 'open' as const
  const deps = { db, queue, clock, log: silentLog, mailer, publicUrl, isLocal: false, signUp }
  await startJobs(mailJobs, { ...deps, writers: accountMails(deps) })
  const stop = async () => {
    await queue.stop({ timeoutMs: 2_000 })
    mailer.close()
    await smtp.close()
  }
  return { deps, queue, stop }
}

async function until(message: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(isSo, { message }).toBe(true)
}

if (isLong)
  test('a mail server that is away loses no mail and doubles none', async ({ database, db }) => {
    const smtp = await smtpFake()
    const { deps, queue, stop } = await atWork(database, smtp)
    const people = await Promise.all([aUser(db), aUser(db), aUser(db, { verified: false })])
    smtp.refuseWith(451)
    for (const { email } of people) await account.forgotPassword(deps, { email, ip })
    await until('mails are offered again', () => smtp.offered() >= 4)
    expect(smtp.received).toEqual([])

    smtp.refuseWith(null)
    await until('no mail is left', async () => (await queue.unfinished(db, mailJob)).length === 0)
    const addresses = smtp.received.map(({ to }) => to.join())
    expect(addresses.sort()).toEqual(people.map(({ email }) => email).sort())
    await stop()
  })

test('a mailbox that does not exist is offered one mail, once', async ({ database, db }) => {
  const smtp = await smtpFake()
  const { deps, queue, stop } = await atWork(database, smtp)
  const { email } = await aUser(db, { verified: false })
  smtp.refuseWith(550)
  await account.resendVerification(deps, { email, ip })
  await until('no mail is left', async () => (await queue.unfinished(db, mailJob)).length === 0)
  expect(smtp.offered()).toBe(1)
  await stop()
})

test('while a mail cannot be sent, the link of the one before it stays good', async ({
  database,
  db,
}) => {
  const smtp = await smtpFake()
  const { deps, queue, stop } = await atWork(database, smtp)
  const { id, email } = await aUser(db)
  const now = systemClock()
  const token = await granted(db, id, (tx, grant) =>
    links.create(tx, grant, { kind: 'reset', now: new Date(now.getTime() - 1_000) }),
  )
  const isGood = async () => (await links.find(db, { token, kinds: ['reset'], now })) !== null
  const left = async () => (await queue.unfinished(db, mailJob)).length
  smtp.refuseWith(451)
  await account.forgotPassword(deps, { email, ip })
  await until('the mail is offered', () => smtp.offered() >= 1)
  expect(await isGood()).toBe(true)

  smtp.refuseWith(null)
  await until('no mail is left', async () => smtp.received.length === 1 && (await left()) === 0)
  expect(await isGood()).toBe(false)
  await stop()
})

test('the mailed link begins with PUBLIC_URL and is all that is secret', async ({
  database,
  db,
}) => {
  const smtp = await smtpFake()
  const { deps, stop } = await atWork(database, smtp)
  const { email } = await aUser(db)
  await account.forgotPassword(deps, { email, ip })
  await until('the mail arrives', () => smtp.received.length === 1)
  const raw = smtp.received[0]!.raw.replace(/=\r\n/g, '').replaceAll('=3D', '=')
  const links = [...raw.matchAll(/https?:\/\/[^\s"<]+/g)].map(String)
  expect(new Set(links).size).toBe(1)
  expect(links[0]).toMatch(/^https:\/\/quoth\.example\/auth\?reset=[\w-]{43}$/)
  expect(raw).not.toMatch(/<img|src=/i)

  const { rows } = await database.pool.query('select data::text from pgboss.job')
  const token = new URL(links[0]!).searchParams.get('reset')!
  for (const { data } of rows as { data: string }[]) {
    expect(data).not.toContain(token)
    expect(data).not.toContain(email)
  }
  await stop()
})
