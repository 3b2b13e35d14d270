import { argon2Sync } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { beforeAll, expect, test } from 'vitest'

import * as passwords from './passwords.ts'

// All other tests have less of it: see test/setup.ts.
beforeAll(() => passwords.keepWith(passwords.WORK))

async function hash(password: string): Promise<string> {
  return passwords.withHashing('somebody', (hashing) => hashing.hash(password))
}

async function verify(password: string, stored: string | null): Promise<boolean> {
  return passwords.withHashing('somebody', (hashing) => hashing.verify(password, stored))
}

test('a password is kept as argon2id with 19 MiB, 2 passes and 1 lane', async () => {
  const kept = await hash('correct horse')
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  const [nonce, key] = kept
    .split('$')
    .slice(-2)
    .map((part) => Buffer.from(part, 'base64'))
  const work = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
  expect(argon2Sync('argon2id', { message: 'correct horse', nonce: nonce!, ...work })).toEqual(key)
})

test('the same password is kept differently each time', async () => {
  expect(await hash('correct horse')).not.toBe(await hash('correct horse'))
})

test('only the right password is right', async () => {
  const stored = await hash('correct horse')
  expect(await verify('correct horse', stored)).toBe(true)
  expect(await verify('correct horsE', stored)).toBe(false)
  expect(await verify('', stored)).toBe(false)
})

test('long and Unicode passwords work, however the keyboard composes a letter', async () => {
  const long = `${'ünïcödé 密码 '.repeat(20)}🔑`
  const stored = await hash(long)
  expect(await verify(long.normalize('NFD'), stored)).toBe(true)
  expect(await verify(long.slice(0, -1), stored)).toBe(false)
})

test('no password is right where there is none', async () => {
  for (const guess of ['', 'password', 'correct horse'])
    expect(await verify(guess, null)).toBe(false)
})

test('two passwords are hashed at once, and the line of those that wait has an end', async () => {
  const { promise: held, resolve: end } = Promise.withResolvers<void>()
  const all: Promise<unknown>[] = ['a', 'b'].map((owner) =>
    passwords.withHashing(owner, () => held),
  )
  const served: string[] = []
  const waits = (owner: string) => passwords.withHashing(owner, async () => void served.push(owner))
  const crowd = Array.from({ length: 2 }, (_, n) => Array<string>(50).fill(`crowd ${n}`)).flat()
  all.push(...crowd.map(waits))
  const refused = (code: string) => expect.objectContaining({ code, retryAfterSeconds: 5 })
  await expect(waits('crowd 0')).rejects.toEqual(refused('too_much_at_once'))
  // Past 100 only users with nothing waiting yet are let in.
  all.push(waits('somebody'))
  await expect(waits('somebody')).rejects.toEqual(refused('server_busy'))
  for (let n = 0; n < 99; n++) all.push(waits(`one of many ${n}`))
  await expect(waits('one more')).rejects.toEqual(refused('server_busy'))
  expect(served).toEqual([])
  end()
  await Promise.all(all)
  expect(served).toHaveLength(200)
  expect(served.indexOf('somebody')).toBeLessThan(10)
})

test.each([
  'password',
  'Password1',
  'P@ssw0rd!',
  'pa$$word123',
  '12345678',
  '87654321',
  '147258369',
  '19841984',
  'aaaaaaaa',
  'abcabcabc',
  'qwertyuiop',
  'poiuytrewq',
  'asdfghjkl',
  '1qaz2wsx',
  'q1w2e3r4t5',
  'iloveyou',
  'sunshine',
  'princess1',
  'football!',
  'Liverpool1',
  'michael7',
  'Jennifer2024',
  'trustno1',
  'letmein123',
  'passwordpassword',
  '1234567a',
  'welcome1!',
  '!!!dragon!!!',
])('%s is among the first to be guessed', (password) => {
  expect(passwords.isCommon(password)).toBe(true)
})

test('every listed word is refused with figures and signs around it', () => {
  const list = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  const words = list.split('\n').filter((word) => /^[a-z]{5,}$/.test(word))
  expect(words.length).toBeGreaterThan(2000)
  const missed = words.filter((word) => !passwords.isCommon(`${word}123!`))
  expect(missed).toEqual([])
})

test.each([
  'correct horse battery staple',
  'tr0ub4dor&3x',
  'quoth the raven',
  'Xk9#mPq2vL',
  'zebra piano 41 kettle',
  '日本語のパスワード',
  'a1f9c3e07b',
  '8#4!2@a9',
])('%s is accepted', (password) => {
  expect(passwords.isCommon(password)).toBe(false)
})
