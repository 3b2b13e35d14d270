/** Chapters as lines for the description of a video on YouTube. */
import { chaptersForYoutube } from '#shared/chapters-for-youtube.ts'
import { chapterLine } from '#shared/format.ts'
import { Refusal } from '#shared/refusals.ts'

import { printable } from '../paper.ts'
import type { Write } from './writer.ts'

export const write: Write = (exported) => {
  const { list, hasTooFew, tooShort } = chaptersForYoutube(exported)
  if (hasTooFew || tooShort) throw new Refusal('too_few_chapters')
  return list.map((one) => `${chapterLine(one.startMs / 1000, plain(one.title))}\n`).join('')
}

/** A description may not have angle brackets. */
const plain = (text: string): string => printable(text).replace(/[<>]/g, '').trim()
