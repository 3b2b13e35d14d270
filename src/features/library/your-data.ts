/** All tags of a user with their recordings, for the copy of everything that an account keeps. */
import { and, asc, eq, isNull } from 'drizzle-orm'

import { transcriptions, tags, transcriptionTags } from '#features/row/tables.ts'
import type { Db } from '#server/db.ts'
import { type Exporter, jsonExporter } from '#server/personal-data.ts'

export const tagsExporter = (db: Db): Exporter =>
  jsonExporter('tags', async (userId) => {
    const found = await db
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
    const rows = [...Map.groupBy(found, ({ tag }) => tag.id).values()].map((ofIt) => ({
      name: ofIt[0]?.tag.name,
      colour: ofIt[0]?.tag.colour,
      recordings: ofIt.flatMap(({ recording }) => recording ?? []),
    }))
    return [{ path: 'tags.json', rows }]
  })
