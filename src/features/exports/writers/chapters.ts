/** A track of chapters for players on the web: WebVTT in which each cue is a chapter. */
import { toVtt } from '../captions/cues.ts'
import type { Write } from './writer.ts'

export const write: Write = ({ chapters, durationMs, title, language }) => {
  const cues = chapters.map((chapter, at) => ({
    startMs: chapter.startMs,
    endMs: chapters[at + 1]?.startMs ?? durationMs,
    lines: [chapter.title],
    speaker: null,
    name: null,
    label: null,
    words: [],
  }))
  return toVtt(cues, { title, language })
}
