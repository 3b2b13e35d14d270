/** What threads.ts says to thread.ts, and hears from it. */
import type { RefusalCode } from '#shared/refusals.ts'

import type { ErrorFacts } from './error-facts.ts'

/** What a thread is started with. Without an address its tasks have no database. */
export interface ThreadData {
  databaseUrl: string | null
  niceness: number
  modules: readonly string[]
}

export interface Request {
  /** Told when the task begins. */
  id: number
  module: string
  name: string
  input: unknown
  now: Date
  hasDatabase: boolean
}

export type Answer =
  | { kind: 'done'; output: unknown }
  | { kind: 'refused'; code: RefusalCode; message: string; retryAfterSeconds?: number }
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
