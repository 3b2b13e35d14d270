import { expect, test } from 'vitest'

import { nameOf } from './shared-files.ts'

test('a shared file is called by its title, with the ending of its type', () => {
  const memo = { name: 'AUD-1.m4a', type: 'audio/mp4' }
  expect(nameOf(memo, '')).toBe('AUD-1.m4a')
  expect(nameOf(memo, 'Talk with Ben')).toBe('Talk with Ben.m4a')
  expect(nameOf(memo, 'AUD-1.m4a')).toBe('AUD-1.m4a')
  expect(nameOf({ name: 'Recording 4', type: 'audio/ogg; codecs=opus' }, '')).toBe(
    'Recording 4.ogg',
  )
  expect(nameOf({ name: 'unknown', type: 'audio/amr' }, '')).toBe('unknown')
})
