/** Copies a user's links for them, and deletes them with the account. */
import { asc, eq } from 'drizzle-orm'

import type { Db } from '#server/db.ts'
import type { Erase, Exporter } from '#server/personal-data.ts'

import { shares } from './tables.ts'

export function sharesExporter(db: Db): Exporter {
  const read = async (userId: string) => {
    const rows = await db
      .select()
      .from(shares)
      .where(eq(shares.userId, userId))
      .orderBy(asc(shares.createdAt))
    const links = rows.map(({ userId: _user, tokenHash: _token, passwordHash, ...link }) => ({
      ...link,
      hasPassword: passwordHash !== null,
    }))
    return { last: rows.at(-1), content: JSON.stringify(links, null, 2) }
  }
  return {
    name: 'links',
    async sizeFor(userId) {
      const { last, content } = await read(userId)
      return last ? { files: 1, sizeBytes: Buffer.byteLength(content) } : { files: 0, sizeBytes: 0 }
    },
    async *exportFor(userId) {
      const { last, content } = await read(userId)
      if (last) yield { path: 'links.json', content, modifiedAt: last.createdAt }
    },
  }
}

/** No link of the account opens any more, from the moment the account ends. */
export const eraseShares: Erase = async (tx, userId) => {
  const gone = await tx.delete(shares).where(eq(shares.userId, userId)).returning({ id: shares.id })
  return { counts: { links: gone.length } }
}
