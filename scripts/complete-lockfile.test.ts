import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { missingFrom } from './complete-lockfile.ts'

test('the lockfile names every package that npm ci looks for (else: node scripts/complete-lockfile.ts)', () => {
  const lockfile: unknown = JSON.parse(
    readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
  )
  expect(missingFrom(lockfile)).toEqual([])
})

test('no registry address is in the lockfile', () => {
  const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')
  expect(text).not.toContain('"resolved": "http')
})
