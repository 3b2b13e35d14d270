/** Why a file cannot be made as it is chosen, said before it is asked for. */
import { chaptersForYoutube } from '#shared/chapters-for-youtube.ts'
import { ApiError } from '#web/api.ts'

import { honours } from '../formats.ts'
import type { ExportChoice } from './export-choice.ts'
import { type Kind, isWritten } from './menu.ts'

/** What YouTube would not show of the chapters of a recording; null where it would. */
export function whyNotOnYoutube(
  chapters: readonly { title: string; start: number }[],
  durationS: number,
): string | null {
  const { hasTooFew, tooShort } = chaptersForYoutube({
    title: 'The beginning',
    chapters: chapters.map(({ title, start }) => ({ title, startMs: start * 1000 })),
    durationMs: durationS * 1000,
  })
  if (hasTooFew)
    return `YouTube wants at least three chapters. This recording has ${chapters.length}.`
  return tooShort === null
    ? null
    : `YouTube wants chapters of at least 10 seconds. “${tooShort.title}” is shorter.`
}

/** A beginning of the film of which a part is typed. */
export const whyNoTimecode = (kind: Kind, { filmStart }: ExportChoice): string | null =>
  isWritten(kind) && honours(kind, 'filmStart') && filmStart && filmStart.trim().length < 11
    ? 'Write the beginning of the film as 01:00:00:00.'
    : null

/** The server has refused to show how the file begins, and would refuse the file. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && [400, 422].includes(error.status)
