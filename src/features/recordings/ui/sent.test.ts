import { expect, test } from 'vitest'

import { bytesSent } from './sent.ts'

const MB = 1024 * 1024

test.each([
  [0, 38.2 * MB, '0 Bytes of 38.2 MB'],
  [300_000, 38.2 * MB, '293.0 KB of 38.2 MB'],
  [12.4 * MB, 38.2 * MB, '12.4 of 38.2 MB'],
  [38.2 * MB, 38.2 * MB, '38.2 of 38.2 MB'],
])('%d of %d bytes is written %s', (sentBytes, totalBytes, text) => {
  expect(bytesSent({ sentBytes, totalBytes })).toBe(text)
})
