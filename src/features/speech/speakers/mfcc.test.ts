import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cosineTransform, logMelBands, mfccExtractor, mfccSize, readSpeechFrames } from './mfcc.ts'

const bandCount = 30

/** Centre of band 0 to 29: evenly spaced in mel between 80 and 7600 Hz. */
function bandCentreHz(band: number): number {
  const mel = (hz: number) => 2595 * Math.log10(1 + hz / 700)
  const centre = mel(80) + ((band + 1) * (mel(7600) - mel(80))) / (bandCount + 1)
  return 700 * (10 ** (centre / 2595) - 1)
}

test.each([5, 12, 20, 29])('power at the centre of band %i is loudest in that band', (band) => {
  const power = new Float64Array(257)
  power[Math.round(bandCentreHz(band) / 31.25)] = 1e6
  const logMel = new Float64Array(bandCount)
  logMelBands(power, logMel)
  expect(logMel.indexOf(Math.max(...logMel))).toBe(band)
})

test('bands without power read as the floor', () => {
  const logMel = new Float64Array(bandCount)
  logMelBands(new Float64Array(257), logMel)
  for (const band of logMel) expect(band).toBeCloseTo(Math.log(100), 12)
})

test('equal bands have no cepstrum', () => {
  const row = new Float32Array(mfccSize)
  cosineTransform(new Float64Array(bandCount).fill(7), row)
  for (const value of row) expect(value).toBeCloseTo(0, 6)
})

test('a cosine across the bands is one coefficient', () => {
  const bands = Float64Array.from({ length: bandCount }, (_, band) =>
    Math.cos((Math.PI * 4 * (band + 0.5)) / bandCount),
  )
  const row = new Float32Array(mfccSize)
  cosineTransform(bands, row)
  expect(row[3]).toBeCloseTo(Math.sqrt(bandCount / 2), 5)
  expect(Math.max(...row.filter((_, order) => order !== 3).map(Math.abs))).toBeCloseTo(0, 5)
})

test('a tone is loudest where it is: its cepstrum, turned back, peaks in its band', () => {
  const band = 14
  const tone = Float64Array.from(
    { length: 401 },
    (_, n) => 5000 * Math.sin((2 * Math.PI * bandCentreHz(band) * n) / 16_000),
  )
  const row = new Float32Array(mfccSize)
  const energyDb = mfccExtractor()(tone, 1, row)
  expect(energyDb).toBeCloseTo(10 * Math.log10(5000 ** 2 / 2), 0)

  const smoothed = Array.from({ length: bandCount }, (_, j) =>
    row.reduce((sum, c, i) => sum + c * Math.cos((Math.PI * (i + 1) * (j + 0.5)) / bandCount), 0),
  )
  expect(smoothed.indexOf(Math.max(...smoothed))).toBe(band)
})

test('frames are the same however the recording is cut into regions', async () => {
  const pcm = await aRecording(12_000)
  const whole = readSpeechFrames(pcm, [{ startMs: 0, endMs: 12_000 }])
  const pieces = readSpeechFrames(pcm, [
    { startMs: 500, endMs: 1500 },
    { startMs: 9970, endMs: 11_970 },
  ])
  expect(whole.frameCount).toBe(1200)
  expect(pieces.runs.map(({ firstFrame, frameCount }) => [firstFrame, frameCount])).toEqual([
    [0, 100],
    [100, 200],
  ])
  const rows = (frames: Float32Array, from: number, to: number) =>
    frames.slice(from * mfccSize, to * mfccSize)
  expect(rows(pieces.mfcc, 0, 100)).toEqual(rows(whole.mfcc, 50, 150))
  expect(rows(pieces.mfcc, 100, 300)).toEqual(rows(whole.mfcc, 997, 1197))
})

test('a region that reaches past the end of the recording ends with it', async () => {
  const pcm = await aRecording(1000)
  const { runs } = readSpeechFrames(pcm, [
    { startMs: 400, endMs: 1300 },
    { startMs: 1400, endMs: 1500 },
  ])
  expect(runs).toEqual([{ startMs: 400, endMs: 1000, firstFrame: 0, frameCount: 60 }])
})

/** Two tones that drift, so that no two frames are equal. */
async function aRecording(durationMs: number) {
  const folder = await mkdtemp(join(tmpdir(), 'mfcc-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const samples = Int16Array.from({ length: durationMs * 16 }, (_, n) =>
    Math.round(4000 * Math.sin(n ** 1.2 / 50) + 2000 * Math.sin(n / 3)),
  )
  const path = join(folder, 'recording.raw')
  await writeFile(path, new Uint8Array(samples.buffer))
  return { path, sampleCount: samples.length, sourceSampleRateHz: 16_000 }
}
