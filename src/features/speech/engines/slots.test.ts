import { expect, test } from 'vitest'

import { slots } from './slots.ts'

const never = new AbortController().signal

test('no more run at once than there are slots, and all of them run', async () => {
  const three = slots(3)
  let running = 0
  let most = 0
  let finished = 0
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      await using _ = await three.take(never)
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      finished += 1
    }),
  )
  expect({ most, finished }).toEqual({ most: 3, finished: 20 })
})

test('who gives up waiting leaves the line and takes no slot', async () => {
  const one = slots(1)
  const held = await one.take(never)
  const patience = new AbortController()
  const waiting = one.take(patience.signal)
  const next = one.take(never)
  patience.abort(new Error('cancelled'))
  await expect(waiting).rejects.toThrow('cancelled')
  await held[Symbol.asyncDispose]()
  await (await next)[Symbol.asyncDispose]()
  await expect(one.take(never)).resolves.toBeDefined()
})

test('a slot is given back when the work in it fails', async () => {
  const one = slots(1)
  const work = async () => {
    await using _ = await one.take(never)
    throw new Error('broken')
  }
  await expect(work()).rejects.toThrow('broken')
  await expect(one.take(never)).resolves.toBeDefined()
})
