/** Many transcriptions as one archive: the door, on a real database. */
import { randomUUID } from 'node:crypto'

import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import { transcriptions } from '#features/transcriptions/tables.ts'
import { aTranscription, aUser, anUpload } from '#test/factories.ts'
import { test } from '#test/served.ts'
import { filesIn } from '#test/zip.ts'

const turns = [{ speaker: 0, text: 'We met on Tuesday.' }]
const archive = (payload: object) => ({ method: 'POST', url: '/api/exports', payload }) as const

test('what is finished is in the archive, and what is not is named', async ({ server }) => {
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
