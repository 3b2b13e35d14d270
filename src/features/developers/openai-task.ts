/** Answers in OpenAI's form. They grow with the transcript, so they are made in a thread. */
import { deserialize } from 'node:v8'

import type { Finished } from '#features/transcriptions/said.ts'

import { type OpenAiWish, eventsOf, toAnswer } from './openai.ts'

export interface AnswerRequest {
  /** A `Finished`, as the room of recordings has packed it. */
  packed: Uint8Array
  wish: OpenAiWish
  /** The part of the text that was sent while the work went on. */
  sent: string
}

const unpacked = (packed: Uint8Array) => deserialize(packed) as Finished

export function answer({ packed, wish }: AnswerRequest): { type: string; body: Uint8Array } {
  const { type, body } = toAnswer(unpacked(packed), wish)
  return { type, body: new TextEncoder().encode(body) }
}

/** All events that are left, one after the other, as they are sent. */
export function events({ packed, wish, sent }: AnswerRequest): Uint8Array {
  const said = unpacked(packed)
  const lines = [...eventsOf(said, wish, sent)].map((event) => `data: ${JSON.stringify(event)}\n\n`)
  return new TextEncoder().encode(lines.join(''))
}
