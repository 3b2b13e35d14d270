/**
 * Takes words out of the questions that were asked of a recording or quote it, and out of those that were
 * asked of the library and quote nothing: nobody knows which recording these are about.
 */
import { and, eq, exists, isNull, notExists, or } from 'drizzle-orm'

import type { Tx } from '#server/db.ts'
import type { Hiding } from '#shared/hidden-words.ts'

import { questionSources, questions } from './tables.ts'

/** One whose answer is in another writing is removed. Answers how many places are hidden. */
export async function hideWords(tx: Tx, hiding: Hiding): Promise<number> {
  const { userId, transcriptionId, hide, hitsIn, count } = hiding
  const before = count()
  const sources = tx
    .select({ id: questionSources.questionId })
    .from(questionSources)
    .where(eq(questionSources.questionId, questions.id))
  const quotesIt = tx
    .select({ id: questionSources.questionId })
    .from(questionSources)
    .where(
      and(
        eq(questionSources.questionId, questions.id),
        eq(questionSources.transcriptionId, transcriptionId),
      ),
    )
  const rows = await tx
    .select()
    .from(questions)
    .where(
      and(
        eq(questions.userId, userId),
        or(
          eq(questions.transcriptionId, transcriptionId),
          exists(quotesIt),
          and(isNull(questions.transcriptionId), notExists(sources)),
        ),
      ),
    )
    .for('update')
  for (const { id, question, answer } of rows) {
    const all = [question, answer.text, answer.notSaid, ...answer.quotes.flatMap(wordsOf)]
    const has = all.some((text) => typeof text === 'string' && hitsIn(text).length > 0)
    const isIt = eq(questions.id, id)
    if (has && hiding.isUnsure(answer.text ?? '', null)) {
      await tx.delete(questions).where(isIt)
      continue
    }
    if (!has) continue
    const orNull = (text: string | null) => (text === null ? null : hide(text))
    const quotes = answer.quotes.map((quote) => {
      const text = hide(quote.text)
      const marks = text === quote.text ? quote.marks : []
      return { ...quote, text, marks, name: hide(quote.name), speaker: orNull(quote.speaker) }
    })
    const hidden = { ...answer, quotes, text: orNull(answer.text), notSaid: orNull(answer.notSaid) }
    await tx
      .update(questions)
      .set({ question: hide(question), answer: hidden })
      .where(isIt)
  }
  return count() - before
}

const wordsOf = ({
  text,
  name,
  speaker,
}: {
  text: string
  name: string
  speaker: string | null
}) => [text, name, speaker]
