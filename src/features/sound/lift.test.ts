import { expect, test } from 'vitest'

import { lifter } from './lift.ts'

const RATE = 16_000
const dB = (decibels: number) => 10 ** (decibels / 20)

/** A tone of so many seconds that is as loud as a voice at this level. */
function tone(seconds: number, dbfs: number): Buffer {
  const samples = Buffer.alloc(2 * RATE * seconds)
  for (let at = 0; at < RATE * seconds; at++) {
    const sample = 32_768 * Math.SQRT2 * dB(dbfs) * Math.sin((2 * Math.PI * 300 * at) / RATE)
    samples.writeInt16LE(Math.round(sample), 2 * at)
  }
  return samples
}

function lifted(samples: Buffer, blockBytes = samples.length): Buffer {
  const { lift, finish } = lifter()
  const blocks: Buffer[] = []
  for (let at = 0; at < samples.length; at += blockBytes)
    blocks.push(lift(samples.subarray(at, at + blockBytes)))
  return Buffer.concat([...blocks, finish()])
}

const levelOf = (samples: Buffer): number => {
  const all = Array.from({ length: samples.length / 2 }, (_, at) => samples.readInt16LE(2 * at))
  const power = all.reduce((sum, one) => sum + one * one, 0) / all.length
  return 20 * Math.log10(Math.sqrt(power) / 32_768)
}

test.for([
  [-70, -30],
  [-60, -25],
  [-45, -25],
  [-38, -38],
  [-20, -20],
])('what is at %i dBFS comes to %i', ([at, wanted]) => {
  for (const seconds of [2, 40]) expect(levelOf(lifted(tone(seconds, at!)))).toBeCloseTo(wanted!, 0)
})

test('after something loud nothing is lifted, and a door that slams is nothing loud', () => {
  const pause = tone(30, -60)
  const all = lifted(Buffer.concat([tone(15, -20), pause]))
  expect(all.subarray(-pause.length)).toEqual(pause)
  const slammed = lifted(Buffer.concat([tone(0.5, -6), tone(30, -60)]))
  expect(levelOf(slammed.subarray(-2 * RATE))).toBeCloseTo(-25, 0)
})

test('samples are as many, and the same, however they are cut', () => {
  const samples = Buffer.concat([tone(20, -60), tone(20, -20), tone(20, -60)])
  expect(lifted(samples, 65_537)).toEqual(lifted(samples))
  expect(lifted(samples)).toHaveLength(samples.length)
})
