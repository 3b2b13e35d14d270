/**
 * The sound of a voice, 100 times a second: mel-frequency cepstral coefficients (Davis and
 * Mermelstein, 1980) of the speech in a recording.
 *
 * From mono PCM of 16 kHz: pre-emphasis 0.97, windows of 25 ms (Hamming) every 10 ms, power
 * spectrum of 512 points on the int16 scale, 30 mel triangles from 80 to 7600 Hz, log(x + 100),
 * DCT-II. Coefficients 1 to 19 are kept; number 0 is loudness, which says more about the distance
 * to the microphone than about the speaker. Nothing is normalised by the recording's mean, because
 * speakers of one recording share its channel.
 */
import { closeSync, openSync, readSync } from 'node:fs'

import type { PcmFile, Region } from '../engines/engine.ts'
import { fftOfSize } from './fft.ts'

export const mfccSize = 19
export const frameMs = 10

const sampleRateHz = 16_000
const hopSamples = 160
const windowSamples = 400
const fftSize = 512
const melBandCount = 30
const lowestHz = 80
const highestHz = 7600
const preEmphasis = 0.97
/** Keeps digital silence, and bands that a telephone left empty, from dominating the logarithm. */
const powerFloor = 100

/** One region's frames in the sequence of all speech frames. */
interface SpeechRun extends Region {
  firstFrame: number
  frameCount: number
}

/** The frames of all regions, one after the other; the pauses between them are left out. */
export interface SpeechFrames {
  frameCount: number
  /** `mfccSize` values per frame, frame after frame. */
  mfcc: Float32Array
  /** Mean power of each frame before pre-emphasis, in dB on the int16 scale. */
  energyDb: Float32Array
  runs: SpeechRun[]
}

/**
 * Reads the regions' frames from disk in blocks of 10 s, so that only the features of a long
 * recording are in memory (80 bytes per 10 ms of speech). Blocks the thread: call it in a worker.
 */
export function readSpeechFrames(pcm: PcmFile, regions: readonly Region[]): SpeechFrames {
  const runs = placeRuns(pcm, regions)
  const frameCount = runs.reduce((sum, run) => sum + run.frameCount, 0)
  const frames = {
    frameCount,
    mfcc: new Float32Array(frameCount * mfccSize),
    energyDb: new Float32Array(frameCount),
    runs,
  }
  const scratch = {
    extract: mfccExtractor(),
    bytes: Buffer.alloc(2 * blockSamples),
    samples: new Float64Array(blockSamples),
  }
  const file = openSync(pcm.path, 'r')
  try {
    for (const run of runs) readRun(file, run, frames, scratch)
  } finally {
    closeSync(file)
  }
  return frames
}

function placeRuns(pcm: PcmFile, regions: readonly Region[]): SpeechRun[] {
  const recordingMs = Math.floor((pcm.sampleCount * 1000) / sampleRateHz)
  let firstFrame = 0
  const runs: SpeechRun[] = []
  for (const { startMs, endMs: wantedEndMs } of regions) {
    const endMs = Math.min(wantedEndMs, recordingMs)
    const frameCount = Math.floor((endMs - startMs) / frameMs)
    if (frameCount < 1) continue
    runs.push({ startMs, endMs, firstFrame, frameCount })
    firstFrame += frameCount
  }
  return runs
}

const blockFrames = 1000
/** One sample more at the front, for the pre-emphasis of the first one. */
const blockSamples = 1 + (blockFrames - 1) * hopSamples + windowSamples

/** @param scratch as long as a block; each block overwrites it */
function readRun(
  file: number,
  run: SpeechRun,
  frames: SpeechFrames,
  { extract, bytes, samples }: { extract: MfccExtractor; bytes: Buffer; samples: Float64Array },
): void {
  for (let done = 0; done < run.frameCount; done += blockFrames) {
    const firstSample = Math.round((run.startMs * sampleRateHz) / 1000) + done * hopSamples
    const count = Math.min(blockFrames, run.frameCount - done)
    const wanted = 1 + (count - 1) * hopSamples + windowSamples
    readSamples(file, firstSample - 1, bytes.subarray(0, 2 * wanted), samples)
    for (let k = 0; k < count; k++) {
      const frame = run.firstFrame + done + k
      const row = frames.mfcc.subarray(frame * mfccSize, (frame + 1) * mfccSize)
      frames.energyDb[frame] = extract(samples, 1 + k * hopSamples, row)
    }
  }
}

/** Samples before the start and after the end of the file read as silence. */
function readSamples(file: number, first: number, bytes: Buffer, samples: Float64Array): void {
  const missing = Math.max(0, -first)
  const wanted = bytes.length - 2 * missing
  const got = readSync(file, bytes, 2 * missing, wanted, 2 * (first + missing))
  bytes.fill(0, 0, 2 * missing)
  bytes.fill(0, 2 * missing + got)
  for (let i = 0; 2 * i < bytes.length; i++) samples[i] = bytes.readInt16LE(2 * i)
}

type MfccExtractor = (samples: Float64Array, start: number, row: Float32Array) => number

/**
 * Makes a function that writes the coefficients of the window at `samples[start]` into `row` and
 * returns its energy in dB. `samples[start - 1]` must exist. The function keeps scratch space, so
 * each caller makes its own.
 */
export function mfccExtractor(): MfccExtractor {
  const hamming = Float64Array.from(
    { length: windowSamples },
    (_, n) => 0.54 - 0.46 * Math.cos((2 * Math.PI * n) / (windowSamples - 1)),
  )
  const transform = fftOfSize(fftSize)
  const real = new Float64Array(fftSize)
  const imaginary = new Float64Array(fftSize)
  const power = new Float64Array(fftSize / 2 + 1)
  const logMel = new Float64Array(melBandCount)

  return (samples, start, row) => {
    real.fill(0)
    imaginary.fill(0)
    let squares = 0
    let previous = samples[start - 1] ?? 0
    for (let n = 0; n < windowSamples; n++) {
      const sample = samples[start + n] ?? 0
      squares += sample * sample
      real[n] = (sample - preEmphasis * previous) * (hamming[n] ?? 0)
      previous = sample
    }
    transform(real, imaginary)
    for (let bin = 0; bin < power.length; bin++)
      power[bin] = (real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2
    logMelBands(power, logMel)
    cosineTransform(logMel, row)
    return 10 * Math.log10(squares / windowSamples + 1e-3)
  }
}

interface MelTriangle {
  firstBin: number
  weights: Float64Array
}

const triangles = melTriangles()

/** Corners are evenly spaced in mel; each triangle reaches from its neighbours' tips, height 1. */
function melTriangles(): MelTriangle[] {
  const toMel = (hz: number) => 2595 * Math.log10(1 + hz / 700)
  const toHz = (mel: number) => 700 * (10 ** (mel / 2595) - 1)
  const step = (toMel(highestHz) - toMel(lowestHz)) / (melBandCount + 1)
  const cornerHz = (corner: number) => toHz(toMel(lowestHz) + corner * step)
  const binHz = sampleRateHz / fftSize

  return Array.from({ length: melBandCount }, (_, band) => {
    const left = cornerHz(band)
    const tip = cornerHz(band + 1)
    const right = cornerHz(band + 2)
    const firstBin = Math.ceil(left / binHz)
    const weights = Float64Array.from(
      { length: Math.floor(right / binHz) - firstBin + 1 },
      (_, k) => {
        const hz = (firstBin + k) * binHz
        return hz < tip ? (hz - left) / (tip - left) : (right - hz) / (right - tip)
      },
    )
    return { firstBin, weights }
  })
}

/** Natural logarithm of the power in each mel band; `power` holds bins 0 to 256 of 31.25 Hz. */
export function logMelBands(power: Float64Array, logMel: Float64Array): void {
  for (const [band, { firstBin, weights }] of triangles.entries()) {
    let sum = powerFloor
    for (let k = 0; k < weights.length; k++) sum += (weights[k] ?? 0) * (power[firstBin + k] ?? 0)
    logMel[band] = Math.log(sum)
  }
}

const cosineTable = Float64Array.from({ length: mfccSize * melBandCount }, (_, i) => {
  const order = Math.floor(i / melBandCount) + 1
  const band = i % melBandCount
  return Math.sqrt(2 / melBandCount) * Math.cos((Math.PI * order * (band + 0.5)) / melBandCount)
})

/** Orthonormal DCT-II of 30 bands, coefficients 1 to 19. */
export function cosineTransform(logMel: Float64Array, row: Float32Array): void {
  for (let order = 0; order < mfccSize; order++) {
    let sum = 0
    for (let band = 0; band < melBandCount; band++)
      sum += (cosineTable[order * melBandCount + band] ?? 0) * (logMel[band] ?? 0)
    row[order] = sum
  }
}
