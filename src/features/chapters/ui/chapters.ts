/** Chapters of a result: which one is being said, where each is shown, and how they are changed. Pure. */
import type { Chapter } from '#features/transcriptions/contract.ts'
import { CHAPTERS_APART } from '#shared/business.ts'
import { chapterLine, formatTime } from '#shared/format.ts'
import { turnFrom } from '#shared/turn-from.ts'

type Chapters = readonly Chapter[]
/** Makes new chapters of those that there are when it is its turn. */
export type Change = (chapters: Chapters) => Chapter[]

/** Going back this soon after the beginning of a chapter leads to the one before. */
const AGAIN_S = 3
export const NEW_TITLE = 'New chapter'

/** From where to where a chapter goes, in milliseconds; null where none begins there. */
export function stretchOf(
  chapters: Chapters,
  { start, duration }: { start: number; duration: number },
): { startMs: number; endMs: number } | null {
  const at = chapters.findIndex((chapter) => chapter.start === start)
  if (at < 0) return null
  const end = chapters[at + 1]?.start ?? duration
  return { startMs: Math.round(start * 1000), endMs: Math.round(end * 1000) }
}

/** Index of the chapter that is being said; -1 before the first. */
export const chapterAt = (chapters: Chapters, seconds: number): number =>
  chapters.findLastIndex(({ start }) => start <= seconds + 0.05)

/**
 * The chapter before or after this second. Within a chapter the one before is its own beginning, as
 * in every player. Undefined at the ends.
 */
export function besideChapter(
  chapters: Chapters,
  { seconds, steps }: { seconds: number; steps: 1 | -1 },
): Chapter | undefined {
  const now = chapterAt(chapters, seconds)
  if (steps === 1) return chapters[now + 1]
  const own = chapters[now]
  return own && seconds - own.start > AGAIN_S ? own : chapters[now - 1]
}

interface Turn {
  start: number
  end: number
  speaker: number | null
}

/**
 * Which chapters stand above which turn. Where the turns of one speaker alone are shown, a chapter
 * stands above the first of them. One in which nothing is said has no place.
 */
export function chaptersByTurn(
  chapters: Chapters,
  turns: readonly Turn[],
  only: number | null,
): ReadonlyMap<number, Chapter[]> {
  const firsts = chapters.map(({ start }) => turnFrom(turns, start))
  const heads = new Map<number, Chapter[]>()
  for (const [index, chapter] of chapters.entries()) {
    const first = firsts[index] ?? turns.length
    // Chapters that begin in the same turn share what follows it.
    const end = firsts.slice(index + 1).find((next) => next > first) ?? turns.length
    let place = first
    while (only !== null && place < end && turns[place]?.speaker !== only) place += 1
    if (place >= end) continue
    heads.set(place, [...(heads.get(place) ?? []), chapter])
  }
  return heads
}

/** Where each chapter begins on the wave and how much of it is its own, as parts of the whole. */
export function placesOnWave(
  chapters: Chapters,
  duration: number,
): { left: number; width: number }[] {
  const part = (seconds: number) => (duration > 0 ? Math.min(1, seconds / duration) : 0)
  return chapters.map(({ start }, index) => {
    const left = part(start)
    return { left, width: part(chapters[index + 1]?.start ?? duration) - left }
  })
}

export const chaptersAsText = (chapters: Chapters): string =>
  chapters.map(({ start, title }) => chapterLine(start, title)).join('\n')

/** Why a chapter cannot begin here; null where it can. `chapters` are the others. */
export function reasonAgainst(
  seconds: number,
  { chapters, duration }: { chapters: Chapters; duration: number },
): string | null {
  if (seconds >= duration) return `This recording ends at ${formatTime(duration)}.`
  const near = chapters.find(({ start }) => Math.abs(start - seconds) < CHAPTERS_APART)
  return near ? `Another chapter begins at ${formatTime(near.start)}.` : null
}

/**
 * Where a chapter begins that is added at this second: with its sentence, as those that are found do.
 * Where another one begins in that sentence already, at the second itself.
 */
export const startFor = (
  seconds: number,
  { chapters, sentence }: { chapters: Chapters; sentence: number },
): number =>
  chapters.some(({ start }) => start > sentence - CHAPTERS_APART && start <= seconds)
    ? seconds
    : sentence

/** The server keeps milliseconds. */
export const inMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000

const byStart = (chapters: Chapters) => chapters.toSorted((a, b) => a.start - b.start)

/** No two chapters begin at the same second, so that is what a change finds its chapter by. */
export const change = {
  add:
    (chapter: Chapter): Change =>
    (chapters) =>
      byStart([...chapters, chapter]),
  rename:
    (start: number, title: string): Change =>
    (chapters) =>
      chapters.map((each) => (each.start === start ? { ...each, title } : each)),
  move:
    (start: number, to: number): Change =>
    (chapters) =>
      byStart(chapters.map((each) => (each.start === start ? { ...each, start: to } : each))),
  remove:
    (start: number): Change =>
    (chapters) =>
      chapters.filter((each) => each.start !== start),
}
