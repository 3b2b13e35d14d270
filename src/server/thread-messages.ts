/** What goes between threads.ts and the threads it starts. */
import { Refusal, type RefusalCode } from '#shared/refusals.ts'

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
  | { kind: 'failed'; error: CopiedError }

/** An error as it is copied between threads: the system's code would be lost on the way. */
export interface CopiedError {
  name: string
  message: string
  stack: string | undefined
  fields: Readonly<Record<string, string>>
  cause: CopiedError | null
}

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

export function copied(error: unknown): CopiedError {
  if (!(error instanceof Error)) return copied(new Error(String(error)))
  const { name, message, stack, cause } = error
  const fields = Object.entries(error).filter(([, value]) => typeof value === 'string')
  return {
    name,
    message,
    stack,
    fields: Object.fromEntries(fields),
    cause: cause instanceof Error ? copied(cause) : null,
  }
}

export function errorOf(answer: Exclude<ThreadAnswer, { kind: 'done' }>): Error {
  if (answer.kind === 'failed') return restored(answer.error)
  const { code, message, retryAfterSeconds } = answer
  return new Refusal(code, { message, ...(retryAfterSeconds ? { retryAfterSeconds } : {}) })
}

function restored({ name, message, stack, fields, cause }: CopiedError): Error {
  const error = new Error(message, cause ? { cause: restored(cause) } : {})
  return Object.assign(error, { name, ...fields, ...(stack === undefined ? {} : { stack }) })
}
