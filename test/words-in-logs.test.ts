/**
 * Tests that words of users reach no log, however work fails: each way of failing plants a word in
 * the data. The facts that an operator needs of the failure are still there.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { z } from 'zod'

import { openOpenai } from '#features/speech/engines/openai.ts'
import { turns } from '#features/text/tables.ts'
import { chooseWriter } from '#features/writing/writing.ts'
import type { Database } from '#server/db.ts'
import { type Log, createLog } from '#server/log.ts'
import { smtpMailer } from '#server/mail.ts'
import { openQueue } from '#server/queue.ts'
import { openThreads, runAlone, tasksIn } from '#server/threads.ts'
import { systemClock } from '#shared/clock.ts'
import { anApp } from '#test/app.ts'
import { test } from '#test/database.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { chatFake } from '#test/fakes/chat.ts'
import { smtpFake } from '#test/fakes/smtp.ts'
import { transcriberFake } from '#test/fakes/transcriber.ts'
import type * as tasks from '#test/thread-tasks.ts'
import { tinySpeech } from '#test/tiny-model.ts'

const WORD = 'zebrafinch'
const SENTENCE = `We met the ${WORD} on Tuesday, and it told us what it thinks of bridges.`
const signal = AbortSignal.timeout(60_000)
const task = tasksIn<typeof tasks>(new URL('./thread-tasks.ts', import.meta.url))

function aLog() {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(z.looseObject({}).parse(JSON.parse(line)))
  return { lines, log: createLog({ level: 'debug', destination: { write } }) }
}

interface Tools {
  database: Database
  log: Log
}

const has = (fields: object): unknown => expect.objectContaining(fields)

/** The work of a job, and what the log has of the error it ends with. */
const failingJobs: Record<string, [work: (tools: Tools) => Promise<unknown>, told: object]> = {
  'a query that is refused in a thread': [
    ({ database: { url: databaseUrl } }) =>
      runAlone(task('write'), SENTENCE, { signal, databaseUrl }),
    {
      type: 'DrizzleQueryError',
      message: 'Failed query: select $1::text, $2::uuid',
      stack: expect.stringContaining('thread-tasks.ts'),
      cause: has({ type: 'DatabaseError', code: '22P02', routine: 'string_to_uuid' }),
    },
  ],
  'a query that is refused here': [
    ({ database: { db } }) => db.execute(sql`select ${SENTENCE}::uuid`),
    { type: 'DrizzleQueryError', cause: has({ code: '22P02' }) },
  ],
  'a thread that dies of what nobody caught': [
    () => runAlone(task('die'), SENTENCE, { signal }),
    { type: 'TypeError', stack: expect.stringContaining('thread-tasks.ts') },
  ],
  'an answer of another shape': [
    async () => z.record(z.enum(['said']), z.literal('so')).parse({ [SENTENCE]: SENTENCE }),
    { type: 'ZodError', stack: expect.stringContaining('words-in-logs') },
  ],
  'a text that is not JSON': [
    async () => JSON.parse(WORD) as unknown,
    { type: 'SyntaxError', stack: expect.stringContaining('words-in-logs') },
  ],
  'an address that is none': [
    async () => new URL(SENTENCE),
    { type: 'TypeError', code: 'ERR_INVALID_URL' },
  ],
  'several errors at once': [
    () => Promise.any([new RangeError(SENTENCE), SENTENCE].map((each) => Promise.reject(each))),
    { type: 'AggregateError', errors: [has({ type: 'RangeError' }), has({ type: 'string' })] },
  ],
  'words that are thrown': [
    // oxlint-disable-next-line typescript/only-throw-error -- what others throw need not be an Error
    async () => Promise.reject(SENTENCE),
    { type: 'string' },
  ],
  'a message with lines that look like a stack': [
    async () => {
      throw new RangeError(`no\n    at ${WORD} (file:///${WORD}.ts:1:1)`)
    },
    { type: 'RangeError', stack: expect.stringContaining('words-in-logs') },
  ],
  'a transcription server that quotes what it was sent': [
    async () => {
      const server = await transcriberFake()
      const workDir = await mkdtemp(join(tmpdir(), 'words-'))
      try {
        const sound = tinySpeech(['hello', 'world'])
        const path = join(workDir, 'sound.pcm')
        await writeFile(path, sound)
        const pcm = { path, sampleCount: sound.length / 2, sourceSampleRateHz: 16_000 }
        const settings = { apiKey: null, baseUrl: server.url, model: 'whisper-1!echo' }
        const chunks = [{ index: 0, startMs: 0, endMs: 1000 }]
        await openOpenai(settings).recognise(pcm, chunks, {
          language: null,
          workDir,
          signal,
          terms: [WORD],
        })
      } finally {
        await rm(workDir, { recursive: true })
        await server.close()
      }
    },
    { message: expect.stringContaining('it answered 403: check OPENAI_API_KEY') },
  ],
  'a mail server that quotes the mail': [
    async ({ log }) => {
      const server = await smtpFake()
      const mailer = smtpMailer(server.url, 'quoth@quoth.example', { log })
      try {
        server.echoWith(554)
        const mail = { to: `${WORD}@example.com`, subject: WORD, text: SENTENCE, html: SENTENCE }
        await mailer.send(mail)
      } finally {
        mailer.close()
        await server.close()
      }
    },
    { code: 'EMESSAGE', responseCode: 554 },
  ],
}

test.for(Object.entries(failingJobs))('not by %s', async ([, [work, told]], { database }) => {
  const { log, lines } = aLog()
  const failing = { name: 'failing', data: z.object({}) }
  const queues = [{ name: 'dead' }, { name: 'failing', retryLimit: 0, deadLetter: 'dead' }]
  const queue = await openQueue(database, { log, queues })
  await database.db.execute(sql`delete from pgboss.job`)
  await queue.work(failing, { concurrency: 1 }, async () => void (await work({ database, log })))
  await database.db.transaction((tx) => queue.add(tx, failing, {}))
  const dead = async () => {
    const { rows } = await database.db.execute(sql`
      select state, output, source_output from pgboss.job order by state`)
    return rows
  }
  await expect.poll(dead).toHaveLength(2)
  const jobs = await dead()
  await queue.stop({ timeoutMs: 1_000 })
  expect(JSON.stringify([lines, jobs])).not.toContain(WORD)
  expect(lines).toContainEqual(has({ msg: 'job failed', queue: 'failing', err: has(told) }))
})

/** Failures of the database during a correction, with the answer and the log of each. */
const failingCorrections: [name: string, sqlstate: string, status: number, line: object][] = [
  ['a full disk', '53100', 507, { msg: 'the disk is full' }],
  ['a connection that is killed', '57P01', 503, { msg: 'database_away' }],
  ['a row that is refused', '23514', 500, { msg: 'request failed' }],
  ['damage', 'XX000', 500, { msg: 'request failed' }],
]

test.for(failingCorrections)(
  'not by %s during a correction',
  async ([, code, status, line], { database }) => {
    const { db, url: databaseUrl } = database
    const { log, lines } = aLog()
    const threads = openThreads({ databaseUrl, clock: systemClock, count: 1 })
    const server = await anApp(database, { works: false, parts: { log, threads } })
    const user = await aUser(db)
    const said = [{ speaker: 0, text: 'We met on Tuesday.' }]
    const { id } = await aTranscription(db, { userId: user.id, turns: said })
    const [turn] = await db.select().from(turns).where(eq(turns.transcriptionId, id))
    const failure =
      code === '57P01'
        ? 'perform pg_terminate_backend(pg_backend_pid())'
        : `raise '%', ${code === '53100' ? `'no room'` : 'new.text'} using
            errcode = '${code}', detail = new.text, hint = new.text, table = 'turns'`
    await db.execute(
      sql.raw(`create or replace function fail() returns trigger language plpgsql as
        $$ begin ${failure}; return new; end $$`),
    )
    await db.execute(sql`create or replace trigger fails before insert or update on turns
      for each row when (new.text like 'We met the %') execute function fail()`)
    const call = await server.as(user)
    const answer = await call({
      method: 'PATCH',
      url: `/api/transcriptions/${id}/turns/${turn!.id}`,
      payload: { text: SENTENCE, revision: 0 },
    })
    await db.execute(sql`drop trigger fails on turns`)
    await server.close()
    await threads.close()
    expect(answer.statusCode).toBe(status)
    expect(JSON.stringify(lines)).not.toContain(WORD)
    expect(lines).toContainEqual(has({ ...line, err: has({ type: 'DrizzleQueryError' }) }))
    // Where the connection is gone, the error is that of the last statement, which found none.
    if (code !== '57P01') expect(JSON.stringify(lines)).toContain(`"code":"${code}"`)
  },
)

test.for(['echo', 'echo-refused', 'invalid'])(
  'not by a language model whose answer is an error or no answer: %s',
  async (behaviour) => {
    const { log, lines } = aLog()
    const server = await chatFake()
    const llm = {
      baseUrl: server.url,
      apiKey: 'key',
      model: behaviour,
      contextTokens: 8_192,
      timeoutMs: 10_000,
      pauseMs: 1,
    }
    const said = [{ speaker: 'Ada', startMs: 0, endMs: 5_000, text: SENTENCE }]
    const order = { turns: said, language: 'en', requestedLanguage: 'en' }
    const writer = chooseWriter({ summarizer: 'auto', llm }, log)
    const summary = await writer.summarize(order, { signal })
    const own = { name: WORD, instructions: SENTENCE, length: 'short', parts: [] } as const
    const recorded = { name: WORD, recordedOn: '1970-01-01', durationMs: 10_000 }
    const described = { ...order, ...recorded, turns: [...said, ...said], own }
    expect((await writer.compose(described, { signal })).kind).not.toBe('written')
    expect(server.asked.at(-1)?.instructions).toContain(WORD)
    const passages = said.map((turn) => ({ ...turn, name: WORD }))
    const asked = { question: WORD, before: null, passages, language: 'en', isOfMany: true }
    expect(await writer.answer?.(asked, { signal, tell: () => undefined })).toBeNull()
    await server.close()
    expect(summary.engine).toBe('extractive')
    expect(server.asked[0]?.prompt).toContain(WORD)
    expect(lines).toContainEqual(has({ msg: 'language model gave no usable answer' }))
    expect(JSON.stringify(lines)).not.toContain(WORD)
  },
)

test('not by an error that is logged under any name, or without a text', () => {
  const { log, lines } = aLog()
  const error = Object.assign(new RangeError(SENTENCE), { code: '23505', detail: SENTENCE })
  log.error(error)
  log.error({ err: error })
  log.error({ failure: error }, 'failed')
  expect(lines).toHaveLength(3)
  expect(JSON.stringify(lines)).not.toContain(WORD)
})
