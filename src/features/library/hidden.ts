/** Takes tags off a recording whose names are hidden there. One that no other recording has goes. */
import { and, eq, exists, inArray, not } from 'drizzle-orm'

import { tags, transcriptionTags } from '#features/row/row.ts'
import type { Tx } from '#server/db.ts'
import type { Hiding } from '#shared/hidden-words.ts'

export async function hideWords(
  tx: Tx,
  { userId, transcriptionId, hitsIn }: Hiding,
): Promise<number> {
  const own = await tx
    .select({ id: tags.id, name: tags.name })
    .from(tags)
    .innerJoin(transcriptionTags, eq(transcriptionTags.tagId, tags.id))
    .where(and(eq(tags.userId, userId), eq(transcriptionTags.transcriptionId, transcriptionId)))
  const ids = own.filter(({ name }) => hitsIn(name).length > 0).map(({ id }) => id)
  if (ids.length === 0) return 0
  await tx
    .delete(transcriptionTags)
    .where(
      and(
        eq(transcriptionTags.transcriptionId, transcriptionId),
        inArray(transcriptionTags.tagId, ids),
      ),
    )
  const uses = tx
    .select({ id: transcriptionTags.tagId })
    .from(transcriptionTags)
    .where(eq(transcriptionTags.tagId, tags.id))
  await tx.delete(tags).where(and(inArray(tags.id, ids), not(exists(uses))))
  return ids.length
}
