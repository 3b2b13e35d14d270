/** Whether the table of all states of all screens can be read; the long run looks at each of them. */
import { expect, test } from 'vitest'

import { statesOf, usedWays } from '../e2e/states/list.ts'
import { ways, waysWithWords } from '../e2e/states/ways.ts'

test('each state of a screen has a name of its own, and every way leads to one', () => {
  const names = Object.values(statesOf).flatMap((states) => states.map(({ name }) => name))
  expect(names.length).toBeGreaterThan(300)
  expect(new Set(names).size).toBe(names.length)
  const all = [...Object.keys(ways), ...Object.keys(waysWithWords)]
  expect(all.filter((name) => !usedWays.has(name))).toEqual([])
})
