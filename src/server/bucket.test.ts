/** An installation whose recordings lie in a bucket: web and worker share nothing else but the database. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'

import { eq } from 'drizzle-orm'
import { expect, vi } from 'vitest'

import type { UploadInParts } from '#features/recordings/contract.ts'
import { uploads } from '#features/recordings/tables.ts'
import { uploadJob } from '#features/recordings/uploads-in-parts.ts'
import type { Share } from '#features/sharing/contract.ts'
import { Transcription } from '#features/transcriptions/contract.ts'
import { run } from '#features/transcriptions/run.ts'
import { anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { anEngine, repeating } from '#test/engine.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { uploadOf } from '#test/form.ts'
import { startS3 } from '#test/s3.ts'

import { s3Storage } from './s3.ts'

const sample = await readFile('src/features/transcriptions/sample/sample.m4a')

/** Hears one word in each chunk. */
const engine = anEngine({
  recognise: async (_pcm, chunks) => ({
    kind: 'done',
    language: 'en',
    words: chunks.map(({ startMs }, at) => ({
      text: `word${at}`,
      startMs,
      endMs: startMs + 500,
      confidence: 0.9,
    })),
  }),
})

const test = base.extend('place', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const s3 = await startS3()
  if (!s3) return null
  const folder = await mkdtemp(path.join(tmpdir(), 'quoth-bucket-'))
  const storageOf = (machine: string) =>
    s3Storage(s3.bucket, { scratchDir: path.join(folder, machine, 'scratch') })
  const server = await anApp(database, { works: false, parts: { storage: storageOf('web') } })
  onCleanup(async () => {
    await server.close()
    await s3.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return { s3, folder, server, workerStorage: storageOf('worker') }
})

test('a recording sent to one machine is worked on by another, and played from the bucket', async ({
  place,
  skip,
}) => {
  if (!place) return skip('Swift is not installed: sudo apt install python3-swift')
  const { server, folder, workerStorage, s3 } = place
  const user = await aUser(server.parts.database.db, { credits: 10 })
  const asUser = await server.as(user)
  const sent = await asUser(await uploadOf([{ name: 'sample.m4a', bytes: sample }]))
  const { transcriptionId: id } = sent.json()
  const url = `/api/transcriptions/${id}`
  await asUser({ method: 'POST', url: `${url}/confirm`, payload: {} })

  const { db } = server.parts.database
  const workRoot = path.join(folder, 'worker', 'work')
  const { queue, clock, log } = server.parts
  const deps = {
    db,
    queue,
    clock,
    log,
    storage: workerStorage,
    engine,
    writer: repeating,
    workRoot,
  }
  const { signal } = new AbortController()
  await run(deps, { transcriptionId: id, attempt: 1 }, { isLastAttempt: true, signal })
  const result = Transcription.parse((await asUser(url)).json())
  expect(result).toMatchObject({ status: 'completed', creditsRequired: 1 })

  const played = await asUser({ url: `${url}/media`, headers: { range: 'bytes=0-9' } })
  expect(played).toMatchObject({ statusCode: 302, payload: '' })
  expect(played.headers['cache-control']).toBe('private, no-store')
  const address = String(played.headers.location)
  expect(address.startsWith(`${s3.bucket.endpoint}/`)).toBe(true)
  const bytes = await fetch(address, { headers: { range: 'bytes=4-11' } })
  expect(await bytes.text()).toBe(sample.subarray(4, 12).toString())

  const saved = await asUser(`${url}/media?download=1`)
  const attachment = await fetch(String(saved.headers.location), {
    headers: { range: 'bytes=4-11' },
  })
  expect(attachment.status).toBe(206)
  expect(attachment.headers.get('content-disposition')).toBe(
    `attachment; filename="sample.m4a"; filename*=UTF-8''sample.m4a`,
  )

  const head = await asUser({ method: 'HEAD', url: `${url}/media` })
  expect(head).toMatchObject({ statusCode: 200, payload: '' })
  expect(head.headers['content-length']).toBe(String(sample.length))

  const stranger = await server.as(await aUser(db))
  expect((await stranger(`${url}/media`)).statusCode).toBe(404)
  for (const machine of ['web', 'worker'])
    expect(await readdir(path.join(folder, machine, 'scratch'))).toEqual([])
})

test('a link plays a recording from the bucket, and the sound of a video alone from here', async ({
  place,
  skip,
}) => {
  if (!place) return skip('Swift is not installed')
  const { server, folder } = place
  const { db } = server.parts.database
  const video = path.join(folder, 'video.mp4')
  const picture = ['-f', 'lavfi', '-i', 'color=s=16x16:r=1:d=1']
  const sound = ['-f', 'lavfi', '-i', 'sine=d=1', '-c:v', 'mpeg4', '-c:a', 'aac']
  await promisify(execFile)('ffmpeg', [...picture, ...sound, video])
  const bytes = await readFile(video)
  const storageKey = randomUUID()
  const { signal } = new AbortController()
  await server.parts.storage.write(storageKey, Readable.from([bytes]), { signal })
  const user = await aUser(db)
  const { id } = await aTranscription(db, { userId: user.id, storageKey, mediaType: 'video/mp4' })
  const call = await server.as(user)
  const linkOf = async (payload: object) => {
    const url = `/api/transcriptions/${id}/shares`
    const made = await call({ method: 'POST', url, payload })
    const { location } = (await server.inject(`${made.json<Share>().url}/recording`)).headers
    return (headers = {}) => server.inject({ url: String(location), headers })
  }

  const whole = await (await linkOf({ includes: ['recording'] }))({ range: 'bytes=0-9' })
  expect(whole).toMatchObject({ statusCode: 302, payload: '' })
  const stretch = await fetch(String(whole.headers.location), {
    headers: { range: 'bytes=4-11' },
  })
  expect(await stretch.text()).toBe(bytes.subarray(4, 12).toString())

  const alone = await linkOf({ includes: ['sound'] })
  const heard = await alone()
  expect([heard.statusCode, heard.headers['content-type']]).toEqual([200, 'audio/mp4'])
  const part = await alone({ range: 'bytes=4-11' })
  expect([part.statusCode, part.body]).toEqual([206, heard.body.slice(4, 12)])
  const file = path.join(folder, 'alone.mp4')
  await writeFile(file, heard.rawPayload)
  const what = ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', file]
  expect((await promisify(execFile)('ffprobe', what)).stdout.trim()).toBe('aac')

  // With the recording goes the sound that was kept.
  await server.parts.storage.remove(storageKey)
  expect((await alone()).statusCode).toBe(410)
  const [sounds = ''] = await readdir(path.join(server.dataDir, 'work'))
  expect(await readdir(path.join(server.dataDir, 'work', sounds))).toEqual([])
})

test('parts of a recording are put into the bucket by the sender, and measured by a worker', async ({
  place,
  skip,
}) => {
  if (!place) return skip('Swift is not installed')
  const { server, workerStorage: storage } = place
  const { db } = server.parts.database
  await uploadJob.start({ ...server.parts, db, storage })
  const read = vi.spyOn(server.parts.storage, 'open')
  const user = await aUser(db, { credits: 4 })
  const call = await server.as(user)
  const send = async (bytes: Buffer) => {
    const payload = { name: 'sample.m4a', sizeBytes: bytes.length }
    const begun = await call({ method: 'POST', url: '/api/uploads', payload })
    const { id, parts } = begun.json<UploadInParts>()
    for (const { url } of parts)
      expect((await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })).status).toBe(200)
    return () => call({ method: 'POST', url: `/api/uploads/${id}/complete` })
  }
  const complete = await send(sample)
  const answer = await complete()
  expect(answer.json()).toMatchObject({ filename: 'sample.m4a', creditsRequired: 1 })
  expect((await complete()).json()).toEqual(answer.json())
  const refused = await (await send(Buffer.from('a letter')))()
  expect(refused.json()).toMatchObject({ code: 'not_media' })

  expect(read).not.toHaveBeenCalled()
  read.mockRestore()
  // What it took of the worker counts for the user.
  const rows = await db.select().from(uploads).where(eq(uploads.userId, user.id))
  expect(rows.map(({ measuredMs }) => measuredMs)).not.toContain(null)
})
