import { expect } from 'vitest'
import { z } from 'zod'

import { test } from '#test/database.ts'

import type { Database } from './db.ts'
import { queuesOf, startJobs } from './jobs.ts'
import { createLog } from './log.ts'
import { type MailWriter, addMail, mailJob, mailJobs, writerOf } from './mail-jobs.ts'
import type { Mail, Mailer } from './mail.ts'
import { openQueue } from './queue.ts'

const news = { kind: 'news', data: z.object({ to: z.string() }) }
const link = { ...news, kind: 'link', isAwaited: true }
const letter = (to: string): Mail => ({ to, subject: 'Hello', text: 'Hello', html: 'Hello' })

/** The queue of mails with these writers; the mails that its mailer gets are in `sent`. */
async function mails(database: Database, writers: readonly MailWriter[], status?: number) {
  const lines: string[] = []
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  const queue = await openQueue(database, { log, queues: queuesOf(mailJobs) })
  const sent: Mail[] = []
  const mailer: Pick<Mailer, 'send'> = {
    async send(mail) {
      sent.push(mail)
      return status === undefined ? { kind: 'sent' } : { kind: 'refused', status }
    },
  }
  await startJobs(mailJobs, { queue, mailer, log, writers })
  const isDone = async () => (await queue.unfinished(database.db, mailJob)).length === 0
  return { queue, sent, lines, isDone, stop: () => queue.stop({ timeoutMs: 2_000 }) }
}

test('a mail is written when it is sent, named as its job, and what follows is done once it is sent', async ({
  database,
  db,
}) => {
  const after: string[] = []
  const write = writerOf(news, async ({ to }) =>
    to === 'nobody' ? null : { ...letter(to), onSent: async () => void after.push(to) },
  )
  const { queue, sent, isDone, stop } = await mails(database, [write])
  const id = await db.transaction(async (tx) => {
    await addMail(queue, tx, news, { to: 'nobody' })
    return addMail(queue, tx, news, { to: 'ada@example.com' })
  })
  await expect.poll(isDone).toBe(true)
  expect(sent).toEqual([{ ...letter('ada@example.com'), id }])
  expect(after).toEqual(['ada@example.com'])
  await stop()
})

test('a mail that is refused for good is logged without its address, and nothing follows', async ({
  database,
  db,
}) => {
  const after: string[] = []
  const write = writerOf(news, async ({ to }) => ({
    ...letter(to),
    onSent: async () => void after.push(to),
  }))
  const { queue, sent, lines, isDone, stop } = await mails(database, [write], 550)
  const jobId = await db.transaction((tx) => addMail(queue, tx, news, { to: 'ada@example.com' }))
  await expect.poll(isDone).toBe(true)
  expect(sent).toHaveLength(1)
  expect(after).toEqual([])
  const line = lines.find((each) => each.includes('a mail was refused for good')) ?? '{}'
  expect(JSON.parse(line)).toMatchObject({ jobId, mail: 'news', status: 550 })
  expect(lines.join()).not.toContain('ada@')
  await stop()
})

test('a mail that somebody waits for goes before those that wait already', async ({
  database,
  db,
}) => {
  const begun: string[] = []
  const gate = Promise.withResolvers<null>()
  const write = (kind: typeof news) =>
    writerOf(kind, ({ to }) => {
      begun.push(to)
      return gate.promise
    })
  const { queue, isDone, stop } = await mails(database, [write(news), write(link)])
  await db.transaction(async (tx) => {
    for (const to of ['1', '2', '3']) await addMail(queue, tx, news, { to })
    await addMail(queue, tx, link, { to: 'in a hurry' })
  })
  await expect.poll(() => begun.length).toBe(2)
  expect(begun.toSorted()).toEqual(['1', 'in a hurry'])
  gate.resolve(null)
  await expect.poll(isDone).toBe(true)
  await stop()
})
