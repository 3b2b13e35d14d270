import { expect, test } from 'vitest'

import { forwardOnly, type Progress, together } from './job.ts'

test('progress never goes back, whichever part of a job tells it', () => {
  const told: Progress[] = []
  const tell = forwardOnly((progress) => told.push(progress))
  tell({ kind: 'analyzing_format' })
  tell({ kind: 'splitting' })
  tell({ kind: 'converting_opus' })
  tell({ kind: 'chunks' })
  tell({ kind: 'chunk', done: 3, total: 4 })
  tell({ kind: 'chunk', done: 2, total: 4 })
  tell({ kind: 'checking_size' })
  tell({ kind: 'chunk', done: 4, total: 4 })
  expect(told.map((progress) => ('done' in progress ? progress.done : progress.kind))).toEqual([
    'analyzing_format',
    'splitting',
    'chunks',
    3,
    4,
  ])
})

test('the first failure ends the others, and is the one that is told', async () => {
  let ended = 0
  const waiting = (signal: AbortSignal) =>
    new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => {
        ended += 1
        reject(new Error('ended by another'))
      }),
    )
  const running = together(new AbortController().signal, (signal) => [
    waiting(signal),
    Promise.reject(new Error('the reason')),
    waiting(signal),
  ])
  await expect(running).rejects.toThrow('the reason')
  expect(ended).toBe(2)
})
