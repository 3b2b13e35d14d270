/**
 * Jobs that write a summary with a model, which may fail, and a document that was ordered with it.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import * as documents from '#features/documents/documents.ts'
import { transcriptions } from '#features/row/tables.ts'
import type { Engine } from '#features/speech/engines/engine.ts'
import { undo } from '#features/text/history.ts'
import * as naming from '#features/text/naming.ts'
import { type Writer, WRITTEN_BY_AI, chooseWriter, extractive } from '#features/writing/writing.ts'
import type { Happened } from '#server/events.ts'
import { silentLog } from '#server/log.ts'
import { systemClock } from '#shared/clock.ts'
import { test as base } from '#test/database.ts'
import { capabilities, takingTurns } from '#test/engine.ts'
import { aTranscription, aUser, anUpload } from '#test/factories.ts'
import { type ChatFake, chatFake } from '#test/fakes/chat.ts'
import { injections } from '#test/injections.ts'
import { openJobs } from '#test/jobs.ts'
import { keepWritingThread } from '#test/kept-thread.ts'
import { times } from '#test/long.ts'

import * as laterSummary from './later-summary.ts'
import { type RunDeps, run } from './run.ts'
import { recordings } from './said.ts'
import * as room from './transcriptions.ts'

const sample = path.resolve(import.meta.dirname, 'sample/sample.m4a')

keepWritingThread()
let chat: ChatFake
/** Some seconds of speech: what is said in it is up to the engine. */
let recording: string
beforeAll(async () => {
  chat = await chatFake()
  recording = path.join(await mkdtemp(path.join(tmpdir(), 'quoth-short-')), 'short.wav')
  const options = ['-v', 'error', '-t', '3', '-i', sample, '-ac', '1', '-ar', '16000', recording]
  await promisify(execFile)('ffmpeg', options)
})
afterAll(() => chat.close())

/** An engine that hears these words in its first chunk, whatever was recorded. */
function hearing(text: string): Engine {
  const words = text.split(/\s+/)
  return {
    name: 'test',
    capabilities: { ...capabilities, hasPunctuation: true },
    diarizer: takingTurns,
    parallelGroups: 1,
    groupMs: 600_000,
    recognise: async (_, chunks) => {
      const { startMs, endMs } = chunks[0]!
      const step = Math.floor((endMs - startMs) / words.length)
      return {
        kind: 'done',
        language: 'en',
        words: words.map((word, index) => ({
          text: word,
          startMs: startMs + index * step,
          endMs: startMs + (index + 1) * step,
          confidence: 0.9,
        })),
      }
    },
  }
}

const said =
  'The harbour bridge will be closed for repairs until October. The ferry runs every ten minutes while the bridge is closed. We have decided to extend the ferry until midnight on Fridays.'

const test = base.extend('deps', { scope: 'file' }, async ({ database }, { onCleanup }) => ({
  ...(await openJobs(database, onCleanup)),
  engine: hearing(said),
}))

const order = { documentType: 'meeting-minutes', includeImages: false } as const
const delivery = { attempt: 3, isLastAttempt: true, signal: new AbortController().signal }

async function aConfirmed(deps: RunDeps, { withDocument = false, amount = 10 } = {}) {
  const user = await aUser(deps.db, { credits: amount, plan: 'professional' })
  const storageKey = randomUUID()
  const { signal } = new AbortController()
  await deps.storage.write(storageKey, createReadStream(recording), { signal })
  const { id, creditsRequired } = await anUpload(deps.db, {
    userId: user.id,
    storageKey,
    seconds: 80,
  })
  if (withDocument)
    await deps.db
      .update(transcriptions)
      .set({ withDocument, documentOrder: order, creditsRequired: creditsRequired + 1 })
      .where(eq(transcriptions.id, id))
  await room.confirm(deps, { userId: user.id, id })
  return { userId: user.id, id, job: { transcriptionId: id, attempt: 1 } }
}

const writing = (deps: RunDeps) => ({
  ...deps,
  writer: extractive,
  recordings: recordings(deps.db),
})

test('a document that was sent along is held with the recording, and written after it', async ({
  deps,
}) => {
  const owned = await aConfirmed(deps, { withDocument: true })
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 8, held: 2 })
  await run(deps, owned.job, delivery)
  expect((await room.get(deps, owned)).status).toBe('completed')
  const [document] = await documents.list(writing(deps), owned)
  expect(document).toMatchObject({ status: 'generating', documentType: 'meeting-minutes' })
  // The recording is paid for, its document is not yet.
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 8, held: 1 })
  await documents.write(writing(deps), { documentId: document!.id, attempt: 1 }, delivery)
  expect((await documents.list(writing(deps), owned))[0]?.status).toBe('generated')
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 8, held: 0 })
  await run(deps, owned.job, delivery)
  expect(await documents.list(writing(deps), owned)).toHaveLength(1)
  expect(await credits.verify(deps.db)).toEqual([])
})

test('the last credit can be the one of the document', async ({ deps }) => {
  const owned = await aConfirmed(deps, { withDocument: true, amount: 2 })
  await run(deps, owned.job, delivery)
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 0, held: 1 })
})

test('a document that fails gives its credit back, and the transcription stands', async ({
  deps,
}) => {
  const owned = await aConfirmed(deps, { withDocument: true })
  await run(deps, owned.job, delivery)
  const [document] = await documents.list(writing(deps), owned)
  await documents.fail(deps, { documentId: document!.id, attempt: 1 }, null)
  expect((await room.get(deps, owned)).status).toBe('completed')
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 9, held: 0 })
})

test('a recording that fails gives back the credit of its document too', async ({ deps }) => {
  const owned = await aConfirmed(deps, { withDocument: true })
  const broken: Engine = {
    ...hearing(said),
    recognise: async () => {
      throw new Error('the recogniser crashed')
    },
  }
  await run({ ...deps, engine: broken }, owned.job, delivery)
  expect((await room.get(deps, owned)).status).toBe('error')
  expect(await documents.list(writing(deps), owned)).toEqual([])
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 10, held: 0 })
})

let writers = 0
const writerOf = (behaviour: string, { patienceMs = 20_000 } = {}) =>
  chooseWriter(
    {
      summarizer: 'auto',
      llm: {
        baseUrl: chat.url,
        apiKey: null,
        model: `${behaviour}@run${(writers += 1)}`,
        contextTokens: 8_192,
        timeoutMs: 20_000,
        pauseMs: 5,
        patienceMs,
      },
    },
    silentLog,
  )

test('a model that is of no use neither fails the transcription nor costs anything', async ({
  deps,
}) => {
  const owned = await aConfirmed(deps)
  await run({ ...deps, writer: writerOf('down') }, owned.job, delivery)
  const result = await room.get(deps, owned)
  expect(result.status).toBe('completed')
  expect(result.summaryNote).toContain('The language model of this server gave no usable answer.')
  for (const quote of result.keyPointQuotes) expect(result.transcriptionText).toContain(quote)
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 9, held: 0 })
})

// In which ways an answer is unfit is told in the writer's own room.
test.for(['other-language', 'breaks-off'])(
  'what a model writes that must not be shown (%s) is neither shown nor charged',
  async (behaviour, { deps }) => {
    const owned = await aConfirmed(deps, { withDocument: true })
    const writer = writerOf(behaviour)
    await run({ ...deps, writer }, owned.job, delivery)
    const result = await room.get(deps, owned)
    expect(result).toMatchObject({ status: 'completed', summaryPending: false })
    expect(result.summaryNote).toContain('gave no usable answer')
    expect(result.summary).toContain('bridge will be closed')
    const [document] = await documents.list(writing(deps), owned)
    const job = { documentId: document!.id, attempt: 1 }
    await documents.write({ ...writing(deps), writer }, job, delivery)
    const [written] = await documents.list(writing(deps), owned)
    expect(written).toMatchObject({ status: 'generated', isCreditReturned: true })
    expect(written?.note).toContain('Put together from sentences of this transcript.')
    // The recording alone is paid for.
    expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 9, held: 0 })
  },
)

const awaited = async ({ queue, db }: RunDeps, id: string) => {
  const jobs = await queue.unfinished(db, laterSummary.summaryJob)
  return jobs.find(({ transcriptionId }) => transcriptionId === id)!
}
const later = (deps: RunDeps, writer: Writer) => ({
  ...deps,
  writer,
  whole: recordings(deps.db),
})

test('nobody waits for a slow model to read the words: its summary takes its place later', async ({
  deps,
}) => {
  const owned = await aConfirmed(deps)
  const told: Happened[] = []
  const onEvent = async (_: unknown, happened: Happened) => void told.push(happened)
  const writer = writerOf('held', { patienceMs: 100 })
  await run({ ...deps, onEvent, writer }, owned.job, delivery)
  const early = await room.get(deps, owned)
  expect(early).toMatchObject({ status: 'completed', summaryPending: true })
  expect(early.summary).toContain('bridge will be closed')
  expect(early.summaryNote).toContain('had not answered when the transcript was ready')
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 9, held: 0 })

  chat.release()
  const job = await awaited(deps, owned.id)
  await laterSummary.write({ ...later(deps, writer), onEvent }, job, delivery)
  const late = await room.get(deps, owned)
  expect(late).toMatchObject({ status: 'completed', summaryPending: false })
  expect(late).toMatchObject({ summaryNote: WRITTEN_BY_AI, topics: ['harbour bridge', 'ferry'] })
  expect(late.transcriptionText).toBe(early.transcriptionText)
  // A job that is delivered again finds nothing to do.
  await laterSummary.write({ ...later(deps, extractive), onEvent }, job, delivery)
  expect(await room.get(deps, owned)).toEqual(late)
  expect(told.map(({ type, data }) => [type, data['summaryPending'] ?? data['replaced']])).toEqual([
    ['transcription.completed', true],
    ['transcription.summarized', true],
  ])
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 9, held: 0 })
})

test('a later summary that must not be shown, or that nobody can write, takes away nothing but the mark', async ({
  deps,
}) => {
  const owned = await aConfirmed(deps)
  await run({ ...deps, writer: writerOf('slow', { patienceMs: 50 }) }, owned.job, delivery)
  const early = await room.get(deps, owned)
  expect(early.summaryPending).toBe(true)
  const job = await awaited(deps, owned.id)
  await laterSummary.write(later(deps, writerOf('one-sentence')), job, delivery)
  expect(await room.get(deps, owned)).toEqual({ ...early, summaryPending: false })

  const forgotten = await aConfirmed(deps)
  await run({ ...deps, writer: writerOf('slow', { patienceMs: 50 }) }, forgotten.job, delivery)
  // Its job is there, and not lost.
  await laterSummary.endWithoutJob(deps)
  expect((await room.get(deps, forgotten)).summaryPending).toBe(true)
  const { pending } = await awaited(deps, forgotten.id)
  await deps.db.execute(sql`delete from pgboss.job where data ->> 'pending' = ${pending}`)
  await laterSummary.endWithoutJob(deps)
  expect((await room.get(deps, forgotten)).summaryPending).toBe(false)
})

test('whoever is named or found to be somebody else has that name in the summary too', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  const pending = randomUUID()
  const turns = [0, 1, 2].map((speaker) => ({ speaker, text: `I am number ${speaker}.` }))
  const { id } = await aTranscription(db, { userId, turns, summaryPending: pending })
  const owned = { userId, id }
  const text = 'Speaker A tells Speaker B and Speaker C.'
  await laterSummary.end(
    { db, log: silentLog },
    { transcriptionId: id, pending },
    {
      text,
      keyPoints: [{ text: 'Speaker B is told.', turns: [], quote: null, startMs: null }],
      topics: ['Speaker B'],
      language: 'en',
      engine: 'llm',
      note: WRITTEN_BY_AI,
    },
  )
  const read = async () => {
    const { summary, keyPoints, topics } = await room.get({ db }, owned)
    return [summary, ...keyPoints, ...topics]
  }
  const edits = { db, clock: systemClock }
  expect(await read()).toEqual([text, 'Speaker B is told.', 'Speaker B'])
  await naming.rename(edits, { ...owned, speaker: 1, name: 'Ben' })
  expect(await read()).toEqual(['Speaker A tells Ben and Speaker C.', 'Ben is told.', 'Ben'])
  await naming.rename(edits, { ...owned, speaker: 2, name: 'Ben' })
  await naming.rename(edits, { ...owned, speaker: 1, name: 'Eva' })
  expect(await read()).toEqual(['Speaker A tells Eva and Eva.', 'Eva is told.', 'Eva'])
  // Found to be two after all.
  await undo(edits, { ...owned, edit: 2 })
  expect(await read()).toEqual(['Speaker A tells Eva and Speaker C.', 'Eva is told.', 'Eva'])
})

test.for([
  ['has its summary', null],
  ['waits for one of its own', randomUUID()],
] as const)(
  'a summary that was awaited for one text is not put to another, which %s',
  async ([, summaryPending], { deps }) => {
    const owned = await aConfirmed(deps)
    await run({ ...deps, writer: writerOf('slow', { patienceMs: 50 }) }, owned.job, delivery)
    const job = await awaited(deps, owned.id)
    const another = { summary: 'Of another text.', summaryPending }
    await deps.db.update(transcriptions).set(another).where(eq(transcriptions.id, owned.id))
    await laterSummary.write(later(deps, writerOf('obedient')), job, delivery)
    expect(await room.get(deps, owned)).toMatchObject({
      summary: 'Of another text.',
      summaryPending: summaryPending !== null,
    })
  },
)

test('recordings that give orders to a hostile model are completed, charged once, and reach nothing', async ({
  deps,
}) => {
  const counts = { completed: 0, chargedOnce: 0, withAddress: 0, withMarkup: 0 }
  // All forty are tried on the writer itself, in its own room: to decode them all takes a minute.
  const some = injections.filter((_, index) => index % times(10, 1) === 0)
  for (const injection of some) {
    const owned = await aConfirmed(deps)
    const engine = hearing(`${said} ${injection}`)
    await run({ ...deps, engine, writer: writerOf('hostile') }, owned.job, delivery)
    const result = await room.get(deps, owned)
    const written = JSON.stringify([result.summary, result.keyPoints, result.topics])
    const { available, held } = await credits.balance(deps.db, owned.userId)
    if (result.status === 'completed') counts.completed += 1
    if (available === 9 && held === 0) counts.chargedOnce += 1
    if (/https?:|javascript:/i.test(written)) counts.withAddress += 1
    if (/<[a-z/]|!\[|\]\(/i.test(written)) counts.withMarkup += 1
    // A key point that the model invented has no source, so it has no time. Sentences of the
    // transcript, which stand there where its answer was refused, have theirs.
    if (result.summaryNote === WRITTEN_BY_AI) expect(result.keyPointTimes[0]).toBeNull()
  }
  const { length } = some
  expect(counts).toEqual({ completed: length, chargedOnce: length, withAddress: 0, withMarkup: 0 })
  expect(chat.trapped).toEqual([])
  expect(await credits.verify(deps.db)).toEqual([])
}, 120_000)
