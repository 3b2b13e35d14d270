/**
 * How right are words and voices? Each recording of a samples folder that has a transcript
 * (NAME.txt) or speaker turns (NAME.rttm) beside it goes through the pipeline, and once, whole and
 * uncut, through the bare recogniser.
 *
 *     npm run bench -- accuracy --samples DIR
 */
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import type { Word } from '#features/speech/engines/engine.ts'
import {
  type WordErrors,
  diarizationErrors,
  parseRttm,
  totalWordErrors,
  wordErrors,
} from '#features/speech/metrics.ts'

import { pipelineIn } from './tools/pipeline-run.ts'
import { recogniseRaw } from './tools/raw.ts'
import { type Figure, printFigures, printMachine } from './tools/report.ts'

/** As NIST scores: nothing within a quarter of a second of a reference's edge. */
const COLLAR_MS = 250
const MOST_COST = 0.002

const { values } = parseArgs({ options: { samples: { type: 'string' } } })
const samples = values.samples ?? process.env['QUOTH_SAMPLES']
printMachine()
const names = samples === undefined ? [] : await readdir(samples).catch(() => [])
const recordings = names.filter((name) => name.endsWith('.flac')).sort()
if (samples === undefined || recordings.length === 0)
  console.log(
    'There is nothing to measure with: say --samples DIR (or QUOTH_SAMPLES), a folder of NAME.flac with NAME.txt or NAME.rttm.',
  )
else await measureAll(samples, recordings)

async function measureAll(samples: string, recordings: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quoth-bench-'))
  const pipeline = pipelineIn(folder)
  const cores = availableParallelism()
  const words: Figure[] = []
  const voices: Figure[] = []
  const heard: { ours: WordErrors; bare: WordErrors }[] = []
  let rightCounts = 0
  try {
    for (const name of recordings) {
      const base = join(samples, name.replace(/\.flac$/, ''))
      const said = await textOf(`${base}.txt`)
      const spoken = await textOf(`${base}.rttm`)
      if (said === null && spoken === null) continue

      const engine = said === null ? 'free' : 'pocketsphinx'
      const run = await pipeline({ path: join(samples, name), engine, cores })
      if (said !== null) {
        const { pcmPath, isNarrowBand } = run
        const endMs = Math.floor((await readFile(pcmPath)).length / 32)
        const whole = [{ index: 0, startMs: 0, endMs }]
        const bare = await recogniseRaw(pcmPath, whole, { processes: 1, isNarrowBand })
        const errors = { ours: errorsOf(said, run.words), bare: errorsOf(said, bare.words) }
        heard.push(errors)
        words.push({
          what: name,
          figure: `${percent(errors.ours.rate)} (uncut ${percent(errors.bare.rate)}; ${errors.ours.referenceWords} words)`,
        })
      }
      if (spoken !== null) {
        const reference = parseRttm(spoken)
        const { rate } = diarizationErrors(reference, run.speakerTurns, { collarMs: COLLAR_MS })
        const wanted = new Set(reference.map(({ speaker }) => speaker)).size
        const found = new Set(run.speakerTurns.map(({ speaker }) => speaker)).size
        if (wanted === found) rightCounts += 1
        voices.push({
          what: name,
          figure: `${percent(rate)} (${found} voices where there are ${wanted})`,
        })
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }

  const ours = totalWordErrors(heard.map((each) => each.ours))
  const bare = totalWordErrors(heard.map((each) => each.bare))
  printFigures('Word error rate', [
    ...words,
    { what: `all ${ours.referenceWords} words`, figure: percent(ours.rate) },
    {
      what: 'what cutting into chunks costs, in points',
      figure: `${((ours.rate - bare.rate) * 100).toFixed(2)} (one word is ${(100 / ours.referenceWords).toFixed(2)})`,
      bar: '≤ 0.2 (on an hour or more)',
      isMet: ours.rate - bare.rate <= MOST_COST,
    },
  ])
  printFigures(`Diarization error rate, collar ${COLLAR_MS} ms, overlap scored`, [
    ...voices,
    {
      what: 'recordings with the right number of voices',
      figure: `${rightCounts} of ${voices.length}`,
    },
  ])
}

function errorsOf(said: string, words: readonly Word[]): WordErrors {
  return wordErrors(said, words.map(({ text }) => text).join(' '))
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(1)} %`
}

/** Null where there is none. */
async function textOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
