/**
 * Speakers in what a model has written of a recording. What this promises:
 *
 * - Where such a text names a speaker, a mark is kept that stands for the speaker's number. It is read
 *   with the name of the day, so a name that is given later shows everywhere at once.
 * - A mark holds the word that stood there. It is shown where its speaker is gone, as after the
 *   speakers were told apart again.
 * - The model never sees a mark: it reads names and letters, and the marks are put into what has passed.
 *
 * Texts from before this have no marks, and stay as they were written: see decision 078.
 */
import { eq } from 'drizzle-orm'

import type { KeptPoint, NamedSpeaker, OwnSummary } from '#features/row/kept.ts'
import { type Row, everyRow, writeRow } from '#features/row/row.ts'
import type { Tx } from '#server/db.ts'
import { UNSPACED } from '#shared/fold.ts'
import { patternOf } from '#shared/hits.ts'

import { shownAs, speakersOf } from './named-speakers.ts'

/** The columns that have marks. */
export type Written = Pick<Row, 'summary' | 'keyPoints' | 'topics'> &
  Partial<Pick<Row, 'summaryOwn'>>
type Speakers = Pick<Row, 'speakers' | 'speakerCount'>

/** From the private use area: no keyboard and no model writes them, and what does loses them. */
const OPEN = '\uE000'
const CLOSE = '\uE001'
const marks = /\uE000([\d,]+)\|([^\uE000\uE001]*)\uE001/g
const signs = /[\uE000\uE001]/g

/** Languages without spaces, and Korean, write the next word against a name. */
const JOINING = String.raw`${UNSPACED}\p{sc=Hangul}`
const LETTER = String.raw`(?![${JOINING}])[\p{L}\p{N}]`

/** Puts a mark wherever a text has the whole name of a speaker, as readers see it. */
export function markSpeakers(text: string, row: Speakers): string {
  const named = speakersOf(row).toSorted((a, b) => shownAs(b).length - shownAs(a).length)
  const bare = text.replace(signs, '')
  if (named.length === 0) return bare
  const numbers = new Map(named.map((one) => [shownAs(one), one.speaker]))
  const whole = new RegExp(named.map(wholeName).join('|'), 'gu')
  return bare.replace(whole, (label) => `${OPEN}${numbers.get(label)}|${label}${CLOSE}`)
}

function wholeName(speaker: NamedSpeaker): string {
  const label = shownAs(speaker)
  // "Anna" is one speaker, and "Anna Karenina" may be whom they talk of.
  const more = speaker.name !== null && !/\s/.test(label) ? String.raw`(?!\s\p{Lu})` : ''
  return `(?<!${LETTER})${patternOf(label)}(?!${LETTER})${more}`
}

/** The text as it is read: with the name that each speaker has now. */
export function readSpeakers(text: string, row: Speakers): string {
  const speakers = speakersOf(row)
  return text.replace(marks, (_, numbers: string, label: string) => {
    const speaker = shownIn(numbers, speakers)
    return speaker ? shownAs(speaker) : label
  })
}

/** Speakers that were found to be one are named one after the other: the first who is there is meant. */
const shownIn = (numbers: string, speakers: readonly NamedSpeaker[]) =>
  numbers
    .split(',')
    .map((number) => speakers.find(({ speaker }) => speaker === Number(number)))
    .find((one) => one !== undefined)

/** Whether any of it has marks, so that it was written by a model. */
export const isMarked = ({ summary, keyPoints, topics, summaryOwn }: Written): boolean =>
  JSON.stringify([summary, keyPoints, topics, summaryOwn]).includes(OPEN)

/** All that was written, as it is read. */
export const readWritten = <Of extends Written & Speakers>(row: Of): Of => ({
  ...row,
  ...writtenWith(row, (text) => readSpeakers(text, row)),
})

/** The same as it is shown: what its owner has changed stands in its place. */
export function readShown<Of extends Written & Speakers>(row: Of): Of {
  const written = readWritten(row)
  const { text = written.summary, keyPoints = written.keyPoints } = written.summaryOwn ?? {}
  return { ...written, summary: text, keyPoints }
}

export const writtenWith = (
  { summary, keyPoints, topics, summaryOwn }: Written,
  change: (text: string) => string,
): Written => ({
  summary: summary === null ? null : change(summary),
  keyPoints: keyPoints === null ? null : pointsWith(keyPoints, change),
  topics: topics?.map(change) ?? null,
  ...(summaryOwn && { summaryOwn: ownWith(summaryOwn, change) }),
})

const pointsWith = (points: readonly KeptPoint[], change: (text: string) => string) =>
  points.map((point) => ({ ...point, text: change(point.text) }))

const ownWith = (
  { text, keyPoints }: OwnSummary,
  change: (text: string) => string,
): OwnSummary => ({
  ...(text !== undefined && { text: change(text) }),
  ...(keyPoints && { keyPoints: pointsWith(keyPoints, change) }),
})

async function change(tx: Tx, id: string, each: (text: string) => string): Promise<void> {
  const { summary, keyPoints, topics, summaryOwn } = everyRow
  const [row] = await tx
    .select({ summary, keyPoints, topics, summaryOwn })
    .from(everyRow)
    .where(eq(everyRow.id, id))
  if (row && isMarked(row)) await writeRow(tx, id, writtenWith(row, each))
}

/** One speaker was found to be another. Their own number stays first, for when that is taken back. */
export const joinMarks = (
  tx: Tx,
  id: string,
  { from, to, speakers }: { from: number; to: number; speakers: readonly NamedSpeaker[] },
) =>
  change(tx, id, (text) =>
    text.replace(marks, (mark, numbers: string, label: string) => {
      const isOther = shownIn(numbers, speakers)?.speaker !== from
      if (isOther || numbers.split(',').includes(String(to))) return mark
      return `${OPEN}${numbers},${to}|${label}${CLOSE}`
    }),
  )

/** The speakers have other numbers now: those with a name are known by it, the others stay as they read. */
export const renumberMarks = (
  tx: Tx,
  id: string,
  { before, after }: Record<'before' | 'after', readonly NamedSpeaker[]>,
) => {
  const rowOf = (speakers: readonly NamedSpeaker[]) => ({
    speakers: [...speakers],
    speakerCount: speakers.length,
  })
  const known = after.filter(({ name }) => name !== null)
  return change(tx, id, (text) => markSpeakers(readSpeakers(text, rowOf(before)), rowOf(known)))
}
