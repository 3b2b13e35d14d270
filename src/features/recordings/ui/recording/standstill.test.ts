import { expect, test } from 'vitest'

import { type Clocks, standstill } from './standstill.ts'

const at = (nowMs: number, soundMs: number): Clocks => ({ nowMs, soundMs })

test('a sound that never begins has stood still within a second', () => {
  const sound = standstill(at(5_000, 0))
  expect(sound.look(at(5_600, 0))).toEqual({ isGoing: false, stoodMs: 0 })
  expect(sound.look(at(5_900, 0))).toEqual({ isGoing: false, stoodMs: 900 })
  // It begins after all.
  expect(sound.look(at(6_000, 90)).isGoing).toBe(true)
  expect(sound.look(at(6_100, 190))).toEqual({ isGoing: true, stoodMs: 0 })
})

test('a sound whose clock goes in steps, or is looked at seldom, does not stand still', () => {
  const sound = standstill(at(0, 0))
  for (const [now, heard] of [
    [100, 0],
    [500, 400],
    [600, 400],
    [60_600, 60_300],
  ] as const)
    expect(sound.look(at(now, heard)).stoodMs).toBe(0)
})

test('a gap in a sound that nobody could look at is told when it goes on', () => {
  const sound = standstill(at(0, 0))
  expect(sound.look(at(60_000, 40))).toEqual({ isGoing: true, stoodMs: 59_960 })
  expect(sound.look(at(60_100, 140))).toEqual({ isGoing: true, stoodMs: 0 })
})
