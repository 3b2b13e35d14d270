import { expect, test } from 'vitest'

import { authPath, safeNext, transcriptionPath } from './paths.ts'

test('a sign-in leads on to screens of the app', () => {
  expect(safeNext('/dashboard?t=1#summary')).toBe('/dashboard?t=1#summary')
  expect(safeNext('/subscribe')).toBe('/subscribe')
  expect(safeNext('/account/credits')).toBe('/account/credits')
})

test('a sign-in leads nowhere else', () => {
  for (const next of [
    null,
    undefined,
    '',
    'dashboard',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    '/api/logout',
    '/%61pi/logout',
    '/account/../api/logout',
    '/dev/mail',
  ])
    expect(safeNext(next)).toBeNull()
})

test('the sign-in page keeps its mode and its next path in the address', () => {
  expect(authPath()).toBe('/auth')
  expect(authPath({ mode: 'register' })).toBe('/auth?mode=register')
  expect(authPath({ next: '/dashboard?t=1' })).toBe('/auth?next=%2Fdashboard%3Ft%3D1')
})

test('a transcription has an address', () => {
  expect(transcriptionPath('a b')).toBe('/dashboard?t=a%20b')
})
