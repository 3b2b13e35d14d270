/**
 * Which stretches of speech come from the same voice: agglomerative clustering by the Bayesian
 * information criterion (Chen and Gopalakrishnan, 1998). Each cluster is one Gaussian with full
 * covariance; two clusters are merged while one Gaussian explains both well enough to save the
 * parameters of the second. How many speakers there are comes out of it.
 *
 * The criterion's penalty grows too slowly for long recordings, which would split one voice into
 * several. So a long recording is clustered in blocks of about 30 s of speech first, and then the
 * clusters of all blocks, with their evidence capped. In 30 s, four or five speakers say too little
 * to be told apart, so a recording that is not much longer is also clustered as a whole.
 */
import type { SpeakerBounds } from '../engines/engine.ts'
import { mfccSize } from './mfcc.ts'

const d = mfccSize
const productCount = (d * (d + 1)) / 2
const parameterCount = d + productCount

/** Pseudo-frames of the whole recording's covariance that each cluster's is mixed with. */
const priorFrames = 5
/** Up to here clustered as a whole only; up to `wholeFrames` as a whole if the blocks agree. */
const oneBlockFrames = 9000
const wholeFrames = 15_000
const blockFrames = 3000
const evidenceCapFrames = 3000
/** Of windows. With 1.5 one reader becomes two; over a telephone, 2.2 makes one voice of two. */
const lambdaBlock = 1.8
/** Of the clusters of all blocks, in which everybody has said more. */
const lambdaLong = 2.2
const secondStageLogCount = Math.log(6000)

/** Sums over the frames of a window or cluster: enough to know its mean and covariance. */
export interface Statistic {
  frameCount: number
  /** Σ x, `mfccSize` values. */
  sum: Float64Array
  /** Σ x xᵀ, the lower triangle row by row. */
  products: Float64Array
}

export function emptyStatistic(): Statistic {
  return { frameCount: 0, sum: new Float64Array(d), products: new Float64Array(productCount) }
}

/** Adds the frame whose `mfccSize` values start at `offset`. */
export function addFrame(statistic: Statistic, mfcc: Float32Array, offset: number): void {
  const { sum, products } = statistic
  statistic.frameCount++
  for (let i = 0, p = 0; i < d; i++) {
    const value = mfcc[offset + i] ?? 0
    sum[i] = (sum[i] ?? 0) + value
    for (let j = 0; j <= i; j++, p++)
      products[p] = (products[p] ?? 0) + value * (mfcc[offset + j] ?? 0)
  }
}

function total(statistics: readonly Statistic[]): Statistic {
  const whole = emptyStatistic()
  for (const statistic of statistics) addTo(whole, statistic)
  return whole
}

function addTo(whole: Statistic, { frameCount, sum, products }: Statistic): void {
  whole.frameCount += frameCount
  for (let i = 0; i < d; i++) whole.sum[i] = (whole.sum[i] ?? 0) + (sum[i] ?? 0)
  for (let p = 0; p < productCount; p++)
    whole.products[p] = (whole.products[p] ?? 0) + (products[p] ?? 0)
}

/**
 * Gives each window the number of its cluster; windows are in order of time and hold about 2 s.
 * Clusters too small to be a speaker are dissolved into their neighbours in time, unless `bounds`
 * ask for that many.
 */
export function clusterWindows(windows: readonly Statistic[], bounds: SpeakerBounds): number[] {
  const least = bounds.count ?? 1
  const most = bounds.count ?? bounds.max ?? Infinity
  const logDet = logDeterminantNear(total(windows))
  const everything = windows.map((_, index) => index)
  const frameCount = frameCountOf(everything, windows)
  const task: Task = { windows, logDet, least, most }

  const whole = frameCount <= wholeFrames ? clusterWhole(task, frameCount) : null
  if (whole && (frameCount <= oneBlockFrames || bounds.count !== undefined))
    return labelWindows(prune(whole, windows, least), windows.length)
  const joined = clusterInBlocks(task, frameCount)
  // One speaker more than the blocks know is somebody who had too little to say in each. Several
  // more are one voice that was split by what it said, as where the same words come again.
  const clusters = whole && whole.length <= joined.length + 1 ? whole : joined
  return labelWindows(prune(clusters, windows, least), windows.length)
}

interface Task {
  windows: readonly Statistic[]
  logDet: LogDeterminant
  least: number
  most: number
}

function clusterWhole({ windows, ...task }: Task, frameCount: number): number[][] {
  const each = windows.map((_, index) => [index])
  // A cap would change nothing in short recordings but the figures that the constants come from.
  const capFrames = frameCount <= oneBlockFrames ? Infinity : evidenceCapFrames
  return merge(each, windows, { ...task, ...blockPenalty(frameCount), capFrames })
}

function clusterInBlocks({ windows, logDet, least, most }: Task, frameCount: number): number[][] {
  const clusters = cutIntoBlocks(windows, frameCount).flatMap((block) => {
    const penalty = blockPenalty(frameCountOf(block, windows))
    return merge(block, windows, {
      logDet,
      ...penalty,
      capFrames: Infinity,
      least: 1,
      most: Infinity,
    })
  })
  // Too few clusters to choose from: start over from the windows.
  const pieces = clusters.length < least ? windows.map((_, index) => [index]) : clusters
  return merge(pieces, windows, {
    logDet,
    lambda: lambdaLong,
    logCount: secondStageLogCount,
    capFrames: evidenceCapFrames,
    least,
    most,
  })
}

function frameCountOf(members: Iterable<number | number[]>, windows: readonly Statistic[]): number {
  let frameCount = 0
  for (const member of [...members].flat()) frameCount += windows[member]?.frameCount ?? 0
  return frameCount
}

/** Blocks hold about equal amounts of speech; each window starts as a cluster of its own. */
function cutIntoBlocks(windows: readonly Statistic[], frameCount: number): number[][][] {
  const blockCount = Math.round(frameCount / blockFrames)
  const blocks: number[][][] = Array.from({ length: blockCount }, () => [])
  let before = 0
  for (const [index, window] of windows.entries()) {
    const middle = before + window.frameCount / 2
    blocks[Math.floor((middle * blockCount) / frameCount)]?.push([index])
    before += window.frameCount
  }
  return blocks.filter((block) => block.length > 0)
}

/** Short recordings give each speaker few frames, so the bar for a second speaker is lowered. */
function blockPenalty(frameCount: number): { lambda: number; logCount: number } {
  const shortness = Math.min(1, Math.max(0, (2500 - frameCount) / 1300))
  return { lambda: lambdaBlock - 0.4 * shortness, logCount: Math.log(frameCount) }
}

type LogDeterminant = (a: Statistic, aShare: number, b?: Statistic, bShare?: number) => number

/**
 * Log-determinant of the covariance of one statistic, or of two together, each scaled down to a
 * share of its frames. Covariances are drawn towards that of the whole recording, because 2 s of
 * speech alone do not settle 190 values.
 */
function logDeterminantNear(whole: Statistic): LogDeterminant {
  const prior = new Float64Array(productCount)
  for (let i = 0, p = 0; i < d; i++)
    for (let j = 0; j <= i; j++, p++) {
      const mean = ((whole.sum[i] ?? 0) * (whole.sum[j] ?? 0)) / whole.frameCount
      // The small extra keeps a recording of one constant tone from having no determinant.
      prior[p] = ((whole.products[p] ?? 0) - mean) / whole.frameCount + (i === j ? 1e-6 : 0)
    }
  const sum = new Float64Array(d)
  const matrix = new Float64Array(productCount)

  return (a, aShare, b, bShare = 0) => {
    const n = a.frameCount * aShare + (b?.frameCount ?? 0) * bShare
    for (let i = 0; i < d; i++) sum[i] = (a.sum[i] ?? 0) * aShare + (b?.sum[i] ?? 0) * bShare
    for (let i = 0, p = 0; i < d; i++)
      for (let j = 0; j <= i; j++, p++) {
        const products = (a.products[p] ?? 0) * aShare + (b?.products[p] ?? 0) * bShare
        const scatter = products - ((sum[i] ?? 0) * (sum[j] ?? 0)) / n
        matrix[p] = (scatter + priorFrames * (prior[p] ?? 0)) / (n + priorFrames)
      }
    return logDeterminant(matrix)
  }
}

/** By Cholesky's factors, which replace the lower triangle in `matrix`. */
function logDeterminant(matrix: Float64Array): number {
  let sum = 0
  for (let i = 0; i < d; i++) {
    const row = (i * (i + 1)) / 2
    for (let j = 0; j <= i; j++) {
      const other = (j * (j + 1)) / 2
      let rest = matrix[row + j] ?? 0
      for (let k = 0; k < j; k++) rest -= (matrix[row + k] ?? 0) * (matrix[other + k] ?? 0)
      if (j < i) matrix[row + j] = rest / (matrix[other + j] ?? 1)
      else {
        const pivot = Math.max(rest, 1e-12)
        matrix[row + i] = Math.sqrt(pivot)
        sum += Math.log(pivot)
      }
    }
  }
  return sum
}

interface MergeOptions {
  logDet: LogDeterminant
  /** The penalty is lambda × ½ × parameters of a Gaussian × logCount. */
  lambda: number
  logCount: number
  /** A side with more frames than this counts as if it had exactly this many. */
  capFrames: number
  least: number
  most: number
}

/**
 * Merges the closest two clusters again and again, while merging is better than leaving them apart
 * or there are more than `most`. Clusters are lists of window numbers.
 */
function merge(
  start: readonly number[][],
  windows: readonly Statistic[],
  { logDet, lambda, logCount, capFrames, least, most }: MergeOptions,
): number[][] {
  const size = start.length
  const penalty = lambda * 0.5 * parameterCount * logCount
  const members = start.map((cluster) => [...cluster])
  // A window's own statistic is not to be changed, but copies of those of a whole day are not small:
  // a cluster has its own as soon as it has two windows.
  const statistics = members.map((cluster) => {
    const each = cluster.flatMap((w) => windows[w] ?? [])
    const [only] = each
    return only && each.length === 1 ? only : total(each)
  })
  const share = (s: Statistic) => Math.min(1, capFrames / s.frameCount)
  const ownCost = (s: Statistic) => share(s) * s.frameCount * logDet(s, share(s))
  const ownCosts = Float64Array.from(statistics, ownCost)
  const alive = Array.from({ length: size }, (_, index) => index)

  /** Of each pair once: a day in many voices is thousands of clusters, and so millions of pairs. */
  const deltas = new Float32Array((size * (size - 1)) / 2)
  const placeOf = (i: number, j: number) => (i > j ? (i * (i - 1)) / 2 + j : (j * (j - 1)) / 2 + i)
  const closest = new Int32Array(size)

  const measure = (i: number, j: number) => {
    const [a, b] = [statistics[i], statistics[j]]
    if (!a || !b) return
    const frames = share(a) * a.frameCount + share(b) * b.frameCount
    const joint = frames * logDet(a, share(a), b, share(b))
    const delta = 0.5 * (joint - (ownCosts[i] ?? 0) - (ownCosts[j] ?? 0)) - penalty
    deltas[placeOf(i, j)] = delta
  }
  const deltaOf = (i: number, j: number) =>
    i === j ? Infinity : (deltas[placeOf(i, j)] ?? Infinity)
  const findClosest = (i: number) => {
    closest[i] = alive.reduce((best, j) => (deltaOf(i, j) < deltaOf(i, best) ? j : best), i)
  }

  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) measure(i, j)
  for (const i of alive) findClosest(i)

  while (alive.length > Math.max(1, least)) {
    const gain = (i: number) => deltaOf(i, closest[i] ?? i)
    const kept = alive.reduce((best, i) => (gain(i) < gain(best) ? i : best))
    const gone = closest[kept] ?? kept
    if (gain(kept) >= 0 && alive.length <= most) break

    alive.splice(alive.indexOf(gone), 1)
    const [a, b] = [statistics[kept], statistics[gone]]
    if (!a || !b) break
    const merged = members[kept]?.length === 1 ? total([a]) : a
    addTo(merged, b)
    members[kept] = [...(members[kept] ?? []), ...(members[gone] ?? [])]
    statistics[kept] = merged
    ownCosts[kept] = ownCost(merged)
    for (const other of alive) if (other !== kept) measure(kept, other)
    findClosest(kept)
    for (const other of alive) {
      if (closest[other] === kept || closest[other] === gone) findClosest(other)
      else if (deltaOf(other, kept) < deltaOf(other, closest[other] ?? other)) closest[other] = kept
    }
  }
  return alive.map((index) => members[index] ?? [])
}

/** Leaves out the smallest clusters that are too short for a speaker, but keeps `least`. */
function prune(clusters: number[][], windows: readonly Statistic[], least: number): number[][] {
  const frameCount = windows.reduce((sum, window) => sum + window.frameCount, 0)
  const enough = Math.max(150, 0.005 * frameCount)
  const bySize = clusters
    .map((members) => ({ members, frameCount: frameCountOf(members, windows) }))
    .sort((a, b) => b.frameCount - a.frameCount)
  return bySize
    .filter((cluster, index) => index < Math.max(1, least) || cluster.frameCount >= enough)
    .map(({ members }) => members)
}

/** Windows of no cluster take the label of the window before them, at the start of the one after. */
function labelWindows(clusters: number[][], windowCount: number): number[] {
  const labels = new Map(clusters.flatMap((members, label) => members.map((w) => [w, label])))
  const first = Math.min(...labels.keys())
  let label = labels.get(first) ?? 0
  return Array.from({ length: windowCount }, (_, window) => {
    label = labels.get(window) ?? label
    return label
  })
}
