import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'

import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import { Peaks } from '#features/recordings/contract.ts'
import { transcriptions } from '#features/row/tables.ts'
import { Transcription, TranscriptionRow } from '#features/transcriptions/contract.ts'
import { type TestApp } from '#test/app.ts'
import { aTranscription, aUser, anActionItem } from '#test/factories.ts'
import { uploadOf } from '#test/form.ts'
import { test } from '#test/served.ts'
import { filesIn } from '#test/zip.ts'

import { EditConflict, Edited, Words } from './contract.ts'

const sample = await readFile(
  path.resolve(import.meta.dirname, '../transcriptions/sample/sample.m4a'),
)

const said = [
  { speaker: 0, text: 'We met on Tuesday.' },
  { speaker: 1, text: '=1+1 is what I said' },
]

/** Somebody with a finished transcription whose recording is there. */
async function anOwner({ parts: { database, storage }, as }: TestApp, bytes = sample) {
  const user = await aUser(database.db, { credits: 5 })
  const storageKey = crypto.randomUUID()
  await storage.write(storageKey, Readable.from([bytes]), { signal: AbortSignal.timeout(10_000) })
  const { id } = await aTranscription(database.db, {
    userId: user.id,
    storageKey,
    sizeBytes: bytes.length,
    mediaType: 'audio/mp4',
    peaks: [10, 200, 30],
    summary: 'They met.',
    keyPoints: [{ text: 'A meeting', startMs: 1_000, quote: null }],
    topics: ['Meetings'],
    actionItems: [
      anActionItem({ text: 'Send *it*', speaker: 0, due: 'by Friday', dueDate: '2026-11-27' }),
      anActionItem({ text: 'Call Ben', isDone: true, startMs: 0 }),
    ],
    turns: said,
  })
  const call = await as(user)
  return { user, id, call, url: `/api/transcriptions/${id}` }
}

test('a recording is played in the stretches a player asks for', async ({ server }) => {
  const { call, url } = await anOwner(server)
  const whole = await call(`${url}/media`)
  expect(whole).toMatchObject({ statusCode: 200 })
  expect(whole.rawPayload.equals(sample)).toBe(true)
  expect(whole.headers).toMatchObject({
    'content-type': 'audio/mp4',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-length': String(sample.length),
    'cross-origin-resource-policy': 'same-origin',
  })
  const part = await call({ url: `${url}/media`, headers: { range: 'bytes=100-199' } })
  expect(part).toMatchObject({ statusCode: 206 })
  expect(part.headers['content-range']).toBe(`bytes 100-199/${sample.length}`)
  expect(part.rawPayload.equals(sample.subarray(100, 200))).toBe(true)

  const beyond = await call({ url: `${url}/media`, headers: { range: 'bytes=99999999-' } })
  expect(beyond).toMatchObject({ statusCode: 416, body: '' })
  expect(beyond.headers['content-range']).toBe(`bytes */${sample.length}`)
  const head = await call({ method: 'HEAD', url: `${url}/media` })
  expect(head).toMatchObject({ statusCode: 200, body: '' })
  expect(head.headers['content-length']).toBe(String(sample.length))
})

test('a recording is saved under its name, whether or not it could be transcribed', async ({
  server,
}) => {
  const { call, url, id } = await anOwner(server)
  const { db } = server.parts.database
  const change = (set: Partial<typeof transcriptions.$inferInsert>) =>
    db.update(transcriptions).set(set).where(eq(transcriptions.id, id))
  await change({ originalName: 'Grüße "heute".m4a', status: 'error', mediaType: null })
  const saved = `${url}/media?download=1`
  const whole = await call(saved)
  expect(whole).toMatchObject({ statusCode: 200 })
  expect(whole.rawPayload.equals(sample)).toBe(true)
  expect(whole.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="Gru_e heute.m4a"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20heute.m4a`,
    'content-length': String(sample.length),
  })
  const part = await call({ url: saved, headers: { range: 'bytes=100-199' } })
  expect(part).toMatchObject({ statusCode: 206 })
  expect(part.headers['content-disposition']).toBe(whole.headers['content-disposition'])
  expect(part.rawPayload.equals(sample.subarray(100, 200))).toBe(true)

  await change({ originalName: 'Board meeting', mediaType: 'audio/mp4' })
  const renamed = await call({ method: 'HEAD', url: saved })
  expect(renamed.headers['content-type']).toBe('audio/mp4')
  expect(renamed.headers['content-disposition']).toContain('filename="Board meeting.m4a"')
  expect((await call(`${url}/media`)).headers['content-disposition']).toBe('inline')

  await change({ storageKey: null })
  expect((await call(saved)).json()).toMatchObject({ code: 'recording_gone' })
})

test('a part of a recording is only a part of the one that was begun', async ({ server }) => {
  const { call, url } = await anOwner(server)
  const tag = String((await call({ method: 'HEAD', url: `${url}/media` })).headers['etag'])
  const range = 'bytes=0-9'
  const same = await call({ url: `${url}/media`, headers: { range, 'if-range': tag } })
  const other = await call({ url: `${url}/media`, headers: { range, 'if-range': '"other"' } })
  expect([same.statusCode, other.statusCode]).toEqual([206, 200])
  const known = await call({ url: `${url}/media`, headers: { 'if-none-match': tag } })
  expect(known).toMatchObject({ statusCode: 304, body: '' })
})

test('a deleted recording is said to be deleted, and its waveform stays', async ({ server }) => {
  const { call, url } = await anOwner(server)
  const before = Peaks.parse((await call(`${url}/peaks`)).json())
  expect(before.peaks).toEqual([10, 200, 30])
  await call({ method: 'DELETE', url: `${url}/recording` })
  const gone = await call(`${url}/media`)
  expect(gone).toMatchObject({ statusCode: 410 })
  expect(gone.json()).toEqual({
    message:
      'The recording was deleted. Recordings are kept for 30 days, or until they are deleted by hand. A text that was made of it stays.',
    code: 'recording_gone',
  })
  expect((await call(`${url}/peaks`)).json()).toEqual(before)
  expect(Transcription.parse((await call(url)).json()).mediaType).toBeNull()
})

test('a file that vanished is said to be gone, and breaks nothing', async ({ server }) => {
  const { call, url, id } = await anOwner(server)
  const { database, storage } = server.parts
  const [row] = await database.db.select().from(transcriptions).where(eq(transcriptions.id, id))
  await storage.remove(row!.storageKey!)
  expect((await call(`${url}/media`)).json()).toMatchObject({ code: 'recording_gone' })
})

test('a recording that no browser plays is said to be so', async ({ server }) => {
  const { call, url, id } = await anOwner(server)
  await server.parts.database.db
    .update(transcriptions)
    .set({ mediaType: null })
    .where(eq(transcriptions.id, id))
  expect(await call(`${url}/media`)).toMatchObject({ statusCode: 415 })
  expect(Transcription.parse((await call(url)).json()).mediaType).toBeNull()
})

test('an upload has its waveform and its type before anybody confirms it', async ({ server }) => {
  const user = await aUser(server.parts.database.db, { credits: 5 })
  const call = await server.as(user)
  const sent = await call(await uploadOf([{ name: 'talk.m4a', bytes: sample }]))
  const { transcriptionId: id } = sent.json<{ transcriptionId: string }>()
  const [row] = await server.parts.database.db
    .select()
    .from(transcriptions)
    .where(eq(transcriptions.id, id))
  expect(row).toMatchObject({ mediaType: 'audio/mp4' })
  const { peaks, duration } = Peaks.parse((await call(`/api/transcriptions/${id}/peaks`)).json())
  expect(peaks).toEqual(row!.peaks)
  expect(duration).toBeGreaterThan(55)
})

test('a turn is corrected, a stale tab is refused with what there is, and both can go on', async ({
  server,
}) => {
  const { call, url } = await anOwner(server)
  const words = Words.parse((await call(`${url}/words`)).json())
  const [turn] = words.turns
  const patch = (text: string, revision: number) =>
    call({
      method: 'PATCH',
      url: `${url}/turns/${turn!.id}`,
      payload: { text, revision },
    })
  const saved = await patch('We met on Monday.', 0)
  expect(Edited.parse(saved.json())).toMatchObject({ revision: 1, undo: 1 })
  const stale = await patch('We met on Sunday.', 0)
  expect(stale.statusCode).toBe(409)
  expect(EditConflict.parse(stale.json())).toMatchObject({
    code: 'edited_elsewhere',
    current: { text: 'We met on Monday.', revision: 1 },
  })
  const text = (await call(`${url}/download/transcription`)).body
  expect(text).toContain('We met on Monday.')
  const undone = await call({ method: 'POST', url: `${url}/undo`, payload: { edit: 1 } })
  expect(Edited.parse(undone.json()).turns[0]!.text).toBe('We met on Tuesday.')

  const never = await call({ method: 'POST', url: `${url}/undo`, payload: { edit: 99 } })
  expect(never).toMatchObject({ statusCode: 409 })
  expect(never.json()).toMatchObject({ code: 'cannot_undo' })
})

test('a name given to a speaker is in every file', async ({ server }) => {
  const { call, url } = await anOwner(server)
  const renamed = await call({
    method: 'PATCH',
    url: `${url}/speakers/1`,
    payload: { name: 'Ben <b>' },
  })
  expect(Edited.parse(renamed.json()).speakers[1]).toMatchObject({ name: 'Ben <b>' })
  const file = async (query: string) => (await call(`${url}/export?format=${query}`)).body
  expect(await file('srt')).toContain('Ben ‹b›: =1+1')
  expect(await file('vtt')).toContain('<v Ben &lt;b>=1+1')
  expect(await file('txt')).toContain('[00:00:02] Ben <b>\n=1+1 is what I said')
  expect(await file('md')).toContain(String.raw`**Ben \<b\>** [00:00:02]`)
  expect(await file('json')).toContain('"speaker": "Ben <b>"')
  expect(await file('csv')).toContain(`2.1,4,"Ben <b>","'=1+1 is what I said"\r\n`)
  // The specification's file is the TXT under another name, with the same choice.
  const text = async (query = '') => (await call(`${url}/download/transcription${query}`)).body
  expect(await text()).toBe(await file('txt'))
  expect(await text('?timestamps=false&speakers=false')).toBe(
    await file('txt&timestamps=false&speakers=false'),
  )
  expect(await text('?timestamps=false')).toMatch(/^Most words [^\n]*\n\nSpeaker A\n/)
  const rows = TranscriptionRow.array().parse((await call('/api/transcriptions')).json())
  expect(rows[0]!.speakers).toEqual(['Speaker A', 'Ben <b>'])
})

test('a part that is switched off is in no file', async ({ server }) => {
  const { call, url } = await anOwner(server)
  const file = async (query: string) => (await call(`${url}/export?format=${query}`)).body
  for (const format of ['srt', 'vtt', 'txt', 'md', 'json', 'csv'])
    expect(await file(`${format}&speakers=false`)).not.toContain('Speaker')
  expect(await file('txt&timestamps=false&speakers=false&doubt=false')).toBe(
    'We met on Tuesday.\n\n=1+1 is what I said\n',
  )
  expect(await file('md')).not.toContain('They met.')
  expect(await file('md&summary=true')).toContain('## Key points\n\n- A meeting (0:01)')
  expect(await file('txt&summary=true&doubt=false')).toMatch(/^They met\./)
  expect(JSON.parse(await file('json&summary=true'))).toMatchObject({
    summary: {
      text: 'They met.',
      topics: ['Meetings'],
      actionItems: [
        { text: 'Send *it*', who: 'Speaker A', due: 'by Friday', dueDate: '2026-11-27', at: 1 },
        { text: 'Call Ben', who: null, isDone: true },
      ],
    },
  })
  const tasks = ['Speaker A: Send *it* (by Friday, Nov 27, 2026, 0:01)', 'Call Ben (0:00)']
  expect(await file('md&summary=true')).toContain(
    `## Action items\n\n- [ ] ${tasks[0]!.replaceAll('*', String.raw`\*`)}\n- [x] ${tasks[1]}`,
  )
  expect(await file('txt&summary=true')).toContain(
    `Action items\n- [ ] ${tasks[0]}\n- [x] ${tasks[1]}`,
  )
  const list = (html: string) => /<h2[^>]*>Action items<\/h2>\n<ul>\n(.*?)\n<\/ul>/s.exec(html)?.[1]
  expect(list(await file('html&summary=true'))).toBe(
    `<li>${tasks[0]}</li>\n<li>Done: ${tasks[1]}</li>`,
  )
  expect(await file('json&summary=true&speakers=false')).not.toContain('Speaker')
})

test('a file for readers says how many of its words are in doubt', async ({ server }) => {
  const { call, url } = await anOwner(server)
  const file = async (query: string) => (await call(`${url}/export?format=${query}`)).rawPayload
  const line = 'Most words were in doubt when this was exported.'
  expect(String(await file('txt&summary=true'))).toMatch(new RegExp(`^${line}\n\nThey met`))
  expect(String(await file('md'))).toMatch(
    new RegExp(`^---\n[^]*\n---\n\n# interview\n\n.* · ${line}\n\n`),
  )
  // A PDF is drawn from the same facts.
  expect(filesIn(await file('docx')).get('word/document.xml')).toContain(line)
  for (const format of ['srt', 'vtt', 'json', 'csv', 'md&doubt=false'])
    expect(String(await file(format))).not.toContain('in doubt')
})

test('before it is finished there is nothing to read, correct or take away', async ({ server }) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const { id } = await aTranscription(db, { userId: user.id, status: 'processing' })
  const call = await server.as(user)
  for (const path of ['words', 'export?format=srt'])
    expect((await call(`/api/transcriptions/${id}/${path}`)).json()).toMatchObject({
      code: 'not_finished',
    })
})

test('a deleted transcription comes back as it was, also over HTTP', async ({ server }) => {
  const { call, url } = await anOwner(server)
  const deleted = await call({ method: 'DELETE', url })
  expect(deleted.json()).toMatchObject({ restorableUntil: expect.any(String) })
  expect((await call(`${url}/media`)).statusCode).toBe(404)
  const back = await call({ method: 'POST', url: `${url}/undelete` })
  expect(TranscriptionRow.parse(back.json())).toMatchObject({ originalName: 'interview.m4a' })
  expect((await call(`${url}/media`)).statusCode).toBe(200)
})

test('the pages of a search follow each other by the link of the one before', async ({
  server,
}) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  for (let index = 0; index < 3; index++)
    await aTranscription(db, { userId: user.id, originalName: `talk ${index}.mp3`, turns: said })
  const call = await server.as(user)
  let url: string | undefined = '/api/transcriptions?q=tuesd&sort=name&limit=2&status=finished'
  const names: string[] = []
  while (url !== undefined) {
    const page = await call(url)
    expect(page.headers['x-total-count']).toBe('3')
    const rows = TranscriptionRow.array().parse(page.json())
    expect(rows.every(({ hits }) => hits?.[0]?.at === 1.2)).toBe(true)
    names.push(...rows.map(({ originalName }) => originalName))
    url = /<(.+)>; rel="next"/.exec(String(page.headers['link'] ?? ''))?.[1]
  }
  expect(names).toEqual(['talk 0.mp3', 'talk 1.mp3', 'talk 2.mp3'])
})
