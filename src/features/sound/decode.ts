/**
 * Recordings in, PCM out: mono, 16 kHz, signed 16 bit little endian, by ffmpeg in a child process.
 * The samples lie where a player plays them: sound that begins after the picture, or pauses in the
 * file's own times, comes after silence of that length. Nothing a header claims is believed: the
 * duration is the number of samples that came out, and a damaged recording is as long as what could
 * be decoded. ffmpeg may use only the demuxer we name, only audio decoders, only this one file, and
 * limited time, memory and output.
 *
 * Promise: a recording reaches nothing, and its length is what was decoded.
 */
import { open, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'

import { needProgram } from './sandbox/programs.ts'
import { type Started, start } from './sandbox/sandbox.ts'
import { clockIn, filling } from './clock.ts'
import { type Container, containerOf } from './container.ts'
import type { FileChapter } from './file-chapters.ts'
import { lifter } from './lift.ts'
import { type Mixer, mixer } from './mix.ts'
import { surveyOgg } from './ogg.ts'
import { type Side, separator } from './sides.ts'
import { titleIn } from './track-title.ts'

export const SAMPLE_RATE_HZ = 16_000
export const BYTES_PER_SAMPLE = 2

/** Facts about a recording that has been decoded to its end. */
export interface Measured {
  kind: 'audio'
  /** Samples at 16 kHz, those of silence that was filled in included. */
  sampleCount: number
  durationMs: number
  container: Container
  /** Whether moving pictures come with it; a cover picture is none. */
  isVideo: boolean
  /** Of the first moving pictures, as ffmpeg calls it: `h264`, `hevc`, `vp9`, …; null without any. */
  videoCodec: string | null
  /** Frames a second of the first moving pictures, as ffmpeg writes it: `23.98`; null without any. */
  framesPerSecond: string | null
  /** As ffmpeg calls it: `mp3`, `aac`, `opus`, `pcm_s16le`, … */
  codec: string
  /** The sample rate that the file names; null when it names none. */
  sourceSampleRateHz: number | null
  tracks: Track[]
  /** The one that was decoded. */
  track: number
  /** Of this track. */
  channelCount: number
  /** Whether its times have gaps after the first sound, which were filled in, or jumps. */
  hasGaps: boolean
  /** How long the file says it is, which need not be true; null when it does not say. */
  toldMs: number | null
  /** The chapters that it brings along, as it names them. */
  chapters: FileChapter[]
  /** Its tags, by ffmpeg's names of the fields, in small letters. */
  tags: ReadonlyMap<string, string>
}

/** A track of sound. */
export interface Track {
  /** Whether the file says that it is the one to be played. */
  isDefault: boolean
  /** What the file calls it, unless each file of its kind does. */
  title: string | null
}

export interface DecodeRefused {
  kind: 'refused'
  /** `too_costly`: for its samples or channels; `too_slow`: for the processor time it used. */
  reason:
    | 'empty_file'
    | 'not_media'
    | 'cut_off'
    | 'no_audio'
    | 'too_long'
    | 'too_costly'
    | 'too_slow'
    /** The decoder made no headway. That may also be the fault of this machine. */
    | 'reading_stalled'
}

/** Facts that a recording names itself, before anything of it is decoded. */
export type Streams = Pick<Measured, 'codec' | 'isVideo' | 'sourceSampleRateHz'>

export interface DecodeOptions {
  signal: AbortSignal
  maxDurationMs: number
  /** Which track of sound, from 0; else the first that can be decoded. */
  track?: number
  /** Called about when the first block comes, with what the file says the track is. */
  onStreams?: (streams: Streams) => void
  /** Called with each piece of PCM in order, of any even or odd length; awaited. */
  onPcm?: (block: Buffer) => void | Promise<void>
  /** Called with the samples of two channels in turn, before they are mixed. */
  onPairs?: (block: Buffer) => void
  /** The PCM is that of these sides in turn, and not mixed. */
  sides?: readonly Pick<Side, 'channel' | 'track'>[] | null
  /** What comes later is not decoded. */
  endMs?: number | undefined
  niceness?: number
  /** How long the decoder may take before it is ended. Tests set less. */
  patience?: Patience
}

interface Patience {
  /** How long the decoder may write no sample before it counts as hung. */
  stallMs: number
  /** For the whole, beyond a tenth of the audio's length. */
  wallMs: number
  /** From being asked to end until it is ended. */
  graceMs: number
  /** Processor time for a recording of whatever size. */
  processorSeconds: number
}

const patience: Patience = {
  stallMs: 30_000,
  wallMs: 60_000,
  graceMs: 5000,
  processorSeconds: 30,
}
/**
 * Processor time for each megabyte. Speech at 6 kbit/s, the costliest that is sent in earnest, takes
 * 1.5 s of one core; a file that was made to be costly takes as much for a few kilobytes.
 */
const PROCESSOR_SECONDS_PER_MB = 10
/** The kernel's limit is this much higher, so that we end the decoder first and know the reason. */
const SPARE_SECONDS = 30
/** All channels together: eight at 96 kHz, four at 192 kHz. No recording of speech has more. */
const MOST_SAMPLES_PER_SECOND = 768_000
const WALL_SHARE = 0.1
/** With the libraries, half a gigabyte at most is in memory. */
const MEMORY_BYTES = 384 * 1024 * 1024
/** How many streams may follow each other: a recording of a radio has one for each song. */
const MOST_LINKS = 2000
/** So many tracks are tried, where the first cannot be decoded. */
const MOST_TRACKS = 4
const KEPT_LINES = 40
const MOST_TAGS = 200
const LONGEST_LINE = 1000

/** Decoders of sound that recordings are made with; to listen, no decoder of pictures is ever opened. */
export const audioDecoders = [
  'aac aac_latm alac flac vorbis opus speex ac3 eac3 wmav1 wmav2 amrnb amrwb gsm gsm_ms',
  'mp3float mp3 mp2float mp2 mp1float mp1 pcm_s8 pcm_u8 pcm_s16le pcm_s16be pcm_s24le pcm_s24be',
  'pcm_s32le pcm_s32be pcm_f32le pcm_f32be pcm_f64le pcm_f64be pcm_alaw pcm_mulaw pcm_dvd',
  'pcm_bluray adpcm_ms adpcm_ima_wav adpcm_ima_qt adpcm_g726 adpcm_yamaha adpcm_swf g722 g723_1',
].flatMap((names) => names.split(' '))

/** Counts what a recording holds, keeping nothing; the answer says why one cannot be read. */
export async function measure(
  path: string,
  options: DecodeOptions,
): Promise<Measured | DecodeRefused> {
  const recognised = await containerOf(path)
  if (recognised.kind === 'refused') return recognised
  if (recognised.container === 'ogg') {
    const { links, opusMs } = await surveyOgg(path, options.signal)
    if (links > MOST_LINKS) return { kind: 'refused', reason: 'not_media' }
    // The encoder's run-up, and what the end is cut by, is in it too.
    if (opusMs > options.maxDurationMs + 1000) return { kind: 'refused', reason: 'too_long' }
  }
  return decode(path, recognised.container, options)
}

/** Writes the PCM of a recording to one file: see decodeToFiles. */
export const decodeToFile = (
  path: string,
  out: string,
  options: Omit<Parameters<typeof decodeToFiles>[2], 'sides'>,
): Promise<Measured | DecodeRefused> => decodeToFiles(path, [out], options)

/**
 * Writes the PCM of a recording to a file, or that of each of its sides to one of several, lifted where
 * it is very quiet. They may be read while they grow. They are removed again when the recording is
 * refused or decoding it fails; after a crash a part of them may be left.
 */
export async function decodeToFiles(
  path: string,
  outs: readonly string[],
  {
    onSamples,
    sides = null,
    ...options
  }: Omit<DecodeOptions, 'onPcm' | 'sides'> & {
    /** Of each of the files; null where all is mixed into the only one. */
    sides?: readonly Side[] | null
    /** Called with the number of samples that can be read of a file by now. */
    onSamples?: (count: number, file: number) => void
  },
): Promise<Measured | DecodeRefused> {
  let isWhole = false
  await using files = new AsyncDisposableStack()
  try {
    const writers: Awaited<ReturnType<typeof writing>>[] = []
    for (const [at, out] of outs.entries())
      writers.push(
        files.use(
          await writing(out, sides?.[at]?.levelDb === undefined, (count) => onSamples?.(count, at)),
        ),
      )
    const write = async (blocks: readonly Buffer[]) => {
      for (const [at, block] of blocks.entries()) await writers[at]?.write(block)
    }
    const separating = sides && separator(sides)
    const measured = await measure(path, {
      ...options,
      sides,
      onPcm: (block) => write(separating ? separating.take(block) : [block]),
    })
    isWhole = measured.kind === 'audio'
    if (isWhole) {
      if (separating) await write(separating.finish())
      for (const writer of writers) await writer.finish()
    }
    return measured
  } finally {
    if (!isWhole) await Promise.all(outs.map((out) => rm(out, { force: true })))
  }
}

/** A side whose loudness was measured is lifted by that: see separator. */
async function writing(out: string, isLifted: boolean, onSamples: (count: number) => void) {
  const file = await open(out, 'w')
  const { lift, finish } = lifter()
  let bytes = 0
  const append = async (lifted: Buffer) => {
    if (lifted.length === 0) return
    await file.appendFile(lifted)
    bytes += lifted.length
    onSamples(Math.floor(bytes / BYTES_PER_SAMPLE))
  }
  return {
    write: (block: Buffer) => append(isLifted ? lift(block) : block),
    finish: () => append(finish()),
    [Symbol.asyncDispose]: () => file.close(),
  }
}

async function decode(
  path: string,
  container: Container,
  options: DecodeOptions,
  track = options.track ?? 0,
): Promise<Measured | DecodeRefused> {
  const { signal, maxDurationMs, niceness = 0, onStreams, onPcm, onPairs, sides = null } = options
  const ffmpeg = await needProgram('ffmpeg')
  const file = resolve(path)
  const { processorSeconds, ...patient } = options.patience ?? patience
  const megabytes = (await stat(file)).size / 1024 / 1024
  const cpuSeconds = Math.ceil(processorSeconds + PROCESSOR_SECONDS_PER_MB * megabytes)
  const decoder = await start(ffmpeg, decoderArguments(file, container, { ...options, track }), {
    signal,
    memoryBytes: MEMORY_BYTES,
    cpuSeconds: cpuSeconds + SPARE_SECONDS,
    reads: [file],
    niceness,
  })
  const output = Promise.withResolvers<boolean>()
  const report = readReport(decoder.stderr, {
    tracks: sides?.flatMap((side) => side.track ?? track) ?? [track],
    onInput({ audio, isVideo }) {
      if (isDense(audio)) decoder.kill()
      else if (audio) onStreams?.({ ...toldOf(audio), isVideo: isVideo === true })
    },
    onOutput: output.resolve,
  })
  // Awaited below; when the decoding throws first, this one must not count as unhandled.
  report.catch(() => undefined)
  const stereo = Promise.race([output.promise, report.then(() => false)])
  stereo.catch(() => undefined)

  const bytesPerMs = (sides?.length ?? 1) * BYTES_PER_MS
  const maxBytes = maxDurationMs * bytesPerMs
  let bytes = 0
  let isAtEnd = false
  const pass = async (block: Buffer): Promise<boolean> => {
    bytes += block.length
    if (bytes > maxBytes) return false
    await onPcm?.(block)
    return true
  }
  using watch = watchOver(decoder, { ...patient, processorMs: cpuSeconds * 1000 })
  try {
    let mixing: Mixer | null | undefined
    for await (const block of decoder.stdout as AsyncIterable<Buffer>) {
      if (mixing === undefined) mixing = !sides && (await stereo) ? mixer() : null
      watch.pause()
      if (mixing) onPairs?.(block)
      const isShort = await pass(mixing ? mixing.mix(block) : block)
      if (!isShort) return { kind: 'refused', reason: 'too_long' }
      watch.resume(bytes / bytesPerMs)
    }
    if (mixing && !(await pass(mixing.finish()))) return { kind: 'refused', reason: 'too_long' }
    isAtEnd = true
  } finally {
    // A decoder that ends by itself says how it ended.
    if (!isAtEnd) decoder.kill()
    await decoder.ended
    signal.throwIfAborted()
  }

  const ending = await decoder.ended
  const { audio, isVideo, videoCodec = null, framesPerSecond = null, ...told } = await report
  const { tracks, hasGaps, toldMs, chapters, tags } = told
  if (isDense(audio)) return { kind: 'refused', reason: 'too_costly' }
  if (watch.isSpent) return { kind: 'refused', reason: 'too_slow' }
  if (watch.isHung) return { kind: 'refused', reason: 'reading_stalled' }
  if (crashes.includes(ending.signal)) return { kind: 'refused', reason: 'not_media' }
  // The system killed it, when memory ran out for example. That is no fault of the recording.
  if (ending.signal !== null) throw new Error(`ffmpeg was ended by ${ending.signal}`)
  if (audio === undefined && isVideo === undefined) return { kind: 'refused', reason: 'not_media' }
  const sampleCount = Math.floor((bytes * BYTES_PER_MS) / bytesPerMs / BYTES_PER_SAMPLE)
  if (audio === undefined || sampleCount === 0) {
    const hasNext =
      !sides && options.track === undefined && track + 1 < Math.min(tracks.length, MOST_TRACKS)
    return hasNext
      ? decode(path, container, options, track + 1)
      : { kind: 'refused', reason: 'no_audio' }
  }
  return {
    kind: 'audio',
    sampleCount,
    durationMs: Math.floor(bytes / bytesPerMs),
    container,
    isVideo: isVideo === true,
    videoCodec,
    framesPerSecond,
    ...toldOf(audio),
    tracks,
    track,
    channelCount: audio.channelCount,
    hasGaps,
    toldMs,
    chapters,
    tags,
  }
}

const isDense = (audio: Report['audio']): boolean =>
  audio !== undefined && audio.samplesPerSecond > MOST_SAMPLES_PER_SECOND

const BYTES_PER_MS = (SAMPLE_RATE_HZ / 1000) * BYTES_PER_SAMPLE
/** How a program ends that a damaged file has broken: another try would end no better. */
const crashes: (NodeJS.Signals | null)[] = [
  ...(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT', 'SIGTRAP', 'SIGSYS'] as const),
]

/**
 * Ends a decoder that makes no headway, or has used up its processor time. The time that we take for
 * its samples does not count.
 */
function watchOver(
  decoder: Started,
  {
    stallMs,
    wallMs,
    graceMs,
    processorMs,
  }: Omit<Patience, 'processorSeconds'> & { processorMs: number },
) {
  const startedAt = performance.now()
  let waitingSince: number | null = startedAt
  let audioMs = 0
  const watch = {
    isHung: false,
    isSpent: false,
    pause: () => (waitingSince = null),
    resume: (decodedMs: number) => {
      waitingSince = performance.now()
      audioMs = decodedMs
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
  const look = () => {
    if (decoder.processorMs() >= processorMs) {
      watch.isSpent = true
      decoder.kill()
      return
    }
    const now = performance.now()
    const isStalled = waitingSince !== null && now - waitingSince > stallMs
    if (!isStalled && now - startedAt <= wallMs + WALL_SHARE * audioMs) return
    watch.isHung = true
    decoder.stop(graceMs)
  }
  const timer = setInterval(look, Math.min(1000, stallMs / 4))
  return watch
}

/** PCM of another kind than is listened to. */
export interface PcmForm {
  rateHz: number
  channelCount: 1 | 2
}

/** For this room, and the test that reads the fences off it. */
export function decoderArguments(
  path: string,
  container: Container,
  {
    maxDurationMs,
    track = 0,
    sides = null,
    endMs,
    form,
  }: Pick<DecodeOptions, 'maxDurationMs' | 'track' | 'sides' | 'endMs'> & { form?: PcmForm },
): string[] {
  // One second more than allowed, so that what is too long is seen to be.
  const seconds = endMs ? String(endMs / 1000) : String(Math.ceil(maxDurationMs / 1000) + 1)
  return [
    ['-nostdin', '-hide_banner', '-nostats', '-v', 'info'],
    ['-protocol_whitelist', 'file,pipe', '-format_whitelist', container, '-f', container],
    ['-codec_whitelist', audioDecoders.join(','), '-max_streams', '32'],
    ['-vn', '-sn', '-dn', '-threads', '1', ...clockIn(container), '-i', `file:${path}`],
    form ? ['-map', `0:a:${track}`, '-af', filteredInto(form)] : soundOf(track, sides),
    ['-map_metadata', '-1', '-vn', '-sn', '-dn', '-t', seconds],
    ['-f', 's16le', 'pipe:1'],
  ].flat()
}

/** What is decoded: a track, or channels of it or several tracks, as channels of the PCM. */
function soundOf(track: number, sides: DecodeOptions['sides']): string[] {
  const filled = filling(SAMPLE_RATE_HZ)
  const asPcm = 'aformat=sample_fmts=s16'
  const own = ['-map', `0:a:${track}`, '-af']
  if (!sides) return [...own, `${filled},${asPcm}:channel_layouts=mono|stereo`]
  const count = sides.length
  if (sides.every((side) => side.track !== undefined)) {
    // They end at different times: what is missing of one is silent.
    const each = sides.map(
      (side, at) =>
        `[0:a:${side.track}]${filled},${asPcm}:channel_layouts=mono,pan=${count}C|c${at}=c0[s${at}]`,
    )
    const all = sides.map((_, at) => `[s${at}]`).join('')
    const together = `${all}amix=inputs=${count}:normalize=0,${asPcm}[all]`
    return ['-filter_complex', [...each, together].join(';'), '-map', '[all]']
  }
  if (sides.every((side) => side.channel === undefined))
    return [...own, `${filled},${asPcm}:channel_layouts=stereo`]
  const channels = sides.map((side, at) => `c${at}=c${side.channel ?? at}`)
  return [...own, `${filled},pan=${[`${count}C`, ...channels].join('|')},${asPcm}`]
}

const filteredInto = ({ rateHz, channelCount }: PcmForm): string =>
  `${filling(rateHz)},aformat=sample_fmts=s16:channel_layouts=${channelCount === 1 ? 'mono' : 'stereo'}`

/** Fields that are not there were not told. */
export interface Report {
  /** The audio stream that is decoded. */
  audio?: {
    codec: string
    sourceSampleRateHz: number | null
    channelCount: number
    /** Of all that are decoded. */
    samplesPerSecond: number
    /** Thousands of bits a second, where the file says it of this stream. */
    kbps: number | null
  }
  /** Of all streams of the file. */
  wholeKbps?: number
  /** Undefined when ffmpeg found no stream at all. */
  isVideo?: boolean
  videoCodec?: string
  framesPerSecond?: string
  /** What else ffmpeg says of the first moving pictures: their size, colours, frames a second, … */
  picture?: string
  tracks: Track[]
  hasGaps: boolean
  toldMs: number | null
  chapters: FileChapter[]
  tags: Map<string, string>
}

/**
 * Reads ffmpeg's own description of the input, and the gaps that are printed by the filter. ffprobe
 * would say the first more neatly, but it opens the decoders of all streams, pictures too.
 */
export async function readReport(
  stderr: Readable,
  {
    tracks,
    onInput,
    onOutput,
  }: {
    /** Those that are decoded. */
    tracks: readonly number[]
    onInput: (report: Report) => void
    /** Before the first samples are read. */
    onOutput: (isStereo: boolean) => void
  },
): Promise<Report> {
  const report: Report = { tracks: [], hasGaps: false, toldMs: null, chapters: [], tags: new Map() }
  let isInput = true
  let lines = 0
  let isSound = false
  for await (const line of linesOf(stderr)) {
    if (isInput && /^(Stream mapping:|Output #0)/.test(line)) {
      isInput = false
      onInput(report)
      continue
    }
    const stream = /^ {2}Stream #0:\d+\S*: (Audio|Video|\w+): (\w+)?(.*)$/.exec(line)
    if (!isInput) {
      if (stream) onOutput(/ Hz, stereo\b/.test(line))
      else if (/^-?\d+\.\d+$/.test(line)) report.hasGaps = true
      continue
    }
    const [, hours, minutes, seconds] = /^ {2}Duration: (\d+):(\d+):([\d.]+),/.exec(line) ?? []
    if (seconds !== undefined)
      report.toldMs = Math.round(1000 * (3600 * Number(hours) + 60 * Number(minutes) + +seconds))
    const [, wholeKbps] = /^ {2}Duration: .*, bitrate: (\d+) kb\/s/.exec(line) ?? []
    if (wholeKbps !== undefined) report.wholeKbps = Number(wholeKbps)
    const [, startS] = /^ {4}Chapter #0:\d+: start (-?[\d.]+),/.exec(line) ?? []
    if (startS !== undefined && report.chapters.length < MOST_TAGS)
      report.chapters.push({ title: '', startMs: Math.round(Number(startS) * 1000) })
    const [, title] = /^ {6,8}title *: (.*)$/.exec(line) ?? []
    const chapter = report.chapters.at(-1)
    // Streams come after the chapters, and have titles of their own.
    if (title !== undefined && chapter?.title === '' && report.isVideo === undefined) {
      chapter.title = title
      continue
    }
    const last = report.tracks.at(-1)
    if (last && isSound && last.title === null) last.title = titleIn(line)
    // A file says it of the whole, or of its first stream: so do those of Ogg.
    const [, field, value] = /^ {4,6}([\w.]+) *: (.*)$/.exec(line) ?? []
    if (field !== undefined && value !== undefined && report.tags.size < MOST_TAGS) {
      const name = field.toLowerCase()
      if (!report.tags.has(name)) report.tags.set(name, value)
    }
    if (!stream || lines > KEPT_LINES) continue
    lines += 1
    const [, kind, codec = 'unknown', rest = ''] = stream
    report.isVideo ??= false
    isSound = kind === 'Audio'
    if (kind === 'Video' && !rest.includes('(attached pic)')) {
      report.isVideo = true
      report.videoCodec ??= codec
      report.picture ??= rest
      const [, framesPerSecond] = /, ([\d.]+) fps\b/.exec(rest) ?? []
      if (framesPerSecond !== undefined) report.framesPerSecond ??= framesPerSecond
    }
    if (kind !== 'Audio') continue
    if (tracks.includes(report.tracks.length)) {
      const [, rate, layout = ''] = /, (\d+) Hz(?:, ([^,]*))?/.exec(rest) ?? []
      const sourceSampleRateHz = rate === undefined ? null : Number(rate)
      const channelCount = channelsIn(layout)
      const samplesPerSecond = (sourceSampleRateHz ?? 0) * channelCount
      const [, told] = /, (\d+) kb\/s/.exec(rest) ?? []
      const kbps = told === undefined ? null : Number(told)
      report.audio ??= { codec, sourceSampleRateHz, channelCount, samplesPerSecond: 0, kbps }
      report.audio.samplesPerSecond += samplesPerSecond
    }
    report.tracks.push({ isDefault: /\(default\)/.test(rest), title: null })
  }
  return report
}

const toldOf = ({ codec, sourceSampleRateHz }: NonNullable<Report['audio']>) => ({
  codec,
  sourceSampleRateHz,
})

/** `mono`, `5.1(side)`, `12 channels`; the layouts that have a name of their own have up to eight. */
function channelsIn(layout: string): number {
  if (layout === 'mono') return 1
  if (layout === 'stereo' || layout === 'downmix') return 2
  const [, main, more = 0] = /^(\d+)(?:\.(\d+)| channels)/.exec(layout) ?? []
  return main === undefined ? 8 : Number(main) + Number(more)
}

/** Lines with their beginnings only: what a recording says of itself may be one of a hundred MB. */
async function* linesOf(stream: Readable): AsyncIterable<string> {
  stream.setEncoding('utf8')
  let rest = ''
  for await (const piece of stream as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n')
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE)
    for (const line of lines) yield line.slice(0, LONGEST_LINE)
  }
  if (rest !== '') yield rest
}
