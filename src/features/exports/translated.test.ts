/** Files of a translation: each says that it is one, and captions keep the rules of its language. */
import { expect } from 'vitest'

import type { TestApp } from '#test/app.ts'
import { aTranscription, aTranslation, aUser } from '#test/factories.ts'
import { test } from '#test/served.ts'
import { filesIn } from '#test/zip.ts'

import { formatNames, honours } from './formats.ts'

const said = [
  'We have heard the recording of the harbour bridge and it is good.',
  'Then we will do that.',
  'They ask for forty more boats before the summer.',
]
const german = [
  'Wir haben die Aufnahme von der Hafenbrücke gehört, und sie ist gut.',
  'Dann machen wir das so.',
  'Sie bitten um vierzig weitere Boote vor dem Sommer.',
]
const japanese = ['港の橋の録音を聞きました。', 'それをします。', '夏の前に船を四十です。']
const note =
  /Translated into (German|Japanese) by a language model from the transcript\. Check it before you quote it\./

/** A transcription with these turns in another language. */
async function translated(server: TestApp, language: string, texts: readonly (string | null)[]) {
  const { db } = server.parts.database
  const user = await aUser(db)
  const turns = said.map((text, index) => ({ speaker: index % 2, text }))
  const { id } = await aTranscription(db, { userId: user.id, turns, engine: 'openai' })
  await aTranslation(db, { userId: user.id, transcriptionId: id, language, texts })
  const call = await server.as(user)
  const of = (what: string, query: string) =>
    call({ method: 'GET', url: `/api/transcriptions/${id}/${what}?language=${language}&${query}` })
  return { id, call, file: (query: string) => of('export', query), of }
}

test('every format has the other language in its name, and says that it is a translation', async ({
  server,
}) => {
  const { file } = await translated(server, 'de', german)
  for (const format of formatNames.filter((name) => honours(name, 'language'))) {
    const answer = await file(`format=${format}`)
    expect([format, answer.statusCode]).toEqual([format, 200])
    expect(answer.headers['content-disposition']).toMatch(/filename="interview\.de\.[a-z.]+"/)
    if (format === 'pdf') continue // Its words are drawn.
    const body =
      format === 'docx' ? filesIn(answer.rawPayload).get('word/document.xml')! : answer.body
    expect([format, body.includes('Dann machen wir')]).toEqual([format, true])
    expect([format, body.includes('Then we will')]).toEqual([format, false])
    if (format === 'csv') expect(body).toContain('text (translated into de)')
    else expect([format, note.test(body)]).toEqual([format, format !== 'srt'])
  }
  expect((await file('format=json')).json()).toMatchObject({
    language: 'de',
    translation: { from: 'en' },
    timing: 'estimated',
  })
  expect((await file('format=vtt')).body).toMatch(
    /^WEBVTT\n\nNOTE\nTitle: interview\nLanguage: de\nTranslated/,
  )
})

test.for([
  ['de', german, 42],
  ['ja', japanese, 13],
] as const)(
  'captions in %s keep the rules of the guide for it',
  async ([language, texts, most], { server }) => {
    const { of, file } = await translated(server, language, texts)
    for (const profile of ['netflix', 'bbc', 'plain']) {
      const query = `format=srt&speakers=false&mend=true&profile=${profile}`
      const checked = (await of('captions', query)).json<{ cues: number; broken: number }>()
      expect([profile, checked.broken]).toEqual([profile, 0])
      expect(checked.cues).toBeGreaterThanOrEqual(2)
      const captions = (await file(query)).body
      const lines = captions.split('\n').filter((line) => line !== '' && !/^\d+$|-->/.test(line))
      expect(lines.join('').replace(/\s/g, '')).toBe(texts.join('').replace(/\s/g, ''))
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(most)
      // From the first word to the last, as what was said.
      expect(captions).toMatch(/^1\n00:00:00,000 --> /)
    }
  },
)

test('a turn that was not translated stays as it was said, and is counted', async ({ server }) => {
  const { file } = await translated(server, 'de', [german[0]!, null, german[2]!])
  const { body } = await file('format=txt')
  expect(body).toContain('Check it before you quote it. Left as they were said: 1 turn.')
  expect(body).toContain('Then we will do that.')
})

test('a language that is not there is refused, and named in an archive', async ({ server }) => {
  const { id, call, of } = await translated(server, 'de', german)
  const url = `/api/transcriptions/${id}/export?format=txt&language=fr`
  expect((await call({ method: 'GET', url })).json()).toMatchObject({ code: 'not_translated' })
  const captions = `/api/transcriptions/${id}/captions?language=fr`
  expect((await call({ method: 'GET', url: captions })).statusCode).toBe(409)
  const unknown = `/api/transcriptions/${id}/export?format=txt&language=xx`
  expect((await call({ method: 'GET', url: unknown })).statusCode).toBe(400)
  // In the language that was spoken the text is as it was said.
  const spoken = await call({ method: 'GET', url: url.replace('=fr', '=en') })
  expect(spoken.body).toContain('Then we will do that.')
  expect(spoken.headers['content-disposition']).toContain('interview.txt')
  expect((await of('export', 'format=txt')).statusCode).toBe(200)
  const many = await call({
    method: 'POST',
    url: '/api/exports',
    payload: { ids: [id], format: 'txt', language: 'fr' },
  })
  expect(filesIn(many.rawPayload).get('left-out.txt')).toContain('There is no translation')
})
