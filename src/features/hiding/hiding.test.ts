import { createReadStream } from 'node:fs'
import { mkdir, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { and, eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'

import { documents } from '#features/documents/tables.ts'
import { bin } from '#features/recordings/tables.ts'
import { hidings, renders, transcriptions } from '#features/row/tables.ts'
import { decodeToFile } from '#features/sound/decode.ts'
import { MOST_STRETCHES } from '#features/sound/toned.ts'
import type { Word } from '#features/speech/contract.ts'
import { chooseEngine } from '#features/speech/speech.ts'
import { edits, turns } from '#features/text/tables.ts'
import { summaryOrders } from '#features/transcriptions/tables.ts'
import { translations } from '#features/translations/tables.ts'
import { listOutbox, outboxMailer } from '#server/mail.ts'
import { NotStored } from '#server/storage.ts'
import { BAR } from '#shared/hidden-words.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { aTranslation } from '#test/factories.ts'
import {
  NAME,
  type Owner,
  anOwner,
  answersOf,
  besideTone,
  has,
  heard,
  plant,
  test,
} from '#test/hiding.ts'
import { isLong } from '#test/long.ts'

import { wordErrors } from '../../../bench/metrics.ts'
import type { Hidden } from './contract.ts'
import { hideJob, make } from './sound.ts'

const { signal } = new AbortController()

/** Everything that is kept: every row of every table, the queue's too, and every file. */
async function everything({ parts, dataDir }: TestApp): Promise<{ where: string; text: string }[]> {
  const { pool } = parts.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const found: { where: string; text: string }[] = []
  for (const { name: where } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${where} t`)
    found.push(...rows.map(({ row: text }) => ({ where, text })))
  }
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const text = await readFile(join(entry.parentPath, entry.name), 'latin1')
      found.push({ where: `file ${entry.parentPath}`, text: entry.name + text })
    }
  return found
}
const whereItIs = async (server: TestApp) =>
  [
    ...new Set(
      (await everything(server)).filter(({ text }) => has(text)).map(({ where }) => where),
    ),
  ].toSorted()

test('what is hidden for good is in no table, no file, no answer and no line of the log', async ({
  server,
  lines,
  clock,
}) => {
  const owner = await anOwner(server)
  const link = await plant(owner)
  const before = await whereItIs(server)
  for (const table of [
    'turns',
    'original_turns',
    'transcription_edits',
    'carried_over',
    'documents',
    'questions',
    'translated_turns',
    'tags',
    'uploads',
    'webhook_deliveries',
    'idempotency_keys',
    'transcription_stages',
    'summary_orders',
    'transcriptions',
  ])
    expect(before).toContain(`public.${table}`)
  const saidBefore = (await answersOf(owner, link, clock))
    .filter(([, text]) => has(text))
    .map(([name]) => name)
  expect(saidBefore.length).toBeGreaterThan(40)

  const found = await owner.find(NAME)
  expect(found.counts).toMatchObject({
    text: 1,
    chapters: 1,
    documents: 3,
    translations: 1,
    questions: 15,
  })
  // Finding has changed nothing.
  expect(await whereItIs(server)).toEqual(before)

  const answer = await owner.hide([NAME, 'Zerelda', 'Quimby'], { confirmation: 'zerelda quimby ' })
  expect(answer.json()).toMatchObject({ places: 1, sound: 'making' })
  // The order itself is all that still has it, until the sound is there.
  expect((await whereItIs(server)).filter((where) => where !== 'public.hidings')).toEqual([])
  await owner.run(answer.json<Hidden>())
  expect(await whereItIs(server)).toEqual([])
  const answers = await answersOf(owner, link, clock)
  expect(answers.filter(([, text]) => has(text)).map(([name]) => name)).toEqual([])
  // What is searched is the text itself, of links too.
  const texts = answers.filter(
    ([name]) => name.startsWith('archive') || /export\?format=(pdf|docx)$|^\/s\/[^/]+$/.test(name),
  )
  expect(texts).toHaveLength(11)
  expect(texts.filter(([, text]) => !text.includes('at last')).map(([name]) => name)).toEqual([])
  expect(lines.filter(has)).toEqual([])
  const { originalName, summary, keyPoints, contentHash } = await owner.now()
  expect(originalName).toBe(`talk ${BAR} 2.wav`)
  expect(summary).toBe(`They asked ${BAR} about it.`)
  expect(keyPoints).toMatchObject([
    { text: `They asked ${BAR} about it.`, quote: `They asked ${BAR} about it.` },
  ])
  expect(contentHash).toBeNull()
})

test('the bar has the time of the words, and all other words stay', async ({ server }) => {
  const { db, id, hide } = await anOwner(server)
  await hide([NAME])
  const [first, second] = await db
    .select()
    .from(turns)
    .where(eq(turns.transcriptionId, id))
    .orderBy(turns.position)
  expect(first).toMatchObject({ text: `Here is ${BAR}, at last.` })
  expect(first!.words.map(({ text, startMs, endMs }) => [text, startMs, endMs])).toEqual([
    ['Here', 0, 300],
    ['is', 400, 700],
    [`${BAR},`, 800, 1_500],
    ['at', 1_600, 1_900],
    ['last.', 2_000, 2_300],
  ])
  expect(second!.text).toBe('Nothing of that kind.')
})

test('nobody hears the recording before it is without the words, and its old file is gone', async ({
  server,
}) => {
  const { hide, run, call, url, list, storage, storageKey, now } = await anOwner(server)
  const hidden = (await hide()).json<Hidden>()
  for (const path of ['media', 'export/sound']) {
    const heard = await call(`${url}/${path}`)
    expect(heard.statusCode).toBeGreaterThanOrEqual(400)
  }
  expect((await call(`${url}/media`)).json()).toMatchObject({ code: 'sound_being_hidden' })
  await run(hidden)
  expect(await list()).toMatchObject([{ id: hidden.id, sound: 'made', progress: 100 }])
  const row = await now()
  expect(row.storageKey).not.toBe(storageKey)
  await expect(storage.require(storageKey)).rejects.toThrow(NotStored)
  expect((await call(`${url}/media`)).statusCode).toBe(200)
  const { path, release } = await storage.open(row.storageKey!)
  const { measured, samples } = await heard(path)
  await release()
  expect(measured).toMatchObject({ kind: 'audio', container: 'wav', durationMs: 4_000 })
  // From 50 ms before "Zerelda" to 50 ms after "Quimby,": a tone of 1 kHz, and nothing else.
  expect(besideTone(samples, [755, 1_545])).toBeLessThan(0.01)
})

test('a file that cannot be removed at once holds up neither the sound nor the mails', async ({
  database,
  server: { parts },
}) => {
  const away = { ...parts.storage, remove: () => Promise.reject(new Error('the bucket is away')) }
  const server = await anApp(database, { works: false, parts: { storage: away } })
  const { db, id, user, hide } = await anOwner(server)
  await db.insert(renders).values({
    userId: user.id,
    transcriptionId: id,
    format: 'mp3',
    times: [],
    durationMs: 1,
    status: 'made',
    finishedAt: new Date(),
    storageKey: crypto.randomUUID(),
  })
  const mails = join(server.dataDir, 'outbox')
  const mail = { to: user.email, subject: NAME, text: NAME, html: NAME }
  await outboxMailer(mails, 'quoth@example.com').send(mail)
  const hidden = await hide()
  expect(hidden.statusCode).toBe(200)
  expect(await listOutbox(mails)).toEqual([])
  const jobs = await server.parts.queue.unfinished(db, hideJob)
  expect(jobs).toContainEqual({ hidingId: hidden.json<Hidden>().id })
  await server.close()
})
if (isLong)
  test('a recogniser does not hear what is hidden, and hears all else as before', async ({
    server,
  }) => {
    const path = join(import.meta.dirname, '../transcriptions/sample/sample.m4a')
    const workDir = join(server.dataDir, 'heard')
    await mkdir(workDir)
    const engine = await chooseEngine({ transcriber: 'pocketsphinx' })
    // "Paper" is said twice in the first turn, and once in each other.
    const spoken = [
      { index: 0, startMs: 18_500, endMs: 23_300 },
      { index: 1, startMs: 23_300, endMs: 29_900 },
      { index: 2, startMs: 67_800, endMs: 71_400 },
    ]
    const heardIn = async (recorded: string) => {
      const pcm = join(workDir, 'sound.pcm')
      const decoded = await decodeToFile(recorded, pcm, { signal, maxDurationMs: 600_000 })
      if (decoded.kind === 'refused') throw new Error(decoded.reason)
      const how = { language: null, workDir, signal }
      const result = await engine.recognise({ path: pcm, ...decoded }, spoken, how)
      if (result.kind !== 'done') throw new Error(result.kind)
      return { durationMs: decoded.durationMs, words: result.words }
    }
    const { durationMs, words } = await heardIn(path)
    const places = words.filter(({ text }) => text === 'paper')
    expect(places).toHaveLength(4)

    const storageKey = crypto.randomUUID()
    await server.parts.storage.write(storageKey, createReadStream(path), { signal })
    const about = { storageKey, durationMs, mediaType: 'audio/mp4', turns: [] }
    const { db, id, hide, run, now, storage } = await anOwner(server, about)
    await db.insert(turns).values({
      transcriptionId: id,
      position: 0,
      speaker: 0,
      text: words.map(({ text }) => text).join(' '),
      words,
      startMs: words[0]!.startMs,
      endMs: words.at(-1)!.endMs,
    })
    await run((await hide(['paper'])).json<Hidden>())
    const anew = await storage.open((await now()).storageKey!)
    const { words: left } = await heardIn(anew.path)
    await anew.release()

    const isNear = (one: Word) =>
      places.some(({ startMs, endMs }) => one.startMs < endMs + 300 && startMs - 300 < one.endMs)
    expect(left.filter(isNear).map(({ text }) => text)).not.toContain('paper')
    const apart = (all: Word[]) =>
      all
        .filter((one) => !isNear(one))
        .map(({ text }) => text)
        .join(' ')
    expect(wordErrors(apart(words), apart(left)).rate).toBeLessThan(0.2)
  }, 120_000)

test('a worker that dies in the middle leaves it to another, and nothing is heard meanwhile', async ({
  server,
}) => {
  const { db, hide, run, call, url, deps, now } = await anOwner(server)
  const hidden = (await hide()).json<Hidden>()
  const dead = AbortSignal.abort(new Error('the worker is gone'))
  await expect(
    make(deps, { hidingId: hidden.id }, { isLastAttempt: false, signal: dead }),
  ).rejects.toThrow()
  expect((await call(`${url}/media`)).statusCode).toBe(409)
  // Nothing of it was lost: the file as it was belongs to the order.
  const [kept] = await db.select().from(hidings).where(eq(hidings.id, hidden.id))
  await deps.storage.require(kept!.sourceKey!)
  await run(hidden)
  await run(hidden)
  expect((await now()).storageKey).not.toBeNull()
  const names = await readdir(join(server.dataDir, 'files'), { recursive: true })
  expect(names.filter((name) => name.endsWith(kept!.sourceKey!))).toEqual([])
})

test('a recording that cannot be written anew is deleted, on the last try', async ({ server }) => {
  const { db, id, hide, run, list, storage, now } = await anOwner(server)
  const storageKey = crypto.randomUUID()
  await storage.write(storageKey, Readable.from(['no sound']), { signal })
  await db.update(transcriptions).set({ storageKey }).where(eq(transcriptions.id, id))
  const hidden = (await hide()).json<Hidden>()
  await expect(run(hidden, false)).rejects.toThrow('cannot be written anew')
  await storage.require(storageKey)
  await run(hidden)
  expect(await list()).toMatchObject([{ sound: 'gone' }])
  expect(await now()).toMatchObject({ storageKey: null, recordingDeletedAt: expect.any(Date) })
  await expect(storage.require(storageKey)).rejects.toThrow(NotStored)
})

test('a recording that an operator took back from the bin is written anew like others', async ({
  server,
}) => {
  const { db, id, user, hide, run, list, storageKey } = await anOwner(server)
  const now = new Date()
  await db.insert(bin).values({
    storageKey,
    kind: 'recording',
    userId: user.id,
    transcriptionId: id,
    createdAt: now,
    binnedAt: now,
    takenBackAt: now,
  })
  await run((await hide()).json<Hidden>())
  expect(await list()).toMatchObject([{ sound: 'made' }])
})

test('a recording that its owner deletes meanwhile is gone, and the words are forgotten', async ({
  server,
}) => {
  const { db, hide, run, call, url, storage, storageKey, list } = await anOwner(server)
  const hidden = (await hide()).json<Hidden>()
  await call({ method: 'DELETE', url: `${url}/recording` })
  await expect(storage.require(storageKey)).rejects.toThrow(NotStored)
  await run(hidden)
  expect(await list()).toMatchObject([{ sound: 'gone' }])
  const kept = await db.select().from(hidings).where(eq(hidings.id, hidden.id))
  expect(kept).toMatchObject([{ words: null, sourceKey: null }])
})

if (isLong)
  test('a word that is said more often than the sound has stretches is hidden with what lies between', async ({
    server,
  }) => {
    const many = MOST_STRETCHES + 1
    const { db, id, hide } = await anOwner(server, {
      durationMs: many * 800,
      turns: [{ speaker: 0, text: 'Zerelda here '.repeat(many).trim() }],
    })
    expect((await hide(['Zerelda'])).json()).toMatchObject({ places: many })
    const [kept] = await db.select().from(hidings).where(eq(hidings.transcriptionId, id))
    expect(kept!.times.length / 2).toBeLessThanOrEqual(MOST_STRETCHES)
  })

test('what was said is hidden in the sound, though its owner had taken it out of the text', async ({
  server,
}) => {
  const { db, id, hide, call, url } = await anOwner(server)
  const [first] = await db
    .select()
    .from(turns)
    .where(and(eq(turns.transcriptionId, id), eq(turns.position, 0)))
  await call({
    method: 'PATCH',
    url: `${url}/turns/${first!.id}`,
    payload: { text: 'Here is somebody.', revision: 0 },
  })
  expect((await hide()).json()).toMatchObject({ places: 0 })
  const [kept] = await db.select().from(hidings).where(eq(hidings.transcriptionId, id))
  expect(kept!.times).toEqual([750, 1_550])
  // Nor can that be undone.
  const restored = await call({
    method: 'POST',
    url: `${url}/turns/${first!.id}/restore`,
    payload: { revision: 1 },
  })
  expect(restored.json()).toMatchObject({ turns: [{ text: 'Here is somebody.' }] })
})

test('what was written and taken out again is hidden in the sound, and cannot be undone', async ({
  server,
}) => {
  const { db, id, hide, call, url } = await anOwner(server, {
    turns: [{ speaker: 0, text: 'Here is Selda Quinby, at last.' }],
  })
  const isOfIt = eq(turns.transcriptionId, id)
  for (const name of [NAME, 'somebody', 'nobody']) {
    const [turn] = await db.select().from(turns).where(isOfIt)
    const payload = { text: `Here is ${name}, at last.`, revision: turn!.revision }
    await call({ method: 'PATCH', url: `${url}/turns/${turn!.id}`, payload })
  }
  expect((await hide()).json()).toMatchObject({ places: 0, sound: 'making' })
  const [kept] = await db.select().from(hidings).where(eq(hidings.transcriptionId, id))
  expect(kept!.times).toEqual([750, 1_550])
  const undone = await call({ method: 'POST', url: `${url}/undo`, payload: { edit: 2 } })
  expect(undone.statusCode).toBe(409)
})

test('a name that only a change or a summary from before has is found, and gone', async ({
  server,
}) => {
  const { db, id, find, hide } = await anOwner(server, {
    turns: [{ speaker: 0, text: 'Nothing of that kind.' }],
  })
  const named = { names: [{ speaker: 0, name: NAME }] }
  await db.insert(edits).values({ transcriptionId: id, revision: 1, undo: named })
  await db.insert(summaryOrders).values({
    id: crypto.randomUUID(),
    transcriptionId: id,
    language: 'en',
    length: 'short',
    outcome: 'written',
    textSince: 0,
    before: {
      summary: `By ${NAME}.`,
      summaryKind: 'summary',
      summaryNote: null,
      summaryLanguage: 'en',
      keyPoints: null,
      topics: null,
      isMarked: false,
    },
  })
  expect((await find(NAME)).counts).toMatchObject({ text: 0, summary: 1, others: 1 })
  expect((await hide()).statusCode).toBe(200)
  expect(await db.$count(edits, eq(edits.transcriptionId, id))).toBe(0)
})

/** Until so many statements wait for a lock. */
const untilTheyWait = (db: Owner['db'], many: number) =>
  expect
    .poll(
      async () =>
        (
          await db.execute(sql`select 1 from pg_locks join pg_stat_activity using (pid)
            where not granted and datname = current_database()`)
        ).rows.length,
      { interval: 20 },
    )
    .toBe(many)

test('a document that failed is not written again while the words are being taken out', async ({
  server,
}) => {
  const { db, id, user, hide, call } = await anOwner(server)
  const [failed] = await db
    .insert(documents)
    .values({
      userId: user.id,
      transcriptionId: id,
      documentType: 'article',
      includeImages: false,
      status: 'error',
      title: '',
      finishedAt: new Date(),
    })
    .returning()
  const url = `/api/transcription/${id}/documents/${failed!.id}/retry`
  const both = await db.transaction(async (tx) => {
    await tx.select().from(turns).where(eq(turns.transcriptionId, id)).for('update')
    const hidden = hide()
    await untilTheyWait(db, 1)
    const again = call({ method: 'POST', url })
    await untilTheyWait(db, 2)
    return [hidden, again] as const
  })
  expect((await Promise.all(both)).map(({ statusCode }) => statusCode)).toEqual([200, 200])
})

test('an answer that was begun while the words were being taken out is not kept', async ({
  server,
}) => {
  const { db, id, hide, post } = await anOwner(server)
  const both = await db.transaction(async (tx) => {
    await tx.select().from(transcriptions).where(eq(transcriptions.id, id)).for('update')
    const hidden = hide()
    await untilTheyWait(db, 1)
    const asked = post('questions', { question: 'Who is here at last?' })
    await untilTheyWait(db, 2)
    return [hidden, asked] as const
  })
  const [hidden, asked] = await Promise.all(both)
  expect(hidden.statusCode).toBe(200)
  expect(asked.json()).toMatchObject({ code: 'words_hidden' })
})

test('what is in another language is hidden as a whole where a name may be left in it', async ({
  server,
}) => {
  const { db, id, user, hide, call, url, now } = await anOwner(server, {
    summaryLanguage: 'fi',
    summary: 'He kysyivät Zereldalta.',
    keyPoints: [{ text: 'Zereldan vastaus', startMs: null, quote: null }],
  })
  await db.insert(documents).values({
    userId: user.id,
    transcriptionId: id,
    documentType: 'article',
    includeImages: false,
    status: 'generated',
    title: 'Kirjoitus',
    content: 'Zereldasta.',
    language: 'fi',
    finishedAt: new Date(),
  })
  await aTranslation(db, {
    userId: user.id,
    transcriptionId: id,
    language: 'de',
    texts: ['Bei Zereldachen', 'Nichts davon.'],
  })
  await hide(['Zerelda Quimby'])
  expect(await now()).toMatchObject({ summary: null, keyPoints: null })
  expect((await now()).summaryNote).toContain('hidden as a whole')
  const [document] = await db.select().from(documents).where(eq(documents.transcriptionId, id))
  expect(document).toMatchObject({ content: BAR })
  const { turns: translated } = (await call(`${url}/translations/de`)).json<{
    turns: { text: string }[]
  }>()
  expect(translated.map(({ text }) => text)).toEqual(['Nichts davon.'])
})

test('it is asked for with the word typed, and nothing is done by halves', async ({ server }) => {
  const { db, id, user, hide, now } = await anOwner(server)
  const code = async (words: string[], more: object = {}) => (await hide(words, more)).json().code
  expect(await code([NAME], { confirmation: 'delete' })).toBe('hidden_not_confirmed')
  expect(await code(['Nobody'])).toBe('nothing_to_hide')
  const order = {
    userId: user.id,
    transcriptionId: id,
    documentType: 'article',
    includeImages: false,
    title: '',
  }
  const [writing] = await db.insert(documents).values(order).returning()
  expect(await code([NAME])).toBe('still_written')
  await db.delete(documents).where(eq(documents.id, writing!.id))
  await db.insert(translations).values({ userId: user.id, transcriptionId: id, language: 'de' })
  expect(await code([NAME])).toBe('still_written')
  expect(await now()).toMatchObject({ revision: 0, storageKey: expect.any(String) })
  await db.delete(translations).where(eq(translations.transcriptionId, id))
  expect(await code([NAME])).toBeUndefined()
  expect(await code(['Here'])).toBe('sound_being_hidden')
  expect(await code(['a'])).toBe('invalid_request')
})

test('the words are proposed as a recogniser may have made them, with where they are', async ({
  server,
}) => {
  const { find } = await anOwner(server, {
    turns: [{ speaker: 0, text: 'I met Zerelda Quimby and then Zerilda and Mr Quimby.' }],
  })
  const { places, proposals } = await find(NAME)
  expect(places).toMatchObject([
    {
      before: 'I met ',
      text: NAME,
      after: ' and then Zerilda and Mr Quimby.',
      start: 0.8,
      end: 1.5,
    },
  ])
  expect(proposals.map(({ text, kind, isLikely, count }) => [text, kind, isLikely, count])).toEqual(
    [
      ['Zerilda', 'near', true, 1],
      ['Quimby', 'part', true, 1],
    ],
  )
})

test('what the database keeps says no words of a job', async ({ server }) => {
  const { db, hide } = await anOwner(server)
  const hidden = (await hide()).json<Hidden>()
  const { rows } = await db.execute<{ data: string }>(
    sql`select data::text as data from pgboss.job where name = 'hide-words' and data ->> 'hidingId' = ${hidden.id}`,
  )
  expect(rows).toEqual([{ data: `{"hidingId": "${hidden.id}"}` }])
})
