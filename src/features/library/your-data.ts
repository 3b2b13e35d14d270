/** All tags of a user with their recordings, for the copy of everything that an account keeps. */
import { and, asc, eq, isNull } from 'drizzle-orm'

import { transcriptions, tags, transcriptionTags } from '#features/transcriptions/tables.ts'
import type { Db } from '#server/db.ts'
import type { Exporter } from '#server/personal-data.ts'

export function tagsExporter(db: Db): Exporter {
  const read = async (userId: string) => {
    const rows = await db
      .select({
        tag: { id: tags.id, name: tags.name, colour: tags.colour },
        recording: { id: transcriptions.id, name: transcriptions.originalName },
      })
      .from(tags)
      .leftJoin(transcriptionTags, eq(transcriptionTags.tagId, tags.id))
      .leftJoin(
        transcriptions,
        and(
          eq(transcriptions.id, transcriptionTags.transcriptionId),
          eq(transcriptions.userId, userId),
          isNull(transcriptions.deletedAt),
        ),
      )
      .where(eq(tags.userId, userId))
      .orderBy(asc(tags.nameKey), asc(transcriptions.createdAt), asc(transcriptions.id))
    if (rows.length === 0) return null
    const each = [...Map.groupBy(rows, ({ tag }) => tag.id).values()].map((ofIt) => ({
      name: ofIt[0]?.tag.name,
      colour: ofIt[0]?.tag.colour,
      recordings: ofIt.flatMap(({ recording }) => recording ?? []),
    }))
    return JSON.stringify(each, null, 2)
  }
  return {
    name: 'tags',
    async sizeFor(userId) {
      const content = await read(userId)
      return { files: content === null ? 0 : 1, sizeBytes: Buffer.byteLength(content ?? '') }
    },
    async *exportFor(userId) {
      const content = await read(userId)
      if (content !== null) yield { path: 'tags.json', content, modifiedAt: new Date() }
    },
  }
}
