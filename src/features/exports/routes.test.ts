/** Many transcriptions as one archive: the door, on a real database. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'

import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'

import { transcriptions } from '#features/row/tables.ts'
import type { Words } from '#features/text/contract.ts'
import { type UserThreads, threadsForUsers } from '#features/text/user-threads.ts'
import type { Parts } from '#root/app.ts'
import { createLog } from '#server/log.ts'
import { aTranscription, aUser, anActionItem, anUpload } from '#test/factories.ts'
import { test } from '#test/served.ts'
import { isLong } from '#test/long.ts'
import { filesIn } from '#test/zip.ts'

import { archiveOf } from './archive.ts'
import { type ExportLook, ExportQuery } from './contract.ts'
import { exportTranscripts } from './export-for.ts'
import { cutFormats, formatNames, honours } from './formats.ts'
import { soundsOf } from './sounds.ts'

const turns = [{ speaker: 0, text: 'We met on Tuesday.' }]
const archive = (payload: object) => ({ method: 'POST', url: '/api/exports', payload }) as const

test('finished transcriptions are in the archive, and the others are named', async ({ server }) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const userId = user.id
  const made = async (originalName: string, set: object = {}) => {
    const { id } = await aTranscription(db, { userId, turns })
    await db
      .update(transcriptions)
      .set({ originalName, ...set })
      .where(eq(transcriptions.id, id))
    return id
  }
  const ids = [
    await made('talk.m4a'),
    await made('Talk.mp3'),
    await made('bad.m4a', { status: 'error' }),
    await made('gone.m4a', { deletedAt: new Date() }),
    (await anUpload(db, { userId, originalName: 'new.m4a' })).id,
    (await aTranscription(db, { userId: (await aUser(db)).id, turns })).id,
  ]
  const call = await server.as(user)
  const answer = await call(archive({ ids, format: 'txt', timestamps: false, doubt: false }))
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('application/zip')
  expect(answer.headers['content-disposition']).toMatch(/transcriptions-\d{4}-\d\d-\d\d\.zip/)
  const files = filesIn(answer.rawPayload)
  expect([...files.keys()]).toEqual(['talk.txt', 'Talk (2).txt', 'left-out.txt'])
  expect(files.get('talk.txt')).toBe('We met on Tuesday.\n')
  expect(files.get('left-out.txt')!.split('\r\n').slice(2).toSorted()).toEqual([
    '',
    '2 of what was chosen: deleted, or never there.',
    'bad.m4a: it failed.',
    'new.m4a: it is not finished yet.',
  ])
})

test('an export that fails is named in the archive, and ends no other', async ({ server }) => {
  const { db } = server.parts.database
  const { id: userId } = await aUser(db)
  const made = async (originalName: string) => {
    const { id } = await aTranscription(db, { userId, turns })
    await db.update(transcriptions).set({ originalName }).where(eq(transcriptions.id, id))
    return id
  }
  const [broken, whole] = [await made('broken.m4a'), await made('whole.m4a')]
  const lines: string[] = []
  const deps = {
    ...server.parts,
    db,
    log: createLog({ destination: { write: (line) => void lines.push(line) } }),
    userThreads: {
      archive: async (_task: unknown, { id }: { id?: string }) => {
        if (id === broken) throw new TypeError('a font lacks an anchor')
        return { name: 'whole.txt', content: Buffer.from('We met.') }
      },
    } as unknown as Pick<UserThreads, 'archive'>,
  }
  const ids = [broken, whole]
  const asked = ExportQuery.parse({ format: 'txt' })
  const files = filesIn(await buffer(await archiveOf(deps, { userId, ids, ...asked })))
  expect([...files.keys()]).toEqual(['whole.txt', 'left-out.txt'])
  expect(files.get('left-out.txt')).toContain(
    'broken.m4a: it could not be written, because something broke on our side.',
  )
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { event: 'export_failed', transcriptionId: broken },
  ])
})

test('an archive of nothing is refused', async ({ server }) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const call = await server.as(user)
  const { id } = await anUpload(db, { userId: user.id })
  const unfinished = await call(archive({ ids: [id], format: 'txt' }))
  expect(unfinished.json()).toMatchObject({ code: 'not_finished' })
  const unknown = await call(archive({ ids: [randomUUID()], format: 'txt' }))
  expect(unknown.json()).toMatchObject({ code: 'not_found' })
  const many = Array.from({ length: 501 }, () => randomUUID())
  expect(await call(archive({ ids: many, format: 'txt' }))).toMatchObject({ statusCode: 400 })
})

test('an archive of more text than it may hold is refused, and one of less is not', async ({
  server,
}) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const ids: string[] = []
  for (let n = 0; n < 2; n += 1) {
    const { id } = await aTranscription(db, { userId: user.id, turns })
    const transcriptionText = sql`repeat('word ', ${(20 * 1024 * 1024) / 5})`
    await db.update(transcriptions).set({ transcriptionText }).where(eq(transcriptions.id, id))
    ids.push(id)
  }
  const call = await server.as(user)
  const refused = await call(archive({ ids, format: 'txt' }))
  expect(refused.json()).toMatchObject({ code: 'archive_too_large' })
  expect((await call(archive({ ids: ids.slice(1), format: 'txt' }))).statusCode).toBe(200)
})

test('the copy of everything has what is finished, and nothing that was deleted', async ({
  server,
}) => {
  const { db } = server.parts.database
  const { id: userId } = await aUser(db)
  const exporter = exportTranscripts({ db, userThreads: threadsForUsers(server.parts) })
  await aTranscription(db, { userId, turns, originalName: 'kept.m4a' })
  const size = await exporter.sizeFor(userId)
  for (const gone of [{ deletedAt: new Date() }, { status: 'error' }])
    await aTranscription(db, { userId, turns, originalName: 'gone.m4a', ...gone })
  const paths: string[] = []
  for await (const { path } of exporter.exportFor(userId)) paths.push(path)
  expect(paths).toEqual(['json', 'txt', 'srt'].map((ending) => `transcriptions/kept.${ending}`))
  expect(size).toMatchObject({ files: 3 })
  expect(await exporter.sizeFor(userId)).toEqual(size)
})

test('an exported page is saved, and runs nothing where a browser shows it all the same', async ({
  server,
}) => {
  const user = await aUser(server.parts.database.db)
  const { id } = await aTranscription(server.parts.database.db, { userId: user.id, turns })
  const call = await server.as(user)
  const { headers } = await call(`/api/transcriptions/${id}/export?format=html`)
  expect(headers['content-disposition']).toMatch(/^attachment;/)
  expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox")
})

test('a film begins at a timecode that there is, or nothing is exported', async ({ server }) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const call = await server.as(user)
  const { id } = await aTranscription(db, { userId: user.id, turns })
  const file = (query: string) => ({
    method: 'GET' as const,
    url: `/api/transcriptions/${id}/export?${query}`,
  })
  const film = 'filmStart=10%3A00%3A00%3A00'
  expect((await call(file(`format=srt&${film}`))).body).toContain('10:00:00,000 -->')
  expect((await call(file(`format=edl&${film}`))).body).toContain(' 10:00:00:00 ')
  const text = await call(file('format=analysis'))
  expect(text.body).toBe('[00:00:00.0]Speaker A: We met on Tuesday.\n')
  expect(text.headers['content-disposition']).toMatch(/\.analysis\.txt"/)
  for (const wrong of ['1:00', '00:00:00:25', '25:00:00:00'])
    expect(await call(file(`format=srt&filmStart=${encodeURIComponent(wrong)}`))).toMatchObject({
      statusCode: 400,
    })
  const many = await call(archive({ ids: [id], format: 'srt', filmStart: '1:00' }))
  expect(many.json()).toMatchObject({ code: 'no_such_timecode' })
})

test('markers begin where the file says that its film does, unless another beginning is asked for', async ({
  server,
}) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const call = await server.as(user)
  const filmStart = { timecode: '10:00:00:00', frameRate: '29.97' as const }
  const { id } = await aTranscription(db, { userId: user.id, turns, filmStart })
  expect((await call(`/api/transcriptions/${id}`)).json()).toMatchObject({ filmStart })
  const file = async (query: string) =>
    (await call(`/api/transcriptions/${id}/export?${query}`)).body
  expect(await file('format=edl')).toContain(' 10:00:00:00 ')
  const sequence = await file('format=xml')
  expect(sequence).toContain('<string>10:00:00:00</string>')
  expect(sequence).toContain('<timebase>30</timebase>')
  expect(await file('format=edl&filmStart=02%3A00%3A00%3A00')).toContain(' 02:00:00:00 ')
  // The frames are those of the film that begins there, and no longer those of the file.
  expect(await file('format=xml&filmStart=02%3A00%3A00%3A00')).toContain('<timebase>25</timebase>')
  // A player knows no time code.
  expect(await file('format=srt')).toContain('00:00:00,000 -->')
})

const chapters = {
  by: 'own' as const,
  list: [
    { title: 'How it began', startMs: 0 },
    { title: 'Vögel & Bäume', startMs: 20_000 },
    { title: 'The end', startMs: 40_000 },
  ],
}

test('without speakers a file does not name who is to do something either', async ({ server }) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const call = await server.as(user)
  const actionItems = [anActionItem({ text: 'Send the list.', who: 'Margaret' })]
  const { id } = await aTranscription(db, { userId: user.id, turns, actionItems })
  for (const format of ['txt', 'md', 'html', 'json'])
    for (const speakers of [true, false]) {
      const query = `format=${format}&summary=true&speakers=${speakers}`
      const { body } = await call(`/api/transcriptions/${id}/export?${query}`)
      expect(body).toContain('Send the list')
      expect(body.includes('Margaret'), query).toBe(speakers)
    }
})

test('chapters are exported by themselves, and as headings unless they are not wanted', async ({
  server,
}) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const call = await server.as(user)
  const made = { userId: user.id, turns, originalName: 'Tägliches.m4a' }
  const { id } = await aTranscription(db, { ...made, chapters })
  const file = (query: string, of = id) => call(`/api/transcriptions/${of}/export?${query}`)
  const list = await file('format=youtube')
  expect(list.body).toBe('0:00 How it began\n0:20 Vögel & Bäume\n0:40 The end\n')
  expect(list.headers['content-disposition']).toMatch(/\.chapters\.txt"/)
  const podcast = await file('format=podcast')
  expect(podcast.headers['content-type']).toContain('application/json+chapters')
  expect((await file('format=podlove')).body).toContain(
    '<psc:chapter start="00:00:20.000" title="Vögel &amp; Bäume" />',
  )
  expect((await file('format=mp4chaps')).body).toBe(
    '00:00:00.000 How it began\n00:00:20.000 Vögel & Bäume\n00:00:40.000 The end\n',
  )
  expect((await file('format=chapters')).body).toContain('00:00:40.000 --> 00:01:00.000\nThe end')
  expect((await file('format=txt')).body).toContain('--- How it began (0:00) ---')
  expect((await file('format=txt&chapters=false')).body).not.toContain('How it began')
  for (const format of ['docx', 'pdf', 'html', 'md'])
    expect((await file(`format=${format}`)).statusCode).toBe(200)

  const { id: without } = await aTranscription(db, made)
  for (const format of ['youtube', 'chapters', 'podcast', 'podlove', 'mp4chaps'])
    expect((await file(`format=${format}`, without)).json()).toMatchObject({
      code: 'without_chapters',
    })
  const both = await call(archive({ ids: [id, without], format: 'youtube' }))
  const names = [...filesIn(both.rawPayload).keys()]
  expect(names).toEqual(['Tägliches.chapters.txt', 'left-out.txt'])
})

/** Every word that a file or its first page holds, as far as it is not drawn. */
function wordsIn(answer: { body: string; rawPayload: Buffer }, format: string): string {
  if (format !== 'docx') return answer.body
  return [...filesIn(answer.rawPayload).values()].join('\n')
}

test('every format is written without what is cut of the recording, unless the whole is asked for', async ({
  server,
}) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const call = await server.as(user)
  const { id } = await aTranscription(db, {
    userId: user.id,
    turns: [
      { speaker: 0, text: `We met the zebra on Tuesday${' and then'.repeat(12)}.` },
      { speaker: 1, text: 'Zebra! '.repeat(25).trim() },
      { speaker: 0, text: 'Then it rained.' },
    ],
    chapters: {
      by: 'own',
      list: [
        { title: 'How it began', startMs: 0 },
        { title: 'About animals', startMs: 12_500 },
        { title: 'The rain', startMs: 23_000 },
        { title: 'The end', startMs: 40_000 },
      ],
    },
  })
  const body = async (query: string, format: string) => {
    // The words of a PDF are drawn; its first page says them.
    const look = format === 'pdf' ? '&look=1' : ''
    const url = `/api/transcriptions/${id}/export?format=${format}&doubt=false${look}${query}`
    const answer = await call(url)
    expect([format, answer.statusCode]).toEqual([format, 200])
    return wordsIn(answer, format)
  }
  const before = new Map<string, string>()
  const texts = formatNames.filter((format) => honours(format, 'cuts'))
  for (const format of texts) before.set(format, await body('', format))
  const lists = async () =>
    Promise.all(
      cutFormats.map((format) => call(`/api/transcriptions/${id}/export?format=${format}`)),
    )
  for (const list of await lists()) expect(list.json()).toMatchObject({ code: 'without_cuts' })
  const cut = [
    { start: 1.15, end: 1.55 },
    { start: 12.4, end: 22.6 },
  ]
  await call({ method: 'POST', url: `/api/transcriptions/${id}/cuts`, payload: { cut } })
  for (const format of texts) {
    const written = await body('', format)
    expect([format, /zebra/i.test(written)]).toEqual([format, false])
    expect([format, /rain/.test(written)]).toEqual([format, true])
    if (['docx', 'pdf'].includes(format)) continue // They say when they were made.
    expect([format, await body('&cuts=ignored', format)]).toEqual([format, before.get(format)])
  }
  const [edl] = await lists()
  expect(edl!.headers['content-disposition']).toContain('"interview.cut.edl"')
  expect(edl!.body.match(/^\d{3} .*$/gm)).toHaveLength(3)
  expect(await body('', 'txt')).toContain('We met the on Tuesday and')
  expect(JSON.parse(await body('', 'json'))).toMatchObject({
    duration: 49.4,
    chapters: [{ start: 0 }, { title: 'The rain', start: 12.4 }, { title: 'The end' }],
  })
  const look = await call(`/api/transcriptions/${id}/export?format=txt&look=1`)
  expect(look.json<ExportLook>().chaptersLeftOut).toEqual(['About animals'])
})

test('what is looked at is how the file begins, in every format', async ({ server }) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const call = await server.as(user)
  const { id } = await aTranscription(db, {
    userId: user.id,
    originalName: 'Tägliches.m4a',
    turns: Array.from({ length: 60 }, (_, index) => ({
      speaker: index % 2,
      text: `Turn ${index} is about <bridges> & the 24 𓂀 in the harbour of the town.`,
    })),
    summary: 'They speak of a bridge.',
    keyPoints: [{ text: 'It was built in the rain', startMs: 2_000, quote: null }],
    actionItems: [anActionItem({ text: 'Buy paint', isDone: true })],
    chapters,
  })
  const cut = [{ start: 50, end: 51 }]
  await call({ method: 'POST', url: `/api/transcriptions/${id}/cuts`, payload: { cut } })
  const wordsIn = (xml: string) =>
    xml
      .replaceAll(/<style>.*?<\/style>|<title>.*?<\/title>|<[^>]+>/gs, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      .split(/\s+/)
      .filter(Boolean)
  const pages = new Map<string, string[]>()
  for (const format of formatNames) {
    const path = `/api/transcriptions/${id}/export?format=${format}&summary=true`
    const file = await call(path)
    const look = (await call(`${path}&look=1`)).json<ExportLook>()
    expect(file.headers['content-disposition']).toContain(encodeURIComponent(look.name))
    if ('text' in look) {
      expect(file.body.slice(0, look.text.length)).toBe(look.text)
      expect(look.sizeBytes).toBe(file.rawPayload.length)
      expect(look.text.length).toBeLessThanOrEqual(2_048)
      expect([format, look.isWhole]).toEqual([format, look.text === file.body])
    } else {
      const shown = look.page.flatMap((line) =>
        (line.as === 'who' ? line.parts : [line]).flatMap(({ text }) => text.split(/\s+/)),
      )
      expect(look.isWhole).toBe(false)
      pages.set(format, shown)
    }
  }
  const fileOf = async (format: string) =>
    (await call(`/api/transcriptions/${id}/export?format=${format}&summary=true`)).rawPayload
  const beginningOf = (format: string, xml: string) =>
    wordsIn(xml).slice(0, pages.get(format)!.length)
  expect([...pages.keys()]).toEqual(['docx', 'pdf', 'html'])
  const word = filesIn(await fileOf('docx')).get('word/document.xml')!
  expect(beginningOf('docx', word)).toEqual(pages.get('docx'))
  expect(beginningOf('html', (await fileOf('html')).toString())).toEqual(pages.get('html'))
  expect(pages.get('docx')).toContain('Done:')
  // No font draws the eye of Horus: on its page a PDF has what stands for it.
  expect(pages.get('html')).toContain('𓂀')
  expect(pages.get('pdf')).not.toContain('𓂀')

  const unknown = await call(`/api/transcriptions/${id}/export?format=txt&look=2`)
  expect(unknown.statusCode).toBe(400)
})

test('what has key points and no summary has their heading in every file, and no other', async ({
  server,
}) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const call = await server.as(user)
  const { id } = await aTranscription(db, {
    userId: user.id,
    turns,
    summary: '',
    summaryKind: 'sentences',
    summaryNote: 'Sentences taken from this transcript.',
    keyPoints: [{ text: 'A meeting', startMs: 1_000, quote: null }],
  })
  const url = `/api/transcriptions/${id}/export?summary=true&doubt=false`
  for (const format of ['txt', 'md', 'html', 'json', 'docx', 'pdf']) {
    const isPaper = ['docx', 'pdf'].includes(format)
    const { body } = await call(`${url}&format=${format}${isPaper ? '&look=1' : ''}`)
    expect(body, format).toContain('Key points')
    expect(body, format).toContain('Sentences taken from this transcript.')
    expect(body, format).not.toContain('Key sentences')
    expect((await call(`${url}&format=${format}`)).statusCode).toBe(200)
  }
  expect((await call(`${url}&format=md`)).body).toContain(
    '\n\nSentences taken from this transcript.\n\n## Key points\n\n- A meeting',
  )
})

test('a file does not say that an engine alone has written what somebody has corrected', async ({
  server,
}) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const call = await server.as(user)
  const { id } = await aTranscription(db, { userId: user.id, turns, engine: 'sherpa' })
  const factsIn = async () =>
    /written by a speech model[^·\n]*/.exec(
      (await call(`/api/transcriptions/${id}/export?format=md&doubt=false`)).body,
    )?.[0]
  expect(await factsIn()).toBe('written by a speech model')
  const words = (await call(`/api/transcriptions/${id}/words`)).json<Words>()
  const [turn] = words.turns
  const corrected = await call({
    method: 'PATCH',
    url: `/api/transcriptions/${id}/turns/${turn!.id}`,
    payload: { text: 'We met on Wednesday.', revision: turn!.revision },
  })
  expect(corrected.statusCode).toBe(200)
  expect(await factsIn()).toBe('written by a speech model, then corrected')
})

const run = promisify(execFile)

/** A minute of sound, as a recording that is stored. */
async function aTone({ parts }: { parts: Parts }): Promise<{ folder: string; storageKey: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'quoth-chapters-'))
  const wav = join(folder, 'tone.wav')
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=60', '-ar', '8000', wav])
  const storageKey = randomUUID()
  const signal = AbortSignal.timeout(20_000)
  await parts.storage.write(storageKey, createReadStream(wav), { signal })
  return { folder, storageKey }
}

test('the recording is sent with its chapters, and nothing of it is left', async ({ server }) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const call = await server.as(user)
  const { folder, storageKey } = await aTone(server)
  const made = { userId: user.id, turns, originalName: 'tone.wav' }
  const { id } = await aTranscription(db, { ...made, storageKey, chapters })
  const sound = (format: string, of = id) =>
    call(`/api/transcriptions/${of}/export/sound?format=${format}`)
  for (const [format, type] of [
    ['m4a', 'audio/mp4'],
    ['mp3', 'audio/mpeg'],
  ] as const) {
    const answer = await sound(format)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'content-length': String(answer.rawPayload.length),
    })
    expect(answer.headers['content-disposition']).toContain(`"tone.${format}"`)
    const path = join(folder, `tone.${format}`)
    await writeFile(path, answer.rawPayload)
    const asked = ['-v', 'error', '-show_chapters', '-of', 'json', path]
    const probed = JSON.parse((await run('ffprobe', asked)).stdout) as {
      chapters: { start_time: string; tags: { title: string } }[]
    }
    expect(probed.chapters.map((one) => [Number(one.start_time), one.tags.title])).toEqual([
      [0, 'How it began'],
      [20, 'Vögel & Bäume'],
      [40, 'The end'],
    ])
  }
  const left = await readdir(join(server.dataDir, 'work')).catch(() => [])
  expect(left.filter((name) => name.startsWith('chapters-'))).toEqual([])

  const { id: without } = await aTranscription(db, { ...made, storageKey: randomUUID() })
  expect((await sound('m4a', without)).json()).toMatchObject({ code: 'without_chapters' })
  const { id: gone } = await aTranscription(db, { ...made, chapters, storageKey: null })
  expect((await sound('m4a', gone)).json()).toMatchObject({ code: 'recording_gone' })
  const lost = await aTranscription(db, { ...made, chapters, storageKey: randomUUID() })
  expect((await sound('m4a', lost.id)).json()).toMatchObject({ code: 'recording_gone' })
})

if (isLong)
  test('of one user three recordings with chapters are sent at once: what nobody reads fills the disk', async ({
    server,
  }) => {
    const { storage, database } = server.parts
    const { folder, storageKey } = await aTone(server)
    const sounds = soundsOf({ db: database.db, storage, workRoot: folder })
    const asked = async () => {
      const { id: userId } = await aUser(database.db)
      const { id } = await aTranscription(database.db, { userId, turns, storageKey, chapters })
      return () => sounds({ userId, id, format: 'mp3' }, AbortSignal.timeout(20_000))
    }
    const [mine, another] = [await asked(), await asked()]
    const [first, ...others] = [await mine(), await mine(), await mine()]
    await expect(mine()).rejects.toMatchObject({ code: 'too_much_at_once' })
    const theirs = await another()
    first.content.destroy()
    await once(first.content, 'close')
    const fourth = await mine()
    for (const { content } of [...others, theirs, fourth]) content.destroy()
  })
