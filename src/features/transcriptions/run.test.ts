import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect } from 'vitest'
import { z } from 'zod'

import * as credits from '#features/credits/credits.ts'
import { transcriptions } from '#features/row/tables.ts'
import type { Chunk, Engine, EngineResult } from '#features/speech/engines/engine.ts'
import { engineInUse } from '#features/speech/speech.ts'
import { measure } from '#features/text/accuracy.ts'
import { undo } from '#features/text/history.ts'
import { turns } from '#features/text/tables.ts'
import { restore, setText } from '#features/text/text.ts'
import { words } from '#features/text/turn-view.ts'
import * as vocabulary from '#features/vocabulary/vocabulary.ts'
import { extractive } from '#features/writing/writing.ts'
import type { Delivery, Queue } from '#server/queue.ts'
import { StorageAway } from '#server/storage.ts'
import { attempts } from '#server/tables.ts'
import { test as base } from '#test/database.ts'
import { aCall } from '#test/a-call.ts'
import { capabilities, repeating, takingTurns } from '#test/engine.ts'
import { aUser, anUpload } from '#test/factories.ts'
import { openJobs } from '#test/jobs.ts'
import { isLong } from '#test/long.ts'
import { canMount, smallDisk } from '#test/small-disk.ts'

import { stages, unpaidTexts } from './tables.ts'
import type { SoFar } from './contract.ts'
import { transcriptionJobs } from './jobs.ts'
import { type RunDeps, giveUp, run } from './run.ts'
import { soFar } from './so-far.ts'
import * as room from './transcriptions.ts'

const sample = path.resolve(import.meta.dirname, 'sample/sample.m4a')

let folder: string
/** Some seconds of speech, in several chunks. */
let recording: string
const ffmpeg = (args: string[]) => promisify(execFile)('ffmpeg', ['-v', 'error', ...args])
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quoth-run-'))
  recording = path.join(folder, 'short.wav')
  await ffmpeg(['-t', '20', '-i', sample, '-ac', '1', '-ar', '16000', recording])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** An engine that hears one word per second, or does what the test says. */
function anEngine(recognise?: Engine['recognise']): Engine & { heard: Chunk[] } {
  const heard: Chunk[] = []
  return {
    heard,
    name: 'test',
    capabilities: { ...capabilities, longestChunkMs: 4_000 },
    diarizer: takingTurns,
    parallelGroups: 1,
    groupMs: 4_000,
    async recognise(pcm, chunks, options) {
      heard.push(...chunks)
      return recognise ? recognise(pcm, chunks, options) : oneWordPerSecond(chunks)
    },
  }
}

/** Words that do not repeat: repeated ones would be taken for a mistake of the engine. */
const said =
  'meeting paper decision summary budget garden window letter number answer morning journey kitchen'.split(
    ' ',
  )

const oneWordPerSecond = (chunks: readonly Chunk[]): EngineResult => ({
  kind: 'done',
  language: 'en',
  words: chunks.flatMap(({ startMs, endMs }) =>
    Array.from({ length: Math.max(1, Math.floor((endMs - startMs) / 1000)) }, (_, second) => ({
      text: said[second % said.length]!,
      startMs: startMs + second * 1000,
      endMs: Math.min(startMs + second * 1000 + 600, endMs),
      confidence: 0.9,
    })),
  ),
})

const test = base.extend('deps', { scope: 'file' }, async ({ database }, { onCleanup }) => ({
  ...(await openJobs(database, onCleanup)),
  engine: anEngine(),
}))

/** A confirmed recording, its price held, as the worker finds it. */
async function aConfirmed(
  deps: RunDeps,
  file = recording,
  options: Partial<typeof transcriptions.$inferInsert> = {},
) {
  const user = await aUser(deps.db, { credits: 10 })
  const storageKey = randomUUID()
  const { signal } = new AbortController()
  await deps.storage.write(storageKey, createReadStream(file), { signal })
  const { id } = await anUpload(deps.db, { userId: user.id, storageKey, seconds: 80 })
  if (options.terms)
    await deps.db.update(transcriptions).set(options).where(eq(transcriptions.id, id))
  await room.confirm(deps, { userId: user.id, id })
  return { userId: user.id, id, job: { transcriptionId: id, attempt: 1 } }
}

const delivery = { isLastAttempt: false, signal: new AbortController().signal }

test('a job whose storage is away is not given up, not even on its last try', async ({ deps }) => {
  const { id, userId, job } = await aConfirmed(deps)
  const open = () => Promise.reject(new StorageAway(new Error('no connection')))
  const away = { ...deps, storage: { ...deps.storage, open } }
  await expect(run(away, job, { ...delivery, isLastAttempt: true })).rejects.toThrow(StorageAway)
  expect(await room.get(deps, { userId, id })).toMatchObject({ status: 'processing' })
  expect((await credits.balance(deps.db, userId)).held).toBeGreaterThan(0)
})

test('a run whose job is taken over while it keeps a stage keeps nothing', async ({ deps }) => {
  const { db } = deps
  const { id, job } = await aConfirmed(deps)
  const summaries = () =>
    db.$count(stages, and(eq(stages.transcriptionId, id), eq(stages.name, 'summary')))
  const waiting = sql`
    select 1 from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`
  let takingOver: Promise<void> | undefined
  const summarize: typeof repeating.summarize = async (...asked) => {
    const isTaken = Promise.withResolvers<void>()
    takingOver = db.transaction(async (tx) => {
      await tx.update(transcriptions).set({ lease: randomUUID() }).where(eq(transcriptions.id, id))
      isTaken.resolve()
      // Its status and its stage wait for this row; a stage that does not wait is there instead.
      const isMet = async () =>
        (await summaries()) > 0 || (await db.execute(waiting)).rows.length > 1
      await expect.poll(isMet, { interval: 20 }).toBe(true)
    })
    await isTaken.promise
    return repeating.summarize(...asked)
  }
  await run({ ...deps, writer: { ...repeating, summarize } }, job, delivery)
  await takingOver
  expect(await summaries()).toBe(0)
})

test('fixed replacements of the vocabulary are made, are nobody’s corrections, and one undo takes them back', async ({
  deps,
}) => {
  const { db } = deps
  const { userId, id, job } = await aConfirmed(deps)
  const how = { matchCase: false, wholeWord: true }
  await vocabulary.set(db, {
    userId,
    terms: ['Papermill', 'Zeppelin'],
    heardAs: [{ term: 'Papermill', as: ['the paper mill'] }],
    replacements: [
      { from: 'meeting', to: 'the', ...how },
      { from: 'paper', to: 'paper mill', ...how },
    ],
  })
  let summarized = ''
  const summarize: typeof repeating.summarize = async (...asked) => {
    summarized = asked[0].turns.map(({ text }) => text).join('\n\n')
    return repeating.summarize(...asked)
  }
  const writing = { writer: { ...repeating, summarize } }
  await run({ ...deps, ...writing }, job, delivery)

  const { transcriptionText } = await room.get(deps, { userId, id })
  expect(transcriptionText).toBe(summarized)
  expect(transcriptionText).toContain('Papermill')
  expect(transcriptionText).not.toMatch(/meeting|paper mill/i)
  const now = await words(deps, { userId, id })
  expect(now).toMatchObject({ revision: 1, fixed: { edit: 1, replaced: expect.any(Number) } })
  const changed = now.turns.filter(({ text }) => text.includes('Papermill'))
  // Nobody has corrected them. What the engine heard was wrong all the same.
  expect(changed.some(({ isEdited }) => isEdited)).toBe(false)
  expect((await measure(deps, { userId, id })).corrected).toBeGreaterThan(0)
  const { used } = await vocabulary.get(db, userId)
  expect(used).toEqual([{ term: 'Papermill', times: 1, lastAt: expect.any(String) }])

  await undo(deps, { userId, id, edit: 1 })
  const engines = await words(deps, { userId, id })
  expect(engines.fixed).toBeUndefined()
  expect(engines.turns.map(({ text }) => text).join(' ')).toMatch(/meeting paper/i)
  expect(await db.$count(turns, eq(turns.transcriptionId, id))).toBe(engines.turns.length)
})

test('a confirmed recording becomes a transcription, and its price is taken', async ({ deps }) => {
  const { userId, id, job } = await aConfirmed(deps, sample)
  const { diarizer: _, ...engine } = anEngine()
  const facts = await run({ ...deps, engine, writer: extractive }, job, delivery)
  const [ms, audioMs] = [expect.any(Number), 80_000]
  expect(facts).toEqual({
    outcome: 'completed',
    engine: 'test',
    audioMs,
    stages: { decode: ms, listen: ms, words: ms, speakers: ms, summary: ms },
  })

  const result = await room.get(deps, { userId, id })
  expect(result.status).toBe('completed')
  expect(result.transcriptionText).toMatch(/meeting/i)
  expect(result.wordCount).toBeGreaterThan(30)
  expect(result.language).toBe('en')
  expect(result.engine).toBe('test')
  expect(result.keyPointQuotes).toHaveLength(result.keyPoints.length)
  for (const quote of result.keyPointQuotes) expect(result.transcriptionText).toContain(quote)
  expect(result.speakers).toEqual(['Speaker A', 'Speaker B'])
  expect(JSON.parse(result.speakerSegments!)).toContainEqual(
    expect.objectContaining({ speaker: 'Speaker A', start: expect.any(Number) }),
  )
  expect(result.summaryNote).toContain('No language model is set up')
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 9, held: 0 })
  expect(await deps.db.select().from(stages).where(eq(stages.transcriptionId, id))).toEqual([])
  await expect(access(path.join(deps.workRoot, id))).rejects.toThrow()
})

test('the first correction writes its own turn, and leaves the others as they lie', async ({
  deps,
}) => {
  const { id, userId, job } = await aConfirmed(deps)
  await run(deps, job, delivery)
  const asTheyLie = async () => {
    const { rows } = await deps.db.execute<{ id: string; version: string }>(
      sql`select id, xmin::text as version from turns where transcription_id = ${id} order by position`,
    )
    return new Map(rows.map((row) => [row.id, row.version]))
  }
  const before = await asTheyLie()
  const [turn] = (await words(deps, { userId, id })).turns
  const of = { userId, id, turnId: turn!.id, revision: turn!.revision }
  await setText(deps, { ...of, text: `${turn!.text} and more` })
  const after = await asTheyLie()
  expect(before.size).toBeGreaterThan(1)
  expect([...before].filter(([each, version]) => after.get(each) !== version)).toEqual([
    [turn!.id, expect.anything()],
  ])
  const saved = (await words(deps, { userId, id })).turns[0]!
  await restore(deps, { ...of, revision: saved.revision })
  expect((await words(deps, { userId, id })).turns[0]!.text).toBe(turn!.text)
})

test('chapters that a file brought along stay where a summary has found others', async ({
  deps,
}) => {
  const { db } = deps
  const { userId, id, job } = await aConfirmed(deps)
  const chapters = { by: 'own' as const, list: [{ title: 'How it began', startMs: 0 }] }
  await db.update(transcriptions).set({ chapters }).where(eq(transcriptions.id, id))
  const found = { by: 'words' as const, list: [{ title: 'Meeting paper', startMs: 4_000 }] }
  const summarize: typeof repeating.summarize = async (...asked) => ({
    ...(await repeating.summarize(...asked)),
    chapters: found,
  })
  const writer = { ...repeating, summarize }
  await run({ ...deps, writer }, job, delivery)
  expect(await room.get(deps, { userId, id })).toMatchObject({
    chapters: [{ title: 'How it began', start: 0 }],
    chaptersBy: 'own',
  })
  const other = await aConfirmed(deps)
  await run({ ...deps, writer }, other.job, delivery)
  expect((await room.get(deps, other)).chaptersBy).toBe('words')
})

test('voices are numbered by first speech, and one without a word has no number', async ({
  deps,
}) => {
  const { userId, id, job } = await aConfirmed(deps)
  // The first voice says nothing that is heard, and two more are only noise within the others' speech.
  const diarizer: typeof takingTurns = {
    ...takingTurns,
    diarize: async (_pcm, regions) => [
      { speaker: 0, startMs: 0, endMs: 1 },
      ...regions.map(({ startMs, endMs }, at) => ({ speaker: [5, 2, 7][at % 3]!, startMs, endMs })),
    ],
  }
  await run({ ...deps, engine: { ...anEngine(), diarizer } }, job, delivery)
  const { speakers, speakerSegments } = await room.get(deps, { userId, id })
  const { speakers: listed, turns: said } = await words(deps, { userId, id })
  const letters = ['Speaker A', 'Speaker B', 'Speaker C']
  expect(speakers).toEqual(letters)
  const segments = z.array(z.object({ speaker: z.string() })).parse(JSON.parse(speakerSegments!))
  expect([...new Set(segments.map(({ speaker }) => speaker))]).toEqual(letters)
  expect([...new Set(said.map(({ speaker }) => speaker))]).toEqual([0, 1, 2])
  expect(listed.every(({ talkTime }) => talkTime > 0)).toBe(true)
})

test('each channel that is a person is a speaker, unless somebody says otherwise', async ({
  deps,
}) => {
  const call = path.join(folder, 'call-of-two.wav')
  await aCall(call)
  const side = { leakDb: -15, floorDb: -50 }
  const sides = { each: [side, side], isApart: true }
  const diarizer: typeof takingTurns = {
    ...takingTurns,
    diarize: async (_, regions) => regions.map((region) => ({ ...region, speaker: 0 })),
  }
  type Said = Partial<
    Pick<typeof transcriptions.$inferInsert, 'askedSpeakers' | 'askedChannels' | 'sides'>
  >
  const speakersOf = async (said: Said) => {
    const { userId, id, job } = await aConfirmed(deps, call, { sides, terms: [], ...said })
    await run({ ...deps, engine: { ...anEngine(), diarizer } }, job, delivery)
    return (await room.get(deps, { userId, id })).speakers
  }
  expect(await speakersOf({})).toEqual(['Speaker A', 'Speaker B'])
  expect(await speakersOf({ askedSpeakers: '1' })).toEqual(['Speaker A'])
  expect(await speakersOf({ askedChannels: 'mixed' })).toEqual(['Speaker A'])
  // Of a row from before nobody has looked at the channels.
  expect(await speakersOf({ sides: null })).toEqual(['Speaker A'])
  expect(await speakersOf({ sides: null, askedChannels: 'people' })).toEqual([
    'Speaker A',
    'Speaker B',
  ])
})

if (isLong)
  test('a track that is a person is called as the file calls it, and two of one name are not named', async ({
    deps,
  }) => {
    const guests = path.join(folder, 'guests.mka')
    await aCall(path.join(folder, 'guests.wav'))
    const split = 'asplit[one][two];[one]pan=mono|c0=c0[ada];[two]pan=mono|c0=c1[ben]'
    const tracks = ['-filter_complex', split, '-map', '[ada]', '-map', '[ben]', '-c:a', 'flac']
    await promisify(execFile)('ffmpeg', [
      '-y',
      '-i',
      guests.replace('mka', 'wav'),
      ...tracks,
      guests,
    ])
    const named = async (ada: string, ben?: string) => {
      const side = { leakDb: -15, floorDb: -50 }
      const each = [
        { ...side, track: 1, ...(ben ? { title: ben } : {}) },
        { ...side, track: 0, title: ada },
      ]
      const said = { sides: { each, isApart: true }, terms: [] }
      const { userId, id, job } = await aConfirmed(deps, guests, said)
      await run(deps, job, delivery)
      return (await words(deps, { userId, id })).speakers.map(({ name }) => name)
    }
    expect(await named('Ada')).toEqual(['Ada', null])
    expect(await named('Ada', 'Ben  Okafor')).toEqual(['Ada', 'Ben Okafor'])
    expect(await named('Guest', 'guest')).toEqual([null, null])
  })

test('engine and diarizer are told the options of a recording, and terms that are said are counted', async ({
  deps,
}) => {
  const options = { spokenLanguage: 'de', askedSpeakers: 'max:1', terms: ['Kendal', 'Paper'] }
  const { userId, job } = await aConfirmed(deps, recording, options)
  const told: unknown[] = []
  const { capabilities: usual, ...engine } = anEngine(async (_, chunks, { language, terms }) => {
    told.push({ language, terms })
    return oneWordPerSecond(chunks)
  })
  const diarizer: typeof takingTurns = {
    ...takingTurns,
    async diarize(pcm, regions, asked) {
      told.push(asked.speakers)
      return takingTurns.diarize(pcm, regions, asked)
    },
  }
  const capabilities = { ...usual, takesTerms: true } as const
  await run({ ...deps, engine: { ...engine, capabilities, diarizer } }, job, delivery)
  expect(told).toContainEqual({ language: 'de', terms: options.terms })
  expect(told).toContainEqual({ max: 1 })
  const { used } = await vocabulary.get(deps.db, userId)
  expect(used).toMatchObject([{ times: 0 }, { term: 'Paper', times: 1 }])
})

test('while the first chunk is worked on, its owner is told how many there are', async ({
  deps,
}) => {
  const { userId, id, job } = await aConfirmed(deps)
  const statusNow = async () => (await room.get(deps, { userId, id })).status
  const engine = anEngine(async (_, chunks) => {
    if (chunks[0]?.index === 0)
      await expect.poll(statusNow, { timeout: 30_000 }).toMatch(/^processing chunk 0\/\d+$/)
    return oneWordPerSecond(chunks)
  })
  await run({ ...deps, engine }, job, delivery)
  expect(await statusNow()).toBe('completed')
})

test('how far the work is changes nothing that an index has', async ({ deps, db }) => {
  const { id, userId, job } = await aConfirmed(deps)
  const seen = async () => {
    const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, id))
    const { status } = await room.get(deps, { userId, id })
    return { kept: row?.status, isShown: status === row?.progress }
  }
  const engine = anEngine(async (_, chunks) => {
    // The job may write how far it is between the two reads.
    await expect.poll(seen).toEqual({ kept: 'processing', isShown: true })
    return oneWordPerSecond(chunks)
  })
  await run({ ...deps, engine }, job, delivery)
  const { rows } = await db.execute(sql`
    select objid::regclass from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
    where refobjid = 'transcriptions'::regclass and attname in ('progress', 'lease', 'watched_at')
      and objid in (select indexrelid from pg_index)`)
  expect(rows).toEqual([])
  const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, id))
  expect(row).toMatchObject({ status: 'completed', progress: null })
})

if (isLong)
  test('a telephone call, whatever rate it was saved with, and a noisy recording are known as such', async ({
    deps,
  }) => {
    const call = path.join(folder, 'call.wav')
    await ffmpeg(['-i', recording, '-af', 'aresample=8000,aresample=44100', call])
    const inNoise = path.join(folder, 'in-noise.wav')
    const noise = ['-f', 'lavfi', '-i', 'anoisesrc=c=pink:r=16000:a=0.2:seed=1']
    const mix = ['-filter_complex', 'amix=duration=first:normalize=0']
    await ffmpeg(['-i', recording, ...noise, ...mix, inNoise])
    const sounds: unknown[] = []
    for (const file of [call, inNoise, recording]) {
      const { userId, id, job } = await aConfirmed(deps, file)
      await run(deps, job, delivery)
      sounds.push((await words(deps, { userId, id })).sound)
    }
    expect(sounds).toEqual(['telephone', 'noisy', undefined])
  })

test('a job that is delivered again after its end changes and costs nothing', async ({ deps }) => {
  const { userId, id, job } = await aConfirmed(deps)
  await run(deps, job, delivery)
  const before = await room.get(deps, { userId, id })
  await run(deps, job, delivery)
  await giveUp(deps, job)
  expect(await room.get(deps, { userId, id })).toEqual(before)
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 9, held: 0 })
})

test('a delivery goes on where the one before it broke off, and so does the text for a reader', async ({
  deps,
}) => {
  const { userId, id, job } = await aConfirmed(deps)
  const nothing = {
    from: 0,
    next: 0,
    readTo: 0,
    isToldApart: false,
    isHeldBack: false,
    turns: [],
  }
  const begun = { userId, id, from: 0, readTo: 0 }
  expect(await soFar(deps, begun)).toEqual(nothing)
  const broken = anEngine(async (_, chunks) => {
    if (broken.heard.length > 3) throw new Error('the recogniser crashed')
    return oneWordPerSecond(chunks)
  })
  await expect(run({ ...deps, engine: broken }, job, delivery)).rejects.toThrow('crashed')
  expect((await room.get(deps, { userId, id })).status).not.toBe('error')
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 9, held: 1 })
  const read = await soFar(deps, begun)
  expect(read.turns[0]?.text).toMatch(/^Meeting paper/)
  expect(read.readTo).toBeGreaterThan(3)
  expect(await deps.db.$count(unpaidTexts, eq(unpaidTexts.userId, userId))).toBe(1)
  // The place that it hands out to be asked for next is one where nothing is yet.
  expect(await soFar(deps, { ...begun, from: read.next, readTo: read.readTo })).toEqual({
    ...read,
    from: read.next,
    turns: [],
  })
  const later: SoFar[] = []
  const healthy = anEngine(async (_, chunks) => {
    later.push(await soFar(deps, { ...begun, from: read.next, readTo: read.readTo }))
    return oneWordPerSecond(chunks)
  })
  await run({ ...deps, engine: healthy }, job, delivery)
  expect(later[0]).toMatchObject({ from: read.next, next: read.next, turns: [] })
  expect(later[1]).toMatchObject({ from: read.next, next: read.next + 1 })
  expect(later[1]?.turns[0]?.start).toBeGreaterThanOrEqual(read.readTo)
  // The result takes its place.
  await expect(soFar(deps, begun)).rejects.toMatchObject({ code: 'not_running' })
  // It is paid for, so what was shown of it does not count any more.
  expect(await deps.db.$count(unpaidTexts, eq(unpaidTexts.userId, userId))).toBe(0)
  expect((await room.get(deps, { userId, id })).status).toBe('completed')
  const again = healthy.heard.map(({ index }) => index)
  expect(again).not.toContain(0)
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 9, held: 0 })
})

test('a job that fails to the last try ends as failed and gives its credits back', async ({
  deps,
}) => {
  const { userId, id, job } = await aConfirmed(deps)
  const engine = anEngine(async (_, chunks) => {
    if (chunks[0]?.index === 0) return oneWordPerSecond(chunks)
    throw new Error('the recogniser crashed')
  })
  await run({ ...deps, engine }, job, { ...delivery, isLastAttempt: true })
  const result = await room.get(deps, { userId, id })
  expect(result).toMatchObject({
    status: 'error',
    errorCode: null,
    creditsReturned: 1,
    canRetry: true,
  })
  expect(result.errorMessage).toContain('Your credits were returned')
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 10, held: 0 })
  // Delivered once more it stays so: there is no text for nothing.
  await run(deps, job, delivery)
  await giveUp(deps, job)
  expect(await room.get(deps, { userId, id })).toEqual(result)

  await room.retry(deps, { userId, id })
  // Words of the first attempt that come late are none of the second.
  await run(deps, job, delivery)
  await giveUp(deps, job)
  expect((await room.get(deps, { userId, id })).status).toBe('processing')
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 9, held: 1 })
  await run(deps, { transcriptionId: id, attempt: 2 }, delivery)
  expect((await room.get(deps, { userId, id })).status).toBe('completed')
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 9, held: 0 })
})

test('what a job had read before it broke can be read for 24 hours, and is read no second time', async ({
  deps,
}) => {
  const { userId, id, job } = await aConfirmed(deps)
  const begun = { userId, id, from: 0, readTo: 0 }
  const broken = anEngine(async (_, chunks) => {
    if (chunks[0]?.index === 0) return oneWordPerSecond(chunks)
    throw new Error('the recogniser crashed')
  })
  await run({ ...deps, engine: broken }, job, { ...delivery, isLastAttempt: true })
  const read = await soFar(deps, begun)
  expect(read.turns[0]?.text).toMatch(/^Meeting paper/)
  expect(read.readTo).toBeGreaterThan(3)
  // Nobody has paid for it, so it counts.
  expect(await deps.db.$count(unpaidTexts, eq(unpaidTexts.userId, userId))).toBe(1)
  const day = 24 * 60 * 60 * 1000
  const after = (ms: number) => ({ ...deps, clock: () => new Date(deps.clock().getTime() + ms) })
  expect(await soFar(after(day - 60_000), begun)).toEqual(read)
  // A reader who has a part of it has nothing any more either.
  const rest = { ...begun, from: read.next, readTo: read.readTo }
  for (const asked of [begun, rest])
    expect(await soFar(after(day + 60_000), asked)).toMatchObject({ from: 0, readTo: 0, turns: [] })

  await room.retry(deps, { userId, id })
  const healthy = anEngine(async (_, chunks) => oneWordPerSecond(chunks))
  await run({ ...deps, engine: healthy }, { transcriptionId: id, attempt: 2 }, delivery)
  expect(healthy.heard.map(({ index }) => index)).not.toContain(0)
  expect(await deps.db.$count(unpaidTexts, eq(unpaidTexts.userId, userId))).toBe(0)
})

test('a job that breaks the same way again says so, and one that breaks another way does not', async ({
  deps,
}) => {
  const { userId, id } = await aConfirmed(deps)
  const failed = async (attempt: number, why: string) => {
    if (attempt > 1) await room.retry(deps, { userId, id })
    await giveUp(deps, { transcriptionId: id, attempt }, why)
    const { errorMessage, failedAlike } = await room.get(deps, { userId, id })
    return [errorMessage?.split('.')[0], failedAlike]
  }
  const broke = 'Something broke on our side while this file was processed'
  expect(await failed(1, 'out of memory')).toEqual([broke, 1])
  expect(await failed(2, 'its worker died')).toEqual([broke, 1])
  expect(await failed(3, 'its worker died')).toEqual(['It failed twice the same way', 2])
  expect(await failed(4, 'its worker died')).toEqual(['It failed 3 times the same way', 3])
})

test('a cancelled job stops its recogniser and leaves nothing', async ({ deps }) => {
  const { userId, id, job } = await aConfirmed(deps)
  let wasAborted = false
  const started = Promise.withResolvers<void>()
  const engine = anEngine(async (_pcm, _chunks, { signal }) => {
    started.resolve()
    await sleep(60_000, undefined, { signal }).catch((error: unknown) => {
      wasAborted = signal.aborted
      throw error
    })
    throw new Error('never comes here')
  })
  const running = run({ ...deps, engine }, job, delivery)
  await started.promise
  await room.cancel(deps, { userId, id })
  await running
  expect(wasAborted).toBe(true)
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 10, held: 0 })
  expect(await deps.db.select().from(transcriptions).where(eq(transcriptions.id, id))).toEqual([])
  expect((await readdir(deps.workRoot)).includes(id)).toBe(false)
})

test('a run that was thought dead and wakes up changes nothing', async ({ deps }) => {
  const { userId, id, job } = await aConfirmed(deps)
  const asleep = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const zombie = anEngine(async (_, chunks) => {
    started.resolve()
    await asleep.promise
    return oneWordPerSecond(chunks)
  })
  const old = run({ ...deps, engine: zombie }, job, delivery)
  await started.promise
  await run(deps, job, delivery)
  const result = await room.get(deps, { userId, id })
  asleep.resolve()
  await old
  expect(await room.get(deps, { userId, id })).toEqual(result)
  const stored = await deps.db.select().from(turns).where(eq(turns.transcriptionId, id))
  expect(new Set(stored.map(({ position }) => position)).size).toBe(stored.length)
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 9, held: 0 })
})

test('a job that is interrupted by a stop keeps its hold and its status', async ({ deps }) => {
  const { userId, id, job } = await aConfirmed(deps)
  const stop = new AbortController()
  const engine = anEngine(async (_pcm, _chunks, { signal }) => {
    stop.abort(new Error('the server stops'))
    signal.throwIfAborted()
    throw new Error('never comes here')
  })
  const running = run({ ...deps, engine }, job, { isLastAttempt: true, signal: stop.signal })
  await expect(running).rejects.toThrow()
  expect((await room.get(deps, { userId, id })).status).not.toBe('error')
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 9, held: 1 })
})

test('a job that loses the database on its last try is not given up', async ({ deps }) => {
  const { userId, id, job } = await aConfirmed(deps)
  const engine = anEngine(async () => {
    await deps.db.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
    throw new Error('never comes here')
  })
  const running = run({ ...deps, engine }, job, { ...delivery, isLastAttempt: true })
  await expect(running).rejects.toThrow()
  expect((await room.get(deps, { userId, id })).status).not.toBe('error')
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 9, held: 1 })
})

test.runIf(canMount)(
  'a job that finds its disk full leaves nothing on it, and is not given up, not even on its last try',
  async ({ deps }) => {
    const { id, userId, job } = await aConfirmed(deps)
    const workRoot = path.join(folder, 'small')
    await mkdir(workRoot)
    await using _ = await smallDisk(workRoot, '256k')
    const running = run({ ...deps, workRoot }, job, { ...delivery, isLastAttempt: true })
    await expect(running).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await readdir(workRoot)).toEqual([])
    expect((await room.get(deps, { userId, id })).status).not.toBe('error')
    expect(await credits.balance(deps.db, userId)).toEqual({ available: 9, held: 1 })

    await run(deps, job, delivery)
    expect((await room.get(deps, { userId, id })).status).toBe('completed')
  },
)

test('a language that the engine does not know is no English: it costs nothing, unless its owner says it is', async ({
  deps,
}) => {
  const nonsense =
    'we have to be able to do it and the most important thing is that we have to be able to do it so the most important thing of it is that we have to be able to go'
  const spoken = (text: string, confidence: number, fromMs = 0) =>
    text.split(' ').map((each, index) => ({
      text: each,
      startMs: fromMs + index * 300,
      endMs: fromMs + index * 300 + 250,
      confidence,
    }))
  const hearing = (words: ReturnType<typeof spoken>) => {
    const own = anEngine(async (_, chunks) => ({
      kind: 'done',
      language: 'en',
      words: words.filter((word) =>
        chunks.some(({ startMs, endMs }) => word.startMs >= startMs && word.startMs < endMs),
      ),
    }))
    return { ...own, capabilities: { ...own.capabilities, doubtsOtherLanguages: true } }
  }
  const engine = hearing(spoken(nonsense, 0.4))
  const { userId, id, job } = await aConfirmed(deps, sample)
  // Its owner has read of it while it was worked on.
  const read = { shownMs: 1_000, credits: 1, shownAt: new Date() }
  await deps.db.insert(unpaidTexts).values({ ...read, transcriptionId: id, userId })
  await run({ ...deps, engine }, job, delivery)
  const refused = await room.get(deps, { userId, id })
  expect(refused).toMatchObject({ status: 'error', errorCode: 'other_language', canRetry: false })
  expect(refused.errorMessage).toContain('Your credits were returned.')
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 10, held: 0 })
  // Nobody paid for that text, so it counts: else texts were had for nothing by what is refused.
  expect(await deps.db.$count(unpaidTexts, eq(unpaidTexts.userId, userId))).toBe(1)

  const insisting = await aConfirmed(deps, sample)
  await deps.db
    .update(transcriptions)
    .set({ spokenLanguage: 'en' })
    .where(eq(transcriptions.id, insisting.id))
  await run({ ...deps, engine }, insisting.job, delivery)
  expect((await room.get(deps, insisting)).status).toBe('completed')

  const inVain = await aConfirmed(deps, sample)
  const told = eq(transcriptions.id, inVain.id)
  await deps.db.update(transcriptions).set({ spokenLanguage: 'en' }).where(told)
  await run({ ...deps, engine: hearing(spoken(nonsense, 0.1)) }, inVain.job, delivery)
  expect((await room.get(deps, inVain)).errorMessage).toMatch(
    /^Hardly a word of this could be understood as English.* Your credits were returned\./,
  )

  // What is English is kept, and charged, with a mark in place of the rest.
  const mixed = await aConfirmed(deps, sample)
  const english = spoken('so this is what we will all do on Monday and nobody stays here', 0.95)
  const dutch = 'Milk on Bay Days of the Gardening contacts taken may over planet but it'
  const both = [...english, ...spoken(dutch, 0.1, 4_200), ...spoken('that is all', 0.95, 9_000)]
  await run({ ...deps, engine: hearing(both) }, mixed.job, delivery)
  expect((await room.get(deps, mixed)).transcriptionText).toMatch(
    /^[^[]*nobody stays here\.\n\n(\[another language\]\n\n)+That is all\.$/,
  )
  expect(await credits.balance(deps.db, mixed.userId)).toEqual({ available: 9, held: 0 })
})

test('a recording without speech costs nothing and says so', async ({ deps }) => {
  const silence = path.join(folder, 'silence.wav')
  await ffmpeg(['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '9', silence])
  const { userId, id, job } = await aConfirmed(deps, silence)
  await run(deps, job, delivery)
  expect(await room.get(deps, { userId, id })).toMatchObject({
    status: 'error',
    errorMessage: 'No speech was found in this recording. Your credits were returned.',
    errorCode: 'no_speech',
    creditsReturned: 1,
    canRetry: false,
  })
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 10, held: 0 })
  // It is counted as unpaid work; otherwise a user could ask for it again and again for nothing.
  const unpaid = await deps.db.$count(attempts, eq(attempts.key, `unpaid-job:${userId}`))
  expect(unpaid).toBe(1)
  const again = room.retry(deps, { userId, id })
  await expect(again).rejects.toMatchObject({ code: 'refused_before' })
  // In another language there may be words. In that one, there are none a second time.
  const inGerman = { userId, id, spokenLanguage: 'de' }
  expect(await room.retry(deps, inGerman)).toEqual({ creditsDeducted: 1, creditsRemaining: 9 })
  await run(deps, { transcriptionId: id, attempt: 2 }, delivery)
  expect(await room.get(deps, { userId, id })).toMatchObject({ errorCode: 'no_speech' })
  await expect(room.retry(deps, inGerman)).rejects.toMatchObject({ code: 'refused_before' })
})

test('the credits that a dead worker held come back each time, and after ten jobs that broke there is no eleventh', async ({
  deps,
}) => {
  const { userId, id } = await aConfirmed(deps)
  for (let attempt = 1; attempt < 10; attempt++) {
    await giveUp(deps, { transcriptionId: id, attempt })
    expect(await room.get(deps, { userId, id })).toMatchObject({ status: 'error', canRetry: true })
    expect(await credits.balance(deps.db, userId)).toEqual({ available: 10, held: 0 })
    await room.retry(deps, { userId, id })
  }
  await giveUp(deps, { transcriptionId: id, attempt: 10 })
  expect(await room.get(deps, { userId, id })).toMatchObject({ canRetry: false })
  await expect(room.retry(deps, { userId, id })).rejects.toMatchObject({ code: 'given_up' })
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 10, held: 0 })
})

test('a job that runs while the engine is exchanged ends with the one it began with', async ({
  deps,
}) => {
  const runs = Promise.withResolvers<void>()
  const exchanged = Promise.withResolvers<void>()
  const first = anEngine(async (_pcm, chunks) => {
    runs.resolve()
    await exchanged.promise
    return oneWordPerSecond(chunks)
  })
  const inUse = engineInUse({ ...first, name: 'first' })
  const doors = new Map<string, (job: Delivery<never>) => Promise<unknown>>()
  const work: Queue['work'] = async ({ name }, _options, handler) => void doors.set(name, handler)
  const queue = { ...deps.queue, work }
  const started = { ...deps, queue, engine: inUse, workers: 2, round: {} }
  for (const job of transcriptionJobs) (await job.start(started))()
  const deliver = (data: object) =>
    doors.get('transcribe')!({ id: randomUUID(), data: data as never, attempt: 1, ...delivery })

  const during = await aConfirmed(deps)
  const running = deliver(during.job)
  await runs.promise
  inUse.replace({ ...anEngine(), name: 'second' })
  const next = await aConfirmed(deps)
  await deliver(next.job)
  exchanged.resolve()
  await running
  expect(await room.get(deps, during)).toMatchObject({ status: 'completed', engine: 'first' })
  expect(await room.get(deps, next)).toMatchObject({ status: 'completed', engine: 'second' })
})
