/** Takes words out of the documents of a recording. */
import { eq } from 'drizzle-orm'

import type { Tx } from '#server/db.ts'
import { type Hiding, hideWithin } from '#shared/hidden-words.ts'

import { documents } from './tables.ts'

const HIDDEN =
  'Hidden as a whole: words that were taken out of the recording might be left in it. Create it anew.'

/**
 * One in which a name may be left in another form is hidden as a whole. Answers in how many places words
 * are hidden.
 */
export async function hideWords(tx: Tx, hiding: Hiding): Promise<number> {
  const { transcriptionId, hide, count, mark } = hiding
  const before = count()
  const rows = await tx
    .select()
    .from(documents)
    .where(eq(documents.transcriptionId, transcriptionId))
    .for('update')
  for (const row of rows) {
    const orNull = (text: string | null) => (text === null ? null : hide(text))
    const isUnsure = row.content !== '' && hiding.isUnsure(row.content, row.language)
    const values = {
      title: hide(row.title),
      content: hide(row.content),
      note: orNull(row.note),
      problem: orNull(row.problem),
      template: hideWithin(row.template, hide),
      // The text of which it is the hash can be guessed, but for the words.
      sourceHash: null,
    }
    await tx
      .update(documents)
      .set({ ...values, ...(isUnsure && { content: mark, note: HIDDEN, wordCount: 1 }) })
      .where(eq(documents.id, row.id))
  }
  return count() - before
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
