/**
 * A shared transcription as HTML: fills the page that the build has written with the parts the link
 * shows.
 */
import { chapterPlaces } from '#features/exports/plain-text.ts'
import type { Turn } from '#features/speech/contract.ts'
import { packedIn } from '#features/text/places.ts'
import { actionsNote, dueInWords } from '#features/action-items/action-text.ts'
import { labelOf } from '#features/transcriptions/results.ts'
import { dirOf } from '#shared/direction.ts'
import { formatBytes, formatDate, formatTime, languageName, wholeSeconds } from '#shared/format.ts'
import { recordedDay } from '#shared/recorded.ts'
import type { RenderFormat } from '#shared/render-formats.ts'
import { talkTime } from '#shared/talk-time.ts'
import { heightsOf, laneOf, lanesOfBars } from '#shared/wave.ts'

import type { Shown } from './shown.ts'
import { type Values, templateOf } from './template.ts'

export interface PageFacts {
  /** The page as the build has written it. */
  template: string
  origin: string
  /** `/s/TOKEN` */
  path: string
  sharedBy: string
  /**
   * The player: none, or for the recording as a sound or with its picture. `gone` once it was deleted;
   * `making` while it is written without its cuts, and `missing` where that is not done.
   */
  player: 'none' | 'gone' | 'making' | 'missing' | 'sound' | 'picture'
  /** The made file that the page shows, and nothing beside it. */
  file: {
    name: string
    format: RenderFormat
    sizeBytes: number
    withCaptions: boolean
    endsAt: Date | null
  } | null
}

/** Most bars of the wave: the player draws as many of them as there is room for. */
const BARS = 240
const LANES = 8

/** What stands in the place of the player. */
const unplayed: Readonly<Record<PageFacts['player'], string | null>> = {
  none: null,
  sound: null,
  picture: null,
  gone: 'The recording is no longer here. The text stays.',
  making:
    'The recording is being made ready. The text is here; load the page again in some minutes.',
  missing: 'The recording is not here at the moment. The text is all here.',
}

export function pageOf(shown: Shown, facts: PageFacts): string {
  const { said, names, summary, chapters, durationMs } = shown
  const { file } = facts
  const title = file?.name ?? shown.title
  const plays = facts.player === 'sound' || facts.player === 'picture'
  const instead = unplayed[facts.player]
  const labels = new Map(said.map(({ speaker }) => [speaker, labelOf(speaker, names)]))
  const voices = talkOf(said)
  const hasRail = summary !== null || chapters.length > 0
  const indexAt = (ms: number) =>
    Math.max(
      0,
      said.findLastIndex(({ startMs }) => startMs <= ms),
    )
  const placeOf = chapterPlaces(said)
  const { keyPoints = [], actionItems = [], note = null } = summary ?? {}
  const summaryText = summary?.text.trim() ?? ''
  const isTold = summaryText !== ''
  const sentencesNote = actionsNote(actionItems)
  const description = summaryText || said[0]?.text || title
  return templateOf(facts.template)({
    origin: facts.origin,
    path: facts.path,
    title,
    description: cut(description, 200),
    sharedBy: facts.sharedBy === '' ? 'Shared with you' : `Shared by ${facts.sharedBy}`,
    ...datesOf(shown),
    length: formatTime(durationMs / 1000),
    seconds: wholeSeconds(durationMs),
    facts: [
      ...(file ? [{ fact: file.format.toUpperCase() }, { fact: formatBytes(file.sizeBytes) }] : []),
      ...(voices.length > 0
        ? [{ fact: voices.length === 1 ? '1 speaker' : `${voices.length} speakers` }]
        : []),
      ...(file || shown.language === null ? [] : [{ fact: languageName(shown.language) }]),
    ],
    lang: shown.language ?? '',
    whole: file === null,
    file: file && {
      until: file.endsAt === null ? '' : `It is here until ${formatDate(file.endsAt)}.`,
      fileCaptions: file.withCaptions,
    },
    track: file === null || file.withCaptions,
    rail: hasRail ? 'yes' : 'no',
    written: hasRail && {
      // Without a text, what comes first gives its heading to the whole.
      writtenHeading: isTold || chapters.length === 0 ? (summary?.heading ?? '') : 'Chapters',
      summary: isTold && { summaryText },
      contents: chapters.length > 0 && {
        chaptersHeading: isTold,
        chapters: chapters.map((chapter) => ({
          chapter: chapter.title,
          at: chapter.startMs / 1000,
          time: formatTime(chapter.startMs / 1000),
          place: Math.max(0, placeOf(chapter.startMs)),
        })),
      },
      keyPoints: keyPoints.length > 0 && {
        pointsHeading: isTold || chapters.length > 0,
        points: keyPoints.map(({ text, startMs }) => ({
          point: text,
          moment: startMs !== null && {
            at: startMs / 1000,
            time: formatTime(startMs / 1000),
            place: indexAt(startMs),
          },
        })),
      },
      actionItems: actionItems.length > 0 && {
        sentences: sentencesNote !== null && { sentencesNote },
        items: actionItems.map((item) => ({
          item: item.text,
          done: item.isDone,
          open: !item.isDone,
          person: item.who !== null && { who: item.who },
          deadline: dueInWords(item) !== '' && { due: dueInWords(item) },
          moment: item.at !== null && {
            at: item.at,
            time: formatTime(item.at),
            place: indexAt(item.at * 1000),
          },
        })),
      },
      summaryNote: note !== null && { note },
    },
    voices: hasRail &&
      voices.length > 0 && {
        voiceRows: voices.map(({ speaker, share }) => ({
          ...coloursOf(speaker),
          name: labels.get(speaker) ?? '',
          share: `${share}%`,
        })),
      },
    follow: plays,
    turns: said.map((turn, place) => {
      const at = turn.startMs / 1000
      const name = labels.get(turn.speaker) ?? ''
      const isKnown = turn.speaker !== null
      return {
        place,
        at,
        time: formatTime(at),
        iso8601: `PT${Math.floor(at)}S`,
        name,
        known: isKnown && coloursOf(turn.speaker),
        unknown: !isKnown && voices.length > 0,
        // As the app has them, but without how sure the engine was: the owner did not choose to show that.
        playable: plays && { words: packedIn(turn, () => null).join(' ') },
        still: !plays,
        dir: dirOf(turn.text, shown.language),
        text: turn.text,
      }
    }),
    picture: facts.player === 'picture',
    captions: facts.player === 'picture' && (file === null || file.withCaptions),
    sound: facts.player === 'sound',
    player: plays && {
      peaks: heightsOf(shown.peaks ?? [], BARS)
        .map((height) => Math.round(100 * height))
        .join(' '),
      lanes: lanesOf(said, durationMs).join(' '),
    },
    unplayed: instead !== null && { instead },
    chapterFiles: chapters.length > 0,
    spacer: plays || instead !== null,
    code: facts.path.slice(1),
  })
}

const coloursOf = (speaker: number | null): { lane: number; letter: string } => ({
  lane: laneOf(speaker ?? 0),
  letter: String.fromCodePoint(65 + ((speaker ?? 0) % 26)),
})

/** The share of each known speaker in the speech, in percent, the largest first. */
export const talkOf = (said: readonly Turn[]): { speaker: number; share: number }[] =>
  talkTime(said.map(({ speaker, startMs, endMs }) => ({ voice: speaker, ms: endMs - startMs })))
    .flatMap(({ voice, share }) => (voice === null ? [] : [{ speaker: voice, share }]))
    .toSorted((a, b) => b.share - a.share)

/** The speaker whose colour each bar has; none in a pause. */
function lanesOf(said: readonly Turn[], durationMs: number): number[] {
  const stretches = said.map(({ startMs, endMs, speaker }) => ({
    start: startMs,
    end: endMs,
    lane: speaker,
  }))
  return lanesOfBars(stretches, BARS, durationMs).map((speaker) =>
    speaker === null ? LANES : laneOf(speaker),
  )
}

/** A text in one line, cut at a word. */
export function cut(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= most) return line
  const short = line.slice(0, most)
  return `${short.slice(0, Math.max(short.lastIndexOf(' '), most / 2))}…`
}

/** A page for visitors who may not read: only these values, and nothing of the transcription. */
export const plainPageOf = (template: string, values: Values): string =>
  templateOf(template)(values)

/** When it was recorded; where nobody knows, when it was added. */
function datesOf({ recordedAt, createdAt }: Shown): { date: string; iso: string } {
  const day = recordedDay(recordedAt)
  return day === undefined
    ? { date: `Added ${formatDate(createdAt, 'UTC')}`, iso: createdAt.toISOString() }
    : { date: `Recorded ${formatDate(new Date(day), 'UTC')}`, iso: day }
}
