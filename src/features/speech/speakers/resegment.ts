/**
 * Corrects where speakers change in a first guess of who speaks when. It learns the voice of each
 * speaker, then finds the most likely sequence of speakers (Viterbi, 1967) in which nobody speaks
 * for less than a second. It does so three times, each time learning from the better sequence.
 */
import { mfccSize, type SpeechFrames } from './mfcc.ts'
import { learnVoice, logLikelihood, mostComponents, type Voice } from './voice.ts'

const d = mfccSize
const rounds = 3
const shortestTurnFrames = 100
/**
 * Nats that a change of speaker costs; less where a pause makes one likely. With less, a second of a
 * voice that is raised becomes somebody else.
 */
const changePenalty = 25
const changePenaltyAtPause = 5
const fewestFrames = 50

/**
 * Improves `labels`, one speaker number per frame, in place. No voice is learnt from frames that
 * are not `loud`, and they favour no speaker. A speaker who is left with less than half a second is
 * removed, so the numbers that remain may have gaps.
 */
export function resegment(
  frames: SpeechFrames,
  loud: Uint8Array,
  labels: Uint16Array,
): Uint16Array {
  let speakers = framesBySpeaker(labels, loud)
  for (let round = 0; round < rounds || speakers.some(isRare); round++) {
    const lasting = speakers.filter((speaker) => !isRare(speaker))
    const [only] = lasting
    if (!only) return labels
    if (lasting.length === 1) return labels.fill(only.label)

    const voices = lasting.map(({ label, indexes }) => ({
      label,
      voice: learnVoice(frames.mfcc, indexes),
    }))
    findLikeliestPath({ frames, loud, path: labels }, voices)
    for (let t = 0; t < labels.length; t++) labels[t] = lasting[labels[t] ?? 0]?.label ?? 0
    speakers = framesBySpeaker(labels, loud)
  }
  return labels
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
  for (let t = 0; t < labels.length; t++) {
    const label = labels[t] ?? 0
    counts.set(label, (counts.get(label) ?? 0) + (loud[t] ?? 0))
  }
  return [...counts].map(([label, count]) => {
    const indexes = new Uint32Array(count)
    let next = 0
    for (let t = 0; t < labels.length; t++) if (labels[t] === label && loud[t]) indexes[next++] = t
    return { label, indexes }
  })
}

/** For each frame and voice: 1 + the voice before, if its turn just became long enough; else 0. */
type Changes = Uint8Array | Uint16Array

interface Search {
  frames: SpeechFrames
  loud: Uint8Array
  /** Receives the place in `voices` of the likeliest voice of each frame. */
  path: Uint16Array
}

/**
 * The likeliest voice of each frame. Equal to a chain of 100 states per voice of which only the
 * last repeats, but computed with running sums: a voice's score at frame t either goes on from
 * t - 1, or began 99 frames earlier after the best other voice.
 */
function findLikeliestPath(
  { frames, loud, path }: Search,
  voices: readonly { label: number; voice: Voice }[],
): void {
  const { frameCount, mfcc, runs } = frames
  const voiceCount = voices.length
  const isFirstOfRun = new Set(runs.map(({ firstFrame }) => firstFrame))
  const shares = new Float64Array(mostComponents)
  // Of many voices in hours of speech it is the largest list by far.
  const Kind = voiceCount < 256 ? Uint8Array : Uint16Array
  const cameFrom: Changes = new Kind(frameCount * voiceCount)
  const scores = new Float64Array(voiceCount).fill(-Infinity)
  const sums = new Float64Array(voiceCount)
  /**
   * For a turn that begins at each of the last 100 frames: its score, its voice before, its sums.
   */
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
    for (const [v, { voice }] of voices.entries()) {
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
  traceBack(cameFrom, { path, frameCount, voiceCount, scores, sums })
}

function bestOther(scores: Float64Array, voice: number): number {
  let best = voice === 0 ? 1 : 0
  for (let v = 0; v < scores.length; v++)
    if (v !== voice && (scores[v] ?? 0) > (scores[best] ?? 0)) best = v
  return best
}

interface Lattice {
  path: Uint16Array
  frameCount: number
  voiceCount: number
  scores: Float64Array
  sums: Float64Array
}

function traceBack(
  cameFrom: Changes,
  { path, frameCount, voiceCount, scores, sums }: Lattice,
): void {
  // The speech is shorter than the shortest turn, so it is given to one voice.
  const isShort = frameCount < shortestTurnFrames
  let voice = indexOfHighest(isShort ? sums : scores)
  if (isShort) {
    path.fill(voice)
    return
  }

  let t = frameCount - 1
  while (t >= 0) {
    const before = cameFrom[t * voiceCount + voice] ?? 0
    const length = before > 0 ? shortestTurnFrames : 1
    path.fill(voice, t + 1 - length, t + 1)
    t -= length
    if (before > 0) voice = before - 1
  }
}

function indexOfHighest(values: Float64Array): number {
  return values.reduce((best, value, index) => (value > (values[best] ?? 0) ? index : best), 0)
}
