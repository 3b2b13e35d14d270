import { readdir, readFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

test('no bench measures an engine or a diarizer that was made up for tests', async () => {
  const folder = new URL('..', import.meta.url)
  const files = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  expect(files).toContain('speech.ts')
  for (const name of files)
    expect(await readFile(new URL(name, folder), 'utf8'), name).not.toContain('#test/engine.ts')
})
