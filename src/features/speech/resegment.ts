/**
 * Sharper edges for a first guess of who speaks when: the voice of each speaker is learnt, and
 * then the most likely sequence of speakers is found (Viterbi, 1967) in which nobody speaks for
 * less than a second. Repeated three times, each time learning from the better sequence.
 */
import { mfccSize, type SpeechFrames } from './mfcc.ts'
import { learnVoice, logLikelihood, mostComponents, type Voice } from './voice.ts'

const d = mfccSize
const rounds = 3
const shortestTurnFrames = 100
/** Nats that a change of speaker costs; less where a pause makes one likely. */
const changePenalty = 10
const changePenaltyAtPause = 3
const fewestFrames = 50

/**
 * Improves `labels`, one speaker number per frame. Frames that are not `loud` are kept out of the
 * voices and speak for nobody. A speaker who is left with less than half a second disappears, so
 * the numbers that come back may have gaps.
 */
export function resegment(
  frames: SpeechFrames,
  loud: Uint8Array,
  labels: Uint16Array,
): Uint16Array {
  let current = labels
  let speakers = framesBySpeaker(current, loud)
  for (let round = 0; round < rounds || speakers.some(isRare); round++) {
    const lasting = speakers.filter((speaker) => !isRare(speaker))
    const [only] = lasting
    if (!only) return current
    if (lasting.length === 1) return current.fill(only.label)

    const voices = lasting.map(({ indexes }) => learnVoice(frames.mfcc, indexes))
    const path = likeliestPath(frames, loud, voices)
    current = path.map((voice) => lasting[voice]?.label ?? 0)
    speakers = framesBySpeaker(current, loud)
  }
  return current
}

interface SpeakerFrames {
  label: number
  indexes: Uint32Array
}

function isRare({ indexes }: SpeakerFrames): boolean {
  return indexes.length < fewestFrames
}

function framesBySpeaker(labels: Uint16Array, loud: Uint8Array): SpeakerFrames[] {
  const counts = new Map<number, number>()
  for (const [t, label] of labels.entries())
    counts.set(label, (counts.get(label) ?? 0) + (loud[t] ?? 0))
  return [...counts].map(([label, count]) => {
    const indexes = new Uint32Array(count)
    let next = 0
    for (const [t, other] of labels.entries()) if (other === label && loud[t]) indexes[next++] = t
    return { label, indexes }
  })
}

/**
 * The likeliest voice of each frame. Equal to a chain of 100 states per voice of which only the
 * last repeats, but computed with running sums: a voice's score at frame t either goes on from
 * t - 1, or began 99 frames earlier after the best other voice.
 */
function likeliestPath(frames: SpeechFrames, loud: Uint8Array, voices: Voice[]): Uint16Array {
  const { frameCount, mfcc, runs } = frames
  const voiceCount = voices.length
  const isFirstOfRun = new Set(runs.map(({ firstFrame }) => firstFrame))
  const shares = new Float64Array(mostComponents)
  /** For each frame and voice: 1 + the voice before, if its turn just became long enough; else 0. */
  const cameFrom = new Uint16Array(frameCount * voiceCount)
  const scores = new Float64Array(voiceCount).fill(-Infinity)
  const sums = new Float64Array(voiceCount)
  /** What the last 100 frames would have begun with, and the running sums then. */
  const ring = shortestTurnFrames
  const entryScores = new Float64Array(ring * voiceCount)
  const entryVoices = new Uint16Array(ring * voiceCount)
  const entrySums = new Float64Array(ring * voiceCount)

  for (let t = 0; t < frameCount; t++) {
    const penalty = isFirstOfRun.has(t) ? changePenaltyAtPause : changePenalty
    const slot = (t % ring) * voiceCount
    const oldest = ((t + 1) % ring) * voiceCount
    for (let v = 0; v < voiceCount; v++) {
      const best = t === 0 ? v : bestOther(scores, v)
      entryVoices[slot + v] = best
      entryScores[slot + v] = t === 0 ? 0 : (scores[best] ?? 0) - penalty
      entrySums[slot + v] = sums[v] ?? 0
    }
    for (const [v, voice] of voices.entries()) {
      const score = loud[t] ? logLikelihood(voice, mfcc, t * d, shares) : 0
      sums[v] = (sums[v] ?? 0) + score
      const goingOn = (scores[v] ?? 0) + score
      const began = t + 1 - ring
      const beginning =
        began < 0
          ? -Infinity
          : (entryScores[oldest + v] ?? 0) + (sums[v] ?? 0) - (entrySums[oldest + v] ?? 0)
      if (beginning > goingOn) cameFrom[t * voiceCount + v] = 1 + (entryVoices[oldest + v] ?? 0)
      scores[v] = Math.max(goingOn, beginning)
    }
  }
  return traceBack(cameFrom, { frameCount, voiceCount, scores, sums })
}

function bestOther(scores: Float64Array, voice: number): number {
  let best = voice === 0 ? 1 : 0
  for (let v = 0; v < scores.length; v++)
    if (v !== voice && (scores[v] ?? 0) > (scores[best] ?? 0)) best = v
  return best
}

interface Lattice {
  frameCount: number
  voiceCount: number
  scores: Float64Array
  sums: Float64Array
}

function traceBack(
  cameFrom: Uint16Array,
  { frameCount, voiceCount, scores, sums }: Lattice,
): Uint16Array {
  const path = new Uint16Array(frameCount)
  // Less speech than the shortest turn: one voice said it all.
  const isShort = frameCount < shortestTurnFrames
  let voice = indexOfHighest(isShort ? sums : scores)
  if (isShort) return path.fill(voice)

  let t = frameCount - 1
  while (t >= 0) {
    const before = cameFrom[t * voiceCount + voice] ?? 0
    const length = before > 0 ? shortestTurnFrames : 1
    path.fill(voice, t + 1 - length, t + 1)
    t -= length
    if (before > 0) voice = before - 1
  }
  return path
}

function indexOfHighest(values: Float64Array): number {
  return values.reduce((best, value, index) => (value > (values[best] ?? 0) ? index : best), 0)
}
