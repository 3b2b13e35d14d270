/**
 * What does a server without a language model write? For each transcript the summary, key points and
 * topics are printed, to be judged by eye; and where there is a text of what was said (NAME.txt in
 * the samples), how many words of the sentences that may be shown are right, beside those of the
 * sentences that may not.
 *
 *     npm run -s transcribe -- --json --out DIR FILE…
 *     npm run bench -- summaries --transcripts DIR [--samples DIR]
 */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { believe } from '#features/writing/certainty.ts'
import type { WritingTurn } from '#features/writing/contract.ts'
import { languageOf } from '#features/writing/languages.ts'
import { findSentences } from '#features/writing/sentences.ts'
import { extractive } from '#features/writing/writing.ts'
import { formatTime } from '#shared/format.ts'

import { normalizedWords } from './metrics.ts'
import { printFigures, printMachine } from './tools/report.ts'

/** With more wrong words than this a sentence is not readable as it was said. */
const READABLE = 0.85
/** Shorter ones are never shown. */
const FEWEST_WORDS = 5

const { values } = parseArgs({
  options: { transcripts: { type: 'string' }, samples: { type: 'string' } },
})

/** The output of `transcribe --json`. */
interface Transcript {
  language: string
  turns: {
    start: number
    end: number
    speaker: string | null
    text: string
    words: { text: string; start: number; end: number; confidence: number | null }[]
  }[]
}

/** A sentence, and how many of its words were said. */
interface Checked {
  words: number
  right: number
  isSure: boolean
}

printMachine()
const names = values.transcripts ? await readdir(values.transcripts).catch(() => []) : []
const files = names.filter((name) => name.endsWith('.json')).sort()
if (values.transcripts === undefined || files.length === 0)
  console.log('There is nothing to read: say --transcripts DIR, a folder of NAME.json.')
else await readAll(values.transcripts, files)

async function readAll(folder: string, files: readonly string[]): Promise<void> {
  const checked: Checked[] = []
  for (const file of files) {
    const transcript = JSON.parse(await readFile(join(folder, file), 'utf8')) as Transcript
    const turns = turnsOf(transcript)
    await printSummary(file, { turns, language: transcript.language })
    const said = values.samples
      ? await readFile(join(values.samples, file.replace(/json$/, 'txt')), 'utf8').catch(() => null)
      : null
    if (said !== null) checked.push(...check(said, turns, transcript.language))
  }
  if (checked.length > 0) printChecked(checked)
}

function turnsOf({ turns }: Transcript): WritingTurn[] {
  const ms = (seconds: number) => Math.round(seconds * 1000)
  return turns.map(({ speaker, start, end, text, words }) => ({
    speaker,
    text,
    startMs: ms(start),
    endMs: ms(end),
    words: words.map((word) => ({ ...word, startMs: ms(word.start), endMs: ms(word.end) })),
  }))
}

async function printSummary(
  file: string,
  { turns, language }: { turns: WritingTurn[]; language: string },
): Promise<void> {
  const { signal } = new AbortController()
  const order = { turns, language, requestedLanguage: 'auto' }
  const { text, keyPoints, topics, note } = await extractive.summarize(order, { signal })
  const points = keyPoints.map(
    (point) => `  ${formatTime((point.startMs ?? 0) / 1000)} ${point.text}`,
  )
  console.log(
    [`\n== ${file}`, text, ...points, `  Topics: ${topics.join(' · ') || 'none'}`, note].join('\n'),
  )
}

function check(said: string, turns: readonly WritingTurn[], code: string): Checked[] {
  const sentences = findSentences(turns, languageOf(code))
  const belief = believe(sentences, turns)
  const heard = sentences.flatMap((sentence, index) =>
    sentence.tokens.flatMap(({ text }) => normalizedWords(text).map((word) => ({ word, index }))),
  )
  const right = rightWords(
    normalizedWords(said),
    heard.map(({ word }) => word),
  )
  return sentences.flatMap((sentence, index) => {
    const places = heard.flatMap((one, at) => (one.index === index ? [at] : []))
    if (places.length < FEWEST_WORDS) return []
    const found = places.filter((at) => right.has(at)).length
    return [{ words: places.length, right: found, isSure: belief.isSure(sentence) }]
  })
}

/**
 * The places of heard words that are right: those in the longest common sequence with the truth.
 */
function rightWords(said: readonly string[], heard: readonly string[]): Set<number> {
  const width = heard.length + 1
  const longest = new Uint32Array((said.length + 1) * width)
  const at = (row: number, column: number) => longest[row * width + column] ?? 0
  for (let row = said.length - 1; row >= 0; row--)
    for (let column = heard.length - 1; column >= 0; column--)
      longest[row * width + column] =
        said[row] === heard[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const right = new Set<number>()
  for (let row = 0, column = 0; row < said.length && column < heard.length;) {
    if (said[row] === heard[column]) {
      right.add(column)
      row++
      column++
    } else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  return right
}

function printChecked(all: readonly Checked[]): void {
  const told = (some: readonly Checked[]): string => {
    const words = some.reduce((sum, one) => sum + one.words, 0)
    const right = some.reduce((sum, one) => sum + one.right, 0)
    const readable = some.filter((one) => one.right / one.words >= READABLE).length
    const share = Math.round((100 * right) / Math.max(1, words))
    return `${some.length}; ${share} %; ${readable}`
  }
  printFigures('Sentences; their words that are right; of them with at most 15 % wrong', [
    { what: 'all', figure: told(all) },
    { what: 'sure enough to be shown', figure: told(all.filter(({ isSure }) => isSure)) },
    { what: 'left out', figure: told(all.filter(({ isSure }) => !isSure)) },
  ])
}
