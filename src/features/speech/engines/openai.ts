/**
 * Any server that speaks OpenAI's transcription API: theirs, or one of one's own. It is sent what
 * voice activity found, without the long pauses, as Opus. What comes back differs by model: words
 * with times, phrases with times or speakers, or text alone, which is then placed by the pauses.
 *
 * A request that failed on the way is asked again with the same Idempotency-Key: a server that knows
 * it answers from memory and charges once, also when another process asks. An answer that came whole
 * is kept by the pipeline, and its request is never sent again.
 */
import { createHash } from 'node:crypto'
import { mkdtempDisposable, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { z } from 'zod'

import { needProgram } from '#features/sound/sandbox/programs.ts'
import { run } from '#features/sound/sandbox/sandbox.ts'
import { patientFetch } from '#server/patient-fetch.ts'
import type { Chunk, Engine, EngineResult, PcmFile, Region, Word } from './engine.ts'
import { clip, piecesOf, placeWords } from './place-words.ts'
import { languageCode, languageOfText } from './spoken-language.ts'

export interface OpenaiSettings {
  /** Null for a server of one's own that asks for none. */
  apiKey: string | null
  /** With its version: `https://api.openai.com/v1`. */
  baseUrl: string
  model: string
}

export interface Patience {
  /** For one answer. A server on a processor takes several times as long as the sound lasts. */
  answerMs: number
  /** Before the second try; doubled each time. */
  pauseMs: number
  /** The longest wait that a server may ask for; for a longer one the queue tries again. */
  longestPauseMs: number
  tries: number
}

const patience: Patience = { answerMs: 600_000, pauseMs: 1000, longestPauseMs: 60_000, tries: 5 }

/** How a model answers. */
type Format = 'verbose_json' | 'json' | 'diarized_json'

/** Audio for one request: names of speakers hold within one, and text alone is placed within one. */
const groupMs: Record<Format, number> = {
  verbose_json: 120_000,
  json: 60_000,
  // The longest that is taken is 1400 s.
  diarized_json: 1_200_000,
}

/** @param own is less in tests */
export function openOpenai(settings: OpenaiSettings, own: Patience = patience): Engine {
  const { model } = settings
  const server = { ...settings, patience: own }
  let format = formatOf(model)

  return {
    name: 'openai',
    model,
    capabilities: {
      languages: null,
      hasWordTimes: format === 'verbose_json',
      hasConfidence: false,
      hasPunctuation: true,
      // The model that names speakers takes no prompt.
      ...(format === 'diarized_json' ? {} : { takesTerms: true }),
      longestChunkMs: 28_000,
    },
    // Twenty minutes are held in memory for each of them.
    parallelGroups: format === 'diarized_json' ? 1 : 3,
    groupMs: groupMs[format],
    async recognise(pcm, chunks, { language, terms = [], regions, workDir, signal }) {
      const prompt = format === 'diarized_json' ? '' : promptOf(terms)
      const ask = async (members: readonly Chunk[]): Promise<EngineResult> => {
        const sound = await soundOf(pcm, members)
        const file = await encode(sound, { workDir, signal })
        const said = await post(server, { file, sound, format, language, prompt }, signal)
        switch (said.kind) {
          case 'done':
            return resultOf(said.answer, sound, { language, regions })
          case 'too large':
            return inHalves(members, ask)
          case 'no such format':
            // A server of one's own may know text only: that is asked for from now on.
            format = 'json'
            return ask(members)
          case 'busy':
          case 'refused':
            return said
        }
      }
      return ask(chunks)
    },
  }
}

/** Whisper reads the last 224 tokens of a prompt: the terms that come first are not pushed out. */
const PROMPT_CHARACTERS = 600

function promptOf(terms: readonly string[]): string {
  let prompt = ''
  for (const term of terms) {
    const longer = prompt === '' ? term : `${prompt}, ${term}`
    if (longer.length > PROMPT_CHARACTERS) break
    prompt = longer
  }
  return prompt
}

function formatOf(model: string): Format {
  if (/diarize/i.test(model)) return 'diarized_json'
  return /^gpt-4o.*transcribe/i.test(model) ? 'json' : 'verbose_json'
}

async function inHalves(
  chunks: readonly Chunk[],
  ask: (chunks: readonly Chunk[]) => Promise<EngineResult>,
): Promise<EngineResult> {
  if (chunks.length < 2) return { kind: 'refused', reason: 'unreadable_audio' }
  const half = Math.ceil(chunks.length / 2)
  const first = await ask(chunks.slice(0, half))
  if (first.kind !== 'done') return first
  const second = await ask(chunks.slice(half))
  if (second.kind !== 'done') return second
  return { ...first, words: [...inPart('1', first.words), ...inPart('2', second.words)] }
}

/** Its names for speakers begin anew with each request. */
const inPart = (part: string, words: readonly Word[]): Word[] =>
  words.map((word) =>
    word.voice === undefined ? word : { ...word, voice: `${part}/${word.voice}` },
  )

// ---- the sound that is sent ----

const BYTES_PER_MS = 32
/** Longer pauses are cut to this: enough to hear that a sentence ended. */
const JOIN_MS = 400

/** Chunks one after the other, and where each lies in the recording. */
interface Sound {
  bytes: Buffer
  lengthMs: number
  pieces: (Region & { atMs: number })[]
}

async function soundOf(pcm: PcmFile, chunks: readonly Chunk[]): Promise<Sound> {
  const parts: Buffer[] = []
  const pieces: Sound['pieces'] = []
  let lengthMs = 0
  await using recording = await open(pcm.path)
  for (const { startMs, endMs } of chunks) {
    const last = pieces.at(-1)
    const pauseMs = last ? Math.min(JOIN_MS, Math.max(0, startMs - last.endMs)) : 0
    const bytes = Buffer.alloc((pauseMs + endMs - startMs) * BYTES_PER_MS)
    await recording.read(
      bytes,
      pauseMs * BYTES_PER_MS,
      bytes.length - pauseMs * BYTES_PER_MS,
      startMs * BYTES_PER_MS,
    )
    parts.push(bytes)
    pieces.push({ startMs, endMs, atMs: lengthMs + pauseMs })
    lengthMs += bytes.length / BYTES_PER_MS
  }
  return { bytes: Buffer.concat(parts), lengthMs, pieces }
}

/** Speech loses nothing that can be heard, at an eighth of the size. */
const OPUS = '-c:a libopus -b:a 32k -application voip -vbr on -fflags +bitexact -flags:a +bitexact'
const ENCODER_MEMORY_BYTES = 384 * 1024 * 1024
const ENCODER_SECONDS = 300

async function encode(
  { bytes }: Sound,
  { workDir, signal }: { workDir: string; signal: AbortSignal },
): Promise<Buffer> {
  await using folder = await mkdtempDisposable(join(workDir, 'openai-'))
  await writeFile(join(folder.path, 'sound.pcm'), bytes)
  const { code, said } = await run(
    await needProgram('ffmpeg'),
    [
      ['-nostdin', '-hide_banner', '-v', 'error', '-protocol_whitelist', 'file'],
      ['-f', 's16le', '-ar', '16000', '-ac', '1', '-i', 'file:sound.pcm'],
      [...OPUS.split(' '), '-threads', '1', '-f', 'ogg', 'file:sound.ogg'],
    ].flat(),
    {
      signal,
      memoryBytes: ENCODER_MEMORY_BYTES,
      cpuSeconds: ENCODER_SECONDS,
      workDir: folder.path,
      niceness: 10,
    },
  )
  if (code !== 0) throw new Error(`ffmpeg could not write Opus: ${said.trim().slice(-300)}`)
  return await readFile(join(folder.path, 'sound.ogg'))
}

// ---- asking ----

const seconds = z.coerce.number().nonnegative()
/** Fields that all formats have. Servers that users run themselves leave out some. */
const Answer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  duration: seconds.nullish(),
  words: z
    .array(
      z.object({
        word: z.string(),
        start: seconds,
        end: seconds,
        probability: z.number().min(0).max(1).nullish(),
      }),
    )
    .nullish(),
  segments: z
    .array(
      z.object({
        text: z.string(),
        start: seconds,
        end: seconds,
        speaker: z.string().nullish(),
        no_speech_prob: z.number().nullish(),
        avg_logprob: z.number().nullish(),
      }),
    )
    .nullish(),
})
type Answer = z.infer<typeof Answer>
type Segment = NonNullable<Answer['segments']>[number]

const Failure = z.object({
  error: z.object({ message: z.string().nullish(), code: z.string().nullish() }),
})

type Said =
  | { kind: 'done'; answer: Answer }
  | Exclude<EngineResult, { kind: 'done' }>
  | { kind: 'too large' }
  | { kind: 'no such format' }

interface Wish {
  file: Buffer
  sound: Sound
  format: Format
  language: string | null
  /** Empty where there are no terms. */
  prompt: string
}
type Server = OpenaiSettings & { patience: Patience }

/** Why a try came to nothing, and when the next one may begin. */
interface Again {
  kind: 'again'
  why: string
  isBusy?: boolean
  /** Null, or absent, where the server did not say. */
  waitMs?: number | null
}

async function post(server: Server, wish: Wish, signal: AbortSignal): Promise<Said> {
  const { tries, pauseMs, longestPauseMs } = server.patience
  for (let attempt = 1; ; attempt++) {
    const said = await postOnce(server, wish, signal)
    if (said.kind !== 'again') return said
    // A little more or less, so that those who were turned away together do not come back together.
    const backOffMs = pauseMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
    const waitMs = Math.max(backOffMs, said.waitMs ?? 0)
    if (attempt >= tries || waitMs > longestPauseMs) {
      if (said.isBusy) return { kind: 'busy', retryAfterMs: Math.round(waitMs) }
      throw new Error(`the transcription server failed ${attempt} times: ${said.why}`)
    }
    await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

async function postOnce(server: Server, wish: Wish, signal: AbortSignal): Promise<Said | Again> {
  const { baseUrl, apiKey, patience } = server
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(patience.answerMs)])
  let status: number
  let body: string
  let retryAfter: string | null
  try {
    const response = await patientFetch(`${baseUrl.replace(/\/+$/, '')}/audio/transcriptions`, {
      method: 'POST',
      headers: {
        ...(apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` }),
        'Idempotency-Key': keyOf(server, wish),
      },
      body: formOf(server, wish),
      redirect: 'error',
      signal: inTime,
    })
    status = response.status
    retryAfter = response.headers.get('retry-after')
    body = await response.text()
  } catch (error) {
    signal.throwIfAborted()
    return again(whyOf(error))
  }
  if (status >= 200 && status < 300) return readAnswer(body, wish)
  return readFailure(status, body, { retryAfter, wish })
}

const again = (why: string, more: Pick<Again, 'isBusy' | 'waitMs'> = {}): Again => ({
  kind: 'again',
  why,
  ...more,
})

function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message
}

/** The same sound, asked the same way, is one piece of work, whoever asks and however often. */
function keyOf({ model }: Server, { sound, format, language, prompt }: Wish): string {
  const told = prompt === '' ? '' : `${prompt}\n`
  const hash = createHash('sha256').update(`${model}\n${format}\n${language ?? ''}\n${told}`)
  return hash.update(sound.bytes).digest('hex')
}

function formOf({ model }: Server, { file, format, language, prompt }: Wish): FormData {
  const form = new FormData()
  form.set('model', model)
  form.set('response_format', format)
  if (language !== null) form.set('language', language)
  if (prompt !== '') form.set('prompt', prompt)
  if (format === 'verbose_json') {
    form.append('timestamp_granularities[]', 'word')
    form.append('timestamp_granularities[]', 'segment')
  }
  if (format === 'diarized_json') form.set('chunking_strategy', 'auto')
  form.set('file', new Blob([new Uint8Array(file)], { type: 'audio/ogg' }), 'audio.ogg')
  return form
}

/** Below this share of what was sent, an answer is about a part of it only. */
const HALF_SHARE = 0.8

function readAnswer(body: string, { sound, format }: Wish): Said | Again {
  let answer: Answer
  try {
    answer = Answer.parse(JSON.parse(body))
  } catch {
    return again('its answer is cut off, or none that we know')
  }
  const { duration, segments, words, text } = answer
  // In seconds, as they count it; a second is nothing where little was sent.
  if (duration && duration * 1000 < HALF_SHARE * sound.lengthMs - 1000)
    return again(`it heard ${Math.round(duration)} s of ${Math.round(sound.lengthMs / 1000)} s`)
  if (format === 'diarized_json' && text.trim() !== '' && !segments?.length && !words?.length)
    return again('it named no speakers')
  return { kind: 'done', answer }
}

const DECODABLE = /could not be decoded|invalid file format|unsupported.*(format|audio)|corrupt/i

function readFailure(
  status: number,
  body: string,
  { retryAfter, wish }: { retryAfter: string | null; wish: Wish },
): Said | Again {
  const { message, code } = failureOf(body)
  // Its code is for the log; what is no code could be a quote of what it was sent.
  const said = `it answered ${status}${/^[\w.-]{1,60}$/.test(code) ? ` (${code})` : ''}`
  if (status === 413) return { kind: 'too large' }
  // An account without money is answered with 429 too, and waiting does not help it.
  if (status === 429 && code !== 'insufficient_quota')
    return again(said, { isBusy: true, waitMs: waitOf(retryAfter) })
  if (status === 408 || status === 409 || status === 425 || status >= 500)
    return again(said, { isBusy: status === 503, waitMs: waitOf(retryAfter) })
  const isFormat = /response_format|timestamp_granularities|verbose_json/.test(message)
  if (status < 500 && isFormat && wish.format === 'verbose_json') return { kind: 'no such format' }
  if ([400, 415, 422].includes(status) && DECODABLE.test(message))
    return { kind: 'refused', reason: 'unreadable_audio' }
  const hint = status === 401 || status === 403 ? ': check OPENAI_API_KEY' : ''
  throw new Error(`the transcription server cannot be used: ${said}${hint}`)
}

function failureOf(body: string): { message: string; code: string } {
  try {
    const { message, code } = Failure.parse(JSON.parse(body)).error
    return { message: message ?? '', code: code ?? '' }
  } catch {
    return { message: body.slice(0, 500), code: '' }
  }
}

/** Seconds, or a date. */
function waitOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null
  const seconds = Number(retryAfter)
  const waitMs = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1000
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs)
}

// ---- what it said, in times of the recording ----

/** Whisper's own rule for what it made up from silence. */
const NO_SPEECH = 0.6
const UNSURE = -1

function resultOf(
  answer: Answer,
  sound: Sound,
  { language, regions }: { language: string | null; regions: readonly Region[] | undefined },
): EngineResult {
  const all = answer.segments ?? []
  const isMadeUp = ({ no_speech_prob: noSpeech, avg_logprob: sure }: Segment) =>
    (noSpeech ?? 0) > NO_SPEECH && (sure ?? 0) < UNSURE
  const segments = all.filter((segment) => !isMadeUp(segment))
  const madeUp = all.filter(isMadeUp)
  const isCut = madeUp.length > 0
  const text = isCut ? segments.map((segment) => segment.text).join(' ') : answer.text
  const spoken = sound.pieces.flatMap(({ startMs, endMs, atMs }) =>
    clip(regions ?? [{ startMs, endMs }], { startMs, endMs }).map((region) => ({
      startMs: region.startMs - startMs + atMs,
      endMs: region.endMs - startMs + atMs,
    })),
  )
  const timed = (answer.words ?? []).filter(({ start, end }) => {
    const middle = (start + end) / 2
    return !madeUp.some((segment) => segment.start <= middle && middle <= segment.end)
  })
  const words = heardWords(timed, { text, segments, spoken, lengthMs: sound.lengthMs })
  return {
    kind: 'done',
    words: words.map((word) => ({ ...word, ...inRecording(word, sound) })),
    language: languageCode(answer.language) ?? language ?? languageOfText(text) ?? 'en',
  }
}

function heardWords(
  timed: NonNullable<Answer['words']>,
  {
    text,
    segments,
    spoken,
    lengthMs,
  }: {
    text: string
    segments: readonly Segment[]
    spoken: readonly Region[]
    lengthMs: number
  },
): Word[] {
  if (timed.length > 0) return withTimes(text, timed, lengthMs)
  if (segments.length === 0) return placeWords(text, { startMs: 0, endMs: lengthMs }, spoken)
  return segments.flatMap(({ text, start, end, speaker }) => {
    const startMs = Math.min(lengthMs, Math.round(start * 1000))
    const span = { startMs, endMs: Math.min(lengthMs, Math.max(startMs, Math.round(end * 1000))) }
    const placed = placeWords(text, span, spoken)
    return speaker ? placed.map((word) => ({ ...word, voice: speaker })) : placed
  })
}

/** How far ahead a word of the text is looked for among those with times, in letters. */
const AHEAD = 60

/**
 * The text has the punctuation, the words have the times. They are matched letter by letter; a word
 * that is written otherwise ("25" for "twenty-five") lies between its neighbours.
 */
export function withTimes(
  text: string,
  timed: NonNullable<Answer['words']>,
  lengthMs: number,
): Word[] {
  const letters = timed.map(({ word }) => lettersOf(word)).join('')
  const owner = timed.flatMap(({ word }, index) => [...lettersOf(word)].map(() => index))
  // `lettersOf` and the spread both count by code point.
  const line = [...letters]
  let at = 0
  const words = piecesOf(text).map((piece): Word & { isFound: boolean } => {
    const own = [...lettersOf(piece.text)]
    const found = own.length > 0 ? indexOf(line, own, at) : -1
    const first = timed[owner[found] ?? -1]
    const last = timed[owner[found + own.length - 1] ?? -1]
    if (found < 0 || !first || !last)
      return { text: piece.text, startMs: 0, endMs: 0, confidence: null, isFound: false }
    at = found + own.length
    const startMs = Math.min(lengthMs, Math.round(first.start * 1000))
    return {
      text: piece.text,
      startMs,
      endMs: Math.min(lengthMs, Math.max(startMs, Math.round(last.end * 1000))),
      confidence: first.probability ?? null,
      isFound: true,
    }
  })
  return betweenNeighbours(words, lengthMs)
}

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

function indexOf(line: readonly string[], own: readonly string[], from: number): number {
  for (let at = from; at <= Math.min(from + AHEAD, line.length - own.length); at++)
    if (own.every((letter, index) => line[at + index] === letter)) return at
  return -1
}

/** Words that were not found share the time between those that were. */
function betweenNeighbours(
  words: readonly (Word & { isFound: boolean })[],
  lengthMs: number,
): Word[] {
  const placed: Word[] = []
  for (let from = 0; from < words.length;) {
    const { isFound, ...word } = words[from] as Word & { isFound: boolean }
    if (isFound) {
      placed.push(word)
      from += 1
      continue
    }
    const next = words.findIndex((one, index) => index > from && one.isFound)
    const to = next < 0 ? words.length : next
    const startMs = placed.at(-1)?.endMs ?? 0
    const endMs = Math.max(startMs, words[next]?.startMs ?? lengthMs)
    const said = words.slice(from, to).map(({ text }) => text)
    // Where no time is left, they lie where the last word ended.
    placed.push(...placeWords(said.join(' '), { startMs, endMs }))
    from = to
  }
  return placed
}

/** A word lies in the chunk that most of it was heard in. */
function inRecording({ startMs, endMs }: Region, { pieces }: Sound): Region {
  const middleMs = (startMs + endMs) / 2
  const piece = pieces.findLast(({ atMs }) => atMs <= middleMs) ?? pieces[0]
  if (!piece) return { startMs, endMs }
  const at = (ms: number) =>
    Math.max(piece.startMs, Math.min(piece.endMs, piece.startMs + ms - piece.atMs))
  return { startMs: at(startMs), endMs: at(endMs) }
}
