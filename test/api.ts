/**
 * The server on a port, with a worker, for tests that call it as a program does. Its engine costs
 * nothing: it hears a word every half second. Its writer repeats the first turn. The rest is real.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import * as keys from '#features/developers/keys.ts'
import { engineInUse } from '#features/speech/speech.ts'
import { outboxDir } from '#root/app.ts'
import { startWorker } from '#root/worker.ts'
import type { Database } from '#server/db.ts'
import { outboxMailer } from '#server/mail.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { anEngine, repeating } from '#test/engine.ts'
import { aSession, aUser, type User } from '#test/factories.ts'
import { freePort } from '#test/server.ts'

export interface TestApi extends TestApp {
  url: string
}

const spoken = ['the', 'budget', 'meeting', 'begins', 'on', 'monday', 'morning', 'at', 'nine']

const engine = anEngine({
  async recognise(_pcm, chunks) {
    const words = chunks.flatMap(({ startMs, endMs }) =>
      Array.from({ length: Math.max(1, Math.floor((endMs - startMs) / 500)) }, (_, n) => ({
        text: spoken[n % spoken.length]!,
        startMs: startMs + n * 500,
        endMs: Math.min(startMs + n * 500 + 300, endMs),
        confidence: 0.9,
      })),
    )
    return { kind: 'done', language: 'en', words }
  },
})

export async function anApi(
  database: Database,
  { settings = {}, works = true }: { settings?: Record<string, string>; works?: boolean } = {},
): Promise<TestApi> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const PUBLIC_URL = `http://localhost:${port}`
  const server = await anApp(database, { settings: { PUBLIC_URL, ...settings }, works: false })
  const { config } = server.parts
  const mailer = outboxMailer(outboxDir(config), config.mail.from)
  const worker = works
    ? await startWorker({
        ...server.parts,
        mailer,
        engine: engineInUse(engine),
        writer: repeating,
      })
    : null
  await server.app.listen({ port, host: '127.0.0.1' })
  return {
    ...server,
    url,
    async close() {
      worker?.stop()
      await server.close()
      mailer.close()
    },
  }
}

/** A user with a key for everything, on the plan that has keys. */
export async function aDeveloper(
  { parts: { database, clock } }: TestApp,
  {
    credits = 50,
    scopes = ['read', 'write'] as ('read' | 'write')[],
    ...more
  }: { credits?: number; scopes?: ('read' | 'write')[]; password?: string; email?: string } = {},
): Promise<{ user: User; key: string }> {
  const { db } = database
  const user = await aUser(db, { plan: 'enterprise', credits, ...more })
  const { id: sessionId } = await aSession(db, { userId: user.id })
  const wish = { userId: user.id, sessionId, name: 'Test', scopes }
  const { key } = await keys.make({ db, clock }, wish)
  return { user, key }
}

/** The token that POST /api/login gives to scripts. */
export async function aToken({ parts: { database } }: TestApp, userId: string): Promise<string> {
  return (await aSession(database.db, { userId, kind: 'token' })).token
}

/** A few seconds of speech. */
export async function aRecording(seconds = 4): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quoth-recording-'))
  const file = path.join(folder, 'recording.wav')
  const sample = path.resolve(
    import.meta.dirname,
    '../src/features/transcriptions/sample/sample.m4a',
  )
  const cut = ['-v', 'error', '-i', sample, '-t', String(seconds), '-ac', '1', '-ar', '16000', file]
  await promisify(execFile)('ffmpeg', cut)
  const bytes = new Uint8Array(await readFile(file))
  await rm(folder, { recursive: true })
  return bytes
}
