/**
 * Takes words out of the translations of a recording. Turns that had them are not translated any more: in
 * another language a name has other forms. They can be translated again.
 */
import { and, eq, inArray, sql } from 'drizzle-orm'

import { turns } from '#features/text/tables.ts'
import type { Tx } from '#server/db.ts'
import type { Hiding } from '#shared/hidden-words.ts'

import { translatedTurns, translations } from './tables.ts'

/** After its text; `changed` are turns that had the words. Answers how many places are hidden. */
export async function hideWords(
  tx: Tx,
  { transcriptionId, hide, count }: Hiding,
  changed: readonly string[],
): Promise<number> {
  const isOfIt = eq(translatedTurns.transcriptionId, transcriptionId)
  const gone = await tx
    .delete(translatedTurns)
    .where(and(isOfIt, inArray(translatedTurns.turnId, [...changed])))
    .returning({ turnId: translatedTurns.turnId })
  const before = count()
  const rows = await tx
    .select({
      translationId: translatedTurns.translationId,
      turnId: translatedTurns.turnId,
      parts: translatedTurns.parts,
      isChanged: sql<boolean>`${translatedTurns.sourceHash} is distinct from md5(${turns.text})`,
    })
    .from(translatedTurns)
    .leftJoin(turns, eq(turns.id, translatedTurns.turnId))
    .where(isOfIt)
  for (const { translationId, turnId, parts, isChanged } of rows) {
    const hidden = parts?.map((part) => ({ ...part, text: hide(part.text) })) ?? null
    const isHidden = hidden?.some(({ text }, at) => text !== parts?.[at]?.text) === true
    if (!isHidden && !isChanged) continue
    await tx
      .update(translatedTurns)
      // The text of which it is the hash can be guessed, but for the words.
      .set({ parts: hidden, ...(isChanged && { sourceHash: '' }) })
      .where(
        and(eq(translatedTurns.translationId, translationId), eq(translatedTurns.turnId, turnId)),
      )
  }
  return gone.length + count() - before
}

/** Whether it is being translated: that would be of the text from before. */
export const isTranslating = async (tx: Tx, transcriptionId: string): Promise<boolean> =>
  (await tx.$count(
    translations,
    and(eq(translations.transcriptionId, transcriptionId), eq(translations.status, 'translating')),
  )) > 0
