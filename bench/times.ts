/**
 * How far from where they were said do words begin? A made recording with known times (times/) goes
 * through the pipeline with the engine of this machine and with the embedded one. Where the engine says
 * no times of its own, its estimates stand beside the aligned times, with the cost of that.
 *
 *     npm run bench -- times [--models DIR]
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { SET_UP_MODELS } from '#features/models/models.ts'
import { aligner } from '#features/speech/engines/align-words.ts'
import type { Chunk, Engine, PcmFile, Word } from '#features/speech/engines/engine.ts'
import { openPocketsphinx } from '#features/speech/engines/pocketsphinx.ts'
import { byChunk } from '#features/speech/engines/recognise.ts'
import { chooseEngine, type StageStore, transcribe } from '#features/speech/speech.ts'

import { normalizedWords } from './metrics.ts'
import { cpuMs } from './tools/processes.ts'
import {
  type Figure,
  median,
  milliseconds,
  percentile,
  printFigures,
  printMachine,
} from './tools/report.ts'
import { readSamples } from './tools/samples.ts'

const MEDIAN_MS = 100
const MOST_MS = 400
const MOST_COST = 0.02

type Timed = Pick<Word, 'text' | 'startMs'>

const recording = (name: string) => join(import.meta.dirname, 'times', name)
const { modelsDir } = await readSamples()
printMachine()
const said = (await readFile(recording('meeting.tsv'), 'utf8'))
  .trim()
  .split('\n')
  .map((line): Timed => {
    const [startMs, , text = ''] = line.split('\t')
    return { text, startMs: Number(startMs) }
  })
const folder = await mkdtemp(join(tmpdir(), 'quoth-bench-'))
try {
  const models = modelsDir.modelsDir ?? SET_UP_MODELS
  const installed = await chooseEngine({ transcriber: 'auto', modelsDir: models })
  if (installed.name !== 'pocketsphinx') await measure(installed)
  await measure(await openPocketsphinx())
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure(engine: Engine): Promise<void> {
  const title = engine.model ?? engine.name
  const { estimates, words, groups } = await run(engine)
  if (engine.capabilities.hasWordTimes) {
    printFigures(title, [starts('its own times', words)])
    return
  }
  const left = words.filter(({ isEstimated }) => isEstimated).length
  printFigures(title, [
    starts('estimated', estimates),
    starts('aligned', words),
    { what: 'words whose times are still an estimate', figure: `${left} of ${words.length}` },
    costOf(await costly(groups)),
  ])
}

interface Group {
  pcm: PcmFile
  chunks: readonly Chunk[]
  words: readonly Word[]
}

/** The pipeline once, with the engine's own times from before the alignment. */
async function run(engine: Engine) {
  const groups: Group[] = []
  const watched: Engine = {
    ...engine,
    async recognise(pcm, chunks, options) {
      const result = await engine.recognise(pcm, chunks, options)
      if (result.kind === 'done') groups.push({ pcm, chunks, words: result.words })
      return result
    },
  }
  const kept = new Map<string, unknown>()
  const stages: StageStore = {
    get: async <T>(name: string) => (kept.get(name) ?? null) as T | null,
    put: async (name, value) => void kept.set(name, value),
  }
  const workDir = await mkdtemp(join(folder, 'work-'))
  const job = { path: recording('meeting.opus'), workDir, engine: watched }
  const result = await transcribe(job, stages, () => undefined, new AbortController().signal)
  await engine.close?.()
  if (result.kind === 'refused') throw new Error(`the pipeline refused: ${result.reason}`)
  return {
    groups,
    estimates: groups.flatMap(({ words }) => words).toSorted((a, b) => a.startMs - b.startMs),
    words: result.turns.flatMap(({ words }) => words),
  }
}

/**
 * Aligns once more and alone, so that the processor time is that of nothing else; all at once, because a
 * long recording is recognised in groups of a minute.
 */
async function costly(groups: readonly Group[]): Promise<number> {
  const [first] = groups
  if (!first) throw new Error('the engine heard nothing')
  const pieces = groups.flatMap(({ words, chunks }) => byChunk(words, chunks))
  const soundMs = pieces.reduce((sum, [{ startMs, endMs }]) => sum + endMs - startMs, 0)
  const signal = new AbortController().signal
  const before = cpuMs()
  await aligner({ workDir: folder, signal })(first.pcm, pieces, 'en')
  // The time of a child counts only once it was collected, a moment after its end.
  await sleep(100)
  const after = cpuMs()
  return (after.own + after.children - before.own - before.children) / soundMs
}

function costOf(share: number): Figure {
  return {
    what: 'alignment: processor seconds for each second of sound',
    figure: share.toFixed(4),
    bar: `≤ ${MOST_COST}`,
    isMet: share <= MOST_COST,
  }
}

function starts(what: string, heard: readonly Timed[]): Figure {
  const errors = pairsOf(said, heard).map(([one, other]) => Math.abs(one.startMs - other.startMs))
  const [middle, most] = [median(errors), percentile(errors, 0.95)]
  return {
    what: `${what}: ${errors.length} of ${said.length} words`,
    figure: `median ${milliseconds(middle)}, p95 ${milliseconds(most)}`,
    bar: `≤ ${MEDIAN_MS} ms, ≤ ${MOST_MS} ms`,
    isMet: middle <= MEDIAN_MS && most <= MOST_MS,
  }
}

/** Words that were said and heard alike: the longest common sequence. */
function pairsOf(said: readonly Timed[], heard: readonly Timed[]): [Timed, Timed][] {
  const plain = ({ text }: Timed) => normalizedWords(text).join(' ')
  const [one, other] = [said.map(plain), heard.map(plain)]
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--) {
      const row = lengths[i]
      if (row)
        row[j] = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const pairs: [Timed, Timed][] = []
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    const [a, b] = [said[i], heard[j]]
    if (a && b && one[i] === other[j]) {
      pairs.push([a, b])
      i++
      j++
    } else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}
