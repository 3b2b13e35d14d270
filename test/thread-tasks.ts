/** The tasks for the tests of threads. */
import { isMainThread } from 'node:worker_threads'

import { sql } from 'drizzle-orm'

import type { Tools } from '#server/threads.ts'
import { Refusal } from '#shared/refusals.ts'

export async function add({ a, b }: { a: number; b: number }, { db }: Tools) {
  const { rows } = await db.execute<{ sum: number }>(sql`select ${a}::int + ${b}::int as sum`)
  return { sum: rows[0]?.sum, isHere: isMainThread }
}

export function refuse(retryAfterSeconds: number): never {
  throw new Refusal('not_found', { retryAfterSeconds })
}

export function fail(): never {
  const cause = Object.assign(new Error('inside'), { code: '57P01' })
  throw new Error('outside', { cause })
}

/** Fails as a query does that the database refuses: it knows, and could tell, what was to be written. */
export async function write(words: string, { db }: Tools): Promise<void> {
  await db.execute(sql`select ${words}::text, ${words}::uuid`)
}

/** Dies of an error that nobody waits for. */
export function die(words: string): Promise<never> {
  void Promise.reject(new TypeError(words))
  return new Promise(() => undefined)
}

export function loop(): never {
  for (;;);
}

export function hoard(): never {
  const kept: number[][] = []
  for (;;) kept.push(Array.from({ length: 100_000 }, (_each, index) => index * 1.5))
}

/** Ends when somebody else has written into the array. */
export function wait(shared: Int32Array): void {
  Atomics.wait(shared, 0, 0)
}

/** Answers. When somebody writes into the array, its thread dies of an error that nobody waits for. */
export function dieWhenTold(shared: Int32Array): void {
  void Promise.resolve(Atomics.waitAsync(shared, 0, 0).value).then(() => {
    throw new Error('left behind')
  })
}
