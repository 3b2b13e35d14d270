import { expect, test } from 'vitest'

import { chaptersIn } from './file-chapters.ts'

const at = (startMs: number, title: string) => ({ startMs, title })
const inAMinute = (...found: { startMs: number; title: string }[]) =>
  chaptersIn(found, { durationMs: 60_000 })

test('chapters are in order, in the recording and apart, with a title each', () => {
  expect(
    inAMinute(
      at(30_000, ' The\tend '),
      at(-23, 'The beginning'),
      at(2_000, 'Too near'),
      at(10_000, ' '),
      at(61_000, 'After the end'),
    ),
  ).toEqual([at(0, 'The beginning'), at(30_000, 'The end')])
})

test('one chapter, and numbers of a program, are none', () => {
  expect(inAMinute(at(0, 'The whole'))).toBeNull()
  expect(inAMinute(at(0, 'Chapter 1'), at(20_000, 'Chapter 2'), at(40_000, '003'))).toBeNull()
  expect(inAMinute()).toBeNull()
  const titled = [at(0, '1. Начало'), at(20_000, '2. Разговор')]
  expect(inAMinute(...titled)).toEqual(titled)
})
