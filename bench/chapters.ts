/**
 * How many of the chapters that were set by hand are found without a language model, how many are
 * found that nobody has set, and their titles. With `--transcripts`, the chapters of files
 * that `npm run transcribe -- --json` has written are printed besides, to be judged by eye.
 *
 *     npm run bench -- chapters [--transcripts DIR]
 */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { findChapters } from '#features/writing/chapters.ts'
import { formatTime } from '#shared/format.ts'
import { chapterTexts, foundAmong } from '#test/chapter-texts.ts'

const { values } = parseArgs({ options: { transcripts: { type: 'string' } } })

const at = (ms: number) => formatTime(ms / 1000)

let all = 0
let allFound = 0
for (const { name, language, isUnseen, turns, marksMs } of chapterTexts()) {
  const chapters = findChapters({ turns, language })
  const starts = chapters.slice(1).map(({ startMs }) => startMs)
  const found = foundAmong(marksMs, starts)
  all += marksMs.length
  allFound += found.length
  console.log(
    `\n${name}${isUnseen ? ' (not tuned with)' : ''}: ${found.length} of ${marksMs.length} found within 10 s, ${starts.length - found.length} more`,
  )
  console.log(
    `  by hand: ${marksMs.map((ms) => at(ms) + (found.includes(ms) ? '' : ' (missed)')).join(', ')}`,
  )
  for (const { startMs, title } of chapters) console.log(`  ${at(startMs)} ${title}`)
}
console.log(`\n${allFound} of ${all} found within 10 s`)

interface Transcript {
  language: string
  turns: { start: number; end: number; speaker: string | null; text: string }[]
}

const folder = values.transcripts
const files = folder ? await readdir(folder) : []
for (const file of files.filter((each) => each.endsWith('.json'))) {
  const { language, turns } = JSON.parse(
    await readFile(join(folder ?? '', file), 'utf8'),
  ) as Transcript
  const said = turns.map(({ start, end, ...turn }) => ({
    ...turn,
    startMs: 1000 * start,
    endMs: 1000 * end,
  }))
  console.log(`\n${file}`)
  for (const { startMs, title } of findChapters({ turns: said, language }))
    console.log(`  ${at(startMs)} ${title}`)
}
