/**
 * Sound in, words and speakers out. What this room promises:
 *
 * - The duration is what could be decoded, never what a header claims.
 * - Each stage's result is stored when it is done and not worked out again by a retry.
 * - A recording without speech is refused, whatever an engine would make up from it.
 * - An engine that knows one language makes nothing up of another: a mark stands there, and where that
 *   is most of the recording, it is refused.
 * - Words carry times of the recording itself; every turn has one speaker.
 * - Where each channel or track of a recording is a person, all that two say at once is there, with
 *   its times.
 * - Aborting the signal ends every process and thread at once.
 *
 * It knows no HTTP, no database and no user. ffmpeg and recognisers are child processes, voice
 * activity and diarization run in worker threads: the event loop stays free. Decoding, listening and
 * recognising overlap (hearing.ts, recognise.ts); telling the speakers apart begins when all was heard.
 */
import { mkdir } from 'node:fs/promises'

import { measure } from '#features/sound/decode.ts'
import { needProgram } from '#features/sound/sandbox/programs.ts'
import { type Side, type Sides, sidesMeter } from '#features/sound/sides.ts'
import { MAX_DURATION_HOURS } from '#shared/business.ts'

import type { AskedChannels, SpeakerTurn, Turn } from './contract.ts'
import type { Region, SpeakerBounds } from './engines/engine.ts'
import { isMostlyOther, withOtherLanguage } from './engines/other-language.ts'
import { languageOf, recognise } from './engines/recognise.ts'
import {
  forwardOnly,
  type Progress,
  Refused,
  type RefusedReason,
  type Run,
  type StageStore,
  together,
  type TranscribeJob,
} from './job.ts'
import { asTelephone, hear, type Hearing } from './listen/hearing.ts'
import { diarize } from './speakers/diarize.ts'
import { withVoices } from './speakers/voices.ts'
import { mendJoins } from './text/joins.ts'
import { inTurns, inTurnsOfSides, withoutSide } from './text/merge.ts'

export { inTurns } from './text/merge.ts'
export {
  chooseEngine,
  engineInUse,
  type EngineInUse,
  type EngineSettings,
  EngineUnavailable,
  withModel,
  withVoiceModels,
} from './engines/choose.ts'
export type { Engine } from './engines/engine.ts'
export { hasAddon } from './engines/sherpa-process.ts'
export type { ProblemStage, Progress, StageStore, TranscribeJob } from './job.ts'
export type { BrokenModel } from '#features/models/models.ts'
export { soFar } from './so-far.ts'

export type TranscribeResult =
  | {
      kind: 'done'
      turns: Turn[]
      /** What the file calls its speakers, by number; null where it names none of them. */
      names: (string | null)[] | null
      language: string
      engine: string
      /** It sounds like a telephone call, in which more words are heard wrong. */
      isTelephone: boolean
      /** Much of the speech stands little above the noise, with the same effect. */
      isNoisy: boolean
    }
  | RefusedResult

interface RefusedResult {
  kind: 'refused'
  reason: RefusedReason
}

/** One try at a job. What it throws is worth another try; what it refuses is not. */
export async function transcribe(
  job: TranscribeJob,
  stages: StageStore,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<TranscribeResult> {
  return refusable({ ...job, stages, onProgress, signal }, work)
}

/** What the channels of a recording hold, by decoding all of it; null where that fails. */
export async function sidesOf(path: string, signal: AbortSignal): Promise<Sides | null> {
  const { listen, finish } = sidesMeter()
  const maxDurationMs = MAX_DURATION_HOURS * 3_600_000
  const measured = await measure(path, { signal, maxDurationMs, onPairs: listen, niceness: 5 })
  return measured.kind === 'audio' ? finish() : null
}

/**
 * The sides that are heard one by one: where somebody says that they are people, or else where they
 * plainly are; never where somebody knows that so many do not speak.
 */
export function sidesHeard(
  sides: Sides | null,
  { count, max, channels = 'auto' }: SpeakerBounds & { channels?: AskedChannels } = {},
): readonly Side[] | null {
  const isApart = channels === 'people' || (channels === 'auto' && sides?.isApart)
  if (!sides || sides.each.length < 2 || !isApart) return null
  const people = sides.each.length
  return people === (count ?? people) && people <= (max ?? people) ? sides.each : null
}

/** Only who speaks when, for a recording whose words are known. */
export async function tellSpeakersApart(
  job: Omit<TranscribeJob, 'language' | 'terms'>,
  stages: StageStore,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<{ kind: 'done'; speakers: SpeakerTurn[]; regions: Region[] } | RefusedResult> {
  return refusable({ ...job, stages, onProgress, signal }, async (run) => {
    const { own, regions } = await tellApart(run, await hear(run))
    if (own.length === 0) throw new Refused('no_speech')
    return { kind: 'done' as const, speakers: own, regions }
  })
}

async function refusable<Result>(
  run: Run,
  work: (run: Run) => Promise<Result>,
): Promise<Result | RefusedResult> {
  await mkdir(run.workDir, { recursive: true })
  try {
    return await work({ ...run, onProgress: forwardOnly(run.onProgress) })
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', reason: error.reason }
    throw error
  }
}

/**
 * Makes sure that the decoder is installed, which measuring needs also where nothing is transcribed.
 *
 * @throws MissingProgram
 */
export async function needDecoder(): Promise<void> {
  await needProgram('ffmpeg')
}

/** @throws Refused */
async function work(run: Run): Promise<TranscribeResult> {
  const { engine } = run
  const [groups, { own, regions, sides, titles, isTelephone, isNoisy }] = await together(
    run.signal,
    (signal) => {
      const hearing = hear({ ...run, signal })
      return [
        hearing.then((heard) => recognise({ ...run, signal }, heard)),
        hearing.then((heard) => tellApart({ ...run, signal }, heard)),
      ]
    },
  )
  const { hasPunctuation } = engine.capabilities
  // A side on which nobody is heard is no person, and the others' voices are told apart as usual.
  const hasSides = sides.length > 1
  const all = groups.flatMap((group) => group.words)
  if (all.length === 0) throw new Refused(isClearlySpoken(regions) ? 'no_words' : 'no_speech')
  // Of the whole, and not only of each group by itself.
  const bySide = [...Map.groupBy(all, ({ side }) => side).values()]
  const judged = bySide.map((said) => withOtherLanguage(said, run))
  if (isMostlyOther(judged, regions)) throw new Refused('other_language')
  const heard = hasSides ? judged.flat() : judged.flat().map(withoutSide)
  const words = hasPunctuation && !hasSides ? mendJoins(heard, regions) : heard
  const inTurnsOfVoices = () => {
    const spoken = groups.map((group) => group.words)
    const speakers = withVoices(spoken, own, run.speakers)
    return inTurns({ words, speakers, regions, hasPunctuation })
  }
  const bySides = hasSides ? inTurnsOfSides({ words, sides, hasPunctuation }) : null
  const names = bySides?.sides.map((side) => titles[side] ?? null)
  return {
    kind: 'done',
    turns: bySides?.turns ?? inTurnsOfVoices(),
    names: names?.some((name) => name !== null) ? names : null,
    language: languageOf(groups),
    engine: engine.name,
    isTelephone,
    isNoisy,
  }
}

/** Less may be a noise that was taken for a voice. */
const CLEARLY_MS = 2000

/** Whether somebody speaks, so that an engine without a word has failed. */
function isClearlySpoken(regions: readonly Region[]): boolean {
  const clear = regions.filter(({ isFaint }) => !isFaint)
  return clear.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) >= CLEARLY_MS
}

/** Stage `speakers`, with what was heard of the whole recording. */
async function tellApart({ stages, engine, speakers, onProblem, signal }: Run, hearing: Hearing) {
  const heard = await hearing.whole
  const { regions, sides, isTelephone } = heard
  const pcm = isTelephone ? asTelephone(heard.pcm) : heard.pcm
  const stored = await stages.get<SpeakerTurn[]>('speakers')
  if (stored) return { ...heard, own: stored }
  if (regions.length === 0) return { ...heard, own: [] }
  if (sides.length > 1) {
    const speaking = sides.flatMap((side, speaker) =>
      side.map((region) => ({ ...region, speaker })),
    )
    const own = speaking.toSorted((a, b) => a.startMs - b.startMs)
    await stages.put('speakers', own)
    return { ...heard, own }
  }

  const options = { signal, speakers }
  let own: SpeakerTurn[] | null = null
  if (engine.diarizer)
    own = await engine.diarizer.diarize(pcm, regions, options).catch((error: unknown) => {
      signal.throwIfAborted()
      // Speakers told apart less well are worth more than no words at all.
      onProblem?.(error, 'speakers')
      return null
    })
  own ??= await diarize(pcm, regions, options)
  await stages.put('speakers', own)
  return { ...heard, own }
}
