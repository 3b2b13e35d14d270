import { expect, test } from 'vitest'

import { oneByOne, together } from './one-by-one.ts'

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

test('all callers during one look share the next one, and none gets an older answer', async () => {
  const looks: ReturnType<typeof Promise.withResolvers<string>>[] = []
  const ask = () =>
    together('key', () => {
      const look = Promise.withResolvers<string>()
      looks.push(look)
      return look.promise
    })
  const first = ask()
  const second = [ask(), ask()]
  expect(looks).toHaveLength(1)
  looks[0]!.resolve('before')
  expect(await first).toBe('before')
  await expect.poll(() => looks.length).toBe(2)
  const third = [ask(), ask()]
  looks[1]!.reject(new Error('broken'))
  const broken = [{ reason: { message: 'broken' } }, { reason: { message: 'broken' } }]
  await expect(Promise.allSettled(second)).resolves.toMatchObject(broken)
  await expect.poll(() => looks.length).toBe(3)
  looks[2]!.resolve('after')
  expect(await Promise.all(third)).toEqual(['after', 'after'])
  const last = ask()
  expect(looks).toHaveLength(4)
  looks[3]!.resolve('at last')
  expect(await last).toBe('at last')
})
