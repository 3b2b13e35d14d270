/**
 * Takes words out of what is written about a recording: its name, summary, key points, topics, chapters,
 * action items, and the terms that came with it. Stages of the job, and summaries from before, go. Where a
 * name may be left in another form, all that a model has written is hidden until it is written again.
 */
import { eq } from 'drizzle-orm'

import { itemWithout } from '#features/action-items/hidden.ts'
import { type Row, writeRow } from '#features/row/row.ts'
import { readSpeakers, writtenWith } from '#features/text/speaker-marks.ts'
import type { Tx } from '#server/db.ts'
import { type Hiding, hideInName, hideWithin } from '#shared/hidden-words.ts'

import { stages, summaryOrders } from './tables.ts'

/** What a note says where a model's words are hidden as a whole. */
const notes = {
  good: 'The summary is hidden as a whole: words that were taken out of this recording might be left in it. Have it written again.',
  others: 'The summary is hidden as a whole: words that are hidden might be left in it.',
}

/** Of a row that is locked, as it was before. Answers in how many places of each part words are hidden. */
export async function hideWords(
  tx: Tx,
  row: Row,
  hiding: Hiding,
): Promise<{ summary: number; chapters: number; name: number }> {
  const { hide, count } = hiding
  await tx.delete(stages).where(eq(stages.transcriptionId, row.id))
  const isOrder = eq(summaryOrders.transcriptionId, row.id)
  const orders = await tx
    .select({ before: summaryOrders.before })
    .from(summaryOrders)
    .where(isOrder)
  await tx.update(summaryOrders).set({ before: null }).where(isOrder)
  const before = count()
  // They are gone; what they had is counted.
  for (const order of orders) hide(JSON.stringify(order))
  const ofOrders = count() - before
  const { values, counts } = withoutWords(row, hiding, 'good')
  await writeRow(tx, row.id, values)
  return { ...counts, summary: counts.summary + ofOrders }
}

/** What a row says without the words, and in how many places of each part they are hidden. */
export function withoutWords(row: Row, hiding: Hiding, scope: keyof typeof notes) {
  const { hide, count } = hiding
  const before = count()
  const originalName = hideInName(row.originalName, hiding)
  const { terms, documentOrder, sides, errorMessage } = row
  const others = {
    originalName,
    terms: hideWithin(terms, hide),
    documentOrder: hideWithin(documentOrder, hide),
    sides: hideWithin(sides, hide),
    errorMessage: errorMessage === null ? null : hide(errorMessage),
    // That of the file that came.
    contentHash: null,
  }
  const afterName = count()
  const chapters = row.chapters && {
    ...row.chapters,
    list: row.chapters.list.map((chapter) => ({ ...chapter, title: hide(chapter.title) })),
  }
  const afterChapters = count()

  const language = row.summaryLanguage === 'auto' ? null : row.summaryLanguage
  const all = [row.summary, row.keyPoints?.map(({ text }) => text), row.topics].flat()
  const isUnsure = hiding.isUnsure(all.join(' '), language)
  // A mark for a speaker would read as their name, or stands within the words.
  const within = (text: string) => {
    const read = readSpeakers(text, row)
    const hidden = hide(read)
    return hidden === read ? hide(text) : hidden
  }
  const written = writtenWith(row, within)
  const quoted = {
    ...written,
    keyPoints: hideWithin(written.keyPoints, hide),
    summaryOwn: hideWithin(row.summaryOwn && (written.summaryOwn ?? null), hide),
    summaryNote: row.summaryNote === null ? null : hide(row.summaryNote),
    actionItems: row.actionItems?.map((item) => itemWithout(item, hide)) ?? null,
  }
  const values = {
    ...others,
    chapters,
    ...quoted,
    ...(isUnsure && {
      summary: null,
      keyPoints: null,
      topics: null,
      summaryOwn: null,
      summaryNote: notes[scope],
      actionItems: quoted.actionItems?.filter(({ isOwn }) => isOwn) ?? null,
      ...(row.chapters?.by === 'model' ? { chapters: null } : {}),
    }),
  }
  const counts = {
    name: afterName - before,
    chapters: afterChapters - afterName,
    summary: count() - afterChapters,
  }
  return { values, counts }
}
