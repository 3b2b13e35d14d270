import { expect, test } from 'vitest'

import { mixer } from './mix.ts'

const RATE = 16_000

/** A second of two channels, from what each is at a time. */
function stereo(left: (seconds: number) => number, right: (seconds: number) => number): Buffer {
  const samples = Buffer.alloc(4 * RATE)
  for (let at = 0; at < RATE; at++) {
    samples.writeInt16LE(Math.round(10_000 * left(at / RATE)), 4 * at)
    samples.writeInt16LE(Math.round(10_000 * right(at / RATE)), 4 * at + 2)
  }
  return samples
}

function mixed(samples: Buffer, blockBytes = samples.length): Buffer {
  const { mix, finish } = mixer()
  const blocks: Buffer[] = []
  for (let at = 0; at < samples.length; at += blockBytes)
    blocks.push(mix(samples.subarray(at, at + blockBytes)))
  return Buffer.concat([...blocks, finish()])
}

const loudness = (samples: Buffer): number => {
  const all = Array.from({ length: samples.length / 2 }, (_, at) => samples.readInt16LE(2 * at))
  return Math.sqrt(all.reduce((sum, one) => sum + one * one, 0) / all.length)
}

const low = (t: number) => Math.sin(2 * Math.PI * 300 * t)
const high = (t: number) => Math.sin(2 * Math.PI * 700 * t)
const none = () => 0

test('two channels are added, and each keeps half of its height', () => {
  expect(loudness(mixed(stereo(low, low)))).toBeCloseTo(7071, -1)
  expect(loudness(mixed(stereo(low, none)))).toBeCloseTo(7071 / 2, -1)
  expect(loudness(mixed(stereo(low, high)))).toBeCloseTo(5000, -1)
})

test('a channel that is the other turned over does not silence it', () => {
  for (const share of [1, 0.8, 0.6]) {
    const turned = mixed(stereo(low, (t) => -share * low(t)))
    expect(loudness(turned)).toBeCloseTo((7071 * (1 + share)) / 2, -1)
  }
})

test('samples are the same however they are cut', () => {
  const samples = stereo(low, high)
  expect(mixed(samples, 1001)).toEqual(mixed(samples))
})
