import { sql } from 'drizzle-orm'
import { expect } from 'vitest'

import { users } from '#features/account/tables.ts'
import { test } from '#test/database.ts'
import { aUser } from '#test/factories.ts'

import { createLog } from './log.ts'

const SECRET = 'canary@example.com'

function aLog() {
  const lines: string[] = []
  const log = createLog({ destination: { write: (line) => void lines.push(line) } })
  return { log, text: () => lines.join('') }
}

test('a failed query is logged without anybody’s data', async ({ db }) => {
  const user = await aUser(db, { email: SECRET })
  const { log, text } = aLog()
  const failed: unknown[] = []
  const attempts = [
    db.insert(users).values(user), // the row itself is quoted in the refusal
    db.execute(sql`select ${SECRET}::uuid`), // the value is quoted in the message
  ]
  for (const attempt of attempts) await attempt.catch((error: unknown) => failed.push(error))
  for (const error of failed) log.error({ err: error }, 'failed')

  expect(failed).toHaveLength(2)
  expect(text()).not.toContain(SECRET)
  expect(text()).toContain('users_')
  expect(text()).toContain('22P02')
})

test('a line carries its time, its level and where an error came from', () => {
  const { log, text } = aLog()
  log.warn({ jobId: '7', err: new Error('outer', { cause: new TypeError() }) }, 'hm')
  const line: unknown = JSON.parse(text())
  expect(line).toMatchObject({
    level: 'warn',
    jobId: '7',
    msg: 'hm',
    err: {
      message: 'outer',
      stack: expect.stringContaining('log.test.ts'),
      cause: { type: 'TypeError' },
    },
  })
})
