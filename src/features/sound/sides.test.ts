import { join } from 'node:path'

import { expect, test } from 'vitest'

import { aCall, mixes } from '#test/a-call.ts'
import { aFolder } from '#test/folder.ts'

import { measure } from './decode.ts'
import { separator, sidesMeter } from './sides.ts'

const folder = aFolder('sides')
const signal = new AbortController().signal

async function pairsOf(options: Parameters<typeof aCall>[1]): Promise<Buffer> {
  const path = join(folder, `${JSON.stringify(options)}.wav`)
  await aCall(path, options)
  const blocks: Buffer[] = []
  const onPairs = (block: Buffer) => void blocks.push(Buffer.from(block))
  await measure(path, { signal, maxDurationMs: 60_000, onPairs })
  return Buffer.concat(blocks)
}

function sidesOf(pairs: Buffer) {
  const meter = sidesMeter()
  meter.listen(pairs)
  return meter.finish()
}

test('two channels are people where each has a voice of its own, also when both speak at once', async () => {
  expect(sidesOf(await pairsOf({ mix: 'call' })).isApart).toBe(true)
  expect(sidesOf(await pairsOf({ mix: 'call', earlierS: 5 })).isApart).toBe(true)
})

test.each(Object.keys(mixes).filter((mix) => mix !== 'call') as (keyof typeof mixes)[])(
  'two channels are one sound where both hold the same voices: %s',
  async (mix) => {
    expect(sidesOf(await pairsOf({ mix })).isApart).toBe(false)
  },
)

test('two channels of music are one sound', () => {
  const seconds = 10
  const music = Buffer.alloc(4 * 16_000 * seconds)
  // Four instruments from left to right, each with notes of its own length.
  for (let at = 0; at < 16_000 * seconds; at++)
    for (const [instrument, right] of [0, 0.35, 0.65, 1].entries()) {
      const note = at % (4000 + 1700 * instrument)
      const wave = 3000 * Math.exp(-note / 4000) * Math.sin(at * 0.05 * (instrument + 2))
      const add = (value: number, to: number) =>
        music.writeInt16LE(music.readInt16LE(to) + Math.round(value), to)
      add(wave * (1 - right), 4 * at)
      add(wave * right, 4 * at + 2)
    }
  expect(sidesOf(music).isApart).toBe(false)
})

/** A mixture, the two of the call, an input that nothing is plugged into, and a third voice at the end. */
async function recorder(): Promise<Buffer> {
  const pairs = await pairsOf({ mix: 'call' })
  const frames = pairs.length / 4
  const all = Buffer.alloc(2 * 5 * frames)
  for (let at = 0; at < frames; at++) {
    const [ada, ben] = [pairs.readInt16LE(4 * at), pairs.readInt16LE(4 * at + 2)]
    const isLast = at > 0.9 * frames
    const third = isLast ? Math.round(5000 * Math.sin(at * 0.1) * Math.sin(at * 0.001)) : 0
    const [one, two] = isLast ? [0, 0] : [ada, ben]
    for (const [side, value] of [(one + two + third) >> 1, one, two, 0, third].entries())
      all.writeInt16LE(value, 2 * (5 * at + side))
  }
  return all
}

test('a recorder of several channels has a person on each but an empty one and a mixture', async () => {
  const named = [...Array(5).keys()].map((channel) => ({ channel }))
  const meter = sidesMeter(named)
  meter.listen(await recorder())
  const { each, isApart } = meter.finish()
  expect(isApart).toBe(true)
  expect(each.map(({ channel }) => channel)).toEqual([1, 2, 4])
})

/** How loud a second is, as the size of a wave. */
function loudness(samples: Buffer, second: number, { of = 1, at = 0 } = {}): number {
  let sum = 0
  for (let place = second * 16_000; place < (second + 1) * 16_000; place++)
    sum += samples.readInt16LE(2 * (place * of + at)) ** 2
  return Math.sqrt(sum / 16_000)
}

test('a side has its own voice as it was, and hardly anything of the other', async () => {
  const pairs = await pairsOf({ mix: 'call' })
  const { take, finish } = separator(sidesOf(pairs).each)
  const [ada] = [take(pairs), finish()].reduce(
    (all, more) => more.map((block, side) => Buffer.concat([all[side]!, block])),
    [Buffer.alloc(0), Buffer.alloc(0)],
  )
  expect(ada).toHaveLength(pairs.length / 2)
  expect(loudness(ada!, 2)).toBe(loudness(pairs, 2, { of: 2 }))
  // Ben speaks, and leaks.
  expect(loudness(pairs, 9, { of: 2 })).toBeGreaterThan(100)
  expect(loudness(ada!, 9)).toBeLessThan(loudness(pairs, 9, { of: 2 }) / 20)
})

test('a quiet side is lifted by its own voice, and what leaks into it is not', async () => {
  const pairs = await pairsOf({ mix: 'call' })
  // Ben is 30 dB quieter.
  for (let at = 2; at < pairs.length; at += 4)
    pairs.writeInt16LE(Math.round(0.03 * pairs.readInt16LE(at)), at)
  const { take, finish } = separator(sidesOf(pairs).each)
  const ben = Buffer.concat([take(pairs), finish()].map(([, side]) => side!))
  expect(loudness(ben, 9)).toBeGreaterThan(5 * loudness(pairs, 9, { of: 2, at: 1 }))
  expect(loudness(ben, 2)).toBeLessThan(loudness(ben, 9) / 100)
})

test('channels with the same voices are as loud as they are, and are not clipped', async () => {
  const pairs = await pairsOf({ mix: 'call' })
  for (let at = 0; at < pairs.length; at += 4) pairs.writeInt16LE(pairs.readInt16LE(at), at + 2)
  const { take, finish } = separator(sidesOf(pairs).each)
  const [side] = [take(pairs), finish()].map(([one]) => one!)
  expect(loudness(side!, 2)).toBe(loudness(pairs, 2, { of: 2 }))
})

test('sides are the same however their samples are cut', async () => {
  const pairs = (await pairsOf({ mix: 'call', earlierS: 5 })).subarray(0, 4 * 16_000 * 8)
  const { each } = sidesOf(pairs)
  const cutInto = (bytes: number) => {
    const { take, finish } = separator(each)
    const blocks: Buffer[][] = []
    for (let at = 0; at < pairs.length; at += bytes)
      blocks.push(take(pairs.subarray(at, at + bytes)))
    return [...blocks, finish()].reduce<Buffer[]>(
      (all, more) =>
        more.map((block, side) => Buffer.concat([all[side] ?? Buffer.alloc(0), block])),
      [],
    )
  }
  expect(cutInto(10_007)).toEqual(cutInto(pairs.length))
})
