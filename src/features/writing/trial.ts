/**
 * Tries a language model as its operator: two sentences of ours go the way of every summary, with its
 * instructions and its checks. Nothing of a user is sent. The outcome is told in words, a refused
 * answer too, because an operator who sets up a model must see what it wrote.
 */
import { APICallError } from 'ai'
import { z } from 'zod'

import type { Log } from '#server/log.ts'
import { languageName } from '#shared/format.ts'

import { type Chat, type ChatSettings, ChatFailed, openChat } from './chat.ts'
import type { WritingTurn } from './contract.ts'
import { guessLanguage } from './languages.ts'
import * as llm from './llm.ts'
import { contextOf } from './model-servers.ts'
import { plainLine, plainText } from './plain.ts'

export interface Trial {
  /** Why the answer would not be shown, or why there is none; null: it would be. */
  why: string | null
  /** Plain text; null where there is none that can be read. */
  answer: string | null
  /** ISO 639-1 of the answer. */
  language: string | null
  ms: number
  calls: number
  /** 0 where the server does not count them. */
  tokensIn: number
  tokensOut: number
  /** How much the server reads at once, by its own word; null where it does not say. */
  context: { server: string; tokens: number } | null
}

const turns: readonly WritingTurn[] = [
  {
    speaker: 'Ada',
    text: 'The ferry to the island was late again this morning, so we waited at the harbour for an hour.',
    startMs: 0,
    endMs: 6_000,
  },
  {
    speaker: 'Ben',
    text: 'I will call the ferry office on Friday and ask them for a larger boat.',
    startMs: 6_500,
    endMs: 11_000,
  },
]

/** Proxies wait ten minutes for an answer, people less. */
const LONGEST_MS = 5 * 60_000
const PAUSE_MS = 200
const LONGEST_ANSWER = 2_000

const Summary = z.object({ summary: z.string() })

export async function tryModel(
  given: ChatSettings,
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<Trial> {
  const timeoutMs = Math.min(given.timeoutMs, LONGEST_MS)
  const settings = { ...given, timeoutMs, pauseMs: PAUSE_MS }
  const chat = openChat(settings, log)
  let answer: string | null = null
  const overheard: Chat = {
    ...chat,
    ask: ({ check, ...question }) =>
      chat.ask({
        ...question,
        check: (notes, tries) => {
          answer = Summary.safeParse(notes).data?.summary ?? answer
          return check(notes, tries)
        },
      }),
  }
  const order = { turns, language: 'en', requestedLanguage: 'en', written: 'en', spoken: 'en' }
  const within = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])
  const began = performance.now()
  let why: string | null = null
  try {
    answer = (await llm.summarize(overheard, order, { signal: within })).text
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ChatFailed) why = whyNot(error, settings)
    else if (within.aborted) why = slow(LONGEST_MS)
    else throw error
  }
  const ms = Math.round(performance.now() - began)
  const { calls, tokensIn, tokensOut } = chat.spent()
  const shown = answer === null ? null : plainText(answer, LONGEST_ANSWER) || null
  return {
    why,
    answer: shown,
    language: shown && guessLanguage(shown),
    ms,
    calls,
    tokensIn,
    tokensOut,
    context: await contextOf(settings),
  }
}

const slow = (ms: number): string =>
  `It had not answered after ${Math.round(ms / 1000)} seconds. It may still be loading: try it once more. If it stays so slow, take a smaller model, or raise LLM_TIMEOUT_SECONDS.`

/** In plain words, with what the server said itself, which is the operator's own to read. */
function whyNot({ reason, cause }: ChatFailed, settings: ChatSettings): string {
  const { model, contextTokens, timeoutMs } = settings
  const { status, code, isPage, isRedirect, words } = factsOf(cause, settings)
  const itsWords = words === '' ? '' : ` It said: ${words}`
  switch (reason) {
    case 'slow':
      return slow(timeoutMs)
    case 'down':
      if (status !== undefined) return `The server is there and broke (${status}).${itsWords}`
      if (isRedirect)
        return 'It sends its callers elsewhere, and that is not followed. LLM_BASE_URL must be the address itself.'
      return unreachable[code ?? ''] ?? 'The connection broke before there was an answer.'
    case 'busy':
      return `It has no time or no quota (${status}): it said "try again later" every time.${itsWords}`
    case 'refused':
      if (status === 401 || status === 403)
        return `It does not take the key (${status}). Look at LLM_API_KEY.${itsWords}`
      if (status === 404)
        return `It knows no model ${model}, or LLM_BASE_URL lacks its end, which is /v1 for most servers (404).${itsWords}`
      return `It does not take the question (${status}).${itsWords}`
    case 'too_long':
      return `It reads less at once than the ${contextTokens.toLocaleString('en-US')} tokens of LLM_CONTEXT_TOKENS. Give the server a larger context, or lower that.${itsWords}`
    case 'nonsense':
      return isPage
        ? 'It answered with a web page. LLM_BASE_URL leads to a page, not to a chat server: most end with /v1.'
        : 'Its answer is not in the form that is asked for (JSON). Such a model is too small, or it is not one that follows instructions.'
    case 'cut':
      return 'Its answer broke off at its limit. It says too much, or thinks aloud before it answers: take one that does not.'
    case 'empty':
      return 'Its answer was empty.'
    case 'placeholder':
      return 'It wrote a placeholder in the place of a summary.'
    case 'repeats':
      return 'It said the same again and again.'
    case 'prompt':
      return 'It repeated its instructions.'
    case 'markup':
      return 'It wrote a web page in the place of a summary.'
    case 'language':
      return 'It was to write English and wrote another language.'
    case 'invented':
      return 'It made up names, numbers or quotes that nobody said.'
    case 'bounds':
      return 'It did not keep to the number of words.'
    case 'numbering':
      return 'It did not keep to the numbers that it was given.'
  }
}

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there. Start the server, or check host and port of LLM_BASE_URL.',
  ENOTFOUND: 'There is no host of that name. Check LLM_BASE_URL.',
  EAI_AGAIN: 'The name of its host could not be looked up. Check LLM_BASE_URL.',
  ETIMEDOUT: 'It cannot be reached. A firewall may be in between, or the port is another.',
  EHOSTUNREACH: 'Its host cannot be reached.',
  ENETUNREACH: 'Its network cannot be reached.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is not one that this machine trusts.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'It speaks no TLS: LLM_BASE_URL begins with http://.',
}

const LONGEST_WORDS = 300
const DEPTH = 6

function factsOf(error: unknown, { apiKey }: ChatSettings) {
  let code: string | undefined
  let isRedirect = false
  for (let at = error, depth = 0; at instanceof Error && depth < DEPTH; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') code ??= at.code
    isRedirect ||= at.message.includes('redirect')
  }
  const { statusCode: status, responseBody: body = '' } = APICallError.isInstance(error)
    ? error
    : {}
  const isPage = /^\s*<(?:!doctype|html)/i.test(body)
  const [, message = body] = /"(?:message|error)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body) ?? []
  const said = apiKey ? message.replaceAll(apiKey, '…') : message
  const words = isPage ? '' : plainLine(said, LONGEST_WORDS)
  return { status, code, isPage, isRedirect, words }
}

/** The figures of a trial beside its answer: "3.2 s · English · 412 tokens read, 96 written". */
export function factsIn({ ms, language, calls, tokensIn, tokensOut }: Trial): string {
  const figure = (count: number) => count.toLocaleString('en-US')
  return [
    `${(ms / 1000).toFixed(1)} s`,
    ...(language ? [languageName(language)] : []),
    ...(tokensIn + tokensOut > 0
      ? [`${figure(tokensIn)} tokens read, ${figure(tokensOut)} written`]
      : []),
    `asked ${calls === 1 ? 'once' : `${calls} times`}`,
  ].join(' · ')
}
