/** Copies a user's keys and webhooks for them, without the secrets, and deletes them with the account. */
import { eq } from 'drizzle-orm'

import type { Db } from '#server/db.ts'
import { forget } from '#server/limits.ts'
import { type Erase, type Exporter, jsonExporter } from '#server/personal-data.ts'

import * as keys from './keys.ts'
import { keyOf } from './limits.ts'
import { apiKeys, webhookEndpoints } from './tables.ts'
import * as webhooks from './webhooks.ts'

export const developersExporter = (db: Db): Exporter =>
  jsonExporter('keys and webhooks', async (userId) => [
    { path: 'api-keys.json', rows: await keys.list({ db }, userId) },
    { path: 'webhooks.json', rows: await webhooks.list({ db }, userId) },
  ])

/** Idempotency keys go with the account itself. */
export const eraseDevelopers: Erase = async (tx, userId) => {
  await forget(tx, [keyOf(userId)])
  const ended = await tx
    .delete(apiKeys)
    .where(eq(apiKeys.userId, userId))
    .returning({ id: apiKeys.id })
  const removed = await tx
    .delete(webhookEndpoints)
    .where(eq(webhookEndpoints.userId, userId))
    .returning({ id: webhookEndpoints.id })
  return { counts: { apiKeys: ended.length, webhooks: removed.length } }
}
