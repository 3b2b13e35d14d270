/** The engine's own text of a turn, however the turn was changed since. */
import { and, asc, eq, gt, lt } from 'drizzle-orm'

import { type Word, joinWords } from '#features/speech/contract.ts'
import type { Tx } from '#server/db.ts'

import { type TurnRow, originalTurns } from './tables.ts'

/** The engine's words for a turn's stretch of a transcription, and how the engine wrote them. */
export async function originalOf(
  { tx, id }: { tx: Tx; id: string },
  turn: TurnRow,
): Promise<{ words: Word[]; text: string }> {
  const from = turn.originalFrom ?? 0
  const to = turn.originalTo ?? 0
  const reached = await tx
    .select()
    .from(originalTurns)
    .where(
      and(
        eq(originalTurns.transcriptionId, id),
        lt(originalTurns.wordsFrom, to),
        gt(originalTurns.wordsTo, from),
      ),
    )
    .orderBy(asc(originalTurns.position))
  const pieces = reached.map(({ words, text, wordsFrom, wordsTo }) => {
    const kept = words.slice(Math.max(0, from - wordsFrom), Math.max(0, to - wordsFrom))
    const isWhole = wordsFrom >= from && wordsTo <= to
    return { words: kept, text: isWhole ? text : joinWords(kept.map((word) => word.text)) }
  })
  return {
    words: pieces.flatMap(({ words }) => words),
    text: joinWords(pieces.map(({ text }) => text)),
  }
}
