import { expect } from 'vitest'

import { summaryFile } from '#features/transcriptions/results.ts'
import { WRITTEN_BY_AI } from '#features/writing/writing.ts'
import { REWRITES_A_DAY } from '#shared/business.ts'
import { test as base } from '#test/database.ts'
import { aTranscription, aUser, anActionItem } from '#test/factories.ts'
import type { ChatBehaviour } from '#test/fakes/chat.ts'
import { openJobs } from '#test/jobs.ts'
import { isLong } from '#test/long.ts'
import { aChatServer } from '#test/models.ts'

import { summaryJob, write } from './later-summary.ts'
import { recordings } from './said.ts'
import * as again from './summary-again.ts'
import * as room from './transcriptions.ts'

const { chat, aModel } = await aChatServer()

const test = base.extend('deps', { scope: 'file' }, async ({ database }, { onCleanup }) =>
  openJobs(database, onCleanup),
)
type Deps = Awaited<ReturnType<typeof openJobs>>

const turns = [
  { speaker: 0, text: 'The harbour bridge will be closed for repairs until October.' },
  { speaker: 1, text: 'The ferry runs every ten minutes while the bridge is closed.' },
  { speaker: 0, text: 'We have decided to extend the ferry until midnight on Fridays.' },
]
const before = {
  summary: 'The bridge is closed. A ferry runs in its place.',
  summaryNote: WRITTEN_BY_AI,
  summaryKind: 'summary' as const,
  keyPoints: [{ text: 'The bridge is closed.', startMs: 0, quote: null }],
  topics: ['Bridge'],
}

async function anOwner({ db }: Deps, others: Partial<Parameters<typeof aTranscription>[1]> = {}) {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, { userId, turns, ...before, ...others })
  return { userId, id }
}

async function deliver(
  deps: Deps,
  id: string,
  {
    behaviour = 'obedient',
    attempt = 1,
    isLastAttempt = false,
  }: { behaviour?: ChatBehaviour; attempt?: number; isLastAttempt?: boolean } = {},
) {
  const jobs = await deps.queue.unfinished(deps.db, summaryJob)
  const job = jobs.findLast(({ transcriptionId }) => transcriptionId === id)!
  const { signal } = new AbortController()
  const writing = { ...deps, writer: aModel(behaviour).writer, whole: recordings(deps.db) }
  return write(writing, job, { attempt, isLastAttempt, signal })
}

const asked = { language: 'en', length: 'long' } as const

test('a summary is written again as it was asked for, and the one before can come back', async ({
  deps,
}) => {
  const mine = anActionItem({ text: 'Ask about the ferry.', isOwn: true, startMs: null })
  const owned = await anOwner(deps, { actionItems: [mine] })
  const old = await room.get(deps, owned)
  expect(old.summaryAgain).toBeNull()
  expect(await again.order(deps, { ...owned, ...asked })).toEqual({
    status: 'writing',
    language: 'en',
    length: 'long',
    canGoBack: false,
  })
  // The old one stays until the new one is there.
  expect(await room.get(deps, owned)).toMatchObject({ summary: old.summary, summaryPending: true })
  await expect(again.order(deps, { ...owned, ...asked })).rejects.toMatchObject({
    code: 'summary_under_way',
  })

  const { row: awaiting } = await room.getFinished(deps, owned)
  await deliver(deps, owned.id)
  // Who has read the row just before is not told that it has ended: they would miss that.
  expect(await again.lastOf(deps.db, awaiting)).toMatchObject({ status: 'writing' })
  const now = await room.get(deps, owned)
  expect(now.summary).not.toBe(old.summary)
  expect(now).toMatchObject({
    summaryPending: false,
    summaryAgain: { status: 'written', canGoBack: true },
  })
  expect(now.actionItems.map(({ text }) => text)).toContain(mine.text)
  expect(chat.asked.at(-1)?.instructions).toContain('in 8 to 14 plain sentences')

  await again.back(deps, owned)
  expect(await room.get(deps, owned)).toMatchObject({
    summary: old.summary,
    keyPoints: old.keyPoints,
    topics: old.topics,
    summaryAgain: { canGoBack: false },
  })
  await expect(again.back(deps, owned)).rejects.toMatchObject({ code: 'no_summary_before' })
  const { row } = await room.getFinished(deps, owned)
  expect(summaryFile(row)).toContain(before.summary)
})

test('a summary that says less does not take the place of one that says more', async ({ deps }) => {
  const owned = await anOwner(deps)
  const old = await room.get(deps, owned)
  await again.order(deps, { ...owned, ...asked })
  await deliver(deps, owned.id, { behaviour: 'one-sentence' })
  const now = await room.get(deps, owned)
  expect(now).toMatchObject({ summary: old.summary, keyPoints: old.keyPoints })
  expect(now.summaryAgain).toMatchObject({ status: 'not_better', canGoBack: false })
})

test('it is written five times a day, and the sixth asks to wait until when', async ({ deps }) => {
  const owned = await anOwner(deps)
  const start = Date.UTC(2026, 10, 20, 12)
  const at = (hours: number) => ({ ...deps, clock: () => new Date(start + hours * 3_600_000) })
  for (let time = 0; time < REWRITES_A_DAY; time += 1) {
    await again.order(at(time), { ...owned, ...asked })
    await deliver(deps, owned.id)
  }
  const sixth = again.order(at(5.5), { ...owned, ...asked })
  await expect(sixth).rejects.toMatchObject({
    code: 'too_many_summaries',
    message: expect.stringContaining('It can be written again in 19 hours.'),
    retryAfterSeconds: 18.5 * 3_600,
  })
  expect(await again.order(at(24.1), { ...owned, ...asked })).toMatchObject({
    status: 'writing',
    canGoBack: true,
  })
})

if (isLong)
  test('while no language model answers it is tried again, and what it was for stays', async ({
    deps,
  }) => {
    const owned = await anOwner(deps)
    await again.order(deps, { ...owned, ...asked })
    const down = { behaviour: 'down' } as const
    await expect(deliver(deps, owned.id, { ...down, attempt: 20 })).rejects.toThrow(
      'no language model',
    )
    expect(await room.get(deps, owned)).toMatchObject({
      summary: before.summary,
      summaryPending: true,
    })
    await deliver(deps, owned.id, { attempt: 21 })
    expect((await room.get(deps, owned)).summaryAgain?.status).toBe('written')

    const forgotten = await anOwner(deps)
    await again.order(deps, { ...forgotten, ...asked })
    await deliver(deps, forgotten.id, { ...down, isLastAttempt: true })
    expect(await room.get(deps, forgotten)).toMatchObject({
      summary: before.summary,
      summaryPending: false,
      summaryAgain: { status: 'given_up' },
    })
  })

test('what was written of another text does not come back', async ({ deps }) => {
  const owned = await anOwner(deps)
  await again.order(deps, { ...owned, ...asked })
  await deliver(deps, owned.id)
  await deps.db.execute(`update transcriptions set text_since = 7 where id = '${owned.id}'`)
  expect((await room.get(deps, owned)).summaryAgain).toBeNull()
  await expect(again.back(deps, owned)).rejects.toMatchObject({ code: 'no_summary_before' })
})

test('nobody writes for another account, or of what is not finished', async ({ deps }) => {
  const owned = await anOwner(deps)
  const other = await aUser(deps.db)
  const asOther = { ...owned, userId: other.id, ...asked }
  const withoutModel = { ...asOther, isWritten: false }
  await expect(again.order(deps, withoutModel)).rejects.toMatchObject({ code: 'not_found' })
  const mine = { ...owned, ...asked, isWritten: false }
  await expect(again.order(deps, mine)).rejects.toMatchObject({ code: 'summary_off' })
  const early = await anOwner(deps, { status: 'transcribing' })
  await expect(again.order(deps, { ...early, ...asked })).rejects.toMatchObject({
    code: 'not_finished',
  })
})
