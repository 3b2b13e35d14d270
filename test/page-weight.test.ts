/** Weighs the built files that a screen of the app loads before it can be used. */
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

const client = path.resolve(import.meta.dirname, '../build/client')
const sources = new Map(
  readdirSync(path.join(client, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(path.join(client, 'assets', name), 'utf8')]),
)

/** The file that a source became, by the name of the source. */
function fileOf(part: string): string {
  const name = [...sources.keys()].find((file) => new RegExp(`^${part}-.{8}\\.js$`).test(file))
  if (name === undefined) throw new Error(`no ${part} among ${[...sources.keys()].join(', ')}`)
  return name
}

/** These parts with all they import at once: `import()` is loaded when it is needed. */
function filesOf(parts: readonly string[]): Set<string> {
  const files = new Set(parts.map(fileOf))
  for (const name of files)
    for (const [, imported = ''] of (sources.get(name) ?? '').matchAll(
      /(?:^|[;}\n])\s*(?:import|export)\b[^'"()]*?["']\.\/([^"']+)["']/g,
    ))
      files.add(imported)
  return files
}

/** The app's first script, and the layouts around every signed-in page. */
const frame = ['entry.client', 'palette-layout', 'protected-layout']
const fullFrame = [...frame, 'later-rooms-layout']

/**
 * Gzipped. A sign that something large came in by mistake, not a fence: a screen may weigh more when its users
 * gain by it.
 */
const MOST_KB = 400
/** Links to results are opened on phones, and each file and kilobyte there is waited for. */
const MOST_FILES = 30
/** 200 of 1,024 bytes. */
const MOST_KB_OF_A_RESULT = 204.8

const weightOf = (files: ReadonlySet<string>, packed: (text: string) => Buffer): number =>
  [...files].reduce((sum, name) => sum + packed(sources.get(name) ?? '').length, 0) / 1000

describe('JavaScript of the first load', () => {
  test.each([
    ['the sign-in page', ['entry.client', 'auth-page']],
    ['the dashboard', [...fullFrame, 'dashboard-page', 'dashboard']],
    ['the library', [...fullFrame, 'library-page']],
    ['questions to the library', [...frame, 'ask-page']],
    ['the choice of a plan', [...frame, 'subscribe-page']],
    ['the thanks for a payment', [...frame, 'success-page']],
  ])('%s loads so little that nobody notices', (_name, parts) => {
    expect(weightOf(filesOf(parts), gzipSync)).toBeLessThanOrEqual(MOST_KB)
  })

  test('the words of a result need few files, and none of what is opened later', () => {
    const files = filesOf([...fullFrame, 'dashboard-page', 'results-view'])
    expect(files.size).toBeLessThanOrEqual(MOST_FILES)
    // As they are sent.
    expect(weightOf(files, brotliCompressSync)).toBeLessThanOrEqual(MOST_KB_OF_A_RESULT)
    // Letters of menus, questions, toasts and the recorder.
    for (const letters of ['radix-dropdown-menu', 'alertdialog', 'ToastTitle', 'MediaRecorder']) {
      const holders = [...sources].filter(([, source]) => source.includes(letters))
      expect(holders).not.toEqual([])
      expect(holders.filter(([name]) => files.has(name))).toEqual([])
    }
  })

  test('the program that takes the sound out of a video is loaded only when it is asked for', () => {
    const files = [...filesOf([...fullFrame, 'dashboard-page', 'dashboard'])].join(' ')
    expect(files).not.toContain('extract-sound')
    expect(fileOf('extract-sound')).toBeDefined()
  })
})
