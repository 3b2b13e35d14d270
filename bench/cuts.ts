/**
 * Is a cut heard, and does everything stand where captions say it does? Recordings of the samples folder
 * are joined and cut at random places of their speech, which is harder than between words:
 *
 * - 50 cuts: the largest step between two neighbouring samples at each join, over that of the speech around
 *   it; the length; and where 0.4 s of sound before and after each join is found again, by
 *   cross-correlation, beside where its captions are.
 * - A film of two minutes with 30 cuts, whose frames show their numbers: how far its sound, found in the
 *   same way, is from its picture.
 * - Three hours with 500 cuts: processor time, memory and disk; on a disk that is full in the middle, and
 *   cancelled there.
 * - Lists as nobody would make them: 10,000 stretches over each other and out of order, as many cuts as there
 *   may be, and all of it. Two files at once. A worker that is killed in the middle: whether its programs
 *   outlive it, and whether the file is made anew.
 *
 *     npm run bench -- cuts --samples DIR
 */
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

import { ChangeCuts, MOST_CUTS } from '#features/cuts/contract.ts'
import { joined as inOrder } from '#features/cuts/ranges.ts'
import { type CutFormat, writeCut } from '#features/sound/cut.ts'
import { cutter, type Stretch } from '#features/sound/cut-samples.ts'
import { seeded } from '#shared/random.ts'
import { descendantsOf } from '#test/children.ts'
import { canMount, smallDisk } from '#test/small-disk.ts'

import { decoded, encode, joined, recordings } from './tools/audio.ts'
import { cpuMs, fairShareOf, memoryOf, watchPeak } from './tools/processes.ts'
import {
  type Figure,
  median,
  megabytes,
  milliseconds,
  percentile,
  printFigures,
  printMachine,
  ratio,
  within,
} from './tools/report.ts'
import { readSamples } from './tools/samples.ts'

const SEED = 50
const RATE = 16_000
const PER_MS = RATE / 1000
const LENGTH_MS = 20
const CAPTION_MS = 50
/** -30 dB. */
const SPOKEN = 1000
const formats = ['mp3', 'm4a', 'opus', 'ogg', 'flac', 'wav'] as const

const run = promisify(execFile)
const { samples } = await readSamples()
if (!samples) {
  console.log('Say where the recordings are: npm run bench -- cuts --samples DIR')
  process.exit(2)
}
const sources = await recordings(samples.folder)
const signal = new AbortController().signal
const folder = await mkdtemp(join(tmpdir(), 'quoth-bench-'))
printMachine()
console.log(sources.description)
try {
  await speech()
  await film()
  await hours()
  await hostile()
  await together()
  await killed()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function speech(): Promise<void> {
  const pcm = await joined(sources, 540)
  const source = samplesIn(pcm)
  const cuts = cutsIn(source, 50)
  const path = await encode(pcm, join(folder, 'speech.wav'))
  const durationMs = source.length / PER_MS
  const nominalMs = durationMs - lengthOf(cuts)
  const rendered = await samplesOf(await render(path, 'wav', { cuts, durationMs }))

  const cutting = cutter({ rateHz: RATE, channelCount: 1, durationMs, cuts })
  cutting.take(pcm)
  cutting.finish()
  let removed = 0
  const steps = cutting.edges.map(({ from, to }) => {
    removed += to - from
    return stepAt(rendered, to - removed, largestStep(source, from), largestStep(source, to))
  })
  const plain = plainly(source, cuts)
  const wrong: number[] = []
  for (const format of formats) {
    const out = await render(path, format, { cuts, durationMs })
    wrong.push(Math.abs((await playedMs(out)) - nominalMs))
  }
  const found = await samplesOf(await render(path, 'mp3', { cuts, durationMs }))
  const apart = cuts.flatMap((cut, index) =>
    [cut.startMs - 500, cut.endMs + 100].map((fromMs) => {
      const before = lengthOf(cuts.slice(0, fromMs < cut.startMs ? index : index + 1))
      const at = whereIs(source, fromMs, { in: found, nearMs: fromMs - before })
      return Math.abs(at - (fromMs - before))
    }),
  )
  const heard = apart.filter(Number.isFinite)
  printFigures(`50 cuts of ${Math.round(durationMs / 1000)} s of speech`, [
    {
      what: 'largest step at a join, over that of the speech around it: the worst; half of them',
      figure: `${ratio(Math.max(...steps))}; ${ratio(median(steps))}`,
      bar: '≤ 1',
      isMet: Math.max(...steps) <= 1,
    },
    {
      what: 'the same where samples are thrown away at the times that were asked for',
      figure: (({ worst, half }) => `${ratio(worst)}; ${ratio(half)}`)(plain),
    },
    within(`length of ${formats.join(', ')}: the worst`, Math.max(...wrong), LENGTH_MS),
    within(
      `sound beside a join and its caption, ${heard.length} of 100 places: the worst`,
      Math.max(...heard),
      CAPTION_MS,
    ),
    { what: 'the same: half of them', figure: milliseconds(median(heard)) },
  ])
}

/** The same without any care: a splice at the sample that was asked for. */
function plainly(source: Int16Array, cuts: readonly Stretch[]): { worst: number; half: number } {
  const kept: Int16Array[] = []
  const joins: number[] = []
  let [at, length] = [0, 0]
  for (const { startMs, endMs } of [...cuts, { startMs: source.length / PER_MS, endMs: 0 }]) {
    const piece = source.subarray(at, Math.round(startMs * PER_MS))
    kept.push(piece)
    length += piece.length
    joins.push(length)
    at = Math.round(endMs * PER_MS)
  }
  const all = new Int16Array(length)
  let to = 0
  for (const piece of kept) {
    all.set(piece, to)
    to += piece.length
  }
  const steps = cuts.map(({ startMs, endMs }, index) => {
    const own = [startMs, endMs].map((ms) => largestStep(source, Math.round(ms * PER_MS)))
    return stepAt(all, joins[index] ?? 0, ...own)
  })
  return { worst: Math.max(...steps), half: median(steps) }
}

/**
 * The largest step within 10 ms of a join, over that of the speech: the larger of that which 999 of 1,000
 * within a second do not reach, and of those which both sides have there themselves.
 */
function stepAt(all: Int16Array, join: number, ...own: number[]): number {
  const near = 10 * PER_MS
  const around = [
    ...stepsIn(all, join - RATE, join - near),
    ...stepsIn(all, join + near, join + RATE),
  ]
  return largestStep(all, join) / Math.max(percentile(around, 0.999), ...own)
}

function largestStep(all: Int16Array, at: number): number {
  return Math.max(...stepsIn(all, at - 10 * PER_MS, at + 10 * PER_MS))
}

function stepsIn(all: Int16Array, from: number, to: number): number[] {
  const first = Math.max(1, from)
  return Array.from({ length: Math.max(0, Math.min(to, all.length) - first) }, (_, index) =>
    Math.abs((all[first + index] ?? 0) - (all[first + index - 1] ?? 0)),
  )
}

async function film(): Promise<void> {
  const durationMs = 120_000
  const rate = 25
  const pcm = await joined(sources, durationMs / 1000)
  const source = samplesIn(pcm)
  const sound = await encode(pcm, join(folder, 'film.wav'))
  const path = join(folder, 'film.mp4')
  const digits = 'if(lt(X,32),mod(N,16),if(lt(X,64),mod(floor(N/16),16),floor(N/256)))'
  const picture = `color=black:s=96x32:r=${rate}:d=${durationMs / 1000},geq=lum='16+12*${digits}':cb=128:cr=128`
  const inputs = ['-f', 'lavfi', '-i', picture, '-i', sound]
  const asFilm = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '8', '-pix_fmt', 'yuv420p']
  await run('ffmpeg', ['-v', 'error', '-y', ...inputs, ...asFilm, '-c:a', 'aac', path])
  const cuts = cutsIn(source, 30)
  const out = await render(path, 'mp4', { cuts, durationMs })
  const [rendered, frames] = [await samplesOf(out), await numbersOf(out)]
  const apart = cuts.map(({ endMs }, index) => {
    // The picture says which moment of the recording is seen; the sound, which is heard.
    const outMs = endMs - lengthOf(cuts.slice(0, index + 1)) + 300
    const frame = Math.floor((outMs / 1000) * rate)
    const seenMs = ((frames[frame] ?? NaN) / rate) * 1000
    const heardAtMs = whereIs(source, seenMs, { in: rendered, nearMs: (frame / rate) * 1000 })
    return Math.abs(heardAtMs - (frame / rate) * 1000)
  })
  const heard = apart.filter(Number.isFinite)
  const leftMs = durationMs - lengthOf(cuts)
  printFigures(`A film of ${durationMs / 1000} s with 30 cuts, ${rate} frames a second`, [
    within(
      `sound and picture after ${heard.length} cuts: the worst`,
      Math.max(...heard),
      1000 / rate,
    ),
    { what: 'the same: half of them', figure: milliseconds(median(heard)) },
    within('length of the picture', Math.abs((frames.length / rate) * 1000 - leftMs), 1000 / rate),
    within('length of the sound', Math.abs((await playedMs(out)) - leftMs), 1000 / rate),
  ])
}

async function hours(): Promise<void> {
  const partMs = 540_000
  const parts = 20
  const [durationMs, minutes] = [parts * partMs, (parts * partMs) / 60_000]
  const pcm = await joined(sources, partMs / 1000)
  const once = cutsIn(samplesIn(pcm), 500 / parts)
  const cuts = Array.from({ length: parts }, (_, part) =>
    once.map(({ startMs, endMs }) => ({
      startMs: part * partMs + startMs,
      endMs: part * partMs + endMs,
    })),
  ).flat()
  const part = await encode(pcm, join(folder, 'part.wav'))
  const path = join(folder, 'hours.mp3')
  const again = ['-stream_loop', String(parts - 1), '-i', part]
  await run('ffmpeg', ['-v', 'error', ...again, '-b:a', '64k', '-ar', '44100', path])
  const own = memoryOf(process.pid)
  const work = join(folder, 'hours')
  await mkdir(work)
  const before = cpuMs()
  const memory = watchPeak(async () => {
    const below = await descendantsOf(process.pid)
    return below.reduce((sum, { pid }) => sum + fairShareOf(pid), 0)
  })
  const grown = watchPeak(() => memoryOf(process.pid) - own)
  const disk = watchPeak(() => sizeOf(work))
  const startedAt = performance.now()
  const out = await render(path, 'mp3', { cuts, durationMs, to: join(work, 'cut.mp3') })
  const wallMs = performance.now() - startedAt
  const after = cpuMs()
  const cpuS = (after.own + after.children - before.own - before.children) / 1000
  const [children, growth, most] = [memory.stop(), grown.stop(), disk.stop()]
  const { size } = await stat(out)
  printFigures(`${minutes / 60} hours with ${cuts.length} cuts, MP3 to MP3`, [
    {
      what: 'processor time for each minute, of it our own',
      figure: `${(cpuS / minutes).toFixed(2)} s, ${((after.own - before.own) / 1000 / minutes).toFixed(2)} s`,
      bar: '≤ 1 s',
      isMet: cpuS / minutes <= 1,
    },
    { what: 'the whole, by the clock', figure: `${Math.round(wallMs / 1000)} s` },
    {
      what: 'memory of the programs it starts; growth of our own',
      figure: `${megabytes(children)}; ${megabytes(growth)}`,
      bar: '≤ 256 MB',
      isMet: children + growth <= 256 * 1024 ** 2,
    },
    {
      what: 'disk while it works, over the size of what is written',
      figure: `${ratio(most / size)} of ${megabytes(size)}`,
      bar: '≤ 1.1',
      isMet: most <= 1.1 * size,
    },
    within('length', Math.abs((await playedMs(out)) - (durationMs - lengthOf(cuts))), LENGTH_MS),
  ])
  await brokenOff(path, { cuts, durationMs, size })
}

/** The same on a disk that is full in the middle of it, and cancelled in the middle of it. */
async function brokenOff(
  path: string,
  { size, ...options }: { cuts: readonly Stretch[]; durationMs: number; size: number },
): Promise<void> {
  const common = { ...options, track: 0, picture: true, format: 'mp3' } as const
  const failure = async (
    to: string,
    more: { signal: AbortSignal; onProgress?: (share: number) => void },
  ) => {
    const error = await writeCut(path, join(to, 'cut.mp3'), { ...common, ...more }).catch(
      (thrown: unknown) => thrown,
    )
    const endedAt = performance.now()
    const programs = (await descendantsOf(process.pid)).length
    const isClean = programs === 0 && (await readdir(to)).length === 0
    return { error, endedAt, left: isClean ? 'nothing' : 'something', isClean }
  }
  const figures: Figure[] = []
  if (canMount) {
    const to = join(folder, 'full')
    await mkdir(to)
    await using _ = await smallDisk(to, String(Math.round(size / 2)))
    const { error, left, isClean } = await failure(to, { signal })
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const isFull = code === 'ENOSPC'
    const what = 'a disk of half the size: the error; what is left'
    figures.push({
      what,
      figure: `${code}; ${left}`,
      bar: 'ENOSPC; nothing',
      isMet: isFull && isClean,
    })
  }
  const to = join(folder, 'cancelled')
  await mkdir(to)
  const stop = new AbortController()
  let stoppedAt = Infinity
  const { endedAt, left, isClean } = await failure(to, {
    signal: stop.signal,
    onProgress: (share) => {
      if (share < 0.5 || stop.signal.aborted) return
      stoppedAt = performance.now()
      stop.abort(new Error('cancelled'))
    },
  })
  figures.push({
    what: 'cancelled in the middle: over after; what is left',
    figure: `${milliseconds(endedAt - stoppedAt)}; ${left}`,
    bar: '≤ 2,000 ms; nothing',
    isMet: endedAt - stoppedAt <= 2_000 && isClean,
  })
  printFigures('The same three hours, not done', figures)
}

async function hostile(): Promise<void> {
  const durationMs = 540_000
  const path = await encode(await joined(sources, durationMs / 1000), join(folder, 'hostile.wav'))
  const random = seeded(SEED)
  const wild = Array.from({ length: 10_000 }, () => {
    const startMs = Math.floor(random() * durationMs)
    return { startMs, endMs: Math.min(durationMs, startMs + Math.floor(random() * 40)) }
  })
  const joinedAt = performance.now()
  const list = inOrder(wild)
  const joinedMs = performance.now() - joinedAt
  const cuts = Array.from({ length: MOST_CUTS }, (_, at) => ({
    startMs: 108 * at + 50,
    endMs: 108 * at + 70,
  }))
  const startedAt = performance.now()
  const most = await playedMs(await render(path, 'mp3', { cuts, durationMs }))
  const mostMs = performance.now() - startedAt
  const all = { cuts: [{ startMs: 0, endMs: durationMs }], durationMs, format: 'mp3' } as const
  const nothing = join(folder, 'nothing.mp3')
  const isNone =
    (await writeCut(path, nothing, { ...all, track: 0, picture: true, signal })) === null
  const isLeft = await stat(nothing).then(
    () => true,
    () => false,
  )
  const body = ChangeCuts.safeParse({
    cut: wild.map(({ startMs }) => ({ start: startMs, end: startMs })),
  })
  printFigures('Lists as nobody would make them', [
    {
      what: `10,000 stretches over each other, out of order: a list of ${list.length}`,
      figure: milliseconds(joinedMs),
      bar: '≤ 50 ms',
      isMet: joinedMs <= 50,
    },
    {
      what: 'the same by the API',
      figure: body.success ? 'taken' : 'refused',
      bar: 'refused',
      isMet: !body.success,
    },
    { what: `${MOST_CUTS} cuts of nine minutes, by the clock`, figure: milliseconds(mostMs) },
    within('their length', Math.abs(most - (durationMs - lengthOf(cuts))), LENGTH_MS),
    {
      what: 'all of it cut',
      figure: isNone && !isLeft ? 'no file' : 'a file',
      bar: 'no file',
      isMet: isNone && !isLeft,
    },
  ])
}

async function together(): Promise<void> {
  const durationMs = 540_000
  const pcm = await joined(sources, durationMs / 1000)
  const path = await encode(pcm, join(folder, 'together.wav'))
  const cuts = cutsIn(samplesIn(pcm), 50)
  const timed = async (names: readonly string[]) => {
    const startedAt = performance.now()
    await Promise.all(
      names.map((name) => render(path, 'mp3', { cuts, durationMs, to: join(folder, name) })),
    )
    return performance.now() - startedAt
  }
  const one = await timed(['one.mp3'])
  const two = await timed(['first.mp3', 'second.mp3'])
  const read = (name: string) => readFile(join(folder, name))
  const [alone, first, second] = await Promise.all(['one.mp3', 'first.mp3', 'second.mp3'].map(read))
  const isSame = Boolean(alone && first && second && alone.equals(first) && alone.equals(second))
  printFigures('Two files at once, of nine minutes with 50 cuts each', [
    { what: 'one; two, by the clock', figure: `${milliseconds(one)}; ${milliseconds(two)}` },
    {
      what: 'what is written',
      figure: isSame ? 'the same' : 'something else',
      bar: 'the same',
      isMet: isSame,
    },
  ])
}

async function killed(): Promise<void> {
  const durationMs = 3_600_000
  const part = await encode(await joined(sources, 540), join(folder, 'killed.wav'))
  const path = join(folder, 'killed.mp3')
  const again = ['-stream_loop', '-1', '-i', part, '-t', String(durationMs / 1000)]
  await run('ffmpeg', ['-v', 'error', '-y', ...again, '-b:a', '64k', path])
  const cuts = [{ startMs: 1_000, endMs: 2_000 }]
  const to = join(folder, 'killed', 'cut.mp3')
  await mkdir(join(folder, 'killed'))
  const options = { cuts, durationMs, format: 'mp3', track: 0, picture: false }
  const code = `import { writeCut } from '#features/sound/cut.ts'
    await writeCut(${JSON.stringify(path)}, ${JSON.stringify(to)}, {
      ...${JSON.stringify(options)}, signal: new AbortController().signal })`
  const worker = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
  const programs = await untilThere(async () => {
    const below = await descendantsOf(worker.pid ?? 0)
    return below.length >= 2 && (await sizeOf(join(folder, 'killed'))) > 100_000 ? below : null
  })
  worker.kill('SIGKILL')
  const killedAt = performance.now()
  await untilThere(async () => (programs.some(({ pid }) => isAlive(pid)) ? null : true))
  const goneMs = performance.now() - killedAt
  const out = await render(path, 'mp3', { cuts, durationMs, to })
  printFigures('A worker that is killed in the middle of an hour', [
    {
      what: `its ${programs.length} programs are gone after`,
      figure: milliseconds(goneMs),
      bar: '≤ 2,000 ms',
      isMet: goneMs <= 2_000,
    },
    within(
      'length of the file that is made anew',
      Math.abs((await playedMs(out)) - (durationMs - 1_000)),
      LENGTH_MS,
    ),
  ])
}

async function untilThere<Found>(look: () => Promise<Found | null>): Promise<Found> {
  for (const startedAt = performance.now(); performance.now() - startedAt < 60_000;) {
    const found = await look()
    if (found !== null) return found
    await setTimeout(20)
  }
  throw new Error('it did not come within a minute')
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function render(
  path: string,
  format: CutFormat,
  {
    to = join(folder, `out.${format}`),
    ...options
  }: { cuts: readonly Stretch[]; durationMs: number; to?: string },
): Promise<string> {
  const common = { track: 0, picture: true, signal }
  if (!(await writeCut(path, to, { ...common, ...options, format })))
    throw new Error(`${to} was not written`)
  return to
}

/** Of 0.15 to 1 s each, from each other as evenly as chance lets them, where somebody speaks. */
function cutsIn(source: Int16Array, count: number): Stretch[] {
  const random = seeded(SEED)
  const spacingMs = source.length / PER_MS / count
  const loud = percentile(
    Array.from({ length: 2000 }, () => heightAt(random() * source.length)),
    0.5,
  )
  function heightAt(at: number): number {
    return source
      .subarray(Math.floor(at), Math.floor(at) + 20 * PER_MS)
      .reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  }
  return Array.from({ length: count }, (_, index) => {
    const aPlace = () => spacingMs * index + 600 + random() * Math.max(0, spacingMs - 2300)
    let startMs = aPlace()
    for (let tries = 0; tries < 50 && heightAt(startMs * PER_MS) < loud; tries++) startMs = aPlace()
    return { startMs: Math.round(startMs), endMs: Math.round(startMs + 150 + random() * 850) }
  })
}

function lengthOf(cuts: readonly Stretch[]): number {
  return cuts.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
}

/** Where 0.4 s of the source are found in the rendered sound, within 150 ms of where they should be; NaN for a pause. */
function whereIs(
  source: Int16Array,
  fromMs: number,
  { in: rendered, nearMs }: { in: Int16Array; nearMs: number },
): number {
  const from = Math.round(fromMs * PER_MS)
  const piece = source.subarray(from, from + 400 * PER_MS)
  const near = Math.round(nearMs * PER_MS)
  if (piece.every((sample) => Math.abs(sample) < SPOKEN)) return NaN
  let best = { at: NaN, likeness: -Infinity }
  for (let at = near - 150 * PER_MS; at <= near + 150 * PER_MS; at++) {
    let [sum, energy] = [0, 1]
    for (let index = 0; index < piece.length; index++) {
      const sample = rendered[at + index] ?? 0
      sum += (piece[index] ?? 0) * sample
      energy += sample * sample
    }
    const likeness = sum / Math.sqrt(energy)
    if (likeness > best.likeness) best = { at, likeness }
  }
  return best.at / PER_MS
}

function samplesIn(pcm: Buffer): Int16Array {
  return new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length))
}

async function samplesOf(path: string): Promise<Int16Array> {
  return samplesIn(await decoded(path))
}

async function numbersOf(path: string): Promise<number[]> {
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', 'pipe:1']
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', path, ...raw], {
    encoding: 'buffer',
    maxBuffer: 1024 ** 3,
  })
  const bytes = 96 * 32 * 1.5
  return Array.from({ length: stdout.length / bytes }, (_, frame) => {
    const digit = (place: number) =>
      Math.round(((stdout[frame * bytes + 16 * 96 + 16 + 32 * place] ?? 0) - 16) / 12)
    return digit(0) + 16 * digit(1) + 256 * digit(2)
  })
}

/** How long a player plays it: only an MP4 tells which part of its last frame is to be thrown away. */
async function playedMs(path: string): Promise<number> {
  if (!/\.m(p4|4a)$/.test(path)) return (await samplesOf(path)).length / PER_MS
  const asked = ['-v', 'error', '-select_streams', 'a', '-show_entries', 'stream=duration']
  const { stdout } = await run('ffprobe', [...asked, '-of', 'csv=p=0', path])
  return 1000 * Number(stdout.trim())
}

async function sizeOf(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true }).catch(() => [])
  const sizes = names.map((name) => stat(join(path, name)).catch(() => null))
  return (await Promise.all(sizes)).reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0)
}
