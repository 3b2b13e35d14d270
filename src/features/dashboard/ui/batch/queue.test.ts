import { expect, test } from 'vitest'

import { batchesIn, endsSince, headOf, placeInWords, reservedFor, withBatches } from './queue.ts'

const rows = (...statuses: string[]) =>
  statuses.map((status, index) => ({
    id: String(index),
    status,
    originalName: `${index}.wav`,
    creditsRequired: 3,
  }))

test.each([
  ['1 of 4 done', ['completed', 'processing chunk 2/5', 'processing', 'processing']],
  ['All 4 done', ['completed', 'completed', 'completed', 'completed']],
  ['3 done, 1 failed', ['completed', 'error', 'completed', 'completed']],
  ['0 of 2 done', ['error', 'processing']],
])('the head says %s', (head, statuses) => {
  expect(headOf(rows(...statuses))).toBe(head)
})

test('a file that waits says how many of the batch are before it', () => {
  const all = rows('completed', 'processing chunk 2/5', 'processing', 'processing')
  expect(placeInWords(all, '2')).toBe('Waiting, next')
  expect(placeInWords(all, '3')).toBe('Waiting, 2 ahead')
  expect(reservedFor(all)).toEqual({ credits: 9, name: 'the three files left', isReserved: true })
})

test('each end is said once, by name', () => {
  const before = rows('completed', 'processing', 'summarizing')
  const now = rows('completed', 'error', 'completed')
  expect(endsSince(before, now)).toEqual(['1.wav failed.', '2.wav completed.'])
  expect(endsSince(now, now)).toEqual([])
})

test('an address names each batch once', () => {
  expect(withBatches('?q=a', ['x', 'y', 'x'])).toBe('?q=a&batch=x.y')
  expect(batchesIn('?q=a&batch=x.y')).toEqual(['x', 'y'])
  expect(withBatches('?batch=x', [])).toBe('')
})
