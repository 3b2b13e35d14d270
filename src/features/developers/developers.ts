/** Takes words of a recording out of what was sent to its owner's programs: messages, and answers kept for a day. */
import { and, eq, inArray, isNotNull, like } from 'drizzle-orm'

import type { Tx } from '#server/db.ts'
import { type Hiding, hideInJson } from '#shared/hidden-words.ts'

import { idempotencyKeys, webhookDeliveries, webhookEndpoints } from './tables.ts'

/** Answers how many places are hidden. */
export async function hideWords(
  tx: Tx,
  { userId, transcriptionId, hide, count }: Hiding,
): Promise<number> {
  const before = count()
  const namesIt = `%${transcriptionId}%`
  const endpoints = tx
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.userId, userId))
  const messages = await tx
    .select({ id: webhookDeliveries.id, body: webhookDeliveries.body })
    .from(webhookDeliveries)
    .where(
      and(inArray(webhookDeliveries.endpointId, endpoints), like(webhookDeliveries.body, namesIt)),
    )
  for (const { id, body } of messages) {
    const hidden = hideInJson(body, hide)
    if (hidden !== body)
      await tx.update(webhookDeliveries).set({ body: hidden }).where(eq(webhookDeliveries.id, id))
  }
  const isTheirs = eq(idempotencyKeys.userId, userId)
  // An answer such as an action item does not say of which recording it is. They are kept for a day.
  const answers = await tx
    .select({ key: idempotencyKeys.key, body: idempotencyKeys.body })
    .from(idempotencyKeys)
    .where(and(isTheirs, isNotNull(idempotencyKeys.body)))
  for (const { key, body } of answers) {
    const hidden = body && hideInJson(body, hide)
    if (hidden !== body)
      await tx
        .update(idempotencyKeys)
        // The request of which it is the hash can be guessed.
        .set({ body: hidden, fingerprint: null })
        .where(and(isTheirs, eq(idempotencyKeys.key, key)))
  }
  return count() - before
}
