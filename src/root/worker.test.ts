import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'

import { expect } from 'vitest'
import { z } from 'zod'

import { accountTidyUpJob } from '#features/account/jobs.ts'
import { invitations, sessions } from '#features/account/tables.ts'
import { developersTidyUpJob } from '#features/developers/jobs.ts'
import { webhookDeliveries, webhookEndpoints } from '#features/developers/tables.ts'
import { sharesTidyUpJob } from '#features/sharing/jobs.ts'
import { shares } from '#features/sharing/tables.ts'
import { contactMessages } from '#features/site/tables.ts'
import { silentLog } from '#server/log.ts'
import type { Queue } from '#server/queue.ts'
import { anApp } from '#test/app.ts'
import { test } from '#test/database.ts'
import { aSession, aTranscription, aUser } from '#test/factories.ts'

import { jobs } from './worker.ts'

test('a mail that waits in a queue of the release before is sent', async ({ database, db }) => {
  const server = await anApp(database, { settings: { SUPPORT_EMAIL: 'support@quoth.example' } })
  const { id: userId, email } = await aUser(db)
  const { id } = await aTranscription(db, { userId })
  const invitation = {
    id: randomUUID(),
    email: 'new@example.com',
    emailKey: 'new@example.com',
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 60_000),
  }
  await db.insert(invitations).values(invitation)
  const letter = { name: 'Ada', email, type: 'general', message: 'Hello' } as const
  const [message] = await db.insert(contactMessages).values(letter).returning()

  // As that release wrote them.
  const waiting: [name: string, data: Record<string, unknown>][] = [
    ['mail', { userId, kind: 'reset' }],
    ['invitation', { invitationId: invitation.id }],
    ['billing-mail', { kind: 'low-balance', userId }],
    ['ready-mail', { userId, transcriptionIds: [id], isBatch: false }],
    ['webhook-mail', { userId, why: 'gone' }],
    ['contact', { messageId: message!.id }],
  ]
  await db.transaction(async (tx) => {
    for (const [name, data] of waiting)
      await server.parts.queue.add(tx, { name, data: z.looseObject({}) }, data)
  })

  const subjects = async (to: string, atLeast: number) =>
    (await server.mailsTo(to, { atLeast })).map(({ subject }) => subject).toSorted()
  expect(await subjects(email, 4)).toEqual([
    'A Quoth webhook is paused',
    'Reset your Quoth password',
    'You have 0 credits left on Quoth',
    'Your transcription is ready',
  ])
  expect(await subjects('new@example.com', 1)).toEqual(['You are invited to Quoth'])
  expect(await subjects('support@quoth.example', 1)).toEqual(['[Quoth] General: no subject'])
  await server.close()
})

test('a worker whose clock is a year ahead tidies nothing away', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const { id: transcriptionId } = await aTranscription(db, { userId })
  await aSession(db, { userId })
  const link = { recording: 'none', withSummary: false, withNames: false } as const
  await db
    .insert(shares)
    .values({ ...link, userId, transcriptionId, tokenHash: 'ended', endedAt: new Date() })
  const hook = { userId, url: 'https://hooks.example', types: [], secret: 'whsec_x' }
  const [endpoint] = await db.insert(webhookEndpoints).values(hook).returning()
  const message = { messageId: 'msg_1', type: 'transcription.completed', body: '{}' }
  await db.insert(webhookDeliveries).values({ ...message, endpointId: endpoint!.id })

  const runs: (() => Promise<unknown>)[] = []
  const delivery = { id: '', attempt: 1, isLastAttempt: false }
  const queue: Pick<Queue, 'work'> = {
    async work(_kind, _places, run) {
      runs.push(() => run({ ...delivery, data: {} as never, signal: AbortSignal.abort() }))
    },
  }
  const clock = () => new Date(Date.now() + 365 * 86_400_000)
  for (const each of [accountTidyUpJob, developersTidyUpJob, sharesTidyUpJob])
    await each.start({ db, clock, log: silentLog, queue })
  for (const run of runs) await run()
  expect(runs).toHaveLength(3)
  for (const table of [sessions, shares, webhookDeliveries]) expect(await db.$count(table)).toBe(1)
})

test('every job that can be added is in the list of jobs, so its queue is there and somebody works it', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  const sources = files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(`src/${name}`, 'utf8'))
  const made =
    /\b(?:job|scheduled)\(\{\s*name: '([\w-]+)'|= \{\s*name: '([\w-]+)'(?=[^;]*? satisfies JobKind)/g
  const names = sources.flatMap((source) =>
    [...source.matchAll(made)].map(([, job, kind]) => job ?? kind),
  )
  for (const one of ['mail', 'account-tidy-up', 'transcribe-long']) expect(names).toContain(one)
  const listed = jobs.map(({ name }) => name)
  expect(names.filter((name) => !name || !listed.includes(name))).toEqual([])
})
