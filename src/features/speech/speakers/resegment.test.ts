import { expect, test } from 'vitest'
import { mfccSize, type SpeechFrames } from './mfcc.ts'
import { resegment } from './resegment.ts'

const allLoud = (frames: SpeechFrames) => new Uint8Array(frames.frameCount).fill(1)

test('a change of speaker that was guessed 0.7 s late moves to where the voice changes', () => {
  const frames = voices([
    [0, 500],
    [1, 500],
  ])
  const guess = new Uint16Array(1000).fill(1, 570)
  const labels = resegment(frames, allLoud(frames), guess)
  expect(labels.indexOf(1)).toBeGreaterThan(495)
  expect(labels.indexOf(1)).toBeLessThan(505)
  expect(new Set(labels.subarray(505))).toEqual(new Set([1]))
})

test('half a second that sounds like somebody else does not change the speaker', () => {
  const frames = voices([
    [0, 400],
    [1, 400],
    [0, 200],
    [1, 50],
    [0, 200],
  ])
  const guess = new Uint16Array(1250).fill(1, 400, 800)
  const labels = resegment(frames, allLoud(frames), guess)
  expect(new Set(labels.subarray(900))).toEqual(new Set([0]))
})

test('frames that are too quiet to tell go with their surroundings', () => {
  const frames = voices([
    [0, 500],
    [1, 500],
  ])
  const loud = allLoud(frames).fill(0, 200, 300)
  const guess = new Uint16Array(1000).fill(1, 500)
  guess.fill(1, 200, 300)
  expect(new Set(resegment(frames, loud, guess).subarray(0, 490))).toEqual(new Set([0]))
})

test('a speaker with less than half a second disappears', () => {
  const frames = voices([
    [0, 300],
    [1, 300],
  ])
  const guess = new Uint16Array(600).fill(1, 300)
  guess.fill(2, 580)
  expect(new Set(resegment(frames, allLoud(frames), guess))).toEqual(new Set([0, 1]))
})

test('one speaker stays one speaker', () => {
  const frames = voices([[0, 300]])
  expect(resegment(frames, allLoud(frames), new Uint16Array(300))).toEqual(new Uint16Array(300))
})

test('a recording shorter than the shortest turn has one speaker', () => {
  const frames = voices([[0, 80]])
  const guess = new Uint16Array(80).fill(1, 20)
  expect(new Set(resegment(frames, allLoud(frames), guess)).size).toBe(1)
})

/** Voice 0 lies around 0 and voice 1 around 1.5 in every value, both with a spread near 1. */
function voices(turns: [voice: number, frames: number][]): SpeechFrames {
  const order = turns.flatMap(([voice, frames]) => Array.from({ length: frames }, () => voice))
  const mfcc = Float32Array.from(
    { length: order.length * mfccSize },
    (_, i) => 1.5 * order[Math.floor(i / mfccSize)]! + Math.sqrt(2) * Math.sin(i * i * 0.7 + i),
  )
  const run = { firstFrame: 0, frameCount: order.length, startMs: 0, endMs: order.length * 10 }
  return { frameCount: order.length, mfcc, energyDb: new Float32Array(order.length), runs: [run] }
}
