import { expect, test } from 'vitest'

import { authPath, momentIn, safeNext, transcriptionPath, withMoment } from './paths.ts'

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

test('an address names a moment of the open transcription', () => {
  expect(withMoment('?q=mail&t=abc', 83.4)).toBe('?q=mail&t=abc&at=83.4')
  expect(withMoment('?t=abc&at=1', 2)).toBe('?t=abc&at=2')
  expect(withMoment('?at=1', null)).toBe('')
  expect(momentIn('?t=abc&at=83.4')).toBe(83.4)
  for (const none of ['?t=abc', '?at=', '?at=soon', '?at=-1']) expect(momentIn(none)).toBeNull()
})

test('a transcription has an address', () => {
  expect(transcriptionPath('a b')).toBe('/dashboard?t=a%20b')
})
