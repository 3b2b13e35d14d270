/** What this room keeps about a user: a copy without what opens anything, and its end. */
import { eq } from 'drizzle-orm'

import type { Db } from '#server/db.ts'
import { forget } from '#server/limits.ts'
import type { Erase, Exporter } from '#server/personal-data.ts'

import * as keys from './keys.ts'
import { keyOf } from './limits.ts'
import { apiKeys, webhookEndpoints } from './tables.ts'
import * as webhooks from './webhooks.ts'

export function developersExporter(db: Db): Exporter {
  const read = async (userId: string) => ({
    'api-keys.json': await keys.list({ db }, userId),
    'webhooks.json': await webhooks.list({ db }, userId),
  })
  const files = async (userId: string) =>
    Object.entries(await read(userId))
      .filter(([, rows]) => rows.length > 0)
      .map(([path, rows]) => ({ path, content: JSON.stringify(rows, null, 2) }))
  return {
    name: 'keys and webhooks',
    async sizeFor(userId) {
      const all = await files(userId)
      const sizeBytes = all.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
      return { files: all.length, sizeBytes }
    },
    async *exportFor(userId) {
      const modifiedAt = new Date()
      for (const file of await files(userId)) yield { ...file, modifiedAt }
    },
  }
}

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
