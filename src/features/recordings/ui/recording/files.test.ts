import { expect, test } from 'vitest'

import { fileNamed } from './files.ts'

test('a recording is named by when it was begun, as a person would say it', () => {
  const startedAt = new Date(2026, 10, 1, 9, 5)
  const name = (type: string, part?: number) => fileNamed({ startedAt, type }, [], part).name
  expect(name('audio/webm;codecs=opus')).toBe('Recording of 1 November, 9:05.webm')
  expect(name('audio/mp4')).toBe('Recording of 1 November, 9:05.m4a')
  expect(name('audio/mp4', 2)).toBe('Recording of 1 November, 9:05, part 2.m4a')
})
