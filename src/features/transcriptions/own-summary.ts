/**
 * A summary that its owner has changed. What this promises:
 *
 * - What its owner wrote stands wherever the summary is read, and stays when it is written again. What
 *   was written lies under it, and comes back when its owner asks for it.
 * - A key point whose words were changed keeps its place, and its quote only while that proves it.
 * - A user who would write over what they have not seen is told so, and nothing is written. Saving the
 *   same twice is one change.
 */
import { isDeepStrictEqual } from 'node:util'

import type { KeptPoint, OwnSummary } from '#features/row/kept.ts'
import { type Owned, type Row, lockFinished, writeRow } from '#features/row/row.ts'
import { isMarked, markSpeakers, readWritten, writtenWith } from '#features/text/speaker-marks.ts'
import type { WritingTurn } from '#features/writing/contract.ts'
import { stillProven } from '#features/writing/still-proven.ts'
import type { Db } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'
import { tidyLines, tidyText } from '#shared/written.ts'

import type { ChangeSummary, ChangedSummary, OwnPoint } from './contract.ts'
import { shownSummary } from './results.ts'
import * as said from './said.ts'

/** @throws Refusal `not_found`, `not_finished`, `summary_changed`, `invalid_request` */
export async function change(
  db: Db,
  { summary, keyPoints, was, ...owned }: Owned & ChangeSummary,
): Promise<ChangedSummary> {
  const signal = new AbortController().signal
  const spoken = keyPoints ? await said.recordings(db).read(owned, signal) : null
  return db.transaction(async (tx) => {
    const row = await lockFinished(tx, owned)
    const own: OwnSummary = { ...readWritten(row).summaryOwn }
    if (summary !== undefined) own.text = summary === null ? undefined : tidyLines(summary)
    if (keyPoints !== undefined)
      own.keyPoints = keyPoints && spoken ? pointsOf(keyPoints, row, spoken.turns) : undefined
    const changed = withOwn(row, own)
    const now = shownSummary(row)
    if (isDeepStrictEqual(shownSummary(changed), now)) return now
    const isAsRead = isDeepStrictEqual([now.summary, now.keyPoints], [was?.summary, was?.keyPoints])
    if (was && !isAsRead) throw new Refusal('summary_changed')
    await writeRow(tx, row.id, { summaryOwn: changed.summaryOwn })
    return shownSummary(changed)
  })
}

/** With what is the owner's; what is as it was written is not theirs. */
function withOwn(row: Row, { text, keyPoints }: OwnSummary): Row {
  const written = readWritten(row)
  const own: OwnSummary = {
    ...(text !== undefined && text !== written.summary && { text }),
    ...(keyPoints && !isDeepStrictEqual(keyPoints, written.keyPoints ?? []) && { keyPoints }),
  }
  const summaryOwn = Object.keys(own).length > 0 ? own : null
  // Where nobody is marked, this only takes away what would be read as a mark.
  const speakers = isMarked(row) ? row : { speakers: null, speakerCount: 0 }
  const mark = (each: string) => markSpeakers(each, speakers)
  return { ...row, summaryOwn: writtenWith({ ...row, summaryOwn }, mark).summaryOwn ?? null }
}

/** Each once. One that is known stays as it is; of one that was changed a quote is kept that proves it. */
function pointsOf(
  wanted: readonly OwnPoint[],
  row: Row,
  turns: readonly WritingTurn[],
): KeptPoint[] {
  const { keyPoints, summaryOwn } = readWritten(row)
  const spoken = row.language ?? 'en'
  const isAsSpoken = row.summaryKind === 'sentences' || row.summaryLanguage === 'auto'
  const written = isAsSpoken ? spoken : row.summaryLanguage
  const isProven = stillProven({ turns, spoken, written })
  const known = [...(summaryOwn?.keyPoints ?? []), ...(keyPoints ?? [])]
  const points = wanted.map(({ text: given, quote, time }): KeptPoint => {
    const text = tidyText(given)
    if (text === '') throw new Refusal('invalid_request')
    const same = known.find((point) => point.text === text)
    if (same) return same
    const source =
      known.find((point) => point.quote !== null && point.quote === quote) ??
      known.find(({ startMs }) => startMs !== null && startMs / 1000 === time)
    const proof = source?.quote && isProven(text, source.quote) ? source.quote : null
    return { text, startMs: source?.startMs ?? null, quote: proof, isOwn: true }
  })
  return [...new Map(points.map((point) => [point.text, point])).values()]
}
