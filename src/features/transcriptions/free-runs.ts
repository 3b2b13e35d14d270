/**
 * Telling speakers apart again is free, and so is transcribing again where the first try failed on
 * our side. So that nobody keeps the processor busy for nothing, a user has ten of them an hour.
 */
import type { Tx } from '#server/db.ts'
import * as limits from '#server/limits.ts'

const FREE_AN_HOUR = 10

/** @throws Refusal `too_many_free_runs`, with the time after which it goes on */
export async function take(tx: Tx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  const key = `free-run:${userId}`
  limits.refuseFull(await limits.take(tx, { key, limit: FREE_AN_HOUR, now }), 'too_many_free_runs')
}
