/**
 * How right are words and voices, and what do they cost? Each recording of a samples folder that has
 * a transcript (NAME.txt) or speaker turns (NAME.rttm) beside it goes through the pipeline once with
 * each engine of this machine. Voices are told apart by what is embedded and by the pair of models that is installed, each with the
 * number of voices found out and told; and by sherpa-onnx alone with the same pair, at three thresholds.
 *
 *     npm run bench -- speech --samples DIR [--models DIR] [--only NAME] [--engine NAME] [--json FILE]
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { chosen, SET_UP_MODELS } from '#features/models/models.ts'
import type { SpeakerTurn } from '#features/speech/contract.ts'
import type { Word } from '#features/speech/engines/engine.ts'
import { chooseEngine } from '#features/speech/speech.ts'

import {
  diarizationErrors,
  type LabelledTurn,
  parseRttm,
  totalWordErrors,
  type WordErrors,
  wordErrors,
} from './metrics.ts'
import { encode, joined, recordings as soundsIn } from './tools/audio.ts'
import type { EngineName, VoicesName } from './tools/one-run.ts'
import { partNames } from './tools/parts.ts'
import { pipelineIn } from './tools/pipeline-run.ts'
import { printFigures, printMachine, printTable } from './tools/report.ts'
import { readSamples } from './tools/samples.ts'

/** As NIST scores: nothing within a quarter of a second of a reference's edge; and all of it. */
const COLLAR_MS = 250
const COLLARS_MS = [COLLAR_MS, 0]
const COSTED_S = 600
const BARE_THRESHOLDS = [0.5, 0.6, 0.7]
const bareVoices = join(import.meta.dirname, 'tools/bare-voices.ts')

const { samples, modelsDir, isAsked, json } = await readSamples()
printMachine()
const recordings = (samples?.names ?? []).filter(
  (name) => name.endsWith('.flac') && samples?.isWanted(name),
)
if (samples === null || recordings.length === 0)
  console.log(
    'There is nothing to measure with: say --samples DIR (or QUOTH_SAMPLES), a folder of NAME.flac with NAME.txt or NAME.rttm.',
  )
else await measureAll(samples.folder, recordings)

/** One way to the words of a recording. */
interface Heard {
  errors: WordErrors
  cpuMs: number
  words: Word[]
}

interface Voices {
  found: number
  /** One for each collar; empty without speaker turns. */
  rates: number[]
  /** The number of voices that was found, and the error rates where the number is given. */
  given: { found: number; rates: number[] } | null
  /** Processor time of everything but the recogniser. */
  cpuMs: number
}

interface Measured {
  name: string
  durationMs: number
  /** How many people speak, by the speaker turns; without these it is one. */
  there: number
  hasTurns: boolean
  hasOverlap: boolean
  /** By engine; empty without a transcript. */
  heard: Record<string, Heard>
  voices: Partial<Record<VoicesName, Voices>>
  /** By sherpa-onnx alone, at each threshold. */
  bare: { found: number; rate: number }[]
}

async function measureAll(samples: string, recordings: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quoth-bench-'))
  const { engines: here, diarizer } = await enginesHere()
  const engines = here.filter(isAsked)
  const ways: VoicesName[] = diarizer === null ? ['embedded'] : ['embedded', 'installed']
  const all: Measured[] = []
  try {
    for (const name of recordings) {
      const base = join(samples, name.replace(/\.flac$/, ''))
      const said = await textOf(`${base}.txt`)
      const rttm = await textOf(`${base}.rttm`)
      if (said === null && rttm === null) continue
      const spoken = rttm === null ? null : parseRttm(rttm)
      all.push(await measureOne(join(samples, name), { folder, engines, ways, said, spoken }))
      process.stderr.write(`${name}\n`)
    }
    if (json !== undefined) await writeFile(json, JSON.stringify(all))
    printWords(all, engines)
    if (engines.includes('installed')) await printInstalled(all, folder)
    printVoices(all, diarizer)
    printBare(all)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The embedded engine, and the others that are installed or set up. */
async function enginesHere(): Promise<{ engines: EngineName[]; diarizer: string | null }> {
  const { name, diarizer } = await chooseEngine({ transcriber: 'auto', ...modelsDir })
  return {
    engines: name === 'pocketsphinx' ? ['accurate'] : ['accurate', 'installed'],
    diarizer: diarizer?.name ?? null,
  }
}

async function measureOne(
  path: string,
  {
    folder,
    engines,
    ways,
    said,
    spoken,
  }: {
    folder: string
    engines: readonly EngineName[]
    ways: readonly VoicesName[]
    said: string | null
    spoken: LabelledTurn[] | null
  },
): Promise<Measured> {
  const pipeline = pipelineIn(folder)
  const cores = availableParallelism()
  const measured: Measured = {
    name: path.split('/').at(-1) ?? path,
    durationMs: 0,
    there: spoken ? voicesIn(spoken) : 1,
    hasTurns: spoken !== null,
    hasOverlap: spoken !== null && isOverlapped(spoken),
    heard: {},
    voices: {},
    bare: [],
  }
  for (const voices of ways) {
    const listen = (speakers: { count?: number }) =>
      pipeline({ path, engine: 'free', cores, voices, speakers, ...modelsDir })
    const run = await listen({})
    const told = spoken && (await listen({ count: measured.there })).speakerTurns
    measured.voices[voices] = {
      found: voicesIn(run.speakerTurns),
      rates: spoken ? ratesOf(spoken, run.speakerTurns) : [],
      given: spoken && told ? { found: voicesIn(told), rates: ratesOf(spoken, told) } : null,
      cpuMs: run.cpuMs.own + run.cpuMs.children,
    }
    measured.durationMs = run.durationMs
    if (voices === 'installed' && spoken) measured.bare = await bare(run.pcmPath, spoken)
  }
  for (const engine of said === null ? [] : engines) {
    const run = await pipeline({ path, engine, cores, ...modelsDir })
    const cpuMs = run.cpuMs.own + run.cpuMs.children
    measured.heard[engine] = { errors: errorsOf(said ?? '', run.words), cpuMs, words: run.words }
  }
  return measured
}

async function bare(pcmPath: string, spoken: readonly LabelledTurn[]): Promise<Measured['bare']> {
  const { speakers } = await chosen(modelsDir.modelsDir ?? SET_UP_MODELS)
  const models = [speakers?.segmentation, speakers?.embedding].map((each) => each?.files['model'])
  const all: Measured['bare'] = []
  for (const threshold of BARE_THRESHOLDS) {
    const options = [bareVoices, pcmPath, String(threshold), ...models.map((file) => file ?? '')]
    const { stdout } = await promisify(execFile)(process.execPath, options, { maxBuffer: 2 ** 26 })
    const turns = JSON.parse(stdout) as SpeakerTurn[]
    const { rate } = diarizationErrors(spoken, turns, { collarMs: COLLAR_MS })
    all.push({ found: voicesIn(turns), rate })
  }
  return all
}

function voicesIn(turns: readonly LabelledTurn[]): number {
  return new Set(turns.map(({ speaker }) => speaker)).size
}

function ratesOf(spoken: readonly LabelledTurn[], turns: readonly LabelledTurn[]): number[] {
  return COLLARS_MS.map((collarMs) => diarizationErrors(spoken, turns, { collarMs }).rate)
}

function isOverlapped(spoken: readonly LabelledTurn[]): boolean {
  return spoken.some((a) =>
    spoken.some((b) => b !== a && b.startMs >= a.startMs && b.startMs < a.endMs),
  )
}

function printWords(all: readonly Measured[], ways: readonly EngineName[]): void {
  const told = all.filter(({ heard }) => Object.keys(heard).length > 0)
  if (told.length === 0) return
  const alone = told.filter(({ hasTurns }) => !hasTurns)
  const sum = (some: readonly Measured[], way: string) => ({
    errors: totalWordErrors(some.flatMap(({ heard }) => heard[way]?.errors ?? [])),
    cpuMs: some.reduce((ms, { heard }) => ms + (heard[way]?.cpuMs ?? 0), 0),
    durationMs: some.reduce((ms, { durationMs }) => ms + durationMs, 0),
  })
  const row = (title: string, some: readonly Measured[]) => {
    const words = sum(some, ways[0] ?? '').errors.referenceWords
    return [
      title,
      String(words),
      ...ways.flatMap((way) => {
        const { errors, cpuMs, durationMs } = sum(some, way)
        return [percent(errors.rate), (cpuMs / durationMs).toFixed(2)]
      }),
    ]
  }
  printTable('Word error rate, and seconds of processor time for each second of sound', [
    ['', 'words', ...ways.flatMap((way) => [way, 'cpu'])],
    ...told.map((each) => row(each.name, [each])),
    row('one speaker, without NAME.rttm', alone),
    row('all', told),
  ])
  if (!ways.includes('accurate')) return
  const ours = sum(told, 'accurate').errors
  printFigures('Words', [
    {
      what: 'all texts',
      figure: percent(ours.rate),
      bar: '≤ 40 %',
      isMet: ours.rate <= 0.4,
    },
    {
      what: 'one speaker, clear speech',
      figure: percent(sum(alone, 'accurate').errors.rate),
      bar: '≤ 30 %',
      isMet: sum(alone, 'accurate').errors.rate <= 0.3,
    },
  ])
}

/**
 * The neural engine that is installed: how right it is, and what each part costs with it. A recording of
 * seconds costs little but the start, so the cost is that of ten minutes, of all recordings joined.
 */
async function printInstalled(told: readonly Measured[], folder: string): Promise<void> {
  const heard = told.flatMap((each) => each.heard['installed'] ?? [])
  const { rate } = totalWordErrors(heard.map(({ errors }) => errors))
  const sound = await joined(await soundsIn(samples?.folder), COSTED_S)
  const path = await encode(sound, join(folder, 'costed.wav'))
  const cores = availableParallelism()
  const run = await pipelineIn(folder)({
    path,
    engine: 'installed',
    cores,
    ...modelsDir,
    isByPart: true,
  })
  const perSecond = (ms: number) => `${(ms / (COSTED_S * 1000)).toFixed(3)} s`
  const cpuMs = run.cpuMs.own + run.cpuMs.children
  printFigures('Words of the installed model', [
    { what: 'all texts', figure: percent(rate), bar: '≤ 10 %', isMet: rate <= 0.1 },
    {
      what: 'processor time for a second of sound, all parts',
      figure: perSecond(cpuMs),
      bar: '≤ 0.12 s',
      isMet: cpuMs <= 0.12 * COSTED_S * 1000,
    },
    ...partNames.map((part) => ({
      what: `of that: ${part}`,
      figure: perSecond(run.partsMs[part] ?? 0),
    })),
    { what: 'memory at its peak, all processes', figure: megabytes(run.peakTreeBytes) },
  ])
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`
}

function printVoices(all: readonly Measured[], diarizer: string | null): void {
  for (const way of ['embedded', 'installed'] as const) {
    const judged = all.flatMap(({ voices, ...each }) => {
      const of = voices[way]
      return of ? [{ ...each, ...of }] : []
    })
    if (judged.length === 0) continue
    const told = judged.filter(({ hasTurns }) => hasTurns)
    const row = (what: string, some: typeof told, found: string, there: string) => {
      const rates = some.map((each) => each.rates)
      const given = some.map((each) => each.given?.rates ?? [])
      const mean = (of: readonly number[][], place: number) =>
        percent(of.reduce((sum, each) => sum + (each[place] ?? NaN), 0) / of.length)
      const givenFound = some.length === 1 ? String(some[0]?.given?.found ?? '') : ''
      return [
        what,
        mean(rates, 0),
        mean(rates, 1),
        found,
        there,
        mean(given, 0),
        mean(given, 1),
        givenFound,
      ]
    }
    const isRight = ({ found, there }: { found: number; there: number }) => found === there
    const alone = judged.filter(({ hasTurns }) => !hasTurns)
    const groups = [
      {
        what: 'mean of those where nobody talks at once',
        some: told.filter((each) => !each.hasOverlap),
      },
      { what: 'mean of spliced-*', some: told.filter(({ name }) => name.startsWith('spliced')) },
      { what: 'mean of all', some: told },
    ]
    printTable(
      `Diarization error rate by ${way === 'embedded' ? 'what is embedded' : diarizer}, overlap scored`,
      [
        ['', 'collar 0.25 s', 'collar 0 s', 'found', 'there', 'number told', 'collar 0 s', 'found'],
        ...told.map((each) => row(each.name, [each], String(each.found), String(each.there))),
        ...groups.map(({ what, some }) =>
          row(what, some, `right in ${some.filter(isRight).length}`, `of ${some.length}`),
        ),
        row(
          'without NAME.rttm',
          [],
          `one in ${alone.filter(isRight).length}`,
          `of ${alone.length}`,
        ),
      ],
    )
    const cpuMs = judged.reduce((sum, each) => sum + each.cpuMs, 0)
    const soundMs = judged.reduce((sum, each) => sum + each.durationMs, 0)
    console.log(
      `  ${(cpuMs / soundMs).toFixed(3)} s of processor time for a second of sound, decoding and voice activity included`,
    )
  }
}

function printBare(all: readonly Measured[]): void {
  const told = all.filter(({ bare: each }) => each.length > 0)
  if (told.length === 0) return
  const cells = ({ found, rate }: { found: number; rate: number }) => [percent(rate), String(found)]
  const mean = (rates: readonly number[]) =>
    percent(rates.reduce((sum, rate) => sum + rate, 0) / rates.length)
  printTable('Beside sherpa-onnx alone with the same pair, collar 0.25 s', [
    ['', 'ours', 'found', ...BARE_THRESHOLDS.flatMap((each) => [String(each), 'found']), 'there'],
    ...told.map(({ name, voices, bare: alone, there }) => [
      name,
      ...cells({
        found: voices.installed?.found ?? 0,
        rate: voices.installed?.rates[0] ?? Number.NaN,
      }),
      ...alone.flatMap(cells),
      String(there),
    ]),
    [
      'mean',
      mean(told.map(({ voices }) => voices.installed?.rates[0] ?? Number.NaN)),
      '',
      ...BARE_THRESHOLDS.flatMap((_, at) => [
        mean(told.map((each) => each.bare[at]?.rate ?? 0)),
        '',
      ]),
    ],
  ])
}

function errorsOf(said: string, words: readonly Word[]): WordErrors {
  return wordErrors(said, words.map(({ text }) => text).join(' '))
}

function percent(rate: number): string {
  return Number.isNaN(rate) ? '' : `${(rate * 100).toFixed(1)} %`
}

/** Null where there is none. */
async function textOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
