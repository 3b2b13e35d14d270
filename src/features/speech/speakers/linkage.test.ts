import fc from 'fast-check'
import { expect, test } from 'vitest'

import { seeded } from '#shared/random.ts'

import { groupsOf } from './linkage.ts'

interface Item {
  place: number
  weight: number
}

/** The most alike pair is looked for among all, every time. */
function slowly(items: readonly Item[], likenessOf: (a: Item, b: Item) => number, from: number) {
  const groups = items.map((item) => [item])
  for (;;) {
    let best = { a: -1, b: -1, likeness: from }
    for (const [a, one] of groups.entries())
      for (const [b, other] of groups.entries()) {
        if (b <= a) continue
        let [sum, weight] = [0, 0]
        for (const x of one)
          for (const y of other) {
            sum += x.weight * y.weight * likenessOf(x, y)
            weight += x.weight * y.weight
          }
        if (sum / weight > best.likeness) best = { a, b, likeness: sum / weight }
      }
    if (best.a < 0) return groups
    groups[best.a]!.push(...groups.splice(best.b, 1)[0]!)
  }
}

const sorted = (groups: Item[][]) =>
  groups
    .map((group) => group.map(({ place }) => place).toSorted((a, b) => a - b))
    .toSorted((a, b) => a[0]! - b[0]!)

test('the most alike are joined first, by the weighted mean of their items', () => {
  const counts = { count: fc.integer({ min: 1, max: 12 }), seed: fc.nat() }
  fc.assert(
    fc.property(
      fc.record(counts),
      fc.double({ min: 0, max: 1, noNaN: true }),
      ({ count, seed }, from) => {
        const random = seeded(seed)
        const items = Array.from({ length: count }, (_, place) => ({
          place,
          weight: random() + 0.1,
        }))
        const table = Array.from({ length: count * count }, random)
        const likenessOf = (a: Item, b: Item) =>
          table[Math.min(a.place, b.place) * count + Math.max(a.place, b.place)]!
        const groups = groupsOf(items, {
          weightOf: ({ weight }) => weight,
          likenessOf,
          joinedFrom: () => from,
        })
        expect(sorted(groups)).toEqual(sorted(slowly(items, likenessOf, from)))
      },
    ),
  )
})

test('what says that two do not belong together counts against their likeness', () => {
  const items = ['a', 'b', 'c']
  const linkage = { weightOf: () => 1, likenessOf: () => 0.7, joinedFrom: () => 0.6 }
  expect(groupsOf(items, linkage)).toHaveLength(1)
  const apartOf = (a: string, b: string) => (a + b === 'ab' || a + b === 'ba' ? 1 : 0)
  expect(groupsOf(items, { ...linkage, apartOf })).toHaveLength(2)
})
