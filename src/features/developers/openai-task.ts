/** Answers of OpenAI's form, made in a thread: they are as long as what was said. */
import { deserialize } from 'node:v8'

import type { Finished } from '#features/transcriptions/said.ts'

import { type OpenAiWish, eventsOf, toAnswer } from './openai.ts'

export interface AnswerRequest {
  /** A `Finished`, as the room of recordings has packed it. */
  packed: Uint8Array
  wish: OpenAiWish
  /** What was sent of the text while it was worked on. */
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
