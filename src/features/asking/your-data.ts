/** Copies and deletes the data that this room keeps about a user. */
import { asc, eq } from 'drizzle-orm'

import type { Db } from '#server/db.ts'
import type { Erase, Exporter } from '#server/personal-data.ts'

import { askedModel, questions } from './tables.ts'

export function questionsExporter(db: Db): Exporter {
  const read = async (userId: string) => {
    const rows = await db
      .select()
      .from(questions)
      .where(eq(questions.userId, userId))
      .orderBy(asc(questions.createdAt), asc(questions.id))
    const asked = rows.map(({ userId: _user, answer, ...row }) => ({ ...row, ...answer }))
    return { last: rows.at(-1), content: JSON.stringify(asked, null, 2) }
  }
  return {
    name: 'questions',
    async sizeFor(userId) {
      const { last, content } = await read(userId)
      return last ? { files: 1, sizeBytes: Buffer.byteLength(content) } : { files: 0, sizeBytes: 0 }
    },
    async *exportFor(userId) {
      const { last, content } = await read(userId)
      if (last) yield { path: 'questions.json', content, modifiedAt: last.createdAt }
    },
  }
}

export const eraseQuestions: Erase = async (tx, userId) => {
  await tx.delete(askedModel).where(eq(askedModel.userId, userId))
  const gone = await tx
    .delete(questions)
    .where(eq(questions.userId, userId))
    .returning({ id: questions.id })
  return { counts: { questions: gone.length } }
}
