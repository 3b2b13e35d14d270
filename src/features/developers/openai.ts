/**
 * Transcriptions in the shapes of OpenAI's speech API, for the programs that speak it already. The
 * shapes are those of its published description; a figure that is not known here, such as a
 * model's own opinion of its tokens, is worked out from the words and from how sure the engine was.
 */
import { deflateSync } from 'node:zlib'

import { profileFor } from '#features/exports/captions/caption-profiles.ts'
import { buildCues, toSrt, toVtt } from '#features/exports/captions/cues.ts'
import { type Wish, optionsIn } from '#features/recordings/options.ts'
import { joinWords, type Turn, type Word } from '#features/speech/contract.ts'
import type { Finished } from '#features/transcriptions/said.ts'
import { LONGEST_TERM, MOST_TERMS } from '#shared/business.ts'
import { inOurWords, wrongField } from '#server/wrong-fields.ts'
import { Refusal } from '#shared/refusals.ts'
import { speakerLetters } from '#shared/speaker-letters.ts'

import { OpenAiFields, type ResponseFormat } from './contract.ts'

export interface OpenAiWish extends Wish {
  format: ResponseFormat
  words: boolean
  segments: boolean
  logprobs: boolean
  isStreamed: boolean
}

/** OpenAI's own names for models, which programs are set up with; one engine answers for all. */
export const modelNames = [
  'whisper-1',
  'gpt-4o-transcribe',
  'gpt-4o-mini-transcribe',
  'gpt-4o-transcribe-diarize',
  'gpt-transcribe',
] as const

/** The model of which OpenAI says that it does not stream. */
const NEVER_STREAMS = 'whisper-1'

/** @throws Refusal `invalid_request` with the field that is wrong */
export function readWish(fields: Record<string, string[]>): OpenAiWish {
  const lists = new Set(['timestamp_granularities', 'include'])
  const given = Object.fromEntries(
    Object.entries(fields).map(([name, values]) => [
      name,
      lists.has(name) ? values : values.at(-1),
    ]),
  )
  const parsed = OpenAiFields.safeParse(given, { error: inOurWords('body') })
  if (!parsed.success) throw wrongField(parsed.error.issues, 'body')
  const {
    model,
    language,
    channels,
    prompt,
    response_format: format,
    include = [],
    stream,
  } = parsed.data
  const asked = parsed.data.timestamp_granularities
  // Segments are what is made without it too.
  if (asked?.includes('word') && format !== 'verbose_json')
    throw new Refusal('invalid_request', {
      message: 'timestamp_granularities needs response_format verbose_json.',
      field: 'timestamp_granularities',
    })
  if (prompt && format === 'diarized_json')
    throw new Refusal('invalid_request', {
      message: 'prompt is not possible with diarized_json.',
      field: 'prompt',
    })
  const granularities = asked ?? ['segment']
  return {
    summaryLanguage: 'auto',
    options: optionsIn({ language, channels, ...(prompt ? { terms: termsIn(prompt) } : {}) }),
    recorded: { recordedAt: null, timeZone: null },
    document: null,
    ignored: ignoredOf(fields),
    format,
    words: granularities.includes('word'),
    segments: granularities.includes('segment'),
    logprobs: include.includes('logprobs'),
    isStreamed: stream && model !== NEVER_STREAMS,
  }
}

/** A temperature of 0 asks for what is done anyway. */
function ignoredOf(fields: Record<string, string[]>): string[] {
  return Object.entries(fields).flatMap(([name, values]) => {
    const isUsed =
      name === 'include'
        ? values.every((value) => value === 'logprobs')
        : name === 'temperature'
          ? values.every((value) => Number(value) === 0)
          : name in OpenAiFields.shape
    return isUsed ? [] : [name]
  })
}

/** A prompt is a text; here it is names and terms. */
function termsIn(prompt: string): string[] {
  return prompt
    .split(/[,.;\n]/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '' && piece.length <= LONGEST_TERM)
    .slice(0, MOST_TERMS)
}

const types: Record<ResponseFormat, string> = {
  json: 'application/json; charset=utf-8',
  verbose_json: 'application/json; charset=utf-8',
  diarized_json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  srt: 'text/plain; charset=utf-8',
  vtt: 'text/plain; charset=utf-8',
}

/** The whole answer. */
export function toAnswer(said: Finished, wish: OpenAiWish): { type: string; body: string } {
  return { type: types[wish.format], body: bodyOf(said, wish) }
}

const cuesOf = ({ turns, durationMs, language }: Finished) =>
  buildCues(turns, {
    profile: profileFor('netflix', language ?? 'und'),
    hasNames: false,
    endMs: durationMs,
  })

function bodyOf(said: Finished, wish: OpenAiWish): string {
  switch (wish.format) {
    case 'text':
      return `${said.text}\n`
    case 'srt':
      return toSrt(cuesOf(said), { language: said.language })
    case 'vtt':
      return toVtt(cuesOf(said))
    case 'json':
      return JSON.stringify({ text: said.text, ...logprobsOf(said, wish), usage: usageOf(said) })
    case 'verbose_json':
      return JSON.stringify(verbose(said, wish))
    case 'diarized_json':
      return JSON.stringify({
        task: 'transcribe',
        duration: said.durationMs / 1000,
        text: said.text,
        segments: diarized(said),
        usage: usageOf(said),
      })
  }
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

function verbose(said: Finished, { words, segments }: OpenAiWish) {
  return {
    task: 'transcribe',
    language: (languageNames.of(said.language ?? 'und') ?? 'unknown').toLowerCase(),
    duration: said.durationMs / 1000,
    text: said.text,
    ...(segments ? { segments: segmentsOf(said) } : {}),
    ...(words ? { words: wordsOf(said) } : {}),
    usage: usageOf(said),
  }
}

/** Stretches as captions cut them: by sentences, pauses and what can be read at once. */
function segmentsOf(said: Finished) {
  return cuesOf(said).map((cue, id) => {
    const text = ` ${joinWords(cue.lines)}`
    return {
      id,
      seek: 0,
      start: seconds(cue.startMs),
      end: seconds(cue.endMs),
      text,
      tokens: [],
      temperature: 0,
      ...averageOf(cue.words),
      compression_ratio: compression(text),
      no_speech_prob: 0,
    }
  })
}

const wordsOf = ({ turns }: Finished) =>
  turns.flatMap((turn) =>
    turn.words.map(({ text, startMs, endMs }) => ({
      word: text,
      start: seconds(startMs),
      end: seconds(endMs),
    })),
  )

interface DiarizedSegment {
  type: 'transcript.text.segment'
  id: string
  start: number
  end: number
  text: string
  speaker: string
}

const diarized = ({ turns, names }: Pick<Finished, 'turns' | 'names'>): DiarizedSegment[] =>
  turns.map((turn, index) => ({
    type: 'transcript.text.segment',
    id: `seg_${String(index + 1).padStart(3, '0')}`,
    start: seconds(turn.startMs),
    end: seconds(turn.endMs),
    text: turn.text,
    speaker: speakerOf(turn, names),
  }))

/** A given name, else a letter: A, B, … */
function speakerOf({ speaker }: Turn, names: Finished['names']): string {
  if (speaker === null) return 'unknown'
  return names.get(speaker) ?? speakerLetters(speaker)
}

function usageOf({ durationMs }: Pick<Finished, 'durationMs'>) {
  return { type: 'duration', seconds: Math.ceil(durationMs / 1000) } as const
}

function logprobsOf(
  { turns }: Pick<Finished, 'turns'>,
  { logprobs }: Pick<OpenAiWish, 'logprobs'>,
) {
  const words = turns.flatMap((turn) => turn.words)
  if (!logprobs || !areTold(words)) return {}
  return {
    logprobs: words.map((word) => {
      const token = ` ${word.text}`
      return { token, logprob: logprob(word), bytes: [...Buffer.from(token)] }
    }),
  }
}

interface StreamEvent {
  type: string
  delta?: string
  segment_id?: string | undefined
  text?: string
  usage?: ReturnType<typeof usageOf>
}

/**
 * The events of a stream, in order. The deltas together are the text, unless what was `sent`
 * while the work went on was corrected at its end. Then the words that follow are sent, so that the
 * deltas are whole, and the last event alone has all of the text as it was corrected.
 */
export function* eventsOf(said: Finished, wish: OpenAiWish, sent = ''): Generator<StreamEvent> {
  if (sent === '') yield* deltasOf(said, wish)
  else {
    const delta = restAfter(sent, said.text)
    if (delta !== '') yield { type: 'transcript.text.delta', delta }
  }
  yield {
    type: 'transcript.text.done',
    text: said.text,
    ...logprobsOf(said, wish),
    usage: usageOf(said),
  }
}

/** The rest of a text after a beginning that has its first words in a slightly other form. */
function restAfter(sent: string, text: string): string {
  if (text.startsWith(sent)) return text.slice(sent.length)
  const rest = text.split(' ').slice(sent.split(' ').length)
  return rest.map((word) => ` ${word}`).join('')
}

function* deltasOf(said: Finished, wish: OpenAiWish): Generator<StreamEvent> {
  const segments = diarized(said)
  for (const [index, turn] of said.turns.entries()) {
    const segment = segments[index]
    const delta = index === 0 ? turn.text : ` ${turn.text}`
    const isDiarized = wish.format === 'diarized_json'
    yield {
      type: 'transcript.text.delta',
      delta,
      ...(isDiarized ? { segment_id: segment?.id } : {}),
      ...logprobsOf({ turns: [turn] }, wish),
    }
    if (isDiarized && segment) yield segment
  }
}

/** Where the engine does not say how sure it was, nothing is said: 0 would mean that it was certain. */
const areTold = (words: readonly Word[]): boolean =>
  words.every(({ confidence }) => confidence !== null)

const averageOf = (words: readonly Word[]) =>
  areTold(words) ? { avg_logprob: meanOf(words.map(logprob)) } : {}

/** How sure the engine was, as the logarithm that models give. */
const logprob = ({ confidence }: Word): number => Math.log(Math.max(confidence ?? 0, 1e-4))

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** Text that repeats itself compresses well, which is how clients find a model that stutters. */
function compression(text: string): number {
  const bytes = Buffer.from(text)
  return bytes.length / deflateSync(bytes).length
}

const seconds = (ms: number): number => ms / 1000
