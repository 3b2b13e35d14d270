import path from 'node:path'

import { describe, expect, test } from 'vitest'

import { readBuilt } from './page-weight.ts'

const built = readBuilt(path.resolve(import.meta.dirname, '../build/client'))
const kilobytes = (bytes: number) => bytes / 1000
/** The layouts around every signed-in page. */
const frame = ['palette-layout', 'protected-layout']
const dashboard = built.filesOf(...frame, 'dashboard-page')

/** What a lazily loaded part adds to a page that already has these files. */
function addedBy(part: string, to: Set<string>): number {
  return built.weightOf(
    [...built.withImports([built.fileOf(part)])].filter((file) => !to.has(file)),
  )
}

describe('JavaScript of the first load, gzipped', () => {
  test.each([
    ['the sign-in page', 155, ['auth-page']],
    ['the dashboard', 200, [...frame, 'dashboard-page']],
    ['the library', 180, [...frame, 'library-page']],
    ['the choice of a plan', 166, ['palette-layout', 'subscribe-page']],
    ['the thanks for a payment', 165, [...frame, 'success-page']],
  ])('%s stays within %d kB', (_name, most, parts) => {
    expect(kilobytes(built.weightOf(built.filesOf(...parts)))).toBeLessThanOrEqual(most)
  })

  test('results add at most 35 kB, menus counted apart', () => {
    const common = built.withImports([
      ...dashboard,
      ...built.names.filter((name) => name.startsWith('menu-parts-')),
    ])
    expect(kilobytes(addedBy('results-view', common))).toBeLessThanOrEqual(35)
  })

  test('the command palette adds at most 26 kB', () => {
    expect(kilobytes(addedBy('palette-dialog', dashboard))).toBeLessThanOrEqual(26)
  })

  test('the recorder adds at most 12 kB', () => {
    expect(kilobytes(addedBy('record-panel', dashboard))).toBeLessThanOrEqual(12)
  })

  test('what takes the sound out of a video is loaded only when it is asked for', () => {
    const files = [...dashboard].join(' ')
    expect(files).not.toContain('extract-sound')
    expect(built.names.some((name) => name.startsWith('extract-sound-'))).toBe(true)
  })
})
