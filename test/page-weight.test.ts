import path from 'node:path'

import { describe, expect, test } from 'vitest'

import { readBuilt } from './page-weight.ts'

const built = readBuilt(path.resolve(import.meta.dirname, '../build/client'))
const kilobytes = (bytes: number) => bytes / 1000
const route = (part: string) => {
  const id = Object.keys(built.manifest.routes).find((id) => id.endsWith(part))
  if (id === undefined) throw new Error(`no route ${part}`)
  return built.filesOf(id)
}

/** What a lazily loaded part adds to a page that already has these files. */
function addedBy(part: string, to: Set<string>): number {
  const name = built.names.find((name) => name.startsWith(`${part}-`))
  if (name === undefined) throw new Error(`no part ${part} among ${built.names.join(', ')}`)
  return built.weightOf([...built.withImports([name])].filter((file) => !to.has(file)))
}

describe('JavaScript of the first load, gzipped', () => {
  test('the dashboard stays within 165 kB', () => {
    expect(kilobytes(built.weightOf(route('dashboard')))).toBeLessThanOrEqual(165)
  })

  // React, its router and the queries alone are 117 kB; the page itself has the rest.
  test('the sign-in page stays within 145 kB', () => {
    expect(kilobytes(built.weightOf(route('auth-page')))).toBeLessThanOrEqual(145)
  })

  test('results add at most 35 kB, menus and dialogs counted apart', () => {
    const dashboard = route('dashboard')
    const common = built.withImports([
      ...dashboard,
      ...built.names.filter((name) => /^(menu-parts|dialog-parts)-/.test(name)),
    ])
    expect(kilobytes(addedBy('results-view', common))).toBeLessThanOrEqual(35)
  })

  test('the recorder adds at most 12 kB', () => {
    expect(kilobytes(addedBy('record-panel', route('dashboard')))).toBeLessThanOrEqual(12)
  })

  test('what takes the sound out of a video is loaded only when it is asked for', () => {
    const files = [...route('dashboard')].join(' ')
    expect(files).not.toContain('extract-sound')
    expect(built.names.some((name) => name.startsWith('extract-sound-'))).toBe(true)
  })
})
