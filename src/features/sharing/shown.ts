/**
 * The view of a transcription through a link. Every form of it (page, texts, picture) is made of this
 * alone, so that none shows more. It grows with the transcript, so it is read in a thread.
 */
import { listOf } from '#features/cuts/cuts.ts'
import { type Range, levelsWithout } from '#features/cuts/ranges.ts'
import { asCut } from '#features/exports/as-cut.ts'
import type { KeptChapter } from '#features/row/kept.ts'
import type { Turn } from '#features/speech/contract.ts'
import { type Names, namesOf } from '#features/text/named-speakers.ts'
import { finishedForOthers } from '#features/transcriptions/said.ts'
import { segmentsOf } from '#features/writing/segments.ts'
import type { Db } from '#server/db.ts'
import { bareWords } from '#shared/written.ts'

import { hiderOf, titleWithoutNames } from './hidden-names.ts'
import { type ShownSummary, summaryOf, summaryWithoutNames } from './sharing.ts'

export interface ViewRequest {
  userId: string
  transcriptionId: string
  withNames: boolean
  withSummary: boolean
  /** Whether something of the recording is played: its wave is drawn then. */
  withRecording: boolean
  /** Whether what was said is shown: not on the page of a file. */
  withText: boolean
  /** What it leaves out of the recording: from, to, from, to, … in milliseconds. */
  cuts: readonly number[]
}

export interface Shown {
  title: string
  createdAt: Date
  /** See shared/recorded.ts; null where nobody knows. */
  recordedAt: string | null
  durationMs: number
  /** ISO 639-1; null where nobody knows. */
  language: string | null
  said: Turn[]
  /** The names that speakers were given; none where they are hidden. */
  names: Names
  summary: ShownSummary | null
  /** Shown with the summary. Left out where the summary is, because of a name. */
  chapters: readonly KeptChapter[]
  /** From 0 to 255; null where the recording is not shown. */
  peaks: number[] | null
}

/** @throws Refusal `not_found`, `not_finished` */
export async function read(
  db: Db,
  { userId, transcriptionId, withNames, withSummary, withRecording, withText, cuts }: ViewRequest,
): Promise<Shown> {
  const { row, said, speakers } = await finishedForOthers(db, { userId, id: transcriptionId })
  // Of a name that is hidden in part, the rest is taken out as well.
  const all = { ...row, speakers }
  const names = namesOf(all)
  const written = withNames ? summaryOf(row) : summaryWithoutNames(all)
  const isShown = withSummary && written !== 'unsure'
  const chapters = row.chapters?.list ?? []
  const spoken = said
    .filter(({ text }) => text.trim() !== '')
    .map(({ speaker, startMs, endMs, text, words }) => ({ speaker, startMs, endMs, text, words }))
  const whole: Shown = {
    title: withNames ? row.originalName : titleWithoutNames(row.originalName, names),
    createdAt: row.createdAt,
    recordedAt: row.recordedAt,
    durationMs: row.durationMs,
    language: row.language,
    said: withText ? spoken : [],
    names: withNames ? namesOf(row) : new Map(),
    summary: isShown ? written : null,
    chapters: !isShown ? [] : withNames ? chapters : chaptersWithoutNames(chapters, names),
    peaks: withRecording ? row.peaks : null,
  }
  if (cuts.length === 0) return whole
  return withoutCuts(listOf(cuts), whole, {
    spoken,
    isOfSentences: row.summaryKind === 'sentences',
  })
}

/**
 * Nothing of what is cut is left in it, and its times are those of the cut recording. Of the summary
 * that a model wrote, points and action items go with their moment.
 */
function withoutCuts(
  cuts: readonly Range[],
  whole: Shown,
  { spoken, isOfSentences }: { spoken: Shown['said']; isOfSentences: boolean },
): Shown {
  const { said, chapters, durationMs, summary, peaks } = whole
  const keyPoints = summary?.keyPoints ?? []
  const moments = {
    keyPointTimes: keyPoints.map(({ startMs }) => (startMs === null ? null : startMs / 1000)),
    actionItems: summary?.actionItems ?? [],
  }
  const { source } = asCut({
    cuts,
    said: spoken,
    spoken,
    chapters,
    durationMs,
    translation: null,
    summary: moments,
  })
  const { keyPointTimes, actionItems } = source.summary
  const isSaid = isAmong(source.said)
  const points = keyPoints.flatMap(({ text, startMs }, at) => {
    const seconds = keyPointTimes[at] ?? null
    if (isOfSentences ? !isSaid(text) : seconds === null && startMs !== null) return []
    return [{ text, startMs: seconds === null ? null : Math.round(seconds * 1000) }]
  })
  const items = actionItems.filter(({ at, text, isSentence }, index) =>
    isSentence ? isSaid(text) : at !== null || moments.actionItems[index]?.at === null,
  )
  const written = summary?.text ?? ''
  const text = isOfSentences
    ? segmentsOf(written, whole.language ?? '')
        .filter((sentence) => isSaid(sentence.text))
        .map((sentence) => sentence.text)
        .join('')
        .trim()
    : written
  return {
    ...whole,
    said: said.length === 0 ? [] : [...source.said],
    chapters: source.chapters,
    durationMs: source.durationMs,
    summary: summary && { ...summary, text, keyPoints: points, actionItems: items },
    peaks: peaks && levelsWithout(peaks, cuts, durationMs),
  }
}

/** Whether a sentence is among what is left, whatever signs are in it. */
function isAmong(said: readonly { text: string }[]): (sentence: string) => boolean {
  const all = ` ${said.map(({ text }) => bareWords(text)).join(' ')} `
  return (sentence) => all.includes(` ${bareWords(sentence)} `)
}

/** None where a name might be left in one of them. */
function chaptersWithoutNames(chapters: readonly KeptChapter[], names: Names): KeptChapter[] {
  const titles = chapters.map(({ title }) => title)
  const hide = hiderOf(titles, names)
  return hide ? chapters.map(({ title, startMs }) => ({ title: hide(title), startMs })) : []
}
