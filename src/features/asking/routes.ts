/** The HTTP door of questions: asked as a call, or as a stream of what is answered. */
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { Done } from '#features/account/contract.ts'
import { userOf } from '#features/account/session-hook.ts'
import { whileConnected } from '#server/request-body.ts'
import type { Log } from '#server/log.ts'
import { serve } from '#server/serve.ts'
import { Refusal } from '#shared/refusals.ts'

import * as asking from './asking.ts'
import * as calls from './calls.ts'
import { Answered, Answers, Question } from './contract.ts'

const OfTranscription = z.object({ id: z.string().describe('The transcription.') })
const Id = z.object({ id: z.string().describe('The question.') })

const answered =
  'Answers in ordinary words. Every quote stands in the transcript letter for letter.'
const streamed =
  'With Accept: text/event-stream the answer comes while it is written: events sentence {text} and quote, each when it has passed the checks; then done with all of it, which alone is the answer, or failed {message}, after which nothing was counted. Closing the connection ends the question, which counts once a sentence has come. Costs no credits.'

export const askingRoutes: FastifyPluginAsyncZod<asking.Deps> = async (app, deps) => {
  serve(
    app,
    calls.askTranscription,
    {
      config: { atOnce: 'model' },
      schema: {
        operationId: 'askTranscription',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Ask a transcription',
        description: `${answered} ${streamed}`,
        refusals: [
          'not_finished',
          'words_hidden',
          'too_much_at_once',
          'server_busy',
          'too_much_work',
        ],
        params: OfTranscription,
        body: Question,
        response: { 200: Answered.describe('The answer, or passages that speak of it.') },
      },
    },
    async (request, reply) => {
      const { question } = request.body
      const asked = { userId: userOf(request).id, id: request.params.id, question }
      return answer(deps, asked, reply)
    },
  )

  serve(
    app,
    calls.listQuestionsOfTranscription,
    {
      schema: {
        operationId: 'listQuestionsOfTranscription',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'What a transcription was asked',
        description: 'The last 200 questions of its owner with their answers.',
        params: OfTranscription,
        response: { 200: Answers.describe('Questions and answers.') },
      },
    },
    async (request) => asking.list(deps, { userId: userOf(request).id, id: request.params.id }),
  )

  serve(
    app,
    calls.askLibrary,
    {
      config: { atOnce: 'model' },
      schema: {
        operationId: 'askLibrary',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Ask all transcriptions',
        description: `${answered} Quotes come from everything that the account has. ${streamed}`,
        refusals: ['words_hidden', 'too_much_at_once', 'server_busy', 'too_much_work'],
        body: Question,
        response: { 200: Answered.describe('The answer, or passages that speak of it.') },
      },
    },
    async (request, reply) =>
      answer(deps, { userId: userOf(request).id, id: null, ...request.body }, reply),
  )

  serve(
    app,
    calls.listQuestions,
    {
      schema: {
        operationId: 'listQuestions',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'What all transcriptions were asked',
        description: 'The last 200 questions to the whole library with their answers.',
        response: { 200: Answers.describe('Questions and answers.') },
      },
    },
    async (request) => asking.list(deps, { userId: userOf(request).id, id: null }),
  )

  serve(
    app,
    calls.deleteQuestion,
    {
      schema: {
        operationId: 'deleteQuestion',
        tags: ['Results'],
        scopes: ['write'],
        summary: 'Delete a question',
        description: 'With its answer. A question that a model answered stays counted.',
        params: Id,
        response: { 200: Done.describe('It is deleted.') },
      },
    },
    async (request) => {
      await asking.remove(deps, { userId: userOf(request).id, id: request.params.id })
      return { message: 'The question is deleted.' }
    },
  )
}

type AskRequest = Parameters<typeof asking.ask>[1]

async function answer(
  deps: asking.Deps,
  asked: AskRequest,
  reply: FastifyReply,
): Promise<Answered | FastifyReply> {
  const signal = whileConnected(reply)
  const accepts = reply.request.headers.accept ?? ''
  if (!/\btext\/event-stream\b/.test(accepts)) return asking.ask(deps, asked, { signal })
  return stream(deps, asked, { reply, signal })
}

/** Something is sent at least this often, so that no proxy takes the line for dead. */
const SIGN_OF_LIFE_MS = 10_000

/**
 * Answers as server-sent events. What is refused before anything was sent is refused as in any other
 * call; afterwards the status is gone, so that a failure is an event too.
 */
async function stream(
  deps: asking.Deps,
  asked: AskRequest,
  { reply, signal }: { reply: FastifyReply; signal: AbortSignal },
): Promise<FastifyReply> {
  const { raw } = reply
  let alive: NodeJS.Timeout | undefined
  const begin = () => {
    if (alive) return
    void reply.hijack()
    const headers = Object.entries(reply.getHeaders())
    for (const [name, value] of headers) if (value !== undefined) raw.setHeader(name, value)
    raw.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // nginx would keep it all until its end.
      'X-Accel-Buffering': 'no',
    })
    alive = setInterval(() => raw.write(': still working\n\n'), SIGN_OF_LIFE_MS)
  }
  const send = (event: string, data: unknown) => {
    begin()
    raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
  const waited = setTimeout(begin, SIGN_OF_LIFE_MS)
  try {
    const done = await asking.ask(deps, asked, {
      signal,
      tell(event) {
        if (event.kind === 'sentence') send('sentence', { text: event.text })
        else send('quote', event.quote)
      },
    })
    send('done', done satisfies Answered)
  } catch (error) {
    if (!alive) throw error
    send('failed', { message: messageOf(error, { log: deps.log, reply, signal }) })
  } finally {
    clearTimeout(waited)
    clearInterval(alive)
    if (alive) raw.end()
  }
  return reply
}

const BROKE_OFF = 'No answer this time. It was not counted. Please ask again.'

function messageOf(
  error: unknown,
  { log, reply, signal }: { log: Log; reply: FastifyReply; signal: AbortSignal },
): string {
  if (error instanceof Refusal) return error.message
  if (!signal.aborted) log.error({ requestId: reply.request.id, err: error }, 'an answer broke off')
  return BROKE_OFF
}
