/**
 * Who speaks when. Without a model of any speaker: features of the speech, clusters of windows of
 * about 2 s, then sharper edges. The clustering also finds how many speakers there are. With the
 * answers of neural models: people found by those (joining.ts), then sharper edges in the same way.
 *
 * The former is good on conversations and calls in which people take turns. Two people talking at once are given
 * to one of them, and turns of one or two words often go to the speaker around them.
 */
import type { SpeakerTurn } from '../contract.ts'
import type { PcmFile, Region, SpeakerBounds } from '../engines/engine.ts'
import type { HeardVoices } from '../engines/sherpa-diarize-host.ts'
import { addFrame, clusterWindows, emptyStatistic, type Statistic } from './clustering.ts'
import { joinPieces } from './joining.ts'
import { frameMs, mfccSize, readSpeechFrames, type SpeechFrames } from './mfcc.ts'
import { resegment } from './resegment.ts'

/** Frames this far below the loudest are breath and background, which sound alike for everyone. */
const loudnessRangeDb = 30
const windowFrames = 200
const fewestLoudFrames = 40
const joinedGapMs = 300
const PART_MS = 30 * 60_000
const TELEPHONE_RATE_HZ = 8000
/** Nats for each frame and each unit of cosine similarity. Frames come 100 a second and are alike. */
const TRUST = 5

/**
 * Blocks its thread for some 6 s per hour of speech: diarize.ts gives it one of its own. Long recordings are read in
 * parts of half an hour, twice, so that no more than one part's frames are in memory: voices are
 * compared over the whole, edges are sharpened part by part.
 */
export function findSpeakers({
  pcm,
  regions,
  speakers,
  partMs = PART_MS,
}: {
  pcm: PcmFile
  regions: readonly Region[]
  speakers: SpeakerBounds
  partMs?: number
}): SpeakerTurn[] {
  const parts = cutIntoParts(regions, partMs)
  const [first] = parts
  const only = first && parts.length === 1 ? readPart(pcm, first) : null
  const windows = parts.map((part) => cutWindows(only ?? readPart(pcm, part)))
  const labels = labelWindows(windows, speakers)
  const turns = parts.flatMap((part, place) => {
    const { frames, loud } = only ?? readPart(pcm, part)
    if (frames.frameCount === 0) return []
    const guess = labelFrames(frames, windows[place] ?? [], labels[place] ?? [])
    return turnsOf(frames, resegment(frames, loud, guess))
  })
  return numberByFirstVoice(joinAcrossShortGaps(turns))
}

/**
 * The same by the voices that neural models heard. Their edges lie where the segmentation heard a
 * change, and it misses some: so the MFCCs decide, and an embedding counts by how little it doubts.
 */
export function joinSpeakers({
  pcm,
  regions,
  heard,
  sameVoice,
  speakers,
  partMs = PART_MS,
}: {
  pcm: PcmFile
  regions: readonly Region[]
  heard: HeardVoices
  sameVoice: number
  speakers: SpeakerBounds
  partMs?: number
}): SpeakerTurn[] {
  const isTelephone = (pcm.sourceSampleRateHz ?? Infinity) <= TELEPHONE_RATE_HZ
  const { people, margins } = joinPieces(heard, { speakers, sameVoice, isTelephone })
  const pieces = heard.pieces.map(({ startMs, endMs }, index) => {
    const speaker = people[index] ?? 0
    return { startMs, endMs, speaker, margin: margins[index] ?? 0 }
  })
  const within = cutIntoParts(regions, partMs).flatMap((part) => {
    const { frames, loud } = readPart(pcm, part)
    if (frames.frameCount === 0 || pieces.length === 0) return []
    const { labels, trust } = labelByPieces(frames, pieces)
    return turnsOf(frames, resegment(frames, loud, labels, trust))
  })
  // Speech so soft that voice activity heard nothing.
  const outside = pieces.filter(
    (piece) =>
      !regions.some(({ startMs, endMs }) => startMs < piece.endMs && piece.startMs < endMs),
  )
  const turns = [
    ...within,
    ...outside.map(({ startMs, endMs, speaker }) => ({ startMs, endMs, speaker })),
  ]
  turns.sort((a, b) => a.startMs - b.startMs)
  return numberByFirstVoice(joinAcrossShortGaps(turns))
}

interface Part {
  frames: SpeechFrames
  loud: Uint8Array
}

function readPart(pcm: PcmFile, part: readonly Region[]): Part {
  const frames = readSpeechFrames(pcm, part)
  return { frames, loud: loudFrames(frames.energyDb) }
}

/** Parts hold about equal amounts of speech. */
function cutIntoParts(regions: readonly Region[], partMs: number): Region[][] {
  const speechMs = regions.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  const count = Math.max(1, Math.ceil(speechMs / partMs))
  const parts: Region[][] = Array.from({ length: count }, () => [])
  let beforeMs = 0
  for (const region of regions) {
    const middleMs = beforeMs + (region.endMs - region.startMs) / 2
    parts[Math.min(count - 1, Math.floor((middleMs * count) / speechMs))]?.push(region)
    beforeMs += region.endMs - region.startMs
  }
  return parts.filter((part) => part.length > 0)
}

/** 1 for frames loud enough to tell voices apart by. */
function loudFrames(energyDb: Float32Array): Uint8Array {
  const sorted = energyDb.toSorted()
  const loudest = sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 0
  return Uint8Array.from(energyDb, (energy) => (energy > loudest - loudnessRangeDb ? 1 : 0))
}

interface Window {
  firstFrame: number
  statistic: Statistic
}

/** The speaker of each window of each part; null for those that are too quiet to take part. */
function labelWindows(
  parts: readonly (readonly Window[])[],
  bounds: SpeakerBounds,
): (number | null)[][] {
  const isHeard = ({ statistic }: Window) => statistic.frameCount >= fewestLoudFrames
  const heard = parts.flat().filter(isHeard)
  if (heard.length === 0) return parts.map((windows) => windows.map(() => null))
  const labels = clusterWindows(
    heard.map(({ statistic }) => statistic),
    bounds,
  ).values()
  return parts.map((windows) =>
    windows.map((window) => (isHeard(window) ? (labels.next().value ?? null) : null)),
  )
}

/** A window reaches up to the next one: what lies between was too quiet to take part. */
function labelFrames(
  { frameCount }: SpeechFrames,
  windows: readonly Window[],
  windowLabels: readonly (number | null)[],
): Uint16Array {
  const labels = new Uint16Array(frameCount)
  let isFirst = true
  for (const [index, { firstFrame }] of windows.entries()) {
    const label = windowLabels[index] ?? null
    if (label === null) continue
    labels.fill(label, isFirst ? 0 : firstFrame)
    isFirst = false
  }
  return labels
}

/** Each frame is that of the piece around it, else of the nearest. Both are in order of time. */
function labelByPieces(
  { frameCount, runs }: SpeechFrames,
  pieces: readonly (SpeakerTurn & { margin: number })[],
): { labels: Uint16Array; trust: Float32Array } {
  const labels = new Uint16Array(frameCount)
  const trust = new Float32Array(frameCount)
  let at = 0
  for (const { startMs, firstFrame, frameCount: count } of runs)
    for (let k = 0; k < count; k++) {
      const ms = startMs + k * frameMs
      for (let next = pieces[at + 1]; next; next = pieces[at + 1]) {
        if (distanceMs(next, ms) > distanceMs(pieces[at] ?? next, ms)) break
        at++
      }
      const piece = pieces[at]
      labels[firstFrame + k] = piece?.speaker ?? 0
      if (piece && distanceMs(piece, ms) === 0) trust[firstFrame + k] = TRUST * piece.margin
    }
  return { labels, trust }
}

const distanceMs = ({ startMs, endMs }: Region, ms: number): number =>
  Math.max(startMs - ms, ms + 1 - endMs, 0)

/** Windows never reach across a pause, where the speaker may change. */
function cutWindows({ frames: { runs, mfcc }, loud }: Part): Window[] {
  return runs.flatMap((run) => {
    const count = Math.max(1, Math.round(run.frameCount / windowFrames))
    return Array.from({ length: count }, (_, index) => {
      const firstFrame = run.firstFrame + Math.floor((index * run.frameCount) / count)
      const end = run.firstFrame + Math.floor(((index + 1) * run.frameCount) / count)
      const statistic = emptyStatistic()
      for (let t = firstFrame; t < end; t++) if (loud[t]) addFrame(statistic, mfcc, t * mfccSize)
      return { firstFrame, statistic }
    })
  })
}

function turnsOf({ runs }: SpeechFrames, labels: Uint16Array): SpeakerTurn[] {
  const turns: SpeakerTurn[] = []
  for (const { startMs, endMs, firstFrame, frameCount } of runs) {
    let turn: SpeakerTurn | undefined
    for (let k = 0; k < frameCount; k++) {
      const speaker = labels[firstFrame + k] ?? 0
      if (turn?.speaker === speaker) continue
      const changeMs = startMs + k * frameMs
      if (turn) turn.endMs = changeMs
      turn = { speaker, startMs: changeMs, endMs }
      turns.push(turn)
    }
  }
  return turns
}

function joinAcrossShortGaps(turns: SpeakerTurn[]): SpeakerTurn[] {
  const joined: SpeakerTurn[] = []
  for (const turn of turns) {
    const last = joined.at(-1)
    if (last?.speaker === turn.speaker && turn.startMs - last.endMs < joinedGapMs)
      last.endMs = turn.endMs
    else joined.push(turn)
  }
  return joined
}

function numberByFirstVoice(turns: SpeakerTurn[]): SpeakerTurn[] {
  const numbers = new Map<number, number>()
  return turns.map((turn) => {
    const speaker = numbers.get(turn.speaker) ?? numbers.size
    numbers.set(turn.speaker, speaker)
    return { ...turn, speaker }
  })
}
