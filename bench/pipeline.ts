/**
 * What does the pipeline cost beyond the recogniser in it, and which words does it make up?
 *
 *     npm run bench -- pipeline [short decode quiet memory | hour]
 *                               [--samples DIR] [--models DIR] [--engine NAME]
 *                               [--repeats 3] [--hours 8]
 *
 * Without a name all parts but `hour` run. `hour` is one run of 60 minutes through the real
 * recogniser: the engine that this machine has (`installed`), or `accurate`, which is pocketsphinx.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'

import { SET_UP_MODELS } from '#features/models/models.ts'
import { measure } from '#features/sound/decode.ts'
import type { Word } from '#features/speech/engines/engine.ts'
import { cutLoops } from '#features/speech/engines/guards.ts'
import { chooseEngine } from '#features/speech/speech.ts'
import { isFinished } from '#features/transcriptions/status.ts'
import { type Watched, watched } from '#features/transcriptions/ui/estimate.ts'
import { Client } from '#test/client.ts'
import { freePort, startServer } from '#test/server.ts'

import { encode, joined, recordings } from './tools/audio.ts'
import type { EngineName, RunReport } from './tools/one-run.ts'
import { partNames } from './tools/parts.ts'
import { pipelineIn } from './tools/pipeline-run.ts'
import { cpuMs } from './tools/processes.ts'
import { decodeRaw, recogniseAlone } from './tools/raw.ts'
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
const TEN_MINUTES = 600
const chord = [220, 277.2, 329.6, 440].map((hz) => `0.12*sin(2*PI*${hz}*t)`).join('+')
const quietSounds = {
  'digital silence': `anullsrc=r=16000:cl=mono:d=${TEN_MINUTES}`,
  'pink noise': `anoisesrc=c=pink:a=0.2:r=16000:d=${TEN_MINUTES}:seed=1`,
  'mains hum': `aevalsrc=0.3*sin(2*PI*50*t)+0.1*sin(2*PI*150*t):s=16000:d=${TEN_MINUTES}`,
  // A chord whose notes come and go, two beats a second.
  'plain music': `aevalsrc=(${chord})*exp(-3*mod(t\\,0.5)):s=16000:d=${TEN_MINUTES}`,
}
const PAUSES = 20
const PAUSE_MS = 30_000
const SAID_MS = 6000
const everyPart = {
  short: shortClip,
  decode,
  quiet: nothingSaid,
  memory,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    samples: { type: 'string' },
    models: { type: 'string', default: SET_UP_MODELS },
    engine: { type: 'string' },
    repeats: { type: 'string', default: '3' },
    hours: { type: 'string', default: '8' },
  },
})
const repeats = Number(values.repeats)
const cores = availableParallelism()
const modelsDir = values.models
const engine = await engineAsked()
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

/** The engine that `--engine` names, else the best that there is. */
async function engineAsked(): Promise<EngineName> {
  if (values.engine === 'accurate' || values.engine === 'installed') return values.engine
  const { name } = await chooseEngine({ transcriber: 'auto', modelsDir })
  return name === 'pocketsphinx' ? 'accurate' : 'installed'
}

/** A job through the real server, against the recogniser alone on the same chunks. */
async function shortClip(): Promise<void> {
  const path = await sound('short.wav', CLIP_SECONDS)
  const piped = await pipeline({ path, engine, cores, modelsDir })
  const bytes = new Uint8Array(await readFile(path))
  const dataDir = join(folder, 'server')
  const settings = { TRANSCRIBER: engine === 'installed' ? 'auto' : 'pocketsphinx' }
  const server = await startServer({ dataDir, port: await freePort(), settings })
  try {
    const client = new Client(server.url)
    await client.signUp({ email: 'bench@example.com', dataDir })
    const runs = await times(Math.min(8, repeats + 1), async () => {
      const { transcriptionId: id } = await client.upload({ name: 'short.wav', bytes })
      const startedAt = performance.now()
      await client.confirm(id)
      while (!isFinished((await client.transcription(id)).status)) await sleep(20)
      const wholeMs = performance.now() - startedAt
      const transcriber = engine === 'installed' ? 'auto' : 'pocketsphinx'
      const alone = await chooseEngine({ transcriber, modelsDir })
      const { pcmPath, chunks } = piped
      return wholeMs - (await recogniseAlone(alone, pcmPath, { chunks, workDir: folder }))
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

/**
 * Silence, noise, hum and music of ten minutes each, and speech with pauses of half a minute: words
 * that are made up where nobody speaks.
 */
async function nothingSaid(): Promise<void> {
  const figures: Figure[] = []
  for (const [what, source] of Object.entries(quietSounds)) {
    const path = await generated(`${what.replaceAll(' ', '-')}.wav`, source)
    const words = await wordsOf(path)
    const most = what === 'digital silence' ? 0 : 2
    figures.push({
      what: `words in 10 min of ${what}`,
      figure: String(words.length),
      bar: `≤ ${most}`,
      isMet: words.length <= most,
    })
  }
  const { path, pauses } = await speechWithPauses()
  const words = await wordsOf(path)
  const invented = words.filter(({ startMs, endMs }) => {
    const middleMs = (startMs + endMs) / 2
    return pauses.some((pause) => middleMs > pause.startMs + 500 && middleMs < pause.endMs - 500)
  })
  figures.push({
    what: `words in ${pauses.length} pauses of 30 s between ${words.length} others`,
    figure: String(invented.length),
    bar: '0',
    isMet: invented.length === 0,
  })
  const loops = words.length - cutLoops(words).length
  figures.push({
    what: 'words of phrases that come more than three times in a row',
    figure: String(loops),
    bar: '0',
    isMet: loops === 0,
  })
  printFigures('Where nobody speaks', figures)
}

async function generated(name: string, source: string): Promise<string> {
  const path = join(folder, name)
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, path])
  return path
}

/** Nothing where the pipeline says that nobody speaks. */
async function wordsOf(path: string): Promise<readonly Word[]> {
  const run = await pipeline({ path, engine, cores, modelsDir }).catch((error: unknown) => {
    if (error instanceof Error && error.message.includes('no_speech')) return null
    throw error
  })
  return run?.words ?? []
}

async function speechWithPauses() {
  const said = await joined(sources, (PAUSES * SAID_MS) / 1000)
  const parts: Buffer[] = []
  const pauses: { startMs: number; endMs: number }[] = []
  for (let place = 0; place < PAUSES; place++) {
    parts.push(said.subarray(place * SAID_MS * 32, (place + 1) * SAID_MS * 32))
    parts.push(Buffer.alloc(PAUSE_MS * 32))
    const startMs = place * (SAID_MS + PAUSE_MS) + SAID_MS
    pauses.push({ startMs, endMs: startMs + PAUSE_MS })
  }
  return { path: await encode(Buffer.concat(parts), join(folder, 'pauses.wav')), pauses }
}

/** With a recogniser of no cost: what decoding, voice activity and voices hold in memory. */
async function memory(): Promise<void> {
  const hours = Number(values.hours)
  const ten = await pipeline({ path: await sound('ten.mp3', 600), engine: 'free', cores })
  const long = await pipeline({ path: await longSound(hours), engine: 'free', cores })
  const { size } = await stat(long.pcmPath)
  const growth = long.peakBytes - ten.peakBytes
  printFigures(`${hours} hours against 10 min of sound, with a recogniser of no cost`, [
    {
      what: 'memory of the worker at its peak: growth (from, to)',
      figure: `${megabytes(growth)} (${megabytes(ten.peakBytes)}, ${megabytes(long.peakBytes)})`,
      bar: '≤ 128 MB',
      isMet: growth <= 128 * 1024 * 1024,
    },
    {
      what: 'disk for the work, over the size of the PCM',
      figure: ratio(size / (long.durationMs * 32)),
      bar: '≤ 1.2',
      isMet: size <= 1.2 * long.durationMs * 32,
    },
    {
      what: 'everything but the recogniser, for an hour of sound',
      figure: `${seconds(long.wallMs / hours)}, processor time ${seconds(totalCpu(long) / hours)}`,
    },
    { what: 'before the recogniser is asked first', figure: seconds(long.firstAskedMs) },
    progressFigure([ten, long]),
  ])
}

/** An hour's MP3 `hours` times: its frames may be put one after the other. */
async function longSound(hours: number): Promise<string> {
  const path = join(folder, `${hours}-hours.mp3`)
  const hour = await readFile(await sound('hour.mp3', HOUR_SECONDS))
  await writeFile(path, Buffer.concat(Array.from({ length: hours }, () => hour)))
  return path
}

async function oneHour(): Promise<void> {
  const path = await sound('hour.m4a', HOUR_SECONDS)
  const durationMs = HOUR_SECONDS * 1000
  const run = await pipeline({ path, engine, cores, modelsDir, durationMs, isByPart: true })
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
    ...partsFigures(run),
    {
      what: 'first words there to read after',
      figure: seconds(run.firstReadMs),
      bar: '≤ 5 s',
      isMet: run.firstReadMs <= 5000,
    },
    {
      what: 'memory at its peak: the worker; with its children',
      figure: `${megabytes(run.peakBytes)}; ${megabytes(run.peakTreeBytes)}`,
    },
    ...restFigures(run),
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

function partsFigures({ partsMs, durationMs }: RunReport): Figure[] {
  return partNames.map((part) => ({
    what: `of that for a second of sound: ${part}`,
    figure: `${((partsMs[part] ?? 0) / durationMs).toFixed(3)} s`,
  }))
}

/** The remaining time that a page shows every two seconds, over the time that then remained. */
function restFigures({ chunksToldAt, wallMs }: RunReport): Figure[] {
  let seen: Watched | undefined
  const looks: { atMs: number; leftMs: number }[] = []
  for (let atMs = 0; atMs < wallMs; atMs += 2000) {
    const told = chunksToldAt.findLast((each) => each.atMs <= atMs)
    const status = told ? `processing chunk ${told.done}/${told.total}` : 'transcribing: chunks'
    seen = watched(seen, status, atMs)
    if (seen.last) looks.push({ atMs, leftMs: seen.last.leftMs })
  }
  const over = (atMs: number) => {
    const look = looks.findLast((each) => each.atMs <= atMs)
    return look ? look.leftMs / (wallMs - look.atMs) : NaN
  }
  const minute = over(60_000)
  return [
    { what: 'the rest of the time is told after', figure: seconds(looks[0]?.atMs ?? NaN) },
    {
      what: 'what is told of it after one minute, over the truth (after two, five)',
      figure: `${ratio(minute)} (${[120_000, 300_000].map((ms) => ratio(over(ms))).join(', ')})`,
      bar: '0.67 to 1.33',
      isMet: Math.abs(minute - 1) <= 1 / 3,
    },
  ]
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

function totalCpu({ cpuMs: { own, children } }: RunReport): number {
  return own + children
}

function spread(values: readonly number[]): string {
  return `${ratio(median(values))} (${ratio(Math.max(...values))})`
}
