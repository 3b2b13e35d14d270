/**
 * Chapters as YouTube finds them in the description of a video: the first at 0:00, at least three, in
 * order, each of at least 10 seconds. Otherwise it shows none of them. Pure.
 */
const FEWEST = 3
const SHORTEST_MS = 10_000

interface Chapter {
  title: string
  startMs: number
}

/** The list, and what keeps YouTube from showing it: too few of them, or one that is too short. */
export function chaptersForYoutube({
  title,
  chapters,
  durationMs,
}: {
  /** Of the recording. */
  title: string
  chapters: readonly Chapter[]
  durationMs: number
}): { list: Chapter[]; hasTooFew: boolean; tooShort: Chapter | null } {
  const [first] = chapters
  // The part before the first chapter has the name of the recording.
  const isAtStart = first === undefined || first.startMs < SHORTEST_MS
  const rest = isAtStart ? chapters.slice(1) : chapters
  const list = [{ title: isAtStart ? (first?.title ?? title) : title, startMs: 0 }, ...rest]
  const tooShort = list.find(
    ({ startMs }, at) => (list[at + 1]?.startMs ?? durationMs) - startMs < SHORTEST_MS,
  )
  return { list, hasTooFew: list.length < FEWEST, tooShort: tooShort ?? null }
}
