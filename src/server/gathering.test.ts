import { expect, test } from 'vitest'

import type { Queryable } from './db.ts'
import { gathering } from './gathering.ts'

const db = {} as Queryable

test('what is asked while an answer is awaited is asked together after it', async () => {
  const asked: { keys: number[]; answer: (keys: number[]) => void }[] = []
  const ask = gathering<number, number[]>(
    (_, keys) => new Promise((answer) => asked.push({ keys, answer })),
  )
  const alone = ask(db, 1)
  await Promise.resolve()
  const others = [ask(db, 2), ask(db, 3)]
  expect(asked.map(({ keys }) => keys)).toEqual([[1]])
  asked[0]?.answer([1])
  expect(await alone).toEqual([1])
  await Promise.resolve()
  expect(asked.map(({ keys }) => keys)).toEqual([[1], [2, 3]])
  asked[1]?.answer([2, 3])
  expect(await Promise.all(others)).toEqual([
    [2, 3],
    [2, 3],
  ])
})

test('an error goes to all who asked together, and to nobody after them', async () => {
  let isBroken = true
  const ask = gathering<number, number>(async (_, keys) => {
    if (isBroken) throw new Error('gone')
    return keys.length
  })
  await expect(Promise.all([ask(db, 1), ask(db, 2)])).rejects.toThrow('gone')
  isBroken = false
  expect(await ask(db, 3)).toBe(1)
})
