/** Tests that every test which the checklist names still exists. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)
const text = (file: string) => readFile(fileURLToPath(new URL(file, root)), 'utf8')

test('every line of the checklist is proved by a test that exists', async () => {
  const checklist = await text('e2e/spec-checklist.md')
  const lines = checklist
    .split('\n')
    .filter((line) => /^\| (?!The line)/.test(line) && !line.startsWith('|-'))
  expect(lines.length).toBeGreaterThan(60)
  const missing: string[] = []
  for (const line of lines) {
    const proofs = [...line.matchAll(/`([^`]+\.test\.tsx?)` › (.+?)(?=<br>| \|$)/g)]
    if (proofs.length === 0) missing.push(`no test is named: ${line}`)
    for (const [, file = '', name = ''] of proofs) {
      const source = await text(file).catch(() => '')
      const isThere = ["'", '"', '`'].some((quote) => source.includes(quote + name + quote))
      if (!isThere) missing.push(`${file} has no test "${name}"`)
    }
  }
  expect(missing).toEqual([])
})
