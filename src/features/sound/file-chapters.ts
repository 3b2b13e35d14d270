/** The chapters that a file of sound or film brings along, by ID3, MP4, Matroska or Ogg. */
import { CHAPTERS_APART, LONGEST_CHAPTER, MOST_CHAPTERS } from '#shared/business.ts'
import { tidyText } from '#shared/written.ts'

export interface FileChapter {
  title: string
  startMs: number
}

/** "Chapter 3", "03": a number that a program has written says nothing. */
const numbered = /^\P{Nd}{0,12}\p{Nd}+[^\p{L}\p{M}\p{N}]*$/u

/** Null where there are fewer than two, or none has a title of its own. */
export function chaptersIn(
  found: readonly FileChapter[],
  { durationMs }: { durationMs: number },
): FileChapter[] | null {
  const chapters: FileChapter[] = []
  const named = found.map(({ title, startMs }) => ({
    title: [...tidyText(title)].slice(0, LONGEST_CHAPTER).join('').trim(),
    // The delay of an encoder may lie before the beginning.
    startMs: Math.max(0, startMs),
  }))
  for (const chapter of named.toSorted((a, b) => a.startMs - b.startMs)) {
    const apartMs = chapter.startMs - (chapters.at(-1)?.startMs ?? -Infinity)
    const isThere = chapter.startMs < durationMs && chapter.title !== ''
    if (isThere && apartMs >= CHAPTERS_APART * 1000) chapters.push(chapter)
  }
  const hasTitles = chapters.some(({ title }) => !numbered.test(title))
  return chapters.length > 1 && hasTitles ? chapters.slice(0, MOST_CHAPTERS) : null
}
