/** Asks a question, and reads the answer while it is written. */
import type { Answered, Quote } from '../contract.ts'
import type { Asked } from './queries.ts'

export interface Listener {
  onSentence: (text: string) => void
  onQuote: (quote: Quote) => void
}

/** The server gave up after the answer had begun. Its message says why; nothing was counted. */
export class GivenUp extends Error {}

/**
 * Each sentence and quote is told as soon as it has come; the answer is the whole.
 * @throws ApiError, GivenUp, and what a broken connection throws
 */
export async function ask(
  asked: Asked,
  { question, signal, ...listener }: Listener & { question: string; signal: AbortSignal },
): Promise<Answered> {
  const accept = 'text/event-stream'
  const response = await asked.ask({ body: { question }, accept, signal })
  const isStream = response.headers.get('Content-Type')?.startsWith(accept)
  if (!isStream || !response.body) return (await response.json()) as Answered
  return readAnswer(response.body, listener)
}

/** Reads the events of an answer. @throws GivenUp */
export async function readAnswer(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { onSentence, onQuote }: Listener,
): Promise<Answered> {
  for await (const { event, data } of eventsIn(body))
    switch (event) {
      case 'sentence':
        onSentence((data as { text: string }).text)
        break
      case 'quote':
        onQuote(data as Quote)
        break
      case 'done':
        return data as Answered
      case 'failed':
        throw new GivenUp((data as { message: string }).message)
    }
  throw new Error('the answer broke off before its end')
}

/** The events of a stream, wherever the network has cut it. Comments, which keep it open, are none. */
async function* eventsIn(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<{ event: string; data: unknown }> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let held = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const parts = (held + value).split('\n\n')
      held = parts.pop() ?? ''
      for (const part of parts) {
        const fields = new Map(
          part.split('\n').map((line) => {
            const [, name = '', text = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
            return [name, text]
          }),
        )
        const data = fields.get('data')
        if (data !== undefined)
          yield { event: fields.get('event') ?? 'message', data: JSON.parse(data) }
      }
    }
  } finally {
    await reader.cancel()
  }
}
