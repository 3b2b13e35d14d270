/** Podlove Simple Chapters: for the feed of a podcast, as an element of its namespace. */
import { escapeHtml } from '#shared/html.ts'

import { timecode } from '../captions/cues.ts'
import { printable } from '../paper.ts'
import type { Write } from './writer.ts'

export const write: Write = ({ chapters }) => {
  const list = chapters.map(({ title, startMs }) => {
    const [start, name] = [timecode(startMs, '.'), escapeHtml(printable(title).trim())]
    return `  <psc:chapter start="${start}" title="${name}" />\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<psc:chapters version="1.2" xmlns:psc="http://podlove.org/simple-chapters">
${list.join('')}</psc:chapters>
`
}
