/**
 * What does the pipeline cost beyond the programs in it? Both sides run in turn on the same sound,
 * so that a ratio holds on a busy machine too.
 *
 *     npm run bench -- pipeline [ratio cores short decode memory | hour]
 *                               [--samples DIR] [--minutes 4] [--repeats 3]
 *
 * Without a name all parts but `hour` run, in about a quarter of an hour on two cores. `hour` is
 * one run of 60 minutes through the real recogniser, which takes as long again.
 */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import type { Word } from '#features/speech/engines/engine.ts'
import { measure } from '#features/speech/speech.ts'
import { isFinished } from '#features/transcriptions/contract.ts'
import { Client } from '#test/client.ts'
import { freePort, startServer } from '#test/server.ts'

import { encode, joined, recordings } from './tools/audio.ts'
import type { RunReport } from './tools/one-run.ts'
import { pipelineIn } from './tools/pipeline-run.ts'
import { cpuMs } from './tools/processes.ts'
import { decodeRaw, recogniseRaw } from './tools/raw.ts'
import {
  type Figure,
  median,
  megabytes,
  printFigures,
  printMachine,
  ratio,
  seconds,
} from './tools/report.ts'
import { seamsOf } from './tools/seams.ts'

const HOUR_SECONDS = 3600
const CLIP_SECONDS = 10
const everyPart = { ratio: wholeRatio, cores: twoCores, short: shortClip, decode, memory }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    samples: { type: 'string' },
    minutes: { type: 'string', default: '4' },
    repeats: { type: 'string', default: '3' },
  },
})
const minutes = Number(values.minutes)
const repeats = Number(values.repeats)
const cores = availableParallelism()
const folder = await mkdtemp(join(tmpdir(), 'quoth-bench-'))
const pipeline = pipelineIn(folder)
printMachine()
const sources = await recordings(values.samples ?? process.env['QUOTH_SAMPLES'])
console.log(`Sound: ${sources.description}.`)
try {
  const known: Record<string, () => Promise<void>> = { ...everyPart, hour: oneHour }
  for (const name of positionals.length > 0 ? positionals : Object.keys(everyPart)) {
    const part = known[name]
    if (part) await part()
    else console.log(`There is no part ${name}. There are: ${Object.keys(known).join(', ')}.`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function wholeRatio(): Promise<void> {
  const path = await sound('ratio.m4a', minutes * 60)
  const runs = await times(repeats, async () => {
    const piped = await pipeline({ path, engine: 'pocketsphinx', cores })
    const options = { processes: cores, isNarrowBand: piped.isNarrowBand }
    const bare = await recogniseRaw(piped.pcmPath, piped.chunks, options)
    const first = await recogniseRaw(piped.pcmPath, piped.chunks.slice(0, 1), {
      ...options,
      processes: 1,
    })
    return { piped, bare, first }
  })
  const audioMs = minutes * 60_000
  const walls = runs.map(({ piped, bare }) => piped.wallMs / bare.wallMs)
  const work = runs.map(({ piped, bare }) => totalCpu(piped) / bare.cpuMs)
  const firsts = runs.map(({ piped, first }) => piped.firstTextMs / first.wallMs)
  const bareSpeed = audioMs / median(runs.map(({ bare }) => bare.wallMs))
  const speed = audioMs / median(runs.map(({ piped }) => piped.wallMs))
  const isSame = runs.every(({ piped, bare }) => isSameText(piped.words, bare.words))

  printFigures(`Pipeline over pocketsphinx_batch: ${minutes} min of sound, ${repeats} repeats`, [
    {
      what: `wall time, ${cores} processes each (median, worst)`,
      figure: spread(walls),
      bar: '≤ 1.10',
      isMet: median(walls) <= 1.1,
    },
    { what: 'processor time, with decoding, voice activity and voices', figure: spread(work) },
    {
      what: 'both sides heard the same words',
      figure: isSame ? 'yes' : 'NO: the options differ, the ratio means nothing',
    },
    {
      what: 'time to first words over that of the bare program',
      figure: `${spread(firsts)} (${seconds(median(runs.map(({ piped }) => piped.firstTextMs)))})`,
      bar: '≤ 1.5 on 60 min',
      isMet: median(firsts) <= 1.5,
    },
    {
      what: 'recogniser alone, times real time',
      figure: bareSpeed.toFixed(1),
      bar: '≥ 4',
      isMet: bareSpeed >= 4,
    },
    {
      what: 'whole pipeline, times real time',
      figure: speed.toFixed(1),
      bar: '≥ 2.5',
      isMet: speed >= 2.5,
    },
    progressFigure(runs.map(({ piped }) => piped)),
  ])
}

async function twoCores(): Promise<void> {
  const path = await sound('cores.m4a', minutes * 30)
  const runs = await times(repeats, async () => ({
    one: await pipeline({ path, engine: 'pocketsphinx', cores: 1 }),
    two: await pipeline({ path, engine: 'pocketsphinx', cores: 2 }),
  }))
  const gains = runs.map(({ one, two }) => one.wallMs / two.wallMs)
  printFigures(`Two recogniser processes over one: ${minutes / 2} min of sound`, [
    {
      what: 'gain in wall time of the pipeline (median, least)',
      figure: `${ratio(median(gains))} (${ratio(Math.min(...gains))})`,
      bar: '≥ 1.0',
      isMet: median(gains) >= 1,
    },
  ])
}

/** A job through the real server, against the recogniser alone on the same chunks. */
async function shortClip(): Promise<void> {
  const path = await sound('short.wav', CLIP_SECONDS)
  const piped = await pipeline({ path, engine: 'pocketsphinx', cores })
  const bytes = new Uint8Array(await readFile(path))
  const dataDir = join(folder, 'server')
  const server = await startServer({ dataDir, port: await freePort() })
  try {
    const client = new Client(server.url)
    await client.signUp({ email: 'bench@example.com', dataDir })
    const runs = await times(Math.min(8, repeats + 1), async () => {
      const { transcriptionId: id } = await client.upload({ name: 'short.wav', bytes })
      const startedAt = performance.now()
      await client.confirm(id)
      while (!isFinished((await client.transcription(id)).status)) await sleep(20)
      const wholeMs = performance.now() - startedAt
      const bare = await recogniseRaw(piped.pcmPath, piped.chunks, { processes: cores })
      return wholeMs - bare.wallMs
    })
    // The first one also loads the threads' code from disk.
    const warm = runs.slice(1)
    printFigures(`A clip of ${CLIP_SECONDS} s through the server, summary included`, [
      {
        what: 'confirm → completed, beyond the recogniser alone (median, worst)',
        figure: `${seconds(median(warm))} (${seconds(Math.max(...warm))})`,
        bar: '≤ 1.5 s',
        isMet: median(warm) <= 1500,
      },
      { what: 'the first one after a start', figure: seconds(runs[0] ?? NaN) },
    ])
  } finally {
    await server.stop()
  }
}

async function decode(): Promise<void> {
  const options = { signal: new AbortController().signal, maxDurationMs: 2 * HOUR_SECONDS * 1000 }
  const figures: Figure[] = []
  const bars = { opus: 250, mp3: 400, m4a: 400 }
  // The first decoding of a process also tries out the sandbox.
  await measure(await sound('short.wav', CLIP_SECONDS), options)
  for (const [kind, bar] of Object.entries(bars)) {
    const path = await sound(`hour.${kind}`, HOUR_SECONDS)
    const runs = await times(repeats, async () => {
      const before = cpuMs().children
      const startedAt = performance.now()
      const measured = await measure(path, options)
      if (measured.kind === 'refused') throw new Error(`the decoder refused ${path}`)
      const wallMs = performance.now() - startedAt
      await sleep(100)
      return { ours: { wallMs, cpuMs: cpuMs().children - before }, bare: await decodeRaw(path) }
    })
    const walls = runs.map(({ ours, bare }) => ours.wallMs / bare.wallMs)
    const work = median(runs.map(({ ours, bare }) => ours.cpuMs / bare.cpuMs))
    const speed = (HOUR_SECONDS * 1000) / median(runs.map(({ ours }) => ours.cpuMs))
    figures.push(
      {
        what: `${kind}: sandboxed decoder over plain ffmpeg, wall time (median, worst)`,
        figure: `${spread(walls)}, processor time ${ratio(work)}`,
        bar: '≤ 1.10',
        isMet: median(walls) <= 1.1,
      },
      {
        what: `${kind}: times real time for each core`,
        figure: speed.toFixed(0),
        bar: `≥ ${bar}`,
        isMet: speed >= bar,
      },
    )
  }
  printFigures(`Decoding 60 min, ${repeats} repeats`, figures)
}

/** With a recogniser of no cost: what decoding, voice activity and voices hold in memory. */
async function memory(): Promise<void> {
  const [ten, sixty] = [
    await pipeline({ path: await sound('ten.m4a', 600), engine: 'free', cores }),
    await pipeline({ path: await sound('hour.m4a', HOUR_SECONDS), engine: 'free', cores }),
  ] as const
  const { size } = await stat(sixty.pcmPath)
  const growth = sixty.peakBytes - ten.peakBytes
  const first = await recogniseRaw(sixty.pcmPath, sixty.chunks.slice(0, 1), { processes: 1 })
  const group = sixty.chunks.filter(({ endMs }) => endMs <= 45_000)
  const firstGroup = await recogniseRaw(sixty.pcmPath, group, { processes: 1 })
  const firstTextMs = sixty.firstAskedMs + firstGroup.wallMs
  printFigures('60 min against 10 min of sound, with a recogniser of no cost', [
    {
      what: 'memory of the worker at its peak: growth (10 min, 60 min)',
      figure: `${megabytes(growth)} (${megabytes(ten.peakBytes)}, ${megabytes(sixty.peakBytes)})`,
      bar: '≤ 128 MB',
      isMet: growth <= 128 * 1024 * 1024,
    },
    {
      what: 'disk for the work, over the size of the PCM',
      figure: ratio(size / (HOUR_SECONDS * 32_000)),
      bar: '≤ 1.2',
      isMet: size <= 1.2 * HOUR_SECONDS * 32_000,
    },
    {
      what: 'wall time of everything but the recogniser',
      figure: `${seconds(sixty.wallMs)} for 60 min`,
    },
    {
      what: 'of that, before the recogniser is asked first',
      figure: seconds(sixty.firstAskedMs),
    },
    {
      what: 'first words of 60 min, over the bare program on the first chunk',
      figure: `${ratio(firstTextMs / first.wallMs)} (${seconds(firstTextMs)})`,
      bar: '≤ 1.5',
      isMet: firstTextMs / first.wallMs <= 1.5,
    },
    progressFigure([ten, sixty]),
  ])
}

async function oneHour(): Promise<void> {
  const path = await sound('hour.m4a', HOUR_SECONDS)
  const run = await pipeline({ path, engine: 'pocketsphinx', cores })
  const seams = seamsOf(run.chunks, run.words)
  const speed = (HOUR_SECONDS * 1000) / run.wallMs
  printFigures('60 min through the real recogniser, once', [
    {
      what: 'wall time',
      figure: `${seconds(run.wallMs)}, ${speed.toFixed(1)} times real time`,
      bar: '≥ 2.5',
      isMet: speed >= 2.5,
    },
    {
      what: 'processor time (of it recogniser and decoder)',
      figure: `${seconds(totalCpu(run))} (${seconds(run.cpuMs.children)})`,
    },
    { what: 'first words after', figure: seconds(run.firstTextMs) },
    {
      what: 'memory at its peak: the worker; with its children',
      figure: `${megabytes(run.peakBytes)}; ${megabytes(run.peakTreeBytes)}`,
    },
    progressFigure([run]),
    {
      what: 'seams between chunks (of them without a pause)',
      figure: `${seams.count} (${seams.insideSpeech})`,
    },
    {
      what: 'words said twice at a seam, words across one',
      figure: `${seams.repeated}, ${seams.crossing}`,
      bar: '0',
      isMet: seams.repeated + seams.crossing === 0,
    },
    {
      what: 'words; for each chunk; chunks without any',
      figure: `${run.words.length}; ${seams.wordsPerChunk.toFixed(1)}; ${seams.chunksWithoutWords}`,
    },
    { what: 'voices told apart (of joined recordings: no measure)', figure: String(run.speakers) },
  ])
}

/** Written once, however many parts ask for it. */
async function sound(name: string, lengthSeconds: number): Promise<string> {
  const path = join(folder, name)
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  return isThere ? path : encode(await joined(sources, lengthSeconds), path)
}

function progressFigure(runs: readonly RunReport[]): Figure {
  const back = runs.reduce((sum, { wentBack }) => sum + wentBack, 0)
  const told = runs.reduce((sum, { chunksTold }) => sum + chunksTold, 0)
  const what = 'progress that went back'
  return { what, figure: `${back} of ${told} reports`, bar: '0', isMet: back === 0 }
}

async function times<T>(count: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let index = 0; index < count; index++) results.push(await run())
  return results
}

function isSameText(some: readonly Word[], others: readonly Word[]): boolean {
  const text = (words: readonly Word[]) => words.map((word) => word.text.toLowerCase()).join(' ')
  return text(some) === text(others)
}

function totalCpu({ cpuMs: { own, children } }: RunReport): number {
  return own + children
}

function spread(values: readonly number[]): string {
  return `${ratio(median(values))} (${ratio(Math.max(...values))})`
}
