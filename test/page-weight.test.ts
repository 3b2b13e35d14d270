import path from 'node:path'

import { describe, expect, test } from 'vitest'

import { readBuilt } from './page-weight.ts'

const built = readBuilt(path.resolve(import.meta.dirname, '../build/client'))
const kilobytes = (bytes: number) => bytes / 1000
/** The layouts around every signed-in page. */
const frame = ['palette-layout', 'protected-layout']

/**
 * A sign that something large came in by mistake, not a fence: a screen may weigh more when its users
 * gain by it.
 */
const MOST = 250

describe('JavaScript of the first load, gzipped', () => {
  test.each([
    ['the sign-in page', ['auth-page']],
    ['the dashboard', [...frame, 'dashboard-page']],
    ['the library', [...frame, 'library-page']],
    ['the choice of a plan', ['palette-layout', 'subscribe-page']],
    ['the thanks for a payment', [...frame, 'success-page']],
  ])('%s stays far below what is noticed', (_name, parts) => {
    expect(kilobytes(built.weightOf(built.filesOf(...parts)))).toBeLessThanOrEqual(MOST)
  })

  test('what takes the sound out of a video is loaded only when it is asked for', () => {
    const files = [...built.filesOf(...frame, 'dashboard-page')].join(' ')
    expect(files).not.toContain('extract-sound')
    expect(built.names.some((name) => name.startsWith('extract-sound-'))).toBe(true)
  })
})
