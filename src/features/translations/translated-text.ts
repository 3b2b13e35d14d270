/** A text in another language, with the times of what was said: what is exported. */
import { and, eq, sql } from 'drizzle-orm'

import { type Turn, type Word, joinWords } from '#features/speech/contract.ts'
import { turnsWithout } from '#features/text/hidden.ts'
import { turns } from '#features/text/tables.ts'
import type { TranslatedPart } from '#features/writing/contract.ts'
import type { Queryable } from '#server/db.ts'
import type { Hiding } from '#shared/hidden-words.ts'
import { Refusal } from '#shared/refusals.ts'
import { wordsIn } from '#shared/written.ts'
import { counted } from '#shared/format.ts'

import { translatedNote } from './status.ts'
import { translatedTurns, translations } from './tables.ts'

/** Joins turns with what can be read of their translation. */
export const isReadableFor = (translationId: string) =>
  and(
    eq(translatedTurns.turnId, turns.id),
    eq(translatedTurns.translationId, translationId),
    eq(translatedTurns.isDelivered, true),
  )

export const joinedParts = (parts: readonly TranslatedPart[]): string =>
  joinWords(parts.map(({ text }) => text))

/** Whether a turn could not all be compared with what was said. */
export const isUnsure = (parts: readonly TranslatedPart[] | null): boolean =>
  parts?.some((part) => part.isUnsure === true) ?? false

/**
 * These turns in another language, and what is to be said of it. What was added since, or could not
 * be translated, stays as it was said.
 *
 * @throws Refusal `not_translated`
 */
export async function inLanguage<Said extends Turn & { id: string; transcriptionId: string }>(
  db: Queryable,
  {
    language,
    said,
    veil = null,
    ...owned
  }: {
    userId: string
    id: string
    language: string
    said: readonly Said[]
    /**
     * Hides words in it. Turns that have them, or may have had, stay as `said` has them: a name has other
     * forms elsewhere.
     */
    veil?: { hiding: Hiding; turns: ReadonlySet<string> } | null
  },
): Promise<{ said: Said[]; note: string }> {
  // An earlier text lies in another row than the one that was translated, and has the same turns.
  const rows = await db
    .select({
      turnId: translatedTurns.turnId,
      parts: translatedTurns.parts,
      isChanged: sql<boolean>`${translatedTurns.sourceHash} <> md5(${turns.text})`,
    })
    .from(turns)
    .innerJoin(translatedTurns, eq(translatedTurns.turnId, turns.id))
    .innerJoin(translations, eq(translations.id, translatedTurns.translationId))
    .where(
      and(
        eq(turns.transcriptionId, owned.id),
        eq(translations.userId, owned.userId),
        eq(translations.language, language),
        eq(translatedTurns.isDelivered, true),
      ),
    )
  if (rows.length === 0) throw new Refusal('not_translated')
  const known = new Map(
    rows.map(({ turnId, parts, isChanged }) => {
      // What was said when it was translated may have had the words.
      const isHidden = veil !== null && (isChanged || veil.turns.has(turnId))
      return [turnId, isHidden ? null : parts]
    }),
  )
  const left = said.filter(({ id }) => !known.get(id)).length
  const changed = rows.filter(({ isChanged }) => isChanged).length
  const unsure = rows.filter(({ parts }) => isUnsure(parts)).length
  const notes = [
    translatedNote(language),
    ...(left > 0 ? [`Left as they were said: ${counted(left, 'turn')}.`] : []),
    ...(unsure > 0 ? [`Worth a look beside the original: ${counted(unsure, 'turn')}.`] : []),
    ...(changed > 0 ? [`Changed in the transcript since: ${counted(changed, 'turn')}.`] : []),
  ]
  const inIt = said.map((turn) => {
    const parts = known.get(turn.id)
    return parts ? laidOver(turn, parts) : turn
  })
  const hidden = veil && turnsWithout(inIt, veil.hiding).turns
  return {
    said: hidden ? inIt.map((turn) => hidden.get(turn.id) ?? turn) : inIt,
    note: notes.join(' '),
  }
}

/** A turn that says something else in the same time. Its words are as far apart as they are long. */
export function laidOver<Said extends Turn>(turn: Said, parts: readonly TranslatedPart[]): Said {
  const text = joinedParts(parts)
  const whole = parts.reduce((sum, { letters }) => sum + letters, 0)
  let passed = 0
  const words = parts.flatMap((part) => {
    const from = whole === 0 ? 0 : passed / whole
    passed += part.letters
    const to = whole === 0 ? 1 : passed / whole
    return spread(part.text, timeOf(turn, { from, to }))
  })
  return { ...turn, text, words }
}

interface Span {
  startMs: number
  endMs: number
}

const lettersOf = (text: string): number => text.replace(/\s+/g, '').length

/** When a share of a turn's letters was said, from its first word to its last. */
function timeOf({ words, startMs, endMs }: Turn, { from, to }: { from: number; to: number }): Span {
  const all = words.reduce((sum, { text }) => sum + lettersOf(text), 0)
  let passed = 0
  const within = words.filter(({ text }) => {
    const middle = (passed + lettersOf(text) / 2) / Math.max(1, all)
    passed += lettersOf(text)
    return middle >= from && middle < to
  })
  const [first, last] = [within.at(0), within.at(-1)]
  if (first && last) return { startMs: first.startMs, endMs: Math.max(last.endMs, first.startMs) }
  const lengthMs = endMs - startMs
  return { startMs: startMs + from * lengthMs, endMs: startMs + to * lengthMs }
}

function spread(text: string, { startMs, endMs }: Span): Word[] {
  const words = wordsIn(text)
  const all = words.reduce((sum, word) => sum + lettersOf(word), 0)
  let passed = 0
  const at = () => Math.round(startMs + ((endMs - startMs) * passed) / Math.max(1, all))
  return words.map((word) => {
    const from = at()
    passed += lettersOf(word)
    return { text: word, startMs: from, endMs: at(), confidence: null, isEstimated: true }
  })
}
