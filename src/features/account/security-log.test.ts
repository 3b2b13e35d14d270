import { Writable } from 'node:stream'

import { expect } from 'vitest'

import { createLog } from '#server/log.ts'
import { anApp, tokenIn } from '#test/app.ts'
import { test } from '#test/database.ts'

const password = 'canarypassword of a raven'
const email = 'canarymailbox@example.com'
const post = (url: string, payload: object = {}) => ({ method: 'POST', url, payload }) as const

test('what happens to an account is one line each, with ids and nothing that was said', async ({
  database,
}) => {
  let written = ''
  const destination = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk)
      done()
    },
  })
  const server = await anApp(database, { parts: { log: createLog({ destination }) } })
  const network = '127.0.0.1'
  const secrets = [password, email, 'canaryname', 'forged']
  try {
    const person = { email, password, firstName: 'canaryname', lastName: 'x\r\n{"event":"forged"}' }
    const browser = server.aBrowser()
    secrets.push((await browser(post('/api/register', person))).cookies[0]!.value)
    const [mail] = await server.mailsTo(email, { atLeast: 1 })
    secrets.push(tokenIn(mail!))
    const verified = await browser(post('/api/verify-email', { token: tokenIn(mail!) }))
    secrets.push(...verified.cookies.map(({ value }) => value).filter(Boolean))
    await server.inject(post('/api/login', { email, password: 'canarypassword guessed' }))
    const agent = { 'user-agent': 'Firefox/1 Linux\u0085{"event":"forged"}' }
    const login = await server.inject({
      ...post('/api/login', { email, password }),
      headers: agent,
    })
    const token = login.cookies[0]!.value
    const script = await server.inject(post('/api/login', { email, password, token: true }))
    secrets.push(token, script.json<{ token: string }>().token)
    const headers = { cookie: `quoth_session=${token}` }
    const changed = await server.inject({
      ...post('/api/account/password', { password, newPassword: `${password} again` }),
      headers,
    })
    const renewed = changed.cookies[0]!.value
    secrets.push(renewed)
    const own = { cookie: `quoth_session=${renewed}` }
    await server.inject({ url: '/api/account/export', headers: own })
    const payload = { confirmation: email, password: `${password} again` }
    await server.inject({ method: 'DELETE', url: '/api/account', payload, headers: own })
  } finally {
    await server.close()
  }

  const lines = written
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.flatMap(({ event }) => event ?? [])).toEqual([
    'email_verified',
    'signed_in',
    'signed_in',
    'token_made',
    'password_changed',
    'data_exported',
    'account_deleted',
  ])
  for (const line of lines.filter(({ event }) => event !== undefined)) {
    expect(line['userId']).toMatch(/^[0-9a-f-]{36}$/)
    expect(line['requestId']).toMatch(/^[0-9a-f-]{36}$/)
    expect(line['time']).toMatch(/Z$/)
    expect(line['network']).toBe(network)
  }
  // A wrong password is a line too, of whichever route refused.
  expect(lines).toContainEqual(
    expect.objectContaining({ route: '/api/login', status: 401, network }),
  )
  for (const secret of secrets) expect(written).not.toContain(secret)
})
