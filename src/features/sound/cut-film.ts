/**
 * The picture of a film whose sound was cut already. Its frames are made to come at one steady rate, and
 * those are left out that lie between the edges of the sound, which were chosen between two frames. A film
 * is written as every player shows it: H.264 of 8 bits, upright, of an even width and height.
 */
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { clockIn } from './clock.ts'
import type { Container } from './container.ts'
import type { Edges, FrameRate } from './cut-samples.ts'
import { type Frame, framed } from './framing.ts'
import { labelled, labelsOf } from './labels.ts'
import { needProgram } from './sandbox/programs.ts'
import { run } from './sandbox/sandbox.ts'
import { filmDecoders, startsApart } from './streams.ts'

export interface Film {
  frameRate: FrameRate
  pixels: number
  /** Whether it is brighter than a usual screen, and has to be darkened. */
  isHdr: boolean
}

/** A larger film is made smaller: 4K. */
const MOST_PIXELS = 3840 * 2160
/** So much picture may follow when the sound has ended. */
const LONGEST_REST_MS = 3_600_000
/** The system's limit is 128 kB. Newer versions of ffmpeg say that files of filters will go. */
const LONGEST_ARGUMENT = 100_000
const THREADS = '2'
const NICENESS = 10
const SPARE_BYTES = 256 * 1024 * 1024
/** A film of nothing but noise is written with no more. */
const BITS_PER_PIXEL = 0.25
const LEAST_BITS = 2_000_000

/** What is printed of rates that are no whole numbers, and what they are. */
const fractions: Partial<Record<string, FrameRate>> = {
  '23.98': { count: 24_000, seconds: 1001 },
  '47.95': { count: 48_000, seconds: 1001 },
  '29.97': { count: 30_000, seconds: 1001 },
  '59.94': { count: 60_000, seconds: 1001 },
}
/** Fewer frames a second would make cuts coarse; more are not seen. */
const LEAST_RATE = 24
const MOST_RATE = 60
const USUAL_RATE = 30

/** What ffmpeg says of moving pictures: `(High), yuv420p(tv, bt709), 1920x1080, 25 fps, 25 tbr, …` */
export function filmOf(said: string, shape = { width: 0, height: 0 }): Film {
  const [, width, height] = /, (\d+)x(\d+)/.exec(said) ?? []
  const pixels = Number(width ?? 1920) * Number(height ?? 1080)
  return {
    frameRate: frameRateIn(said),
    pixels: Math.min(MOST_PIXELS, Math.max(pixels, shape.width * shape.height)),
    isHdr: /smpte2084|arib-std-b67/.test(said),
  }
}

/**
 * The rate at which each frame has a place of its own, where it says one. `fps` is the mean, and `tbr` the
 * lowest rate that fits all of its first frames; that of fields where it is twice the other.
 */
function frameRateIn(said: string): FrameRate {
  const [, mean] = /, ([\d.]+) fps\b/.exec(said) ?? []
  const [, grid] = /, ([\d.]+) tbr\b/.exec(said) ?? []
  const isGrid =
    grid !== undefined &&
    Number(grid) <= MOST_RATE &&
    Math.abs(Number(grid) / Number(mean) - 2) > 0.02
  const told = isGrid ? grid : (mean ?? '0')
  const fraction = fractions[told]
  if (fraction) return fraction
  const rate = Number(told)
  if (rate >= LEAST_RATE) return times(rate, 1 / Math.ceil(rate / MOST_RATE))
  // Frames that come rarely are repeated.
  return grid === mean && rate >= 1
    ? times(rate, Math.ceil(LEAST_RATE / rate))
    : times(USUAL_RATE, 1)
}

const times = (rate: number, factor: number): FrameRate => ({
  count: Math.round(rate * factor * 1000),
  seconds: 1000,
})

/** Writes the picture without what lies between the edges, and with this sound. Answers whether it could be done. */
export async function writeFilm(
  path: string,
  out: string,
  options: Parameters<typeof tryFilm>[2],
): Promise<boolean> {
  if (await tryFilm(path, out, options)) return true
  // Some films do not say all that darkening needs, and some builds of ffmpeg cannot do it.
  const { film } = options
  return film.isHdr && tryFilm(path, out, { ...options, film: { ...film, isHdr: false } })
}

async function tryFilm(
  path: string,
  out: string,
  {
    container,
    film,
    frame,
    sound,
    sourceMs,
    toldMs,
    track,
    edges,
    labelling,
    durationMs,
    signal,
    onProgress,
  }: {
    container: Container
    film: Film
    frame: Frame | undefined
    sound: { file: string; rateHz: number }
    /** Of the whole recording, and how long the file says it is. */
    sourceMs: number
    toldMs: number | null
    /** Which track of sound it was, from 0. */
    track: number
    edges: readonly Edges[]
    /** Arguments for an input of labels, or none. */
    labelling: readonly string[]
    /** Of the sound. */
    durationMs: number
    signal: AbortSignal
    onProgress: (share: number) => void
  },
): Promise<boolean> {
  const { count, seconds } = film.frameRate
  const frames = (durationMs / 1000) * (count / seconds)
  const script = join(dirname(out), 'filters.txt')
  const frameAt = (sample: number) => Math.round((sample * count) / (sound.rateHz * seconds))
  const changes = edges
    .flatMap(({ from, to }) => [frameAt(from), frameAt(to)])
    .filter((frame) => frame !== Infinity)
  const first = keptFrom(changes)
  const skipped = indexed.includes(container) ? Math.max(0, first - Math.round(count / seconds)) : 0
  const skippedS = (skipped * seconds) / count
  const apartS = await startsApart(path, container, { track, signal })
  const filters = filtersFor(film, {
    startS: apartS - skippedS,
    changes: changes.map((change) => Math.max(0, change - skipped)),
    most: edges.at(-1)?.to === Infinity ? keptIn(changes) : null,
    frame,
  })
  const isLong = filters.length > LONGEST_ARGUMENT
  if (isLong) await writeFile(script, filters)
  // What is told may be anything.
  const filmMs = Math.min(Math.max(sourceMs, toldMs ?? 0), sourceMs + LONGEST_REST_MS)
  const mostBits = Math.round(mostBitsOf(film))
  const { code } = await run(
    await needProgram('ffmpeg'),
    [
      ['-nostdin', '-hide_banner', '-nostats', '-v', 'error', '-progress', 'pipe:1'],
      ['-protocol_whitelist', 'file', '-format_whitelist', container, '-f', container],
      [...filmDecoders, '-max_streams', '32', '-an', '-sn', '-dn', '-threads', THREADS],
      // Frames that become larger or smaller in the middle would begin to be counted anew.
      ['-reinit_filter', '0', '-t', String(filmMs / 1000 + 1)],
      // What is read before it is left out by the filters, which know the times of the file.
      skipped === 0 ? [] : ['-noaccurate_seek', '-seek_timestamp', '1', '-ss', String(skippedS)],
      [...clockIn(container), '-i', `file:${path}`],
      withSound(sound, labelling),
      isLong ? ['-filter_script:v', script] : ['-filter:v', filters],
      written(film.frameRate, { mostBits, out }),
    ].flat(),
    {
      signal,
      memoryBytes: memoryFor(film),
      cpuSeconds: cpuSecondsFor(film, filmMs),
      reads: [path, sound.file],
      workDir: dirname(out),
      fileBytes: SPARE_BYTES + (filmMs / 1000) * (mostBits / 8),
      niceness: NICENESS,
      onOutput: following(frames, onProgress),
    },
  )
  return code === 0
}

/** Of what is drawn where there is no film. */
const DRAWN_RATE: FrameRate = { count: 30, seconds: 1 }

/** Writes what is drawn, with this sound. Answers whether it could be done. */
export async function writeDrawn(
  out: string,
  {
    frame,
    sound,
    labelling,
    durationMs,
    signal,
    onProgress,
  }: Pick<
    Parameters<typeof tryFilm>[2],
    'sound' | 'labelling' | 'durationMs' | 'signal' | 'onProgress'
  > & { frame: Frame },
): Promise<boolean> {
  const { width, height, ground, filter } = frame
  const { count } = DRAWN_RATE
  const film: Film = { frameRate: DRAWN_RATE, pixels: width * height, isHdr: false }
  const colour = `color=c=0x${ground.slice(1)}:s=${width}x${height}:r=${count}:d=${durationMs / 1000}`
  const mostBits = Math.round(mostBitsOf(film))
  const { code } = await run(
    await needProgram('ffmpeg'),
    [
      ['-nostdin', '-hide_banner', '-nostats', '-v', 'error', '-progress', 'pipe:1'],
      ['-f', 'lavfi', '-i', colour],
      withSound(sound, labelling),
      ['-filter:v', [filter, 'format=yuv420p'].join(',')],
      written(DRAWN_RATE, { mostBits, out }),
    ].flat(),
    {
      signal,
      memoryBytes: memoryFor(film),
      cpuSeconds: cpuSecondsFor(film, durationMs),
      reads: [sound.file],
      workDir: dirname(out),
      fileBytes: SPARE_BYTES + (durationMs / 1000) * (mostBits / 8),
      niceness: NICENESS,
      onOutput: following((durationMs / 1000) * count, onProgress),
    },
  )
  return code === 0
}

/** Arguments for the sound that was written already, and for labels. */
const withSound = ({ file }: { file: string }, labelling: readonly string[]): string[] =>
  [
    ['-protocol_whitelist', 'file', '-f', 'mov', '-i', `file:${file}`, ...labelling],
    ['-map', '0:V:0', '-map', '1:a', '-c:a', 'copy'],
    labelling.length > 0 ? labelsOf(2) : ['-map_metadata', '-1', '-map_chapters', '-1'],
  ].flat()

const written = (
  { count, seconds }: FrameRate,
  { mostBits, out }: { mostBits: number; out: string },
): string[] =>
  [
    ['-r', `${count}/${seconds}`, '-c:v', 'libx264', '-preset', 'veryfast'],
    ['-crf', '21', '-maxrate', String(mostBits), '-bufsize', String(2 * mostBits)],
    ['-threads:v', THREADS, ...labelled.mp4, '-y', `file:${out}`],
  ].flat()

/** Reads from what ffmpeg tells how far it is. */
const following =
  (frames: number, onProgress: (share: number) => void) =>
  (piece: string): void => {
    const [, frame] = /^frame=(\d+)$/m.exec(piece) ?? []
    if (frame !== undefined) onProgress(Math.min(1, Number(frame) / frames))
  }

/** ffmpeg goes to a place in these at once, and their times are their own. */
const indexed: readonly Container[] = ['mov', 'matroska']

/** The first frame that stays. */
const keptFrom = ([from, to]: readonly number[]): number => (from === 0 ? (to ?? 0) : 0)

/** How many frames stay, where what follows the last change is cut. */
const keptIn = (changes: readonly number[]): number =>
  changes.reduce((sum, change, at) => sum + (at % 2 === 0 ? change : -change), 0)

const mostBitsOf = ({ pixels, frameRate }: Film): number =>
  LEAST_BITS + (BITS_PER_PIXEL * pixels * frameRate.count) / frameRate.seconds

/** Measured: 430 MB for 1080p, 1.1 GB for 4K, 1.5 GB for 4K that is darkened. */
const memoryFor = ({ pixels, isHdr }: Film): number =>
  384 * 1024 * 1024 + pixels * (isHdr ? 200 : 130)
/** Measured, of pictures full of noise: 33 ns for each pixel of each frame, 40 ns where it is darkened. */
const cpuSecondsFor = ({ pixels, frameRate, isHdr }: Film, filmMs: number): number => {
  const frames = ((filmMs / 1000) * frameRate.count) / frameRate.seconds
  return 120 + frames * pixels * (isHdr ? 250e-9 : 150e-9)
}

/** ffmpeg's filters: steady frames, those that are kept, their new times, and their shape. */
function filtersFor(
  { frameRate, isHdr }: Film,
  {
    startS,
    changes,
    most,
    frame,
  }: {
    startS: number
    changes: readonly number[]
    /** How many frames stay; null where the last of them is that of the film. */
    most: number | null
    frame: Frame | undefined
  },
): string {
  const { count, seconds } = frameRate
  const share = `min(1,sqrt(${MOST_PIXELS}/(iw*ih)))`
  return [
    ...(startS === 0 ? [] : [`setpts=PTS+${startS}/TB`]),
    `fps=fps=${count}/${seconds}:start_time=0`,
    `select='${keptBetween(changes)}'`,
    `settb=${seconds}/${count}`,
    'setpts=N',
    // Nothing is read any more after them.
    ...(most === null ? [] : [`trim=end_frame=${most}`]),
    ...(frame
      ? framed(frame)
      : [`scale=w='max(2,2*trunc(iw*${share}/2))':h='max(2,2*trunc(ih*${share}/2))'`]),
    ...(isHdr ? darkened : []),
    'format=yuv420p',
    ...(frame ? [frame.filter] : []),
  ].join(',')
}

const darkened = [
  'zscale=transfer=linear:npl=100',
  'format=gbrpf32le',
  'zscale=primaries=bt709',
  'tonemap=hable:desat=0',
  'zscale=transfer=bt709:matrix=bt709:range=tv',
]

/** An expression that is 1 for frames before the first change, after the second, and so on: a balanced tree. */
function keptBetween(changes: readonly number[], first = 0, end = changes.length): string {
  if (first === end) return first % 2 === 0 ? '1' : '0'
  const middle = (first + end) >> 1
  const earlier = keptBetween(changes, first, middle)
  const later = keptBetween(changes, middle + 1, end)
  return `if(lt(n,${changes[middle]}),${earlier},${later})`
}
