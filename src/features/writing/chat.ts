/**
 * One question to a language model behind any OpenAI-compatible chat server. The server is not
 * trusted: its answer is limited in time and bytes, its redirects are not followed, and it gets no
 * tools and nothing but the question. A failure is tried again where that may help; otherwise it is
 * thrown as a `ChatFailed` with a reason.
 */
import { setTimeout as sleep } from 'node:timers/promises'

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, NoObjectGeneratedError, Output, generateText } from 'ai'
import type { z } from 'zod'

import type { Log } from '#server/log.ts'

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
  /** Nobody answers there, or the server broke. */
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

export class ChatFailed extends Error {
  readonly reason: ChatFailure

  constructor(reason: ChatFailure, cause?: unknown) {
    super(`the language model is of no use here: ${reason}`, { cause })
    this.reason = reason
  }
}

interface Question {
  /** Who the model is to be. Holds nothing that came from a user. */
  instructions: string
  prompt: string
  answerTokens: number
  signal: AbortSignal
}

export interface Chat {
  contextTokens: number
  /** An answer of this shape. @throws ChatFailed, or the signal's reason */
  ask<T>(question: Question & { schema: z.ZodType<T> }): Promise<T>
  /** An answer as text. @throws ChatFailed, or the signal's reason */
  askText(question: Question): Promise<string>
  /** What the model has cost so far: calls, tokens in and out, time. */
  spent(): Spent
}

interface Spent {
  calls: number
  tokensIn: number
  tokensOut: number
  ms: number
}

/** No summary or document is this long. A longer answer is not read to its end. */
const MOST_BYTES = 1024 * 1024
const TRIES = 3
const PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 20_000

/**
 * Ways to ask for an answer, because servers understand different ones. After a "bad request" the
 * next way is tried, and the one that works is used for the next question.
 */
const ways = [
  { format: 'schema', isTuned: true },
  { format: 'schema', isTuned: false },
  { format: 'json', isTuned: true },
  { format: 'none', isTuned: true },
  { format: 'none', isTuned: false },
] as const

/** Which way works with which server. Kept for as long as the process lives. */
const knownWays = new Map<string, number>()

export function openChat(settings: ChatSettings, log: Log): Chat {
  const { baseUrl, model, contextTokens, pauseMs = PAUSE_MS } = settings
  const key = `${baseUrl} ${model}`
  const spent: Spent = { calls: 0, tokensIn: 0, tokensOut: 0, ms: 0 }

  /**
   * Asks again after a failure that may pass, up to `TRIES` times, until `read` accepts an answer.
   */
  async function persist<T>(
    question: Question,
    schema: z.ZodType | null,
    read: (text: string) => T,
  ): Promise<T> {
    const first = schema ? 0 : 3
    for (let attempt = 1; ; attempt += 1) {
      question.signal.throwIfAborted()
      const way = Math.max(first, knownWays.get(key) ?? 0)
      const began = performance.now()
      try {
        const text = await once(settings, question, schema, ways[way] ?? ways[4], spent)
        return read(text)
      } catch (error) {
        question.signal.throwIfAborted()
        const problem = problemOf(error)
        if (problem.kind === 'bad_request' && way < ways.length - 1) {
          knownWays.set(key, way + 1)
          attempt -= 1
          continue
        }
        const reason = problem.kind === 'bad_request' ? 'refused' : problem.kind
        const isHopeless = ['slow', 'refused', 'too_long'].includes(reason)
        log.warn({ reason, attempt, status: problem.status, way }, 'language model failed')
        if (isHopeless || attempt >= TRIES) throw new ChatFailed(reason, error)
        await sleep(problem.pauseMs ?? pauseMs * attempt, undefined, { signal: question.signal })
      } finally {
        spent.ms += Math.round(performance.now() - began)
      }
    }
  }

  return {
    contextTokens,
    spent: () => ({ ...spent }),
    ask: (question) => persist(question, question.schema, (text) => parsed(text, question.schema)),
    askText: (question) => persist(question, null, (text) => withoutThoughts(text)),
  }
}

class TooMuch extends Error {}
class Malformed extends Error {}

async function once(
  { baseUrl, apiKey, model, timeoutMs }: ChatSettings,
  { instructions, prompt, answerTokens, signal }: Question,
  schema: z.ZodType | null,
  { format, isTuned }: (typeof ways)[number],
  spent: Spent,
): Promise<string> {
  const isTooMuch = { value: false }
  const provider = createOpenAICompatible({
    name: 'chat',
    baseURL: baseUrl.replace(/\/+$/, ''),
    ...(apiKey === null ? {} : { apiKey }),
    supportsStructuredOutputs: format === 'schema',
    fetch: boundedFetch(isTooMuch),
  })
  const patience = AbortSignal.timeout(timeoutMs)
  spent.calls += 1
  try {
    const { text, totalUsage } = await generateText({
      model: provider(model),
      instructions,
      prompt,
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, patience]),
      ...(isTuned ? { temperature: 0.2, maxOutputTokens: answerTokens } : {}),
      ...(schema && format !== 'none' ? { output: Output.object({ schema, name: 'answer' }) } : {}),
    })
    spent.tokensIn += totalUsage.inputTokens ?? 0
    spent.tokensOut += totalUsage.outputTokens ?? 0
    return text
  } catch (error) {
    if (isTooMuch.value) throw new TooMuch('the answer has no end', { cause: error })
    // The library found no JSON in the answer. `parsed` looks for an object inside the text.
    if (NoObjectGeneratedError.isInstance(error)) {
      spent.tokensIn += error.usage?.inputTokens ?? 0
      spent.tokensOut += error.usage?.outputTokens ?? 0
      if (error.text) return error.text
    }
    throw error
  }
}

/** A `fetch` that follows no redirects and stops reading at `MOST_BYTES`. */
function boundedFetch(isTooMuch: { value: boolean }): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' })
    if (!response.body) return response
    let bytes = 0
    const bounded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength
          if (bytes > MOST_BYTES) {
            isTooMuch.value = true
            controller.error(new TooMuch('the answer has no end'))
          } else controller.enqueue(chunk)
        },
      }),
    )
    const { status, statusText, headers } = response
    return new Response(bounded, { status, statusText, headers })
  }
}

interface Problem {
  kind: ChatFailure | 'bad_request'
  status?: number | undefined
  pauseMs?: number
}

const tooLong = /context|too (?:long|large|many tokens)|maximum.{0,30}(?:length|tokens)|exceed/i

function problemOf(error: unknown): Problem {
  if (error instanceof TooMuch || error instanceof Malformed) return { kind: 'nonsense' }
  if (NoObjectGeneratedError.isInstance(error)) return { kind: 'nonsense' }
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

/** Removes the thoughts that some models write before their answer. */
const withoutThoughts = (text: string): string =>
  text.replace(/<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi, '').trim()

/** The JSON object in an answer. The model may have put words or a code fence around it. */
function parsed<T>(text: string, schema: z.ZodType<T>): T {
  const bare = withoutThoughts(text)
  const from = bare.indexOf('{')
  const to = bare.lastIndexOf('}')
  let value: unknown
  try {
    value = JSON.parse(from === -1 ? bare : bare.slice(from, to + 1))
  } catch (error) {
    throw new Malformed('the answer is not JSON', { cause: error })
  }
  const answer = schema.safeParse(value)
  if (!answer.success) throw new Malformed('the answer has another shape', { cause: answer.error })
  return answer.data
}
