/** When a recording was made: what its file says, what its owner says, and what counts from it. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect } from 'vitest'

import { users } from '#features/account/tables.ts'
import type { Engine } from '#features/speech/engines/engine.ts'
import { BegunBatch, type UploadAnswer } from '#features/recordings/contract.ts'
import { transcriptions } from '#features/row/tables.ts'
import { insertRun } from '#features/text/earlier.ts'
import { run } from '#features/transcriptions/run.ts'
import type { Transcription, TranscriptionRow } from '#features/transcriptions/contract.ts'
import { extractive } from '#features/writing/writing.ts'
import type { Tx } from '#server/db.ts'
import { systemClock } from '#shared/clock.ts'
import type { TestApp } from '#test/app.ts'
import { untilItWaits } from '#test/database.ts'
import { capabilities, takingTurns } from '#test/engine.ts'
import { aTranscription, aUser, anActionItem } from '#test/factories.ts'
import { uploadOf } from '#test/form.ts'
import { isLong } from '#test/long.ts'
import { test } from '#test/served.ts'

import { setRecordedAt } from './library.ts'

type Call = Awaited<ReturnType<TestApp['as']>>

const sample = path.resolve(import.meta.dirname, '../transcriptions/sample/sample.m4a')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quoth-recorded-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Ten seconds of speech, in a file that says of itself what is asked. */
async function speech(name: string, ...says: string[]): Promise<Buffer> {
  const file = path.join(folder, name)
  const tags = says.flatMap((tag) => ['-metadata', tag])
  const mono = ['-ac', '1', '-map_metadata', '-1', '-fflags', '+bitexact']
  const bext = says.some((tag) => tag.startsWith('origination')) ? ['-write_bext', '1'] : []
  const options = ['-v', 'error', '-y', '-t', '10', '-i', sample, ...mono, ...tags, ...bext, file]
  await promisify(execFile)('ffmpeg', options)
  return readFile(file)
}

const said =
  'The visitors of the fair liked the small printer that we showed them there. ' +
  "I'll send the list of visitors to the printers by Friday. " +
  'The large printer was too loud for the small hall at the back of the building.'

/** Hears these words, whatever was recorded. */
const engine: Engine = {
  name: 'test',
  capabilities: { ...capabilities, hasPunctuation: true },
  diarizer: takingTurns,
  parallelGroups: 1,
  groupMs: 600_000,
  recognise: async (_, chunks) => {
    const { startMs, endMs } = chunks[0]!
    const words = said.split(' ')
    const step = Math.floor((endMs - startMs) / words.length)
    const at = (index: number) => startMs + index * step
    return {
      kind: 'done',
      language: 'en',
      words: words.map((text, index) => ({
        text,
        startMs: at(index),
        endMs: at(index + 1),
        confidence: 0.9,
      })),
    }
  },
}

async function send(call: Call, name: string, bytes: Buffer, fields: Record<string, string> = {}) {
  const upload = await uploadOf([{ name, bytes }], fields)
  const answer = await call({ ...upload, url: '/api/transcriptions' })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json<Transcription>()
}

const get = async (call: Call, id: string) =>
  (await call(`/api/transcriptions/${id}`)).json<Transcription>()
const patch = (call: Call, id: string, payload: object) =>
  call({ method: 'PATCH', url: `/api/transcriptions/${id}`, payload })

const work = ({ parts }: TestApp, transcriptionId: string, hearing = engine) =>
  run(
    {
      ...parts,
      db: parts.database.db,
      engine: hearing,
      writer: extractive,
      workRoot: path.join(folder, 'work'),
    },
    { transcriptionId, attempt: 1 },
    { isLastAttempt: true, signal: new AbortController().signal },
  )

const promised = async (call: Call, id: string) =>
  (await get(call, id)).actionItems.map(({ due, dueDate }) => [due, dueDate])

test('“by Friday” counts from the day on which a file says that it was recorded', async ({
  server,
  db,
}) => {
  const call = await server.as(await aUser(db, { credits: 4 }))
  const file = await speech('talk.m4a', 'creation_time=2024-09-03T10:02:00Z')
  const { id, recordedAt } = await send(call, 'talk.m4a', file, { timeZone: 'Europe/Berlin' })
  expect(recordedAt).toBe('2024-09-03T12:02:00+02:00')
  await work(server, id)
  expect(await promised(call, id)).toEqual([['by Friday', '2024-09-06']])
  const calendar = await call(`/api/transcriptions/${id}/action-items.ics`)
  expect(calendar.body).toContain('DTSTART;VALUE=DATE:20240906')

  // Its owner knows better.
  const changed = await patch(call, id, { recordedAt: '2024-03-04' })
  expect(changed.json<TranscriptionRow>().recordedAt).toBe('2024-03-04')
  expect(await promised(call, id)).toEqual([['by Friday', '2024-03-08']])
  await patch(call, id, { recordedAt: null })
  expect(await promised(call, id)).toEqual([['by Friday', null]])
})

test('what is said with an upload counts before what its file says', async ({ server, db }) => {
  const call = await server.as(await aUser(db, { credits: 4 }))
  const file = await speech('talk.m4a', 'creation_time=2024-09-03T10:02:00Z')
  const { recordedAt } = await send(call, 'talk.m4a', file, { recordedAt: '2024-03-04' })
  expect(recordedAt).toBe('2024-03-04')
})

test('without the day of a recording nothing is counted, not even from its upload', async ({
  server,
  db,
}) => {
  const call = await server.as(await aUser(db, { credits: 4 }))
  const { id, recordedAt } = await send(call, 'talk.wav', await speech('talk.wav'))
  expect(recordedAt).toBeNull()
  await work(server, id)
  expect(await promised(call, id)).toEqual([['by Friday', null]])
  const answer = await call(`/api/transcriptions/${id}/export?format=md`)
  expect(answer.body).not.toMatch(/^date:/m)
})

if (isLong)
  test('a day that its owner changes while it is worked on is the one that counts', async ({
    server,
    db,
  }) => {
    const call = await server.as(await aUser(db, { credits: 4 }))
    const fields = { recordedAt: '2024-09-03' }
    const { id } = await send(call, 'talk.wav', await speech('talk.wav'), fields)
    const { recognise } = engine
    const patching: Engine = {
      ...engine,
      async recognise(...asked) {
        expect((await patch(call, id, { recordedAt: '2024-03-04' })).statusCode).toBe(200)
        return recognise(...asked)
      },
    }
    await work(server, id, patching)
    expect(await promised(call, id)).toEqual([['by Friday', '2024-03-08']])
  })

test.for([
  ['talk.m4a', ['creation_time=2024-11-29T01:30:00Z'], '2024-11-28T17:30:00-08:00'],
  ['talk.mov', ['creation_time=2024-11-29T01:30:00Z'], '2024-11-28T17:30:00-08:00'],
  ['talk.wav', ['date=2024-09-03'], '2024-09-03'],
  ['talk.wav', ['origination_date=2024-09-03', 'origination_time=23:30:00'], '2024-09-03'],
  ['talk.ogg', ['date=2024-09-03'], '2024-09-03'],
  ['talk.flac', ['date=2024-09-03'], '2024-09-03'],
  ['talk.mp3', ['date=2024-09-03'], '2024-09-03'],
  // A clock that was never set, one that goes wrong, and only a year.
  ['talk.m4a', ['creation_time=1970-01-01T00:00:00Z'], null],
  ['talk.m4a', ['creation_time=2039-01-01T00:00:00Z'], null],
  ['talk.mp3', ['date=2024'], null],
] as const)(
  '%s with %s was recorded %s in Los Angeles',
  async ([name, says, at], { server, db }) => {
    const call = await server.as(await aUser(db, { credits: 4 }))
    const upload = await uploadOf([{ name, bytes: await speech(name, ...says) }], {
      timeZone: 'America/Los_Angeles',
    })
    const answer = await call(upload)
    expect(answer.statusCode, answer.body).toBe(200)
    const { transcriptionId } = answer.json<{ transcriptionId: string }>()
    expect((await get(call, transcriptionId)).recordedAt).toBe(at)
  },
)

test('the time zone that was told last is that of the next call which names none', async ({
  server,
  db,
}) => {
  const call = await server.as(await aUser(db, { credits: 4 }))
  const bytes = await speech('talk.wav')
  const at = { recordedAt: '2024-11-29T01:30:00Z' }
  const zone = { timeZone: 'America/Los_Angeles' }
  const first = await send(call, 'talk.wav', bytes, at)
  const second = await send(call, 'talk.wav', bytes, { ...at, ...zone })
  const third = await send(call, 'talk.wav', bytes, at)
  expect([first, second, third].map(({ recordedAt }) => recordedAt)).toEqual([
    '2024-11-29T01:30:00+00:00',
    '2024-11-28T17:30:00-08:00',
    '2024-11-28T17:30:00-08:00',
  ])
  const later = await patch(call, first.id, at)
  expect(later.json<TranscriptionRow>().recordedAt).toBe('2024-11-28T17:30:00-08:00')
})

test('the day and time zone that an upload names are checked before it is taken', async ({
  server,
  db,
}) => {
  const call = await server.as(await aUser(db, { credits: 4 }))
  const bytes = await speech('talk.wav')
  const wrong: Record<string, string>[] = [
    { recordedAt: 'yesterday' },
    { recordedAt: '2101-01-01' },
    { timeZone: 'Mars/Olympus' },
  ]
  for (const fields of wrong) {
    const upload = await uploadOf([{ name: 'talk.wav', bytes }], fields)
    expect((await call(upload)).statusCode).toBe(400)
    const payload = { name: 'talk.wav', sizeBytes: bytes.length, ...fields }
    expect((await call({ method: 'POST', url: '/api/uploads', payload })).statusCode).toBe(400)
  }
})

test('the day of each file of a batch, or of one in parts, is kept with it', async ({
  server,
  db,
}) => {
  const call = await server.as(await aUser(db, { credits: 4 }))
  const bytes = await speech('talk.wav')
  const file = { name: 'talk.wav', sizeBytes: bytes.length }
  const files = [{ ...file, recordedAt: '2024-03-04' }, file]
  const payload = { files, timeZone: 'Europe/Berlin' }
  const begun = await call({ method: 'POST', url: '/api/batches', payload })
  const recorded: unknown[] = []
  for (const { upload } of BegunBatch.parse(begun.json()).files) {
    await call({ method: 'PUT', url: upload!.parts[0]!.url, payload: bytes })
    const done = await call({ method: 'POST', url: `/api/uploads/${upload!.id}/complete` })
    recorded.push((await get(call, done.json<UploadAnswer>().transcriptionId)).recordedAt)
  }
  expect(recorded).toEqual(['2024-03-04', null])
})

test('only days that were said are counted anew, and those of the text from before too', async ({
  server,
  db,
}) => {
  const user = await aUser(db)
  const call = await server.as(user)
  const item = (fields: object) => anActionItem({ startMs: 0, quote: null, ...fields })
  const actionItems = [
    item({ text: 'Send it', due: 'Friday', dueDate: '2026-11-27' }),
    item({ text: 'Call her', due: null, dueDate: '2026-12-24', isChanged: true }),
    item({ text: 'Pay', due: 'by 14 March 2027', dueDate: '2027-03-14', startMs: null }),
  ]
  const turns = [{ speaker: 0, text: 'I will send it a week from Friday, not before.' }]
  const { id } = await aTranscription(db, { userId: user.id, turns, actionItems, language: 'en' })
  const [before] = await db.select().from(transcriptions).where(eq(transcriptions.id, id))
  const kept = await insertRun(db as unknown as Tx, before!, {
    creditsRequired: 0,
    againWhat: 'text',
    status: 'completed',
    finishedAt: new Date(),
    language: 'en',
    actionItems: [item({ text: 'Send it by Friday', due: 'by Friday', dueDate: null })],
  })
  await patch(call, id, { recordedAt: '2024-09-03' })
  const daysOf = async (one: string) => {
    const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, one))
    return row!.actionItems!.map(({ dueDate }) => dueDate)
  }
  expect(await daysOf(id)).toEqual(['2024-09-13', '2026-12-24', '2027-03-14'])
  expect(await daysOf(kept.id)).toEqual(['2024-09-06'])
})

test('a day is not set on a recording of somebody else, and never lies in the future', async ({
  server,
  db,
}) => {
  const user = await aUser(db)
  const { id } = await aTranscription(db, { userId: user.id })
  const [call, stranger] = [await server.as(user), await server.as(await aUser(db))]
  expect((await patch(stranger, id, { recordedAt: '2024-03-04' })).statusCode).toBe(404)
  expect((await patch(call, id, { recordedAt: '2101-01-01' })).statusCode).toBe(400)
  expect((await patch(call, id, {})).statusCode).toBe(400)
  expect((await get(call, id)).recordedAt).toBeNull()
})

test('setting the day of a recording locks nothing that the deletion of the account waits for', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, { userId })
  const said = { userId, id, recordedAt: '2024-03-04', timeZone: 'Asia/Tokyo' }
  let saying: Promise<void> | undefined
  await db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
    saying = setRecordedAt({ db, clock: systemClock }, said)
    await untilItWaits(db, saying)
    const isIt = eq(transcriptions.id, id)
    await tx.select({ id: transcriptions.id }).from(transcriptions).where(isIt).for('update', {
      noWait: true,
    })
  })
  await saying
  expect(await db.$count(users, and(eq(users.id, userId), eq(users.timeZone, 'Asia/Tokyo')))).toBe(
    1,
  )
})
