import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import type { Storage } from '#server/storage.ts'

import { soundFiles } from './sound.ts'

test('strangers who open many links have one video worked on at a time', async () => {
  let open = 0
  let most = 0
  const storage: Pick<Storage, 'open' | 'require'> = {
    require: async () => {},
    open: async () => {
      open += 1
      most = Math.max(most, open)
      const release = async () => void (open -= 1)
      return { path: fileURLToPath(import.meta.url), release }
    },
  }
  const sounds = soundFiles(storage, tmpdir())
  const answers = await Promise.allSettled(['a', 'b', 'c'].map((key) => sounds.open(key)))
  await sounds.close()
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect([most, open]).toEqual([1, 0])
})
