/**
 * Are the words that are marked as doubtful the wrong ones? Each recording of a samples folder that
 * has a transcript (NAME.txt) beside it is recognised with each engine of this machine. For every
 * threshold of confidence this prints the share of the wrong words that it marks, and the share of
 * the marked words that are wrong. A threshold is chosen on every second recording and judged on the
 * others, and the other way round. Words that were left out cannot be marked and are counted beside.
 *
 *     npm run bench -- doubt --samples DIR [--models DIR] [--only NAME] [--engine NAME] [--json FILE]
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Word } from '#features/speech/engines/engine.ts'
import { chooseEngine } from '#features/speech/speech.ts'
import { checkBelowOf, isInDoubt, percentOf } from '#features/text/words-in-doubt.ts'

import { rightWords, wordErrors } from './metrics.ts'
import type { EngineName } from './tools/one-run.ts'
import { pipelineIn } from './tools/pipeline-run.ts'
import { printFigures, printMachine, printTable } from './tools/report.ts'
import { readSamples } from './tools/samples.ts'

/** Which share of the wrong words is to be marked, and which share of the marked is to be wrong. */
const MARKED = 0.5
const WRONG = 1 / 3
/** A threshold is chosen to mark a little more than that, because other recordings differ. */
const AIM = 0.55

const { samples, modelsDir, isAsked, json } = await readSamples()
printMachine()
const recordings = (samples?.names ?? [])
  .filter((name) => name.endsWith('.txt') && samples?.isWanted(name))
  .map((name) => name.slice(0, -'.txt'.length))
  .filter((name) => samples?.names.includes(`${name}.flac`))
  .sort()
if (samples === null || recordings.length === 0)
  console.log(
    'There is nothing to measure with: say --samples DIR (or QUOTH_SAMPLES), a folder of NAME.flac with NAME.txt.',
  )
else await measureAll(samples.folder, recordings)

interface Judged {
  percent: number
  isWrong: boolean
}

interface Heard {
  /** The words that were heard, with the engine's probabilities. */
  words: Judged[]
  leftOut: number
}

async function measureAll(samples: string, recordings: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quoth-bench-'))
  const installed = await chooseEngine({ transcriber: 'auto', ...modelsDir })
  const isEmbedded = installed.name === 'pocketsphinx'
  const all: EngineName[] = ['accurate', ...(isEmbedded ? [] : ['installed' as const])]
  const engines = all.filter(isAsked)
  const cores = availableParallelism()
  const heard: Record<string, Heard[]> = {}
  try {
    for (const name of recordings) {
      const said = await readFile(join(samples, `${name}.txt`), 'utf8')
      const path = join(samples, `${name}.flac`)
      for (const engine of engines) {
        const { words } = await pipelineIn(folder)({ path, engine, cores, ...modelsDir })
        heard[engine] = [...(heard[engine] ?? []), judged(said, words)]
      }
      process.stderr.write(`${name}\n`)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  if (json !== undefined) await writeFile(json, JSON.stringify({ recordings, heard }))
  for (const [engine, all] of Object.entries(heard))
    printEngine(engine, engine === 'installed' ? installed.name : 'pocketsphinx', all)
}

function judged(said: string, words: readonly Word[]): Heard {
  const texts = words.map(({ text }) => text)
  const right = rightWords(said, texts)
  return {
    words: words.flatMap(({ confidence }, index) => {
      const isRight = right[index] ?? null
      const percent = percentOf(confidence)
      return isRight === null || percent === null ? [] : [{ percent, isWrong: !isRight }]
    }),
    leftOut: wordErrors(said, texts.join(' ')).deletions,
  }
}

/** The effect of a threshold: how many words it marks, and how well it finds the wrong ones. */
function marksOf(words: readonly Judged[], checkBelow: number) {
  const marked = words.filter(({ percent }) => isInDoubt(percent, checkBelow))
  const found = marked.filter(({ isWrong }) => isWrong).length
  return {
    share: marked.length / words.length,
    found: found / words.filter(({ isWrong }) => isWrong).length,
    wrong: found / marked.length,
  }
}

/** The lowest threshold that marks the share of the wrong words that is aimed at. */
function choose(words: readonly Judged[]): number {
  let checkBelow = 1
  while (checkBelow < 100 && marksOf(words, checkBelow).found < AIM) checkBelow += 1
  return checkBelow
}

function wordsOf(some: readonly Heard[]): Judged[] {
  return some.flatMap(({ words }) => words)
}

function percent(share: number): string {
  return Number.isNaN(share) ? '' : `${(share * 100).toFixed(1)} %`
}

function printEngine(title: string, engine: string, all: readonly Heard[]): void {
  const words = wordsOf(all)
  if (words.length === 0) {
    console.log(`\n${title}: this engine does not say how sure it is.`)
    return
  }
  const ours = checkBelowOf(engine)
  const wrong = words.filter(({ isWrong }) => isWrong).length
  const leftOut = all.reduce((sum, each) => sum + each.leftOut, 0)
  const thresholds = Array.from({ length: 14 }, (_, index) => 30 + 5 * index)
  printTable(
    `${title}: ${words.length} words, ${wrong} of them wrong; ${leftOut} left out, which nothing can mark`,
    [
      ['marked below', 'of all words', 'of the wrong words', 'of the marked are wrong'],
      ...[...new Set([...thresholds, ours])]
        .sort((a, b) => a - b)
        .map((checkBelow) => {
          const marks = marksOf(words, checkBelow)
          const which = checkBelow === ours ? `${checkBelow} % (ours)` : `${checkBelow} %`
          return [which, percent(marks.share), percent(marks.found), percent(marks.wrong)]
        }),
    ],
  )
  const halves = [0, 1].map((half) => all.filter((_, index) => index % 2 === half))
  printFigures(`${title}: chosen on one half of the recordings, judged on the other`, [
    ...halves.map((half, index) => {
      const checkBelow = choose(wordsOf(half))
      const { found, wrong: ofMarked } = marksOf(wordsOf(halves[1 - index] ?? []), checkBelow)
      return {
        what: `below ${checkBelow} %, from ${index === 0 ? 'odd' : 'even'} ones`,
        figure: `${percent(found)} of the wrong, ${percent(ofMarked)} of the marked`,
        bar: '≥ 50 %, ≥ 33 %',
        isMet: found >= MARKED && ofMarked >= WRONG,
      }
    }),
    { what: 'chosen on all of them', figure: `below ${choose(words)} %` },
  ])
}
