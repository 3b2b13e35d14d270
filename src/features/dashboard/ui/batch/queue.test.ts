import { expect, test } from 'vitest'

import { batchesIn, endsSince, headOf, inOrderOf, inQueueOrder, withBatches } from './queue.ts'

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

test('what has ended goes to the end of the list', () => {
  const all = rows('completed', 'processing chunk 2/5', 'error', 'processing', 'summarizing')
  expect(inQueueOrder(all).map(({ id }) => id)).toEqual(['1', '4', '3', '0', '2'])
})

test('an order that is held keeps what has ended in its place, and new files come last', () => {
  const all = rows('completed', 'processing', 'processing')
  expect(inOrderOf(all, ['2', '0']).map(({ id }) => id)).toEqual(['2', '0', '1'])
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
