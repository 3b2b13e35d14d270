/** The messages between threads.ts and thread.ts. */
import type { RefusalCode } from '#shared/refusals.ts'

import type { ErrorFacts } from './error-facts.ts'

/** The data with which a thread starts. Without an address its tasks have no database. */
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
  /**
   * The thread's own error would lose its class on the way, and with it the facts that may be told of
   * it.
   */
  | { kind: 'failed'; error: ErrorFacts }

/** The bytes that are handed over instead of copied: they share their memory with nothing else. */
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
