/** Copies a user's vocabulary for them, and deletes it with the account. */
import { eq } from 'drizzle-orm'

import type { Db } from '#server/db.ts'
import type { Erase, Exporter } from '#server/personal-data.ts'

import { vocabularies } from './tables.ts'
import * as vocabulary from './vocabulary.ts'

export function vocabularyExporter(db: Db): Exporter {
  const read = async (userId: string) => {
    const { revision, ...content } = await vocabulary.get(db, userId)
    return revision === 0 ? null : JSON.stringify(content, null, 2)
  }
  return {
    name: 'vocabulary',
    async sizeFor(userId) {
      const content = await read(userId)
      return { files: content === null ? 0 : 1, sizeBytes: Buffer.byteLength(content ?? '') }
    },
    async *exportFor(userId) {
      const content = await read(userId)
      if (content !== null) yield { path: 'vocabulary.json', content, modifiedAt: new Date() }
    },
  }
}

export const eraseVocabulary: Erase = async (tx, userId) => {
  const [row] = await tx.delete(vocabularies).where(eq(vocabularies.userId, userId)).returning()
  return { counts: { terms: row?.terms.length ?? 0, replacements: row?.replacements.length ?? 0 } }
}
