/**
 * Tests that one function names speakers, so that a voice has the same name on every page and in
 * every file.
 */
import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { z } from 'zod'

import { chapterFormats, cutFormats, formatNames } from '#features/exports/formats.ts'
import { transcriptions } from '#features/row/tables.ts'
import { recordings } from '#features/transcriptions/said.ts'
import { nameOf } from '#features/text/ui/speaker-name.ts'
import { Words } from '#features/text/contract.ts'
import type { Db } from '#server/db.ts'

import { anApp } from './app.ts'
import { test as base } from './database.ts'
import { aTranscription, aUser } from './factories.ts'
import { filesIn } from './zip.ts'

const clientDir = fileURLToPath(new URL('../build/client', import.meta.url))
const test = base.extend('server', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const server = await anApp(database, { works: false, parts: { clientDir } })
  onCleanup(server.close)
  return server
})

const voices = [0, 2, 26]
const letters = ['Speaker A', 'Speaker C', 'Speaker AA']
const turns = voices.map((speaker, at) => ({ speaker, text: `Sentence number ${at + 1} is said.` }))

/** Earlier jobs left numbers out, and so does an owner who makes one of two voices. */
async function bringUpToDate(db: Db) {
  const folder = new URL('../migrations/', import.meta.url)
  const name = (await readdir(folder)).find((each) => each.endsWith('_voices_have_no_gaps.sql'))
  await db.execute(sql.raw(await readFile(new URL(name!, folder), 'utf8')))
}

test('where numbers have a gap, each voice has one letter everywhere, and can be named', async ({
  server,
}) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const { id } = await aTranscription(db, { userId: user.id, turns })
  const other = await aTranscription(db, { userId: user.id, turns: turns.slice(0, 1) })
  await bringUpToDate(db)
  const [without] = await db.select().from(transcriptions).where(eq(transcriptions.id, other.id))
  expect(without?.speakers).toBeNull()

  const call = await server.as(user)
  const at = (path: string) => call({ method: 'GET', url: `/api/transcriptions/${id}${path}` })

  const called = async () => {
    const shown = z
      .object({ speakers: z.array(z.string()), speakerSegments: z.string() })
      .parse((await at('')).json())
    const segments = z
      .array(z.object({ speaker: z.string() }))
      .parse(JSON.parse(shown.speakerSegments))
    const page = Words.parse((await at('/words')).json())
    const { signal } = new AbortController()
    const written = await recordings(db).read({ userId: user.id, id }, signal)
    return {
      listed: shown.speakers,
      segments: segments.map(({ speaker }) => speaker),
      page: page.turns.map(({ speaker }) => nameOf(speaker, page.speakers)),
      inDocuments: written.turns.map(({ speaker }) => speaker),
    }
  }
  const same = (names: string[]) => ({
    listed: names,
    segments: names,
    page: names,
    inDocuments: names,
  })
  expect(await called()).toEqual(same(letters))

  // Chapters and markers of editors have no voices, and the text of a PDF is packed.
  const withVoices = formatNames.filter(
    (format) => ![...chapterFormats, ...cutFormats, 'edl', 'xml', 'pdf'].includes(format),
  )
  for (const format of withVoices) {
    const { rawPayload } = await at(`/export?format=${format}`)
    const file =
      format === 'docx'
        ? filesIn(rawPayload).get('word/document.xml')!
        : rawPayload.toString('utf8')
    const found = file.match(/(?:Unknown speaker|Speaker [A-Z]+)/g)
    expect([format, [...new Set(found)]]).toEqual([format, letters])
  }

  const link = await call({
    method: 'POST',
    url: `/api/transcriptions/${id}/shares`,
    payload: { includes: ['names'], days: 7 },
  })
  const { url } = z.object({ url: z.string() }).parse(link.json())
  const page = await server.app.inject({ method: 'GET', url: new URL(url).pathname })
  for (const letter of letters) expect(page.body).toContain(letter)
  expect(page.body).not.toMatch(/Unknown speaker|Speaker B/)

  const rename = (speaker: number, name: string) =>
    call({
      method: 'PATCH',
      url: `/api/transcriptions/${id}/speakers/${speaker}`,
      payload: { name },
    })
  expect(await rename(1, 'Nobody')).toMatchObject({ statusCode: 404 })
  const names = ['Ada', 'Ben', 'Carol']
  for (const [index, speaker] of voices.entries())
    expect(await rename(speaker, names[index]!)).toMatchObject({ statusCode: 200 })
  expect(await called()).toEqual(same(names))
})
