/** One long recording on a small server: nobody with a short one waits for its end. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

import { expect, onTestFinished } from 'vitest'

import { engineInUse } from '#features/speech/speech.ts'
import { startJobs } from '#server/jobs.ts'
import { anEngine } from '#test/engine.ts'
import { aUser, anUpload } from '#test/factories.ts'
import { aFolder } from '#test/folder.ts'
import { test } from '#test/jobs.ts'
import { withResolvers } from '#web/with-resolvers.ts'

import { transcriptionJobs } from './jobs.ts'
import * as room from './transcriptions.ts'
import { readLine } from './waiting.ts'

const HOUR = 3600
const folder = aFolder('long-recordings')

test('on a server that works on one recording at once, three seconds do not wait for six hours, and five hours do', async ({
  deps,
}) => {
  const { db, storage } = deps
  const sample = path.resolve(import.meta.dirname, 'sample/sample.m4a')
  const sound = path.join(folder, 'short.wav')
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-t', '6', '-i', sample, sound])
  const confirmed = async (seconds: number) => {
    const { id: userId } = await aUser(db, { credits: 1_000 })
    const storageKey = randomUUID()
    const { signal } = new AbortController()
    await storage.write(storageKey, createReadStream(sound), { signal })
    const { id } = await anUpload(db, { userId, storageKey, seconds })
    await room.confirm(deps, { userId, id })
    return { userId, id }
  }
  const statusOf = async (owned: { userId: string; id: string }) =>
    (await room.get(deps, owned)).status

  const asked = withResolvers<void>()
  const goOn = withResolvers<void>()
  let questions = 0
  const engine = anEngine({
    // The first question is the long recording's.
    async recognise(_pcm, chunks) {
      questions += 1
      if (questions === 1) {
        asked.resolve()
        await goOn.promise
      }
      const words = chunks.map((chunk) => ({ text: 'paper', confidence: 0.9, ...chunk }))
      return { kind: 'done', language: 'en', words }
    },
  })
  const working = { ...deps, engine: engineInUse(engine), workers: 1, round: {} }
  onTestFinished((await startJobs(transcriptionJobs, working)).stop)
  onTestFinished(() => goOn.resolve())
  await confirmed(6 * HOUR)
  await asked.promise
  const other = await confirmed(5 * HOUR)
  const short = await confirmed(3)
  await expect.poll(() => statusOf(short), { timeout: 50_000 }).toBe('completed')
  // Of the other long recording, only the first is ahead by now.
  expect([...(await readLine(db))]).toEqual([
    [other.id, { ahead: 1, isNext: true, readyInSeconds: null }],
  ])
})
