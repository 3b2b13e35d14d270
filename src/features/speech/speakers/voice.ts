/**
 * The sound of one voice: a mixture of a few diagonal Gaussians over MFCC frames, learnt by
 * expectation maximisation (Dempster, Laird and Rubin, 1977).
 */
import { mfccSize } from './mfcc.ts'

const d = mfccSize
const emIterations = 6
export const mostComponents = 4
const framesPerComponent = 100
/** No component is narrower than this share of the voice's own variance. */
const varianceFloor = 0.05

/** A mixture of diagonal Gaussians over `mfccSize` values; arrays hold component after component. */
export interface Voice {
  componentCount: number
  means: Float64Array
  /** 1 / σ². */
  precisions: Float64Array
  /** Log of the weight and of the Gaussian's factor. */
  offsets: Float64Array
}

/** Learns a voice from the frames at `indexes`. */
export function learnVoice(mfcc: Float32Array, indexes: Uint32Array): Voice {
  const { mean, variance } = spread(mfcc, indexes)
  const componentCount = Math.min(
    mostComponents,
    Math.max(1, Math.floor(indexes.length / framesPerComponent)),
  )
  const voice = firstGuess(mfcc, indexes, { componentCount, mean, variance })
  const shares = new Float64Array(mostComponents)
  for (let iteration = 0; iteration < emIterations; iteration++) {
    const weights = new Float64Array(componentCount)
    const sums = new Float64Array(componentCount * d)
    const squares = new Float64Array(componentCount * d)
    for (const t of indexes) {
      const offset = t * d
      const whole = logLikelihood(voice, mfcc, offset, shares)
      for (let k = 0; k < componentCount; k++) {
        const share = Math.exp((shares[k] ?? 0) - whole)
        weights[k] = (weights[k] ?? 0) + share
        for (let i = 0, at = k * d; i < d; i++, at++) {
          const value = mfcc[offset + i] ?? 0
          sums[at] = (sums[at] ?? 0) + share * value
          squares[at] = (squares[at] ?? 0) + share * value * value
        }
      }
    }
    for (let k = 0; k < componentCount; k++) {
      // Without a smallest weight, a component without frames would be divided by zero.
      const weight = Math.max(weights[k] ?? 0, 1e-6)
      let logFactor = Math.log(weight / indexes.length)
      for (let i = 0, at = k * d; i < d; i++, at++) {
        const mean = (sums[at] ?? 0) / weight
        const floor = varianceFloor * (variance[i] ?? 0)
        const width = Math.max((squares[at] ?? 0) / weight - mean * mean, floor)
        voice.means[at] = mean
        voice.precisions[at] = 1 / width
        logFactor -= 0.5 * Math.log(2 * Math.PI * width)
      }
      voice.offsets[k] = logFactor
    }
  }
  return voice
}

function spread(mfcc: Float32Array, indexes: Uint32Array) {
  const mean = new Float64Array(d)
  const variance = new Float64Array(d)
  for (const t of indexes)
    for (let i = 0; i < d; i++) {
      const value = mfcc[t * d + i] ?? 0
      mean[i] = (mean[i] ?? 0) + value / indexes.length
      variance[i] = (variance[i] ?? 0) + (value * value) / indexes.length
    }
  // A constant tone has no variance. The small extra keeps it from a division by zero.
  for (let i = 0; i < d; i++) variance[i] = (variance[i] ?? 0) - (mean[i] ?? 0) ** 2 + 1e-4
  return { mean, variance }
}

/** Components start at evenly spaced frames, drawn 30 % towards the mean. */
function firstGuess(
  mfcc: Float32Array,
  indexes: Uint32Array,
  {
    componentCount,
    mean,
    variance,
  }: { componentCount: number; mean: Float64Array; variance: Float64Array },
): Voice {
  const voice = {
    componentCount,
    means: new Float64Array(componentCount * d),
    precisions: new Float64Array(componentCount * d),
    offsets: new Float64Array(componentCount),
  }
  for (let k = 0; k < componentCount; k++) {
    const t = indexes[Math.floor(((k + 0.5) * indexes.length) / componentCount)] ?? 0
    let logFactor = -Math.log(componentCount)
    for (let i = 0; i < d; i++) {
      voice.means[k * d + i] = 0.7 * (mfcc[t * d + i] ?? 0) + 0.3 * (mean[i] ?? 0)
      voice.precisions[k * d + i] = 1 / (variance[i] ?? 1)
      logFactor -= 0.5 * Math.log(2 * Math.PI * (variance[i] ?? 1))
    }
    voice.offsets[k] = logFactor
  }
  return voice
}

/**
 * Natural log-likelihood of the frame whose values start at `offset`. `shares` has room for
 * `mostComponents` values and receives the log-likelihood of each component.
 */
export function logLikelihood(
  voice: Voice,
  mfcc: Float32Array,
  offset: number,
  shares: Float64Array,
): number {
  const { componentCount, means, precisions, offsets } = voice
  let highest = -Infinity
  for (let k = 0; k < componentCount; k++) {
    let distance = 0
    for (let i = 0, at = k * d; i < d; i++, at++) {
      const difference = (mfcc[offset + i] ?? 0) - (means[at] ?? 0)
      distance += difference * difference * (precisions[at] ?? 0)
    }
    const share = (offsets[k] ?? 0) - 0.5 * distance
    shares[k] = share
    if (share > highest) highest = share
  }
  let sum = 0
  for (let k = 0; k < componentCount; k++) sum += Math.exp((shares[k] ?? 0) - highest)
  return highest + Math.log(sum)
}
