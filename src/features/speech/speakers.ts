/**
 * Who speaks when, without a model of any speaker: features of the speech, clusters of windows of
 * about 2 s, then sharper edges. The clustering also finds how many speakers there are.
 *
 * Good on conversations and calls in which people take turns. Two people talking at once are given
 * to one of them, and turns of one or two words often go to the speaker around them.
 */
import {
  addFrame,
  clusterWindows,
  emptyStatistic,
  type SpeakerBounds,
  type Statistic,
} from './clustering.ts'
import type { SpeakerTurn } from './contract.ts'
import type { PcmFile } from './engines/engine.ts'
import { frameMs, mfccSize, readSpeechFrames, type SpeechFrames } from './mfcc.ts'
import { resegment } from './resegment.ts'
import type { Region } from './vad.ts'

/** Frames this far below the loudest are breath and room, which sound alike for everyone. */
const loudnessRangeDb = 30
const windowFrames = 200
const fewestLoudFrames = 40
const joinedGapMs = 300

/** Blocks the thread for some 6 s per hour of speech: call it in a worker. */
export function findSpeakers(
  pcm: PcmFile,
  regions: readonly Region[],
  bounds: SpeakerBounds,
): SpeakerTurn[] {
  const frames = readSpeechFrames(pcm, regions)
  if (frames.frameCount === 0) return []
  const loud = loudFrames(frames.energyDb)
  const labels = labelFrames(frames, loud, bounds)
  return numberByFirstVoice(joinAcrossShortGaps(turnsOf(frames, resegment(frames, loud, labels))))
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

function labelFrames(frames: SpeechFrames, loud: Uint8Array, bounds: SpeakerBounds): Uint16Array {
  const labels = new Uint16Array(frames.frameCount)
  const windows = cutWindows(frames, loud).filter(
    ({ statistic }) => statistic.frameCount >= fewestLoudFrames,
  )
  if (windows.length === 0) return labels

  const windowLabels = clusterWindows(
    windows.map(({ statistic }) => statistic),
    bounds,
  )
  // A window reaches up to the next one: what lies between was too quiet to take part.
  for (const [index, { firstFrame }] of windows.entries()) {
    const end = windows[index + 1]?.firstFrame ?? frames.frameCount
    labels.fill(windowLabels[index] ?? 0, index === 0 ? 0 : firstFrame, end)
  }
  return labels
}

/** Windows never reach across a pause, where the speaker may change. */
function cutWindows({ runs, mfcc }: SpeechFrames, loud: Uint8Array): Window[] {
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
