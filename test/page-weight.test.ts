/** Weighs the built files that a screen of the app loads before it can be used. */
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

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
 * A sign that something large came in by mistake, not a fence: a screen may weigh more when its users
 * gain by it.
 */
const MOST_KB = 400

describe('JavaScript of the first load, gzipped', () => {
  test.each([
    ['the sign-in page', ['entry.client', 'auth-page']],
    ['the dashboard', [...fullFrame, 'dashboard-page']],
    ['the library', [...fullFrame, 'library-page']],
    ['questions to the library', [...frame, 'ask-page']],
    ['a result', [...fullFrame, 'dashboard-page', 'results-view']],
    ['the choice of a plan', [...frame, 'subscribe-page']],
    ['the thanks for a payment', [...frame, 'success-page']],
  ])('%s loads so little that nobody notices', (_name, parts) => {
    const bytes = [...filesOf(parts)].reduce(
      (sum, name) => sum + gzipSync(sources.get(name) ?? '').length,
      0,
    )
    expect(bytes / 1000).toBeLessThanOrEqual(MOST_KB)
  })

  test('the program that takes the sound out of a video is loaded only when it is asked for', () => {
    const files = [...filesOf([...fullFrame, 'dashboard-page'])].join(' ')
    expect(files).not.toContain('extract-sound')
    expect(fileOf('extract-sound')).toBeDefined()
  })
})
