import { expect, test } from 'vitest'

import { recordingName } from './shelf.ts'

test('a recording is named by when it was begun, with the ending of its kind', () => {
  const startedAt = new Date(2026, 10, 1, 9, 5)
  expect(recordingName(startedAt, 'audio/webm;codecs=opus')).toBe('recording-2026-11-01-0905.webm')
  expect(recordingName(startedAt, 'audio/mp4')).toBe('recording-2026-11-01-0905.m4a')
})
