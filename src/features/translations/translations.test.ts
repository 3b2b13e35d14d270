import { and, eq } from 'drizzle-orm'
import { expect } from 'vitest'

import * as blocking from '#features/account/blocking.ts'
import * as credits from '#features/credits/credits.ts'
import { transcriptions } from '#features/row/tables.ts'
import { turns as turnRows } from '#features/text/tables.ts'
import { setText } from '#features/text/text.ts'
import { extractive } from '#features/writing/writing.ts'
import type { Db } from '#server/db.ts'
import { queuesOf } from '#server/jobs.ts'
import { silentLog } from '#server/log.ts'
import { openQueue } from '#server/queue.ts'
import { systemClock } from '#shared/clock.ts'
import { test as base } from '#test/database.ts'
import { aTranscription, aUser, anUpload } from '#test/factories.ts'
import type { ChatBehaviour } from '#test/fakes/chat.ts'
import { aChatServer } from '#test/models.ts'
import { everything, nothing } from '#test/promises.ts'

import { translatedTurns, translations as rows } from './tables.ts'
import { inLanguage, laidOver } from './translated-text.ts'
import * as translations from './translations.ts'

const { aModel } = await aChatServer()

type RoomDeps = translations.WorkDeps & Parameters<typeof translations.order>[0]
const test = base.extend<{ $file: { deps: RoomDeps } }>({
  deps: [
    async ({ database }, use) => {
      const queue = await openQueue(database, {
        log: silentLog,
        queues: queuesOf([translations.translationJob]),
      })
      await use({
        db: database.db,
        queue,
        clock: systemClock,
        log: silentLog,
        writer: aModel('obedient').writer,
        read: (asked) => translations.sourceOf(database.db, asked),
        capabilities: async () => everything,
      })
      await queue.stop()
    },
    { scope: 'file' },
  ],
})

const said = [
  'The harbour bridge will be closed for repairs until October.',
  'The ferry runs every 15 minutes while the bridge is closed.',
  'We have decided to extend the ferry until midnight on Fridays.',
  'Ben will call the harbour office about the ticket machines by Friday.',
]

async function aFinished(db: Db, { credits: amount = 5, texts = said } = {}) {
  const user = await aUser(db, { credits: amount })
  const turns = texts.map((text, place) => ({ speaker: place % 2, text }))
  const { id } = await aTranscription(db, { userId: user.id, turns, sure: () => null })
  return { userId: user.id, id }
}

const say = (db: Db, transcriptionId: string, text: string) =>
  db
    .insert(turnRows)
    .values({ transcriptionId, position: 0, startMs: 0, endMs: 5_000, text, words: [] })

const delivery = { isLastAttempt: false, signal: new AbortController().signal }
const last = { ...delivery, isLastAttempt: true }
const de = { language: 'de' } as const

/** Ordered, and made by a model that behaves so. */
async function made(deps: RoomDeps, behaviour: ChatBehaviour = 'obedient', texts = said) {
  const owned = await aFinished(deps.db, { texts })
  const ordered = await translations.order(deps, { ...owned, ...de })
  const { writer, asked } = aModel(behaviour)
  await translations.translate({ ...deps, writer }, jobOf(ordered.id), last)
  return { ...owned, ...de, translationId: ordered.id, asked }
}
const jobOf = (translationId: string, attempt = 1) => ({ translationId, attempt })
const turnsOf = (db: Db, id: string) =>
  db.select().from(turnRows).where(eq(turnRows.transcriptionId, id)).orderBy(turnRows.position)

test('a translation that waits tells how many were ordered before it and are not there yet', async ({
  deps,
}) => {
  const first = await aFinished(deps.db)
  const second = await aFinished(deps.db)
  const before = await translations.order(deps, { ...first, ...de })
  const waiting = await translations.order(deps, { ...second, ...de })
  expect(waiting).toMatchObject({ ahead: before.ahead + 1, turnsDone: 0 })
  await translations.translate(deps, jobOf(before.id), delivery)
  const [now] = await translations.list(deps.db, second)
  expect(now).toMatchObject({ ahead: before.ahead })
  await translations.remove(deps, { ...second, ...de })
})

test('a language costs one credit, taken when it is there', async ({ deps }) => {
  const owned = await aFinished(deps.db)
  const ordered = await translations.order(deps, { ...owned, ...de })
  expect(ordered).toMatchObject({
    status: 'translating',
    progress: 0,
    turnsDone: 0,
    creditsReserved: 1,
    isReadable: false,
  })
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 4, held: 1 })
  expect(await translations.order(deps, { ...owned, ...de })).toEqual(ordered)
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 4, held: 1 })

  await translations.translate(deps, jobOf(ordered.id), delivery)
  expect(await translations.list(deps.db, owned)).toEqual([
    {
      ...ordered,
      status: 'translated',
      progress: 100,
      turnsDone: ordered.turnsInAll,
      creditsReserved: 0,
      isReadable: true,
      finishedAt: expect.any(String),
    },
  ])
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 4, held: 0 })
  const { turns } = await translations.text(deps.db, { ...owned, ...de })
  expect(turns.map(({ id }) => id)).toEqual((await turnsOf(deps.db, owned.id)).map(({ id }) => id))
  expect(turns[1]!.text).toContain('15')

  // Delivered once more, and ordered once more: nothing is done or paid for again.
  await translations.translate(deps, jobOf(ordered.id), delivery)
  expect(await translations.order(deps, { ...owned, ...de })).toMatchObject({
    status: 'translated',
  })
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 4, held: 0 })
})

test('of twenty orders at once for a language one is paid for', async ({ deps }) => {
  const owned = await aFinished(deps.db)
  const ordered = await Promise.all(
    Array.from({ length: 20 }, () => translations.order(deps, { ...owned, ...de })),
  )
  expect(new Set(ordered.map(({ id }) => id)).size).toBe(1)
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 4, held: 1 })
})

test('an order that cannot be carried out is refused before it is paid for', async ({ deps }) => {
  const owned = await aFinished(deps.db)
  const poor = { ...deps, capabilities: async () => nothing }
  const refused = (promise: Promise<unknown>, code: string) =>
    expect(promise).rejects.toMatchObject({ code })
  await refused(translations.order(poor, { ...owned, ...de }), 'translation_off')
  await refused(translations.order(deps, { ...owned, language: 'en' }), 'same_language')
  const stranger = await aUser(deps.db, { credits: 5 })
  await refused(translations.order(deps, { id: owned.id, userId: stranger.id, ...de }), 'not_found')
  await refused(translations.again(deps, { ...owned, ...de }), 'not_translated')
  const broke = await aFinished(deps.db, { credits: 0 })
  await refused(translations.order(deps, { ...broke, ...de }), 'insufficient_credits')
  const unfinished = await anUpload(deps.db, { userId: owned.userId })
  const asked = { userId: owned.userId, id: unfinished.id, ...de }
  await refused(translations.order(deps, asked), 'not_finished')
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
})

test.for(['marks-up', 'other-language', 'error-page', 'down'] as const)(
  '%s: what a bad model writes costs nothing and cannot be read',
  async (behaviour, { deps }) => {
    const { translationId, asked, ...owned } = await made(deps, behaviour)
    expect(asked().length).toBeGreaterThan(0)
    expect(await translations.list(deps.db, owned)).toMatchObject([
      { id: translationId, status: 'error', isReadable: false, isCreditReturned: true },
    ])
    expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
    expect((await translations.text(deps.db, owned)).turns).toEqual([])
    await expect(
      inLanguage(deps.db, { ...owned, said: await turnsOf(deps.db, owned.id) }),
    ).rejects.toMatchObject({ code: 'not_translated' })
    // It is ordered anew, and paid for when it is there.
    const again = await translations.order(deps, owned)
    expect(again).toMatchObject({ status: 'translating', creditsReserved: 1 })
    await translations.translate(deps, jobOf(translationId, 2), delivery)
    expect(await translations.list(deps.db, owned)).toMatchObject([{ status: 'translated' }])
    expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 4, held: 0 })
  },
)

test('a delivery that dies leaves what it has done to the next', async ({ deps }) => {
  const texts = Array.from({ length: 60 }, (_, n) => `${said[n % 4]} That is point ${n + 100}.`)
  const owned = await aFinished(deps.db, { texts })
  const ordered = await translations.order(deps, { ...owned, ...de })
  const { writer } = aModel('obedient')
  const dying: typeof writer = {
    ...writer,
    translate: (order, { signal, onDone }) =>
      writer.translate!(order, {
        signal,
        onDone: async (done) => {
          await onDone(done)
          throw new Error('killed')
        },
      }),
  }
  const run = translations.translate({ ...deps, writer: dying }, jobOf(ordered.id), delivery)
  await expect(run).rejects.toThrow('killed')
  const [half] = await translations.list(deps.db, owned)
  expect(half).toMatchObject({ status: 'translating', isReadable: false })
  expect(half!.progress).toBeGreaterThan(10)
  expect(half!.turnsDone).toBeGreaterThan(0)
  expect(half!.turnsDone).toBeLessThan(half!.turnsInAll)
  expect((await translations.text(deps.db, { ...owned, ...de })).turns).toEqual([])
  // A translation that is made and not paid for yet is in no file either.
  await expect(
    inLanguage(deps.db, { ...owned, ...de, said: await turnsOf(deps.db, owned.id) }),
  ).rejects.toMatchObject({ code: 'not_translated' })

  const next = aModel('obedient')
  await translations.translate({ ...deps, writer: next.writer }, jobOf(ordered.id), last)
  const prompts = next.asked().map(({ prompt }) => prompt)
  expect(prompts.join('\n')).not.toContain('point 100.')
  expect(prompts.join('\n')).toContain('point 159.')
  expect((await translations.text(deps.db, { ...owned, ...de })).turns).toHaveLength(60)
})

test('where the model was taken away the order ends, and costs nothing', async ({ deps }) => {
  const owned = await aFinished(deps.db)
  const { id } = await translations.order(deps, { ...owned, ...de })
  await translations.translate({ ...deps, writer: extractive }, jobOf(id), delivery)
  const [one] = await translations.list(deps.db, owned)
  expect(one).toMatchObject({
    status: 'error',
    problem: expect.stringContaining('no language model'),
  })
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
})

test('turns corrected afterwards are counted, and translated again for nothing', async ({
  deps,
}) => {
  const { translationId, ...owned } = await made(deps)
  const [, second] = await turnsOf(deps.db, owned.id)
  const before = await translations.text(deps.db, owned)
  const text = 'The boats run every 20 minutes while the bridge is closed.'
  await setText(deps, { ...owned, turnId: second!.id, revision: 0, text })
  expect(await translations.list(deps.db, owned)).toMatchObject([{ changed: 1, isReadable: true }])
  const stale = await translations.text(deps.db, owned)
  expect(stale.turns.map(({ isChanged }) => isChanged)).toEqual([false, true, false, false])
  expect(stale.turns[1]!.text).toBe(before.turns[1]!.text)

  expect(await translations.again(deps, owned)).toMatchObject({
    status: 'translating',
    creditsReserved: 0,
    isReadable: true,
  })
  const { writer, asked } = aModel('obedient')
  await translations.translate({ ...deps, writer }, jobOf(translationId, 2), delivery)
  expect(asked()).toHaveLength(1)
  expect(asked()[0]!.prompt).not.toContain('[2]')
  const now = await translations.text(deps.db, owned)
  expect(now).toMatchObject({ status: 'translated', changed: 0 })
  expect(now.turns[1]!.text).toContain('20')
  expect(now.turns[0]).toEqual(before.turns[0])
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 4, held: 0 })
  // Nothing is left to be done.
  expect(await translations.again(deps, owned)).toMatchObject({ status: 'translated' })
})

test('changes that cannot be translated leave what was there, and are free twenty times a day', async ({
  deps,
}) => {
  let now = new Date('2026-11-26T09:00:00Z')
  const at = { ...deps, clock: () => now }
  const { translationId, ...owned } = await made(at)
  const [first] = await turnsOf(deps.db, owned.id)
  const text = 'The bridge is closed, and it is closed until the end of the year.'
  await setText(at, { ...owned, turnId: first!.id, revision: 0, text })
  const bad = { ...at, writer: aModel('marks-up').writer }
  for (let time = 1; time <= 20; time += 1) {
    await translations.again(at, owned)
    await translations.translate(bad, jobOf(translationId, time + 1), last)
  }
  expect(await translations.list(deps.db, owned)).toMatchObject([
    { status: 'error', isReadable: true, changed: 1, isCreditReturned: false },
  ])
  expect((await translations.text(deps.db, owned)).turns).toHaveLength(4)
  await expect(translations.again(at, owned)).rejects.toMatchObject({
    code: 'too_many_retranslations',
  })
  now = new Date('2026-11-27T09:00:01Z')
  expect(await translations.again(at, owned)).toMatchObject({ status: 'translating' })
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 4, held: 0 })
})

test('no more is translated free in a day than can be said in the time of the recording', async ({
  deps,
}) => {
  const { translationId, ...owned } = await made(deps)
  const { id: turnId } = (await turnsOf(deps.db, owned.id))[0]!
  let revision = 0
  const type = async (letters: number) => {
    const text = `The ${'harbour bridge is closed. '.repeat(letters / 26)}`.slice(0, letters)
    const saved = await setText(deps, { ...owned, turnId, revision, text })
    if (saved.kind === 'conflict') throw new Error('nobody else writes here')
    revision = saved.edited.turns[0]!.revision
  }
  const refusal = async () => translations.again(deps, owned).catch((error: unknown) => error)

  // A minute of talk has some 1,000 letters.
  await type(7_000)
  expect(await refusal()).toMatchObject({
    code: 'too_many_retranslations',
    message: expect.stringContaining('order it anew'),
  })
  await type(4_000)
  expect(await translations.again(deps, owned)).toMatchObject({ status: 'translating' })
  // Typed while the work waits for its turn: it is left.
  await type(7_000)
  const { writer, asked } = aModel('obedient')
  await translations.translate({ ...deps, writer }, jobOf(translationId, 2), delivery)
  expect(asked()).toEqual([])
  expect(await translations.list(deps.db, owned)).toMatchObject([
    { status: 'translated', changed: 1 },
  ])
  await type(4_001)
  expect(await refusal()).toMatchObject({ code: 'too_many_retranslations' })
  await type(300)
  expect(await translations.again(deps, owned)).toMatchObject({ status: 'translating' })
})

test('a translation stays with its text, and a new text has none', async ({ deps }) => {
  const { translationId, ...owned } = await made(deps)
  // As text/earlier.ts does it: the rows of the turns go to the row that keeps the old text.
  const keeper = await anUpload(deps.db, { userId: owned.userId })
  const move = (from: string, to: string) =>
    deps.db.update(turnRows).set({ transcriptionId: to }).where(eq(turnRows.transcriptionId, from))
  await move(owned.id, keeper.id)
  await say(deps.db, owned.id, 'The bridge was opened again in the spring of that year.')
  expect(await translations.list(deps.db, owned)).toMatchObject([
    { status: 'translated', isReadable: false, changed: 0 },
  ])
  const ordered = await translations.order(deps, owned)
  expect(ordered).toMatchObject({ status: 'translating', creditsReserved: 1 })
  await translations.translate(deps, jobOf(translationId, 2), delivery)
  expect((await translations.text(deps.db, owned)).turns).toHaveLength(1)
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 3, held: 0 })

  const newer = await anUpload(deps.db, { userId: owned.userId })
  await move(owned.id, newer.id)
  await move(keeper.id, owned.id)
  expect((await translations.text(deps.db, owned)).turns).toHaveLength(4)
  // A text that is dropped takes its translation along, and no other.
  await deps.db.delete(transcriptions).where(eq(transcriptions.id, newer.id))
  const left = await deps.db
    .select()
    .from(translatedTurns)
    .where(eq(translatedTurns.translationId, translationId))
  expect(left).toHaveLength(4)
})

test('a translation in the making of a text that has given way ends with that text', async ({
  deps,
}) => {
  const owned = await aFinished(deps.db)
  const { id } = await translations.order(deps, { ...owned, ...de })
  const keeper = await anUpload(deps.db, { userId: owned.userId })
  const { writer } = aModel('obedient')
  const replaced: typeof writer = {
    ...writer,
    translate: async (order, options) => {
      await deps.db
        .update(turnRows)
        .set({ transcriptionId: keeper.id })
        .where(eq(turnRows.transcriptionId, owned.id))
      return writer.translate!(order, options)
    },
  }
  await translations.translate({ ...deps, writer: replaced }, jobOf(id), delivery)
  const stored = deps.db.$count(translatedTurns, eq(translatedTurns.translationId, id))
  expect(await stored).toBe(4)
  await deps.db.delete(transcriptions).where(eq(transcriptions.id, keeper.id))
  expect(await stored).toBe(0)
})

test('a text that is replaced while it is translated costs nothing', async ({ deps }) => {
  const owned = await aFinished(deps.db)
  const { id } = await translations.order(deps, { ...owned, ...de })
  const { writer } = aModel('obedient')
  const replaced: typeof writer = {
    ...writer,
    translate: async (order, options) => {
      const outcome = await writer.translate!(order, options)
      await deps.db.delete(turnRows).where(eq(turnRows.transcriptionId, owned.id))
      await say(deps.db, owned.id, 'Another text.')
      return outcome
    },
  }
  await translations.translate({ ...deps, writer: replaced }, jobOf(id), delivery)
  expect(await translations.list(deps.db, owned)).toMatchObject([
    { status: 'error', isCreditReturned: true, isReadable: false },
  ])
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
})

test('a translation that is being made can be stopped, five times an hour', async ({ deps }) => {
  const owned = { ...(await aFinished(deps.db)), ...de }
  for (let time = 0; time < 5; time += 1) {
    const { id } = await translations.order(deps, owned)
    await translations.remove(deps, owned)
    // A worker that has it finds it gone.
    await translations.translate(deps, jobOf(id), delivery)
  }
  expect(await translations.list(deps.db, owned)).toEqual([])
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
  await expect(translations.order(deps, owned)).rejects.toMatchObject({
    code: 'too_many_unpaid_translations',
  })
})

test('a text that nobody can say in the time of its recording is not translated for a credit', async ({
  deps,
}) => {
  const owned = await aFinished(deps.db)
  const letters = (count: number) =>
    deps.db
      .update(turnRows)
      .set({ text: 'a'.repeat(count) })
      .where(and(eq(turnRows.transcriptionId, owned.id), eq(turnRows.position, 0)))
  await letters(100_000)
  await expect(translations.order(deps, { ...owned, ...de })).rejects.toMatchObject({
    code: 'too_much_to_translate',
  })
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
  await letters(4_000)
  expect(await translations.order(deps, { ...owned, ...de })).toMatchObject({
    status: 'translating',
  })
})

test('a recording that is deleted while it is translated counts as one that was stopped', async ({
  deps,
}) => {
  const { id: userId } = await aUser(deps.db, { credits: 5 })
  const orderOne = async () => {
    const turns = said.map((text) => ({ speaker: 0, text }))
    const { id } = await aTranscription(deps.db, { userId, turns, sure: () => null })
    await translations.order(deps, { userId, id, ...de })
    return id
  }
  for (let time = 0; time < 5; time += 1) {
    const id = await orderOne()
    await deps.db.delete(transcriptions).where(eq(transcriptions.id, id))
    await translations.endWithoutJob(deps)
  }
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 5, held: 0 })
  await expect(orderOne()).rejects.toMatchObject({ code: 'too_many_unpaid_translations' })
})

test('a recording that is deleted as its translation ends counts as one that was stopped', async ({
  deps,
}) => {
  const { id: userId } = await aUser(deps.db, { credits: 5 })
  const turns = [{ speaker: 0, text: 'The ferry runs every 15 minutes.' }]
  const { writer } = aModel('obedient')
  const orderOne = async () => {
    const { id } = await aTranscription(deps.db, { userId, turns, sure: () => null })
    return { id, ordered: await translations.order(deps, { userId, id, ...de }) }
  }
  for (let time = 0; time < 5; time += 1) {
    const { id, ordered } = await orderOne()
    const gone: typeof writer = {
      ...writer,
      translate: async (order, options) => {
        const outcome = await writer.translate!(order, options)
        await deps.db.delete(transcriptions).where(eq(transcriptions.id, id))
        return outcome
      },
    }
    await translations.translate({ ...deps, writer: gone }, jobOf(ordered.id), delivery)
  }
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 5, held: 0 })
  await expect(orderOne()).rejects.toMatchObject({ code: 'too_many_unpaid_translations' })
})

test('a recording that is deleted while a worker translates it is no error, and costs nothing', async ({
  deps,
}) => {
  const owned = await aFinished(deps.db)
  const { id } = await translations.order(deps, { ...owned, ...de })
  const { writer } = aModel('obedient')
  const gone: typeof writer = {
    ...writer,
    translate: async (order, options) => {
      await deps.db.delete(transcriptions).where(eq(transcriptions.id, owned.id))
      return writer.translate!(order, options)
    },
  }
  const ended = await translations.translate({ ...deps, writer: gone }, jobOf(id), delivery)
  expect(ended).toMatchObject({ outcome: 'stopped' })
  await translations.endWithoutJob(deps)
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
  expect(await deps.db.select().from(rows).where(eq(rows.id, id))).toEqual([])
})

test('a credit set aside comes back when the transcription, the job or the account is gone', async ({
  deps,
}) => {
  const owned = { ...(await aFinished(deps.db)), ...de }
  const { id } = await translations.order(deps, owned)
  await translations.endWithoutJob(deps)
  expect(await translations.list(deps.db, owned)).toMatchObject([{ status: 'translating' }])
  await deps.db.delete(transcriptions).where(eq(transcriptions.id, owned.id))
  await translations.endWithoutJob(deps)
  expect(await deps.db.select().from(rows).where(eq(rows.id, id))).toEqual([])
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })

  const lost = { ...(await aFinished(deps.db)), ...de }
  await deps.db
    .insert(rows)
    .values({ userId: lost.userId, transcriptionId: lost.id, language: 'de', isPaid: false })
  await translations.endWithoutJob(deps)
  expect(await translations.list(deps.db, lost)).toMatchObject([{ status: 'error' }])

  const { translationId: _, ...gone } = await made(deps)
  await translations.order(deps, { ...gone, language: 'fr' })
  const erased = await deps.db.transaction((tx) => translations.eraseTranslations(tx, gone.userId))
  expect(erased.counts).toEqual({ translations: 2 })
  expect(await credits.balance(deps.db, gone.userId)).toEqual({ available: 4, held: 0 })
})

test('a blocked account has nothing translated, and its credits back', async ({ deps }) => {
  const owned = { ...(await aFinished(deps.db)), ...de }
  await translations.order(deps, owned)
  await deps.db.transaction(async (tx) => {
    await translations.lockAllOf(tx, owned.userId)
    await translations.stopAllOf(tx, deps, owned.userId)
  })
  expect(await translations.list(deps.db, owned)).toMatchObject([
    { status: 'error', isCreditReturned: true },
  ])
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
})

test('a blocked account begins no translation, and none anew', async ({ deps }) => {
  const { db } = deps
  const owned = await made(deps)
  const [first] = await turnsOf(db, owned.id)
  await setText(deps, { ...owned, turnId: first!.id, revision: 0, text: 'The bridge is open.' })
  await db.transaction((tx) => blocking.block(tx, { userId: owned.userId, now: new Date() }))
  const refused = { code: 'account_blocked' }
  await expect(translations.again(deps, owned)).rejects.toMatchObject(refused)
  await expect(translations.order(deps, { ...owned, language: 'fr' })).rejects.toMatchObject(
    refused,
  )
  expect(await translations.list(db, owned)).toMatchObject([{ status: 'translated', changed: 1 }])
  expect(await credits.balance(db, owned.userId)).toEqual({ available: 4, held: 0 })
})

test('a translation has the times of what was said, part by part', () => {
  const word = (text: string, startMs: number) => ({
    text,
    startMs,
    endMs: startMs + 400,
    confidence: 1,
  })
  const turn = {
    speaker: 0,
    startMs: 1_000,
    endMs: 20_000,
    text: 'aa bb cc dd.',
    // A long pause in the middle.
    words: [word('aa', 1_000), word('bb', 1_500), word('cc', 18_000), word('dd.', 18_500)],
  }
  const { text, words } = laidOver(turn, [
    { text: 'Eins zwei drei.', letters: 4 },
    { text: 'Vier fünf.', letters: 5 },
  ])
  expect(text).toBe('Eins zwei drei. Vier fünf.')
  expect(words.map(({ text: one, startMs, endMs }) => [one, startMs, endMs])).toEqual([
    ['Eins', 1_000, 1_277],
    ['zwei', 1_277, 1_554],
    ['drei.', 1_554, 1_900],
    ['Vier', 18_000, 18_400],
    ['fünf.', 18_400, 18_900],
  ])
  const japanese = laidOver(turn, [{ text: 'これは橋です。', letters: 9 }])
  expect(japanese.text).toBe('これは橋です。')
  expect(japanese.words.length).toBeGreaterThan(2)
  expect(japanese.words.at(-1)!.endMs).toBe(18_900)
})

test('a turn whose value was converted can be read, and says that it is worth a look', async ({
  deps,
}) => {
  const texts = [
    'It costs twelve thousand dollars.',
    'It is five miles from here.',
    'We meet at half past five.',
  ]
  const owned = await made(deps, 'german-figures', texts)
  const { turns } = await translations.text(deps.db, owned)
  expect(turns.map(({ isUnsure }) => isUnsure)).toEqual([false, true, false])
  expect(turns[1]!.text).toBe('Es sind acht Kilometer von hier.')

  const { note } = await inLanguage(deps.db, { ...owned, said: await turnsOf(deps.db, owned.id) })
  expect(note).toContain('Worth a look beside the original: 1 turn.')
})
