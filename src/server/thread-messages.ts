/** What goes between threads.ts and the threads it starts. */
import { Refusal, type RefusalCode } from '#shared/refusals.ts'

import { type ErrorFacts, errorFrom } from './error-facts.ts'

/** What a thread is started with. Without an address its tasks have no database. */
export interface ThreadData {
  databaseUrl: string | null
  niceness: number
}

export interface ThreadRequest {
  module: string
  name: string
  input: unknown
  now: Date
}

export type ThreadAnswer =
  | { kind: 'done'; output: unknown }
  | { kind: 'refused'; code: RefusalCode; message: string; retryAfterSeconds: number | undefined }
  /** The thread's own error would lose its class on the way, and with it what may be said of it. */
  | { kind: 'failed'; error: ErrorFacts }

/** What is handed over instead of copied: bytes that share their memory with nothing else. */
export function bytesIn(value: unknown): ArrayBuffer[] {
  if (typeof value !== 'object' || value === null) return []
  const parts = value instanceof Uint8Array ? [value] : Object.values(value)
  return parts.flatMap((part) =>
    part instanceof Uint8Array &&
    part.buffer instanceof ArrayBuffer &&
    part.byteLength === part.buffer.byteLength
      ? [part.buffer]
      : [],
  )
}

export function errorOf(answer: Exclude<ThreadAnswer, { kind: 'done' }>): Error {
  if (answer.kind === 'failed') return errorFrom(answer.error)
  const { code, message, retryAfterSeconds } = answer
  return new Refusal(code, { message, ...(retryAfterSeconds ? { retryAfterSeconds } : {}) })
}
