/**
 * One question to a language model behind any OpenAI-compatible chat server. The server is not
 * trusted: its answer is limited in time and bytes, its redirects are not followed, and it gets no
 * tools and nothing but the question. Every answer is streamed, so that nobody in between takes a
 * slow model for one that is gone. A failure is tried again where that may help; otherwise it is
 * thrown as a `ChatFailed` with a reason.
 */
import { setTimeout as sleep } from 'node:timers/promises'

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, Output, streamText } from 'ai'
import type { z } from 'zod'

import type { Log } from '#server/log.ts'

import type { Flaw } from './check.ts'
import { MOST_BYTES, TooLongAnswer, streamedFetch } from './model-fetch.ts'

export interface ChatSettings {
  /** With its version, for example `https://api.openai.com/v1`. */
  baseUrl: string
  apiKey: string | null
  model: string
  /**
   * How much the server reads and writes in one call. Most servers silently cut off what is more.
   */
  contextTokens: number
  /** The longest a single answer may take. */
  timeoutMs: number
  /** How long to wait before the second try, and as long again before each further one. */
  pauseMs?: number
}

export type ChatFailure =
  /** No server answers there, or it failed. */
  | 'down'
  | 'slow'
  /** The server answered "try again later" to every try. */
  | 'busy'
  /** A wrong key, a model that is not there: somebody must look at the settings. */
  | 'refused'
  /** The question is longer than the model reads. */
  | 'too_long'
  /** An answer that is not in the form that was asked for, or is longer than allowed. */
  | 'nonsense'
  /** The answer was as long as it may be and had not come to its end. */
  | 'cut'
  /** The answer has the right form, but its text may not be shown. */
  | Flaw

export class ChatFailed extends Error {
  readonly reason: ChatFailure
  /** How long the server wants to be left alone. */
  readonly pauseMs: number | undefined

  constructor(reason: ChatFailure, cause?: unknown, pauseMs?: number) {
    super(`the language model is of no use here: ${reason}`, { cause })
    this.reason = reason
    this.pauseMs = pauseMs
  }
}

interface ModelRequest {
  /** The role and the task of the model. Holds nothing that was said in a recording. */
  instructions: string
  prompt: string
  answerTokens: number
  /** Whether an answer that broke off is the end: the caller asks for less by itself. */
  endsWhenCut?: boolean
  signal: AbortSignal
}

/** The fault of an answer; null where it is accepted. After the last try there is no other. */
type Check<T> = (answer: T, tries: { isLast: boolean }) => Flaw | null

export interface Chat {
  contextTokens: number
  /** An answer in the form of `schema`, as `read` takes it. @throws ChatFailed, or the signal's reason */
  ask<T>(
    question: ModelRequest & { schema: z.ZodType; read: z.ZodType<T>; check: Check<T> },
  ): Promise<T>
  /** An answer as text, as `read` takes it. @throws ChatFailed, or the signal's reason */
  askText<T>(question: ModelRequest & { read: (text: string) => T; check: Check<T> }): Promise<T>
  /**
   * An answer as text, handed over line by line while it is written, until `take` has enough. It is
   * asked for once: what was handed over cannot be taken back. @throws ChatFailed, or the signal's reason
   */
  askLines(question: ModelRequest & { take: Take }): Promise<void>
  /** The cost of the model so far: calls, tokens in and out, time. */
  spent(): Spent
}

/** Takes a line, and answers whether more are wanted. */
type Take = (line: string) => 'more' | 'enough'

interface Spent {
  calls: number
  tokensIn: number
  tokensOut: number
  ms: number
}

const TRIES = 3
/** A model that gave two answers that cannot be used will not give a better third one. */
const ANSWERS = 2
const PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 20_000

/**
 * Ways to ask for an answer, because servers understand different ones. After a "bad request" the
 * next way is tried, and the one that works is used for the next question. A text that the server
 * refuses in every way teaches nothing about the server.
 */
const ways = [
  { format: 'schema', isTuned: true },
  { format: 'schema', isTuned: false },
  { format: 'json', isTuned: true },
  { format: 'none', isTuned: true },
  { format: 'none', isTuned: false },
] as const
type Way = (typeof ways)[number]

const FIRST_OF_TEXT = 3

/** A server is asked in the best way again after this: it may have become another one. */
const KNOWN_MS = 60 * 60_000

/** Which way works with which server, as the number of the way. */
const knownWays = new Map<string, { number: number; until: number }>()

export function openChat(settings: ChatSettings, log: Log): Chat {
  const { baseUrl, model, contextTokens, pauseMs = PAUSE_MS } = settings
  const key = `${baseUrl} ${model}`
  const spent: Spent = { calls: 0, tokensIn: 0, tokensOut: 0, ms: 0 }

  /** One question, in a way that the server understands. @throws ChatFailed, or the signal's reason */
  async function askOnce<T>(
    { signal }: ModelRequest,
    firstWay: number,
    work: (way: Way) => Promise<T>,
  ): Promise<T> {
    const known = knownWays.get(key)
    const first = Math.max(firstWay, known && Date.now() < known.until ? known.number : 0)
    for (let number = first; ; number += 1) {
      signal.throwIfAborted()
      const understood = () => {
        if (number > first) knownWays.set(key, { number, until: Date.now() + KNOWN_MS })
      }
      const began = performance.now()
      spent.calls += 1
      try {
        const answer = await work(ways[number] ?? ways[4])
        understood()
        return answer
      } catch (error) {
        signal.throwIfAborted()
        const problem = problemOf(error)
        if (problem.kind === 'bad_request' && number < ways.length - 1) continue
        if (isOfAnswer(problem.kind)) understood()
        const reason = problem.kind === 'bad_request' ? 'refused' : problem.kind
        log.warn({ reason, status: problem.status, way: number }, 'language model failed')
        throw error instanceof ChatFailed ? error : new ChatFailed(reason, error, problem.pauseMs)
      } finally {
        spent.ms += Math.round(performance.now() - began)
      }
    }
  }

  /**
   * Asks again after a failure that may pass, up to `TRIES` times, and once after an answer that is
   * not accepted. Then the model is told what was wrong with it.
   */
  async function persist<T>(
    question: ModelRequest,
    schema: z.ZodType | null,
    { read, check }: { read: (text: string) => T; check: Check<T> },
  ): Promise<T> {
    let answers = 0
    let remark = ''
    for (let attempt = 1; ; attempt += 1)
      try {
        const asked = { ...question, instructions: question.instructions + remark }
        return await askOnce(asked, schema ? 0 : FIRST_OF_TEXT, async (way) => {
          const answer = read(await whole(settings, asked, { schema, way, spent }))
          const flaw = check(answer, { isLast: answers + 1 >= ANSWERS || attempt >= TRIES })
          if (flaw) throw new ChatFailed(flaw)
          return answer
        })
      } catch (error) {
        if (!(error instanceof ChatFailed)) throw error
        const { reason } = error
        if (isOfAnswer(reason)) answers += 1
        const isHopeless =
          ['slow', 'refused', 'too_long'].includes(reason) ||
          (reason === 'cut' && question.endsWhenCut) ||
          answers >= ANSWERS
        if (isHopeless || attempt >= TRIES) throw error
        remark = remarks[reason] ? `\nYour last answer was refused. ${remarks[reason]}` : remark
        await sleep(error.pauseMs ?? pauseMs * attempt, undefined, { signal: question.signal })
      }
  }

  return {
    contextTokens,
    spent: () => ({ ...spent }),
    askLines: ({ take, ...question }) =>
      askOnce(question, FIRST_OF_TEXT, (way) =>
        lineByLine(settings, question, { take, way, spent }),
      ),
    ask: ({ read, check, ...question }) =>
      persist(question, question.schema, { read: (text) => parsed(text, read), check }),
    askText: ({ read, check, ...question }) =>
      persist(question, null, { read: (text) => read(withoutThoughts(text)), check }),
  }
}

const isOfAnswer = (reason: Problem['kind']): boolean => reason === 'nonsense' || reason in remarks

/** The message to a model before its second try. */
const remarks: Partial<Record<ChatFailure, string>> & Record<Flaw, string> = {
  nonsense: 'It was not in the form that is asked for.',
  cut: 'It was too long and broke off. Be much shorter.',
  empty: 'It was empty.',
  placeholder: 'It was a placeholder. Write what the recording says.',
  repeats: 'It said the same again and again. Say everything once.',
  prompt: 'It repeated these rules or the marks. Write only what is asked for.',
  markup: 'It was a web page. Write plain text.',
  language: 'It was in another language than the one that is asked for.',
  invented: 'It had names, numbers or quotes that nobody said.',
  bounds: 'It did not keep to the number of words.',
  numbering: 'It did not have every number once, in order.',
}

/** No partial object is wanted, and the library would read the whole anew with each piece. */
const formOf = (schema: z.ZodType) => ({
  ...Output.object({ schema, name: 'answer' }),
  parsePartialOutput: () => Promise.resolve(undefined),
})

/** The text of an answer, piece by piece. It ends well only where the model came to its end. */
async function* piecesOf(
  { baseUrl, apiKey, model, timeoutMs }: ChatSettings,
  { instructions, prompt, answerTokens, signal }: ModelRequest,
  { schema, way, spent }: { schema: z.ZodType | null; way: Way; spent: Spent },
): AsyncGenerator<string, void, undefined> {
  const { format, isTuned } = way
  // Also ends the call once there is enough, or the model would write on for nobody.
  const over = new AbortController()
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs), over.signal])
  const provider = createOpenAICompatible({
    name: 'chat',
    baseURL: baseUrl.replace(/\/+$/, ''),
    ...(apiKey === null ? {} : { apiKey }),
    supportsStructuredOutputs: format === 'schema',
    includeUsage: isTuned,
    fetch: (input, init) => streamedFetch(input, { ...init, signal: inTime }),
  })
  try {
    const { stream } = streamText({
      model: provider(model),
      instructions,
      prompt,
      maxRetries: 0,
      abortSignal: inTime,
      ...(isTuned ? { temperature: 0.2, maxOutputTokens: answerTokens } : {}),
      ...(schema && format !== 'none' ? { output: formOf(schema) } : {}),
      // It would write the error to the console, with what people said in it.
      onError: () => undefined,
    })
    let finishReason: string | undefined
    for await (const part of stream) {
      if (part.type === 'error') throw part.error
      if (part.type === 'text-delta') yield part.text
      if (part.type !== 'finish') continue
      ;({ finishReason } = part)
      spent.tokensIn += part.totalUsage.inputTokens ?? 0
      spent.tokensOut += part.totalUsage.outputTokens ?? 0
    }
    inTime.throwIfAborted()
    if (finishReason === 'length') throw new ChatFailed('cut')
    // Ended by a filter, or by a call of a tool that nobody offered. Some servers have other words for
    // the end; where there is none at all, the library reports an error.
    if (finishReason !== 'stop' && finishReason !== 'other') throw new ChatFailed('nonsense')
  } catch (error) {
    inTime.throwIfAborted()
    throw error
  } finally {
    over.abort()
  }
}

async function whole(...question: Parameters<typeof piecesOf>): Promise<string> {
  let all = ''
  for await (const piece of piecesOf(...question)) {
    all += piece
    if (all.length > MOST_BYTES) throw new ChatFailed('nonsense')
  }
  return all
}

/** Far longer than the lines that are asked for: a model that goes on repeats itself. */
const LONGEST_LINES = 12_000

async function lineByLine(
  settings: ChatSettings,
  question: ModelRequest,
  { take, way, spent }: { take: Take; way: Way; spent: Spent },
): Promise<void> {
  let all = ''
  let taken = 0
  const lines = () => all.replace(thoughts, '').trimStart().split('\n')
  for await (const piece of piecesOf(settings, question, { schema: null, way, spent })) {
    all += piece
    if (all.length > LONGEST_LINES) throw new ChatFailed('nonsense')
    for (const line of lines().slice(taken, -1)) {
      taken += 1
      if (take(line) === 'enough') return
    }
  }
  for (const line of lines().slice(taken)) if (take(line) === 'enough') return
}

interface Problem {
  kind: ChatFailure | 'bad_request'
  status?: number | undefined
  pauseMs?: number
}

const tooLong = /context|too (?:long|large|many tokens)|maximum.{0,30}(?:length|tokens)|exceed/i
/** In an error of the server itself: a "context deadline" is a time, not a length. */
const surelyTooLong =
  /context (?:length|window|size)|maximum.{0,30}(?:length|tokens)|too many tokens/i

function problemOf(error: unknown): Problem {
  if (error instanceof ChatFailed) return { kind: error.reason }
  if (error instanceof TooLongAnswer) return { kind: 'nonsense' }
  if (isTimeout(error)) return { kind: 'slow' }
  if (!APICallError.isInstance(error)) return { kind: 'down' }
  const { statusCode: status, responseHeaders, responseBody } = error
  switch (status) {
    case undefined:
      return { kind: 'down' }
    case 200:
      return { kind: 'nonsense', status }
    case 408:
    case 429:
    case 503:
    case 529:
      return { kind: 'busy', status, pauseMs: pauseOf(responseHeaders?.['retry-after']) }
    case 413:
      return { kind: 'too_long', status }
    case 400:
    case 415:
    case 422:
      return { kind: tooLong.test(responseBody ?? '') ? 'too_long' : 'bad_request', status }
  }
  if (status >= 500 && surelyTooLong.test(responseBody ?? '')) return { kind: 'too_long', status }
  return { kind: status >= 500 ? 'down' : 'refused', status }
}

function isTimeout(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1)
    if (at.name === 'TimeoutError') return true
  return false
}

/** Exported for its test: a real pause would be too long for one. */
export function pauseOf(retryAfter: string | undefined): number {
  const seconds = Number(retryAfter)
  if (!Number.isFinite(seconds) || seconds < 0) return 2 * PAUSE_MS
  return Math.min(seconds * 1000, LONGEST_PAUSE_MS)
}

/** The thoughts that some models write before their answer. */
const thoughts = /<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi

const withoutThoughts = (text: string): string => text.replace(thoughts, '').trim()

/** The JSON object in an answer. The model may have put words or a code fence around it. */
function parsed<T>(text: string, shape: z.ZodType<T>): T {
  const bare = withoutThoughts(text)
  if (bare === '') throw new ChatFailed('empty')
  let problem: unknown
  for (const candidate of [...objectsIn(bare), bare])
    try {
      const answer = shape.safeParse(JSON.parse(candidate))
      if (answer.success) return answer.data
      problem ??= answer.error
    } catch (error) {
      problem ??= error
    }
  throw new ChatFailed('nonsense', problem)
}

/** How many places where an object may begin are tried. */
const MOST_OBJECTS = 5

/** The text between a brace and the one that closes it, outside of strings. */
function objectsIn(text: string): string[] {
  const found: string[] = []
  for (let from = text.indexOf('{'); from !== -1 && found.length < MOST_OBJECTS;) {
    const to = endOfObject(text, from)
    found.push(text.slice(from, to))
    from = text.indexOf('{', to)
  }
  return found
}

function endOfObject(text: string, from: number): number {
  let depth = 0
  let isString = false
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at]
    if (isString && sign === '\\') at += 1
    else if (sign === '"') isString = !isString
    else if (!isString && sign === '{') depth += 1
    else if (!isString && sign === '}' && (depth -= 1) === 0) return at + 1
  }
  return text.length
}
