import { expect } from 'vitest'

import { test } from '#test/database.ts'
import { aTranscription, aUser } from '#test/factories.ts'

test('a small wave has the loudest of each of 26 stretches, and none where nothing was measured', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  const levelsOf = async (peaks: number[] | null) =>
    (await aTranscription(db, { userId, peaks })).levels
  const rising = Array.from({ length: 1_000 }, (_, place) => Math.floor(place / 4))
  const levels = await levelsOf(rising)
  expect(levels).toHaveLength(26)
  expect([levels?.[0], levels?.[12], levels?.[25]]).toEqual([9, 124, 249])
  expect(await levelsOf(rising.map(() => 0))).toEqual(Array.from({ length: 26 }, () => 0))
  // Shorter than half a second.
  expect(await levelsOf([3, 0, 255])).toEqual([3, 0, 255])
  expect(await levelsOf([])).toBeNull()
  expect(await levelsOf(null)).toBeNull()
})
