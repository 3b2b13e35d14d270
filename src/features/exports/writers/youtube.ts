/**
 * Chapters as YouTube finds them in the description of a video: a line each, the first at 0:00, at
 * least three, in order, each of at least 10 seconds. Otherwise it shows none of them.
 */
import { chapterLine } from '#shared/format.ts'
import { Refusal } from '#shared/refusals.ts'

import { printable } from '../paper.ts'
import type { Write } from './writer.ts'

const FEWEST = 3
const SHORTEST_MS = 10_000

export const write: Write = ({ title, chapters, durationMs }) => {
  const [first] = chapters
  // The part before the first chapter has the name of the recording.
  const isAtStart = first === undefined || first.startMs < SHORTEST_MS
  const rest = isAtStart ? chapters.slice(1) : chapters
  const list = [{ title: isAtStart ? (first?.title ?? title) : title, startMs: 0 }, ...rest]
  const isShort = list.some(
    ({ startMs }, at) => (list[at + 1]?.startMs ?? durationMs) - startMs < SHORTEST_MS,
  )
  if (list.length < FEWEST || isShort) throw new Refusal('too_few_chapters')
  return list.map((one) => `${chapterLine(one.startMs / 1000, plain(one.title))}\n`).join('')
}

/** A description may not have angle brackets. */
const plain = (text: string): string => printable(text).replace(/[<>]/g, '').trim()
