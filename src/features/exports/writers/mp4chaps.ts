/** Times and titles as mp4chaps and Auphonic read them. */
import { timecode } from '../captions/cues.ts'
import { printable } from '../paper.ts'
import type { Write } from './writer.ts'

export const write: Write = ({ chapters }) =>
  chapters
    .map(({ title, startMs }) => `${timecode(startMs, '.')} ${printable(title).trim()}\n`)
    .join('')
