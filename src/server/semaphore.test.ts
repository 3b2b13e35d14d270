import { expect, test } from 'vitest'

import { refuseFullLine, semaphore } from './semaphore.ts'

const never = new AbortController().signal

test('no more run at once than there are places, and all of them run', async () => {
  const places = semaphore(3)
  let running = 0
  let most = 0
  let finished = 0
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      await using _ = await places.take()
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      finished += 1
    }),
  )
  expect({ most, finished }).toEqual({ most: 3, finished: 20 })
})

test('a place is given back when the work in it fails', async () => {
  const places = semaphore(1)
  const work = async () => {
    await using _ = await places.take()
    throw new Error('broken')
  }
  await expect(work()).rejects.toThrow('broken')
  await expect(places.take()).resolves.toBeDefined()
})

test('owners are served in rotation, however much one of them has in line', async () => {
  const places = semaphore(1)
  const order: string[] = []
  const work = async (owner: string) => {
    await using _ = await places.take(never, { owner })
    order.push(owner)
    await new Promise(setImmediate)
  }
  await Promise.all(['many', 'many', 'many', 'one', 'many', 'one', 'other'].map(work))
  expect(order.join(' ')).toBe('many one other many one many many')
})

test('no more work at once than there are places, and one of each owner', async () => {
  const places = semaphore(2)
  const atWork: string[] = []
  let most = 0
  const work = async (owner: string) => {
    await using _ = await places.take(never, { owner })
    expect(atWork).not.toContain(owner)
    atWork.push(owner)
    most = Math.max(most, atWork.length)
    await new Promise(setImmediate)
    atWork.splice(atWork.indexOf(owner), 1)
  }
  await Promise.all(['a', 'a', 'b', 'c', 'c', 'c'].map(work))
  expect(most).toBe(2)
})

test('a free place goes to who holds none, however many lanes of another wait', async () => {
  const places = semaphore(2)
  const [first, second] = await Promise.all(
    ['read', 'edit'].map((lane) => places.take(never, { owner: 'a', lane })),
  )
  const order: string[] = []
  const asked = [
    { owner: 'a', lane: 'export' },
    { owner: 'b', lane: 'read' },
  ].map((asker) => places.take(never, asker).then(() => order.push(asker.owner)))
  await first![Symbol.asyncDispose]()
  await asked[1]
  await second![Symbol.asyncDispose]()
  await Promise.all(asked)
  expect(order).toEqual(['b', 'a'])
})

test('a lane and a line have an end, and an owner with nothing waiting is let in', async () => {
  const places = semaphore(1)
  const ask = (owner: string) => {
    refuseFullLine(places, owner, { ofLane: 3, ofAll: 4 })
    void places.take(never, { owner })
  }
  const refusal = (code: string) => expect.objectContaining({ code, retryAfterSeconds: 5 })
  for (const owner of ['a', 'a', 'a', 'a', 'b']) ask(owner)
  expect(() => ask('a')).toThrow(refusal('too_much_at_once'))
  expect(() => ask('b')).toThrow(refusal('server_busy'))
  for (const owner of ['c', 'd', 'e', 'f']) ask(owner)
  expect(() => ask('g')).toThrow(refusal('server_busy'))
})

test('who gives up waiting leaves the line', async () => {
  const places = semaphore(1)
  const held = await places.take(never, { owner: 'a' })
  const patience = new AbortController()
  const waiting = places.take(patience.signal, { owner: 'b' })
  const next = places.take(never, { owner: 'c' })
  patience.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await held[Symbol.asyncDispose]()
  await (await next)[Symbol.asyncDispose]()
  await expect(places.take(never, { owner: 'b' })).resolves.toBeDefined()
})
