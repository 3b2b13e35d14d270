/**
 * Who speaks when, without a model of any speaker: features of the speech, clusters of windows of
 * about 2 s, then sharper edges. The clustering also finds how many speakers there are.
 *
 * It is good on conversations and calls in which people take turns. Two people talking at once are given
 * to one of them, and turns of one or two words often go to the speaker around them.
 */
import type { SpeakerTurn } from '../contract.ts'
import type { PcmFile, Region, SpeakerBounds } from '../engines/engine.ts'
import { addFrame, clusterWindows, emptyStatistic, type Statistic } from './clustering.ts'
import { frameMs, mfccSize, readSpeechFrames, type SpeechFrames } from './mfcc.ts'
import { resegment } from './resegment.ts'
import { joinAcrossShortGaps, numberByFirstVoice } from './turns.ts'

export { joinWindows } from './joining.ts'

/** Frames this far below the loudest are breath and background, which sound alike for everyone. */
const loudnessRangeDb = 30
const windowFrames = 200
const fewestLoudFrames = 40
const PART_MS = 30 * 60_000

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
