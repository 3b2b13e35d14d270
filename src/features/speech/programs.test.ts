import { expect, test } from 'vitest'

import { findProgram, MissingProgram, needProgram } from './programs.ts'

test('a program that is not there is named, with what to install', async () => {
  expect(await findProgram('no-such-program')).toBeNull()
  await expect(needProgram('no-such-program')).rejects.toThrow(MissingProgram)
  expect(new MissingProgram(['ffmpeg', 'pocketsphinx_batch']).message).toBe(
    'ffmpeg and pocketsphinx_batch were not found on this machine. ' +
      'On Debian or Ubuntu: sudo apt install ffmpeg pocketsphinx',
  )
})
