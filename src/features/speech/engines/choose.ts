/** Which engine this server transcribes with: the one that is asked for, or the best that is there. */
import {
  type Attempt,
  type BrokenModel,
  idOf,
  inUse,
  type ModelsPlaces,
  type Recogniser,
  type SpeakerModels,
} from '#features/models/models.ts'

import { needProgram } from '#features/sound/sandbox/programs.ts'
import type { Diarizer, Engine } from './engine.ts'
import { openOpenai, type OpenaiSettings } from './openai.ts'
import { openPocketsphinx } from './pocketsphinx.ts'
import { openDiarizer } from './sherpa-diarize.ts'
import { hasAddon } from './sherpa-process.ts'
import { openSherpa } from './sherpa.ts'
import { attempt } from './try-models.ts'

/** The settings of config.speech that decide about the engine. */
export interface EngineSettings {
  transcriber: 'auto' | 'openai' | 'sherpa' | 'pocketsphinx'
  /** A server to ask: there is one when it has a key or an address. */
  openai?: { apiKey: string | null; baseUrl: string | null; model: string }
  /** Where models are looked for. */
  modelsDir?: ModelsPlaces
  /** Told of each model that is about to be tried, which may take a while. */
  onTrying?: (id: string) => void
  /** Told of each model that cannot be used, and why. */
  onBroken?: (broken: BrokenModel) => void
  /** Models that a busy machine leaves no time for are tried again later, so they are not waited for long. */
  isWaitedFor?: boolean
  /** Ends the trying of models. */
  signal?: AbortSignal
}

/** The engine that was asked for cannot be had here; the message says what to do. */
export class EngineUnavailable extends Error {}

const NO_MODEL =
  'TRANSCRIBER=sherpa needs a speech model, and none is installed. npm run models -- list shows what there is; npm run models -- install NAME installs one.'
const NO_ADDON =
  'TRANSCRIBER=sherpa needs the package sherpa-onnx-node, which is not installed or has no build for this system. Install the packages without leaving out the optional ones: npm ci'
const NO_SERVER = 'TRANSCRIBER=openai needs OPENAI_API_KEY or OPENAI_BASE_URL.'

/**
 * `auto` takes a server when one is set, else a model when one is installed, else what is embedded.
 * Models for speakers are used with whatever engine it is. Every model is tried first: of those that
 * do not work the next one is taken, and after the last one the embedded engine.
 *
 * @throws MissingProgram, EngineUnavailable
 */
export async function chooseEngine({
  transcriber,
  openai,
  modelsDir,
  onTrying,
  onBroken,
  isWaitedFor = false,
  signal = new AbortController().signal,
}: EngineSettings): Promise<Engine> {
  await needProgram('ffmpeg')
  const server = openai && serverOf(openai)
  const isLocalPossible = hasAddon()
  const needsRecogniser = transcriber === 'sherpa' || (transcriber === 'auto' && !server)
  const tryOut: Attempt = (model, options) => {
    onTrying?.(idOf(model))
    return attempt(model, { ...options, isWaitedFor })
  }
  const { recogniser, speakers, broken } =
    modelsDir && isLocalPossible
      ? await inUse(modelsDir, tryOut, { signal, needsRecogniser })
      : { recogniser: null, speakers: null, broken: [] }
  for (const each of broken) onBroken?.(each)
  const voiced = (engine: Engine) => (speakers ? withVoiceModels(engine, speakers) : engine)

  switch (transcriber) {
    case 'openai':
      if (!server) throw new EngineUnavailable(NO_SERVER)
      return voiced(openOpenai(server))
    case 'sherpa':
      if (!isLocalPossible) throw new EngineUnavailable(NO_ADDON)
      if (recogniser) return voiced(openSherpa(recogniser))
      // The server starts without a model that broke.
      if (broken.length === 0) throw new EngineUnavailable(NO_MODEL)
      return voiced(await openPocketsphinx())
    case 'pocketsphinx':
      return voiced(await openPocketsphinx())
    case 'auto':
      if (server) return voiced(openOpenai(server))
      return voiced(recogniser ? openSherpa(recogniser) : await openPocketsphinx())
  }
}

/**
 * The engine once a model was installed, which takes over from the embedded one. Speakers are told apart
 * as before.
 */
export const withModel = (engine: Engine | null, recogniser: Recogniser): Engine =>
  withDiarizer(openSherpa(recogniser), engine?.diarizer)

/** The same engine, with models that tell voices apart. */
export const withVoiceModels = (engine: Engine, speakers: SpeakerModels): Engine =>
  withDiarizer(engine, openDiarizer(speakers))

function withDiarizer(engine: Engine, diarizer: Diarizer | undefined): Engine {
  if (!diarizer) return engine
  const close = async () => {
    await engine.close?.()
    await diarizer.close?.()
  }
  return { ...engine, diarizer, close }
}

/** The engine that the next job gets; one that is running keeps its own. */
export interface EngineInUse {
  /** Null where nothing can be recognised so far. */
  now(): Engine | null
  replace(engine: Engine): void
  /** Resolves as soon as there is one. */
  isThere: Promise<void>
}

export function engineInUse(first: Engine | null): EngineInUse {
  let engine = first
  const { promise: isThere, resolve } = Promise.withResolvers<void>()
  if (first) resolve()
  return {
    now: () => engine,
    replace(next) {
      engine = next
      resolve()
    },
    isThere,
  }
}

function serverOf({
  apiKey,
  baseUrl,
  model,
}: NonNullable<EngineSettings['openai']>): OpenaiSettings | null {
  if (apiKey === null && baseUrl === null) return null
  return { apiKey, baseUrl: baseUrl ?? 'https://api.openai.com/v1', model }
}
