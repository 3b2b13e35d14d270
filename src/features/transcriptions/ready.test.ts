import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import * as readyMail from '#features/account/ready-mail.ts'
import { transcriptions } from '#features/row/tables.ts'
import { mailJob } from '#server/mail-jobs.ts'
import { aTranscription, aUser, anUpload } from '#test/factories.ts'
import { test } from '#test/jobs.ts'

import * as batches from './batches.ts'
import { look, mailFor, ready } from './ready.ts'
import { giveUp } from './run.ts'
import * as room from './transcriptions.ts'

type Deps = Parameters<typeof giveUp>[0]

const BEGAN = new Date('2026-11-23T09:00:00Z')
const after = (seconds: number) => () => new Date(BEGAN.getTime() + seconds * 1000)

/** Confirmed recordings of one user with these names. More than one are a batch. */
async function confirmed(deps: Deps, names: string[]) {
  const { db } = deps
  const user = await aUser(db, { credits: 50 })
  const began = { ...deps, clock: after(0) }
  const ids: string[] = []
  for (const originalName of names)
    ids.push((await anUpload(db, { userId: user.id, originalName })).id)
  const [id] = ids
  if (ids.length === 1) await room.confirm(began, { userId: user.id, id: id! })
  else await batches.confirm(began, { userId: user.id, ids })
  return { user, ids }
}

const end = (deps: Deps, transcriptionId: string, seconds: number) =>
  giveUp({ ...deps, clock: after(seconds) }, { transcriptionId, attempt: 1 })

async function mailsTo({ db, queue }: Deps, userId: string) {
  const jobs = (await queue.unfinished(db, mailJob)).map((data) => ready.data.parse(data))
  return jobs.filter((job) => job.userId === userId)
}

const publicUrl = new URL('https://quoth.example')

test('work that took long is told once, however often its end is delivered', async ({ deps }) => {
  const { user, ids } = await confirmed(deps, ['interview.m4a'])
  await Promise.allSettled([1, 2, 3].map(() => end(deps, ids[0]!, 121)))
  await end(deps, ids[0]!, 130)
  const mails = await mailsTo(deps, user.id)
  expect(mails).toEqual([{ userId: user.id, transcriptionIds: ids, isBatch: false }])

  const mail = await mailFor(deps.db, mails[0]!, { publicUrl })
  expect(mail).toMatchObject({ to: user.email, subject: 'Your file could not be transcribed' })
  expect(mail!.text).toContain('“interview.m4a” could not be transcribed.')
  expect(mail!.text).toContain('1 credit is back on your balance.')
  expect(mail!.text).toContain(`https://quoth.example/dashboard?t=${ids[0]}`)
})

test('nothing is told of work that was done in two minutes', async ({ deps }) => {
  const { user, ids } = await confirmed(deps, ['short.m4a'])
  await end(deps, ids[0]!, 119)
  expect(await mailsTo(deps, user.id)).toEqual([])
})

test('an owner who looks at the work is not mailed, and one who has gone away is', async ({
  deps,
}) => {
  const { db } = deps
  for (const [lookedAt, mails] of [
    [595, 0],
    [580, 1],
  ] as const) {
    const { user, ids } = await confirmed(deps, ['long.m4a'])
    const rows = await db.select().from(transcriptions).where(eq(transcriptions.id, ids[0]!))
    await look(db, rows, after(lookedAt)())
    await end(deps, ids[0]!, 600)
    expect(await mailsTo(deps, user.id), `looked ${600 - lookedAt} s before`).toHaveLength(mails)
  }
})

test('a batch is told once, when all of it has ended, also when two workers end it at the same moment', async ({
  deps,
}) => {
  const { db } = deps
  const { user, ids } = await confirmed(deps, ['1.m4a', '2.m4a', '3.m4a', '4.m4a', '5.m4a'])
  await end(deps, ids[0]!, 300)
  await end(deps, ids[1]!, 400)
  expect(await mailsTo(deps, user.id)).toEqual([])
  await db.update(transcriptions).set({ status: 'completed' }).where(eq(transcriptions.id, ids[1]!))
  await Promise.all(ids.slice(2).map((id) => end(deps, id, 500)))
  const mails = await mailsTo(deps, user.id)
  expect(mails).toEqual([{ userId: user.id, transcriptionIds: ids, isBatch: true }])

  const { subject, text } = (await mailFor(db, mails[0]!, { publicUrl }))!
  expect(subject).toBe('Your 5 files are done')
  expect(text).toContain('1 of 5 files is transcribed, 4 could not be.')
  expect(text).toContain('Ready: “2.m4a”')
  expect(text).toMatch(/https:\/\/quoth\.example\/home\?batch=[0-9a-f-]{36}/)

  // A job that is tried again afterwards is work of its own.
  await room.retry({ ...deps, clock: after(600) }, { userId: user.id, id: ids[4]! })
  await giveUp({ ...deps, clock: after(800) }, { transcriptionId: ids[4]!, attempt: 2 })
  expect(await mailsTo(deps, user.id)).toContainEqual({
    userId: user.id,
    transcriptionIds: [ids[4]],
    isBatch: false,
  })
})

test('a mail names the recording and holds nothing that was said in it', async ({ deps }) => {
  const { db } = deps
  const user = await aUser(db)
  const { id } = await aTranscription(db, {
    userId: user.id,
    turns: [{ text: 'a canary word', speaker: 0 }],
  })
  const job = { userId: user.id, transcriptionIds: [id], isBatch: false }
  const mail = (await mailFor(db, job, { publicUrl }))!
  expect(mail.subject).toBe('Your transcription is ready')
  expect(`${mail.text}${mail.html}`).not.toContain('canary')
  expect(mail.offUrl).toBe(`https://quoth.example/mails-off?key=${user.readyMailKey}`)
  expect(mail.text).toContain(mail.offUrl)

  await readyMail.set(db, { userId: user.id, isOn: false })
  expect(await mailFor(db, job, { publicUrl })).toBeNull()
})
