import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'

import { operatorsOf } from '#features/account/operators.ts'
import * as credits from '#features/credits/credits.ts'
import { takeBackUnused } from '#features/operators/operators.ts'
import * as bin from '#features/recordings/bin.ts'
import { transcriptions } from '#features/row/tables.ts'
import { healthFor } from '#root/app.ts'
import * as deletionClock from '#server/deletion-clock.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { test } from '#test/served.ts'

import { type AdminDeps, admin } from './admin.ts'

test('help is asked for as the README writes it', async () => {
  const script = fileURLToPath(new URL('./admin.ts', import.meta.url))
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, 'help'])
  expect(stdout).toMatch(/^What operators do/)
  expect(stderr).toBe('')
})

test('the command line and the page do the same, and both are in one log', async ({
  server,
  db,
}) => {
  const { parts } = server
  const deps: AdminDeps = {
    ...parts,
    db,
    onEvent: takeBackUnused,
    operators: operatorsOf([]),
    health: healthFor(parts),
    mail: parts.config.mail,
    signUp: 'open',
  }
  const said: string[] = []
  const run = async (...argv: string[]) => {
    said.length = 0
    const say = (line: string) => void said.push(line)
    return { code: await admin(deps, argv, { out: say, err: say }), text: said.join('\n') }
  }
  const user = await aUser(db, { credits: 1 })
  const { id: jobId } = await aTranscription(db, {
    userId: user.id,
    status: 'error',
    attempt: 1,
    creditsRequired: 3,
    originalName: 'secret.m4a',
  })
  const id = randomUUID()
  for (const _ of [1, 2])
    expect(await run('grant', user.email, '20', 'Engine', 'fault', '--id', id)).toEqual({
      code: 0,
      text: `${user.email} now has 21 credits to spend.`,
    })
  expect((await run('take', user.id, '50', 'Oops')).code).toBe(1)
  expect((await run('run-again', jobId)).code).toBe(0)
  expect(await credits.balance(db, user.id)).toEqual({ available: 21, held: 3 })
  expect((await run('stop', jobId)).code).toBe(0)
  expect(await credits.balance(db, user.id)).toEqual({ available: 21, held: 0 })
  expect((await run('jobs', 'failed')).text).toMatch(new RegExp(`${jobId} .*${user.email}`))
  expect((await run('user', user.email)).text).toContain('Engine fault (Quoth)')
  expect((await run('users', user.email)).text).not.toContain('secret')
  expect((await run('limits', user.email, '600', 'plan', 'Moving in')).code).toBe(0)
  expect((await run('limits', user.email, '0', 'plan', 'Oops')).code).toBe(2)
  expect((await run('log')).text).toMatch(/limits {2}\S+ {2}\{.*600.*\} {2}Moving in/)
  expect((await run('block', user.email, 'Spam')).code).toBe(0)
  expect((await run('health')).text).toMatch(/^works +Database/)
  expect((await run('log')).text).toMatch(/command line, \S+ {2}block {2}\S+ {2}Spam/)
  const key = randomUUID()
  const { signal } = new AbortController()
  await parts.storage.write(key, Readable.from(['sound']), { signal })
  const { id: over } = await aTranscription(db, { userId: user.id, storageKey: null })
  await db
    .update(transcriptions)
    .set({ recordingDeletedAt: new Date() })
    .where(eq(transcriptions.id, over))
  const file = {
    storageKey: key,
    kind: 'recording',
    userId: user.id,
    transcriptionId: over,
  } as const
  await bin.put(db, [file], new Date())
  expect((await run('bin')).text).toMatch(new RegExp(`^${key} .* recording +${over}`))
  expect((await run('take-back', over)).code).toBe(0)
  expect(await run('take-back', over)).toEqual({ code: 1, text: 'That does not lie in the bin.' })
  expect((await run('bin')).text).toBe('')
  await db.execute(sql`update installation set clock_seen_at = now() - interval '9 days'`)
  expect(await deletionClock.time({ db, clock: parts.clock })).toBe(null)
  expect((await run('trust-clock')).code).toBe(0)
  expect(await deletionClock.time({ db, clock: parts.clock })).not.toBe(null)
  expect((await run('grant', user.email, 'many', 'Why')).code).toBe(2)
  expect((await run('jump')).text).toContain('There is no command jump.')
})
