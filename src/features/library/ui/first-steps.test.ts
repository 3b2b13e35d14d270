import { expect, test } from 'vitest'

import { stageAfter, stepsAt } from './first-steps.ts'

const sample = { status: 'completed', isSample: true }
const mine = { status: 'completed', isSample: false }
const running = { status: 'processing', isSample: false }

test('a new user has two steps before them', () => {
  expect(stepsAt(stageAfter('begun', [])).map(({ isDone }) => isDone)).toEqual([false, false])
})

test('the sample is done once it was opened, also when it is deleted since', () => {
  expect(stageAfter('begun', [sample])).toBe('sample-opened')
  expect(stageAfter('sample-opened', [])).toBe('sample-opened')
  expect(stepsAt('sample-opened').map(({ isDone }) => isDone)).toEqual([true, false])
})

test('the steps are over with the first result, not with a file that is still being worked on', () => {
  expect(stageAfter('sample-opened', [running, sample])).toBe('sample-opened')
  expect(stageAfter('sample-opened', [mine, sample])).toBe('over')
  expect(stageAfter('begun', [mine])).toBe('over')
})

test('steps that are over stay over', () => {
  expect(stageAfter('over', [])).toBe('over')
  expect(stepsAt('over')).toEqual([])
})
