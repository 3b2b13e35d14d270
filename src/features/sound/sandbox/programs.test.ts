import { expect, test } from 'vitest'

import {
  findProgram,
  MissingProgram,
  needProgram,
  sharedFolders,
  standardFolders,
} from './programs.ts'

test('a program that is not there is named, with what to install', async () => {
  expect(await findProgram('no-such-program')).toBeNull()
  await expect(needProgram('no-such-program')).rejects.toThrow(MissingProgram)
  expect(new MissingProgram(['ffmpeg', 'pocketsphinx_batch']).message).toBe(
    'ffmpeg and pocketsphinx_batch were not found on this machine. ' +
      'On Debian or Ubuntu: sudo apt install ffmpeg pocketsphinx',
  )
})

test('programs that Homebrew installed on a Mac are found like those of a distribution', () => {
  expect(standardFolders).toEqual(['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin'])
  expect(sharedFolders('pocketsphinx')).toContain('/opt/homebrew/share/pocketsphinx')
})
