import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  type Range,
  clockWith,
  clockWithout,
  joined,
  lengthOf,
  rangeAt,
  without,
} from './ranges.ts'

const MOST_MS = 60
const anyRanges = fc.array(
  fc.tuple(fc.nat(MOST_MS), fc.nat(MOST_MS)).map(([startMs, endMs]) => ({ startMs, endMs })),
  { maxLength: 12 },
)
/** One milliseconds after the other, in the plainest way. */
const isIn = (ranges: readonly Range[], ms: number) =>
  ranges.some(({ startMs, endMs }) => startMs <= ms && ms < endMs)
const each = Array.from({ length: MOST_MS + 1 }, (_, ms) => ms)

const isList = (list: readonly Range[]) =>
  list.every(({ startMs, endMs }, at) => startMs < endMs && startMs > (list[at - 1]?.endMs ?? -1))

test('stretches in any order, one over the other, are the same stretches in a list', () => {
  fc.assert(
    fc.property(anyRanges, (ranges) => {
      const list = joined(ranges)
      expect(isList(list)).toBe(true)
      expect(each.filter((ms) => isIn(list, ms))).toEqual(each.filter((ms) => isIn(ranges, ms)))
    }),
  )
})

test('what is taken out of a list is out, and everything else stays', () => {
  fc.assert(
    fc.property(anyRanges, anyRanges, (ranges, others) => {
      const [list, taken] = [joined(ranges), joined(others)]
      const left = without(list, taken)
      expect(isList(left)).toBe(true)
      const stays = each.filter((ms) => isIn(list, ms) && !isIn(taken, ms))
      expect(each.filter((ms) => isIn(left, ms))).toEqual(stays)
      expect(lengthOf(left)).toBe(stays.length)
    }),
  )
})

test('a moment lies after everything before it that stays', () => {
  fc.assert(
    fc.property(anyRanges, (ranges) => {
      const list = joined(ranges)
      const clock = clockWithout(list)
      for (const ms of each) {
        expect(clock(ms)).toBe(each.filter((other) => other < ms && !isIn(list, other)).length)
        expect(rangeAt(list, ms) !== null).toBe(isIn(list, ms))
      }
    }),
  )
})

test('every moment that stays is found again in the recording', () => {
  fc.assert(
    fc.property(anyRanges, (ranges) => {
      const list = joined(ranges)
      const [clock, back] = [clockWithout(list), clockWith(list)]
      for (const ms of each) if (!isIn(list, ms)) expect(back(clock(ms))).toBe(ms)
    }),
  )
})
