import { setTimeout as sleep } from 'node:timers/promises'

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import { file } from '#server/api-schema.ts'
import type { Log } from '#server/log.ts'
import { type Task, tasksIn } from '#server/threads.ts'
import { BRAND } from '#shared/business.ts'
import { Refusal, uploadRefusals } from '#shared/refusals.ts'

import { Model, Models, OpenAiFields } from './contract.ts'
import { type DirectDeps, creditHeaders, takeRecording } from './direct-call.ts'
import * as idempotency from './idempotency.ts'
import type * as tasks from './openai-task.ts'
import { modelNames, readWish } from './openai.ts'

const task = tasksIn<typeof tasks>(new URL('./openai-task.ts', import.meta.url))

/** The record under an Idempotency-Key: the transcription that the call began, and its cost. */
const Kept = z.object({ id: z.uuid(), creditsDeducted: z.int(), creditsRemaining: z.int() })

const LOOK_MS = 250
/** Each look at the words heard so far is work for a thread. */
const LISTEN_MS = 1_000
/** An empty line, sent so that no proxy takes the connection for dead while the work goes on. */
const SIGN_OF_LIFE_MS = 15_000

/**
 * Puts every error below /v1/ into OpenAI's shape, also of addresses that are not there. To be added
 * before the routes.
 */
export function answerAsOpenAi(app: FastifyInstance): void {
  app.addHook('preSerialization', async ({ url }, reply, payload) => {
    if (!url.startsWith('/v1/') || reply.statusCode < 400) return payload
    const { success, data } = OurError.safeParse(payload)
    if (!success) return payload
    const { code, message, field = null } = data
    const isUnknown = code === 'not_found' || code === 'method_not_allowed'
    if (code === 'not_signed_in') return { error: errorOf(401, WRONG_KEY, 'invalid_api_key') }
    if (isUnknown && reply.request.routeOptions.url?.startsWith('/v1/') !== true)
      return { error: errorOf(reply.statusCode, CALLS, 'unknown_url') }
    return { error: errorOf(reply.statusCode, message, code, field) }
  })
}

const WRONG_KEY =
  'This key is not known here, or none was sent. Send it as Authorization: Bearer KEY; keys are made under Account. Nothing was charged.'
const CALLS =
  'This server has POST /v1/audio/transcriptions, GET /v1/models and GET /v1/models/{model} of this API. It does not translate. Nothing was charged.'

/** The calls of OpenAI's speech API. Their answers come when the work is done. */
export const openAiRoutes: FastifyPluginAsyncZod<DirectDeps> = async (app, deps) => {
  const models = modelNames.map((id): z.infer<typeof Model> => ({
    id,
    object: 'model',
    created: 0,
    owned_by: BRAND,
  }))
  app.get(
    '/v1/models',
    {
      schema: {
        operationId: 'listModels',
        tags: ['OpenAI-compatible'],
        scopes: ['read'],
        summary: 'List models',
        response: { 200: Models.describe('The names that programs know.') },
      },
    },
    async () => ({
      object: 'list' as const,
      data: models,
    }),
  )

  app.get(
    '/v1/models/:model',
    {
      schema: {
        operationId: 'getModel',
        tags: ['OpenAI-compatible'],
        scopes: ['read'],
        summary: 'Get a model',
        params: z.object({ model: z.string() }),
        response: { 200: Model.describe('The model.') },
      },
    },
    async (request) => {
      const model = models.find(({ id }) => id === request.params.model)
      if (!model) throw new Refusal('not_found')
      return model
    },
  )

  app.post(
    '/v1/audio/transcriptions',
    {
      config: { form: OpenAiFields, atOnce: 'by_route', idempotency: 'by_route' },
      schema: {
        operationId: 'createSpeechTranscription',
        tags: ['OpenAI-compatible'],
        scopes: ['read', 'write'],
        summary: 'Transcribe as OpenAI does',
        description:
          "For programs made for OpenAI's speech API: set their base URL to this server's /v1. The answer comes when the work is done; the transcription is in the account as well. The same call without an Idempotency-Key, sent again before the first is finished or within ten minutes after it, gets the same transcription and is charged once.",
        answerHeaders: {
          ...creditHeaders,
          'X-Transcription-Id': 'Its id for the other calls.',
          'X-Ignored-Fields':
            'Fields of the form that this server makes no use of, with commas between them.',
        },
        refusals: [
          ...uploadRefusals,
          'too_many_unpaid_jobs',
          'unusable_recording',
          'transcription_failed',
          'answer_not_written',
        ],
        response: {
          200: file(
            'In the format that was asked for.',
            'application/json',
            'text/plain',
            'text/event-stream',
          ),
        },
      },
    },
    async (request, reply) => {
      const { id: userId } = userOf(request)
      const { asked, written, unkeyed } = await takeRecording(deps, request, reply, {
        userId,
        read: readWish,
        write: ({ transcription: { id }, creditsDeducted, creditsRemaining }) =>
          JSON.stringify({ id, creditsDeducted, creditsRemaining }),
        // OpenAI's clients send a call again when it takes them too long, and send no key with it.
        isStillGood: (earlier) =>
          isUnfailed(deps, { userId, id: Kept.parse(JSON.parse(earlier)).id }),
      })
      const { id, creditsDeducted, creditsRemaining } = Kept.parse(JSON.parse(written))
      // Names of fields may have letters that no header takes.
      const ignored = asked.ignored
        .map((name) => (name === 'terms' ? 'prompt' : name))
        .filter((name) => /^[\w-]{1,60}$/.test(name))
      void reply.headers({
        'X-Credits-Charged': creditsDeducted,
        'X-Credits-Remaining': creditsRemaining,
        'X-Transcription-Id': id,
        ...(ignored.length > 0 ? { 'X-Ignored-Fields': ignored.join(', ') } : {}),
      })
      const isGone = () => reply.raw.destroyed
      /** Waits for the work, which is charged then, and writes the answer to it. */
      const finish = async <Answer>(
        write: Task<tasks.AnswerRequest, Answer>,
        heard: Heard = { look: async () => undefined, sent: () => '', everyMs: LOOK_MS },
      ): Promise<Answer> => {
        await whenFinished(deps, { userId, id }, { isGone, ...heard })
        if (unkeyed) await idempotency.endSoon(deps.db, unkeyed, written)
        try {
          const packed = await deps.recordings.read({ userId, id })
          const options = { owner: userId, kind: 'answer', most: Infinity }
          return await deps.threads.run(write, { packed, wish: asked, sent: heard.sent() }, options)
        } catch (error) {
          throw isTooMuch(error) ? new Refusal('answer_not_written', { cause: error }) : error
        }
      }
      if (asked.isStreamed)
        return stream(deps.log, reply, (send) => {
          // The speakers are known only at the end.
          if (asked.format === 'diarized_json') return finish(task('events'))
          return finish(task('events'), listen(deps, { userId, id }, send))
        })

      const { type, body } = await finish(task('answer'))
      return reply.type(type).send(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
    },
  )
}

/** Whether a transcription is there and has not failed: it is paid for. */
async function isUnfailed(
  { recordings }: DirectDeps,
  owned: { userId: string; id: string },
): Promise<boolean> {
  try {
    return (await recordings.progress(owned)).status !== 'error'
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return false
    throw error
  }
}

/** This refusal says that nothing was charged, which is not true of a finished transcription. */
const isTooMuch = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'too_much_work'

interface Heard {
  look: () => Promise<void>
  everyMs: number
  /** The text that was sent. */
  sent: () => string
}

/** Sends the words heard in a running transcription, as far as they go on from those sent before. */
function listen(
  { recordings }: DirectDeps,
  owned: { userId: string; id: string },
  send: (event: object) => void,
): Heard {
  let sent = ''
  let turns: string[] = []
  let asked = { from: 0, readTo: 0 }
  return {
    everyMs: LISTEN_MS,
    sent: () => sent,
    async look() {
      try {
        const found = await recordings.soFar({ ...owned, ...asked })
        const added = found.turns.map(({ text }) => text)
        turns = found.from === 0 ? added : [...turns, ...added]
        asked = { from: found.next, readTo: found.readTo }
      } catch (error) {
        // It is over, or the threads are busy: the next look at its status tells.
        if (error instanceof Refusal) return
        throw error
      }
      const text = turns.join(' ')
      if (!text.startsWith(sent) || text === sent) return
      send({ type: 'transcript.text.delta', delta: text.slice(sent.length) })
      sent = text
    },
  }
}

/** @throws Refusal when the work failed; its credits are back by then */
async function whenFinished(
  { recordings }: DirectDeps,
  owned: { userId: string; id: string },
  { isGone, look, everyMs }: { isGone: () => boolean } & Pick<Heard, 'look' | 'everyMs'>,
): Promise<void> {
  for (;;) {
    const { status, errorMessage, errorCode } = await recordings.progress(owned)
    if (status === 'completed') return
    if (status === 'error')
      throw new Refusal(
        // Programs try again by themselves after a 500, which would end the same for a recording that
        // is itself the reason.
        errorCode === null ? 'transcription_failed' : 'unusable_recording',
        errorMessage ? { message: errorMessage } : {},
      )
    // The work goes on, and its result is in the account, but its client does not wait any more.
    if (isGone()) throw new Error('the client went away before its transcription was finished')
    await look()
    await sleep(everyMs)
  }
}

/** Names no credits, because the work may have ended in any way. */
const BROKE_OFF =
  'Something broke on our side. The transcription goes on, or is done: ask for it by its X-Transcription-Id.'

/** Server-sent events: the answer has begun when the work has, so a failure comes as an event too. */
async function stream(
  log: Log,
  reply: FastifyReply,
  finish: (send: (event: object) => void) => Promise<Uint8Array>,
): Promise<FastifyReply> {
  const { raw } = reply.hijack()
  const headers = Object.entries(reply.getHeaders())
  for (const [name, value] of headers) if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
  raw.write(': the work has begun\n\n')
  const alive = setInterval(() => raw.write(': still working\n\n'), SIGN_OF_LIFE_MS)
  const send = (data: object) => raw.write(`data: ${JSON.stringify(data)}\n\n`)
  try {
    raw.write(await finish(send))
  } catch (error) {
    const isOurs = !(error instanceof Refusal)
    if (isOurs) log.info({ requestId: reply.request.id, err: error }, 'a stream broke off')
    const told = isOurs
      ? errorOf(500, BROKE_OFF, null)
      : errorOf(error.status, error.message, error.code)
    send({ type: 'error', error: told })
  } finally {
    clearInterval(alive)
    raw.end()
  }
  return reply
}

const OurError = z.object({
  message: z.string(),
  code: z.string(),
  field: z.string().optional(),
})

interface OpenAiError {
  message: string
  type: string
  param: string | null
  code: string | null
}

function errorOf(
  status: number,
  message: string,
  code: string | null,
  param: string | null = null,
): OpenAiError {
  const otherwise = status >= 500 ? 'server_error' : 'invalid_request_error'
  return { message, type: errorTypes[status] ?? otherwise, param, code }
}

const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
}
