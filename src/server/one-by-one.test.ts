import { expect, test } from 'vitest'

import { oneByOne } from './one-by-one.ts'

test('of one key one work runs at a time, in the order it came, also after one that fails', async () => {
  const order: string[] = []
  let running = 0
  const work = (name: string) => async () => {
    running += 1
    expect(running).toBe(1)
    await new Promise(setImmediate)
    order.push(name)
    running -= 1
    if (name === 'b') throw new Error('broken')
    return name
  }
  const all = ['a', 'b', 'c'].map((name) => oneByOne('key', work(name)))
  const elsewhere = oneByOne('another key', async () => order.length)
  await expect(Promise.allSettled(all)).resolves.toMatchObject([
    { value: 'a' },
    { reason: { message: 'broken' } },
    { value: 'c' },
  ])
  expect(order).toEqual(['a', 'b', 'c'])
  expect(await elsewhere).toBe(0)
})

test('the line of a key has an end', async () => {
  const { promise: held, resolve: end } = Promise.withResolvers<void>()
  const all = Array.from({ length: 501 }, () => oneByOne('key', () => held))
  await expect(oneByOne('key', () => held)).rejects.toMatchObject({
    code: 'too_much_at_once',
    retryAfterSeconds: 5,
  })
  end()
  await Promise.all(all)
  expect(await oneByOne('key', async () => 'free again')).toBe('free again')
})
