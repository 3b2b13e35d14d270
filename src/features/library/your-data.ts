/** All tags of a user with their recordings, for the copy of everything that an account keeps. */
import { and, asc, eq } from 'drizzle-orm'

import { shownRows, tags, transcriptionTags } from '#features/row/row.ts'
import type { Db } from '#server/db.ts'
import { type Exporter, jsonExporter } from '#server/personal-data.ts'

export const tagsExporter = (db: Db): Exporter =>
  jsonExporter('tags', async (userId) => {
    const found = await db
      .select({
        tag: { id: tags.id, name: tags.name, colour: tags.colour },
        recording: { id: shownRows.id, name: shownRows.originalName },
      })
      .from(tags)
      .leftJoin(transcriptionTags, eq(transcriptionTags.tagId, tags.id))
      .leftJoin(
        shownRows,
        and(eq(shownRows.id, transcriptionTags.transcriptionId), eq(shownRows.userId, userId)),
      )
      .where(eq(tags.userId, userId))
      .orderBy(asc(tags.nameKey), asc(shownRows.createdAt), asc(shownRows.id))
    const rows = [...Map.groupBy(found, ({ tag }) => tag.id).values()].map((ofIt) => ({
      name: ofIt[0]?.tag.name,
      colour: ofIt[0]?.tag.colour,
      recordings: ofIt.flatMap(({ recording }) => recording ?? []),
    }))
    return [{ path: 'tags.json', rows }]
  })
