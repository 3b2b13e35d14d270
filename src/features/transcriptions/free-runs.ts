/**
 * Telling speakers apart again is free, and so is transcribing again where the first try failed on
 * our side. Nobody shall have the processor for nothing by that, so an hour has ten of them.
 */
import type { Tx } from '#server/db.ts'
import * as limits from '#server/limits.ts'

const FREE_AN_HOUR = 10

/** @throws Refusal `too_many_free_runs`, with the time after which it goes on */
export async function take(tx: Tx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  const key = `free-run:${userId}`
  limits.refuseFull(await limits.take(tx, { key, limit: FREE_AN_HOUR, now }), 'too_many_free_runs')
}
