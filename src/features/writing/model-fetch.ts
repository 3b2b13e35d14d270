/** How language models are called: no redirect is followed, and no answer is read without end. */
import { APICallError } from 'ai'

import { patientFetch } from '#server/patient-fetch.ts'

/** No summary or document is this long. A longer answer is not read to its end. */
export const MOST_BYTES = 1024 * 1024
/** A streamed answer takes some 300 bytes for each token, and for each token of thought before it. */
const MOST_STREAMED_BYTES = 32 * MOST_BYTES

/** An answer that is longer than any that is of use. */
export class TooLongAnswer extends Error {}

type Fetch = typeof patientFetch

/** Stops reading at `MOST_BYTES`. */
export const boundedFetch: Fetch = async (input, init) => {
  const response = await patientFetch(input, { ...init, redirect: 'error' })
  if (!response.body) return response
  const most = isStreamed(response) ? MOST_STREAMED_BYTES : MOST_BYTES
  let bytes = 0
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > most) controller.error(new TooLongAnswer())
        else controller.enqueue(chunk)
      },
    }),
  )
  return withBody(bounded, response)
}

/**
 * For a question whose answer is to be streamed. A server that refuses to stream is asked once more
 * for the whole, and a whole answer is handed on as a stream of one piece.
 */
export const streamedFetch: Fetch = async (input, init) => {
  const response = await boundedFetch(input, init)
  if (response.ok) return isStreamed(response) ? response : inOnePiece(response, input)
  if (response.status !== 400 && response.status !== 422) return response
  const said = await response.text()
  const [refused] = /stream_options|include_usage|\bstream/i.exec(said) ?? []
  const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null
  if (!refused || !isObject(body) || !('stream' in body)) return withBody(said, response)
  const { stream, stream_options: _counted, ...others } = body
  const isOfCount = /_/.test(refused) && 'stream_options' in body
  return streamedFetch(input, {
    ...init,
    body: JSON.stringify(isOfCount ? { ...others, stream } : others),
  })
}

const isStreamed = ({ headers }: Response): boolean =>
  headers.get('content-type')?.includes('event-stream') ?? false

/** The whole answer of a server that does not stream, or streams without saying so. */
async function inOnePiece(response: Response, input: Parameters<Fetch>[0]) {
  const said = await response.text()
  if (said.startsWith('data:')) return withBody(said, response)
  const whole = wholeIn(said)
  if (!whole)
    throw new APICallError({
      message: 'the answer of the language model is none of a chat server',
      url: input instanceof Request ? input.url : String(input),
      requestBodyValues: {},
      statusCode: response.status,
      responseBody: said,
    })
  const choices = whole.choices.map((choice: unknown) =>
    isObject(choice)
      ? { ...choice, delta: choice['message'], finish_reason: choice['finish_reason'] ?? 'stop' }
      : choice,
  )
  return withBody(`data: ${JSON.stringify({ ...whole, choices })}\n\ndata: [DONE]\n\n`, response)
}

function wholeIn(said: string): { choices: unknown[] } | null {
  try {
    const whole: unknown = JSON.parse(said)
    return isObject(whole) && Array.isArray(whole['choices'])
      ? { ...whole, choices: whole['choices'] }
      : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const withBody = (
  body: string | ReadableStream,
  { status, statusText, headers }: Response,
): Response => new Response(body, { status, statusText, headers })
