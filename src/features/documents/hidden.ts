/** Takes words out of the documents of a recording. */
import { eq } from 'drizzle-orm'

import type { Tx } from '#server/db.ts'
import { type Hiding, hideWithin } from '#shared/hidden-words.ts'

import { documents } from './tables.ts'

/** What a note says where all of one is hidden. */
const notes = {
  good: 'Hidden as a whole: words that were taken out of the recording might be left in it. Create it anew.',
  others: 'Hidden as a whole: words that are hidden might be left in it.',
}

/** Answers in how many places words are hidden. */
export async function hideWords(tx: Tx, hiding: Hiding): Promise<number> {
  const { transcriptionId, count } = hiding
  const before = count()
  const rows = await tx
    .select()
    .from(documents)
    .where(eq(documents.transcriptionId, transcriptionId))
    .for('update')
  for (const row of rows)
    await tx
      .update(documents)
      .set(withoutWords(row, hiding, 'good'))
      .where(eq(documents.id, row.id))
  return count() - before
}

/** What one says without the words. One in which a name may be left in another form is hidden as a whole. */
export function withoutWords(
  row: typeof documents.$inferSelect,
  { hide, isUnsure, mark }: Hiding,
  scope: keyof typeof notes,
) {
  const orNull = (text: string | null) => (text === null ? null : hide(text))
  const values = {
    title: hide(row.title),
    content: hide(row.content),
    note: orNull(row.note),
    problem: orNull(row.problem),
    template: hideWithin(row.template, hide),
    // The text of which it is the hash can be guessed, but for the words.
    sourceHash: null,
  }
  const isWhole = row.content !== '' && isUnsure(row.content, row.language)
  return { ...values, ...(isWhole && { content: mark, note: notes[scope], wordCount: 1 }) }
}

/**
 * Whether one of it is being written: it would be of the text from before. Until the transaction ends, none
 * that has failed is written again.
 */
export const isWriting = async (tx: Tx, transcriptionId: string): Promise<boolean> => {
  const rows = await tx
    .select({ status: documents.status })
    .from(documents)
    .where(eq(documents.transcriptionId, transcriptionId))
    .for('update')
  return rows.some(({ status }) => status === 'generating')
}
