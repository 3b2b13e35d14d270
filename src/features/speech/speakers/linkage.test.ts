import fc from 'fast-check'
import { expect, test } from 'vitest'

import { seeded } from '#shared/random.ts'

import { joinAlike } from './linkage.ts'

/** The most alike pair is looked for among all, every time. */
function slowly(
  places: readonly number[],
  likenessOf: (a: readonly number[], b: readonly number[]) => number,
  from: number,
) {
  const groups = places.map((place) => [place])
  for (;;) {
    let best = { a: -1, b: -1, likeness: from }
    for (const [a, one] of groups.entries())
      for (const [b, other] of groups.entries()) {
        const likeness = likenessOf(one, other)
        if (b > a && likeness > best.likeness) best = { a, b, likeness }
      }
    if (best.a < 0) return groups
    groups[best.a]!.push(...groups.splice(best.b, 1)[0]!)
  }
}

const sorted = (groups: number[][]) =>
  groups.map((group) => group.toSorted((a, b) => a - b)).toSorted((a, b) => a[0]! - b[0]!)

test('the most alike are joined first, and then compared as one', () => {
  const counts = { count: fc.integer({ min: 1, max: 12 }), seed: fc.nat() }
  fc.assert(
    fc.property(
      fc.record(counts),
      fc.double({ min: 0, max: 1, noNaN: true }),
      ({ count, seed }, from) => {
        const random = seeded(seed)
        const places = Array.from({ length: count }, (_, place) => place)
        const table = Array.from({ length: count * count }, random)
        const likenessOf = (one: readonly number[], other: readonly number[]) => {
          const pairs = one.flatMap((a) =>
            other.map((b) => table[Math.min(a, b) * count + Math.max(a, b)]!),
          )
          return pairs.reduce((sum, likeness) => sum + likeness, 0) / pairs.length
        }
        const groups = joinAlike(
          places.map((place) => [place]),
          { likenessOf, joinedFrom: () => from, joined: (a, b) => [...a, ...b] },
        )
        expect(sorted(groups)).toEqual(sorted(slowly(places, likenessOf, from)))
      },
    ),
  )
})

test('how alike two must be may depend on both', () => {
  const sizes = { likenessOf: () => 0.7, joined: (a: number, b: number) => a + b }
  const joinedFrom = (a: number, b: number) => (Math.max(a, b) > 2 ? 0.8 : 0.6)
  expect(joinAlike([1, 1, 1], { ...sizes, joinedFrom: () => 0.6 })).toEqual([3])
  expect(joinAlike([3, 1, 1], { ...sizes, joinedFrom })).toEqual([3, 2])
})
