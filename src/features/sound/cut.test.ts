/** Recordings whose sound and picture say at each moment when they were: see `moments`. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, test } from 'vitest'

import { isLong } from '#test/long.ts'
import { aFolder } from '#test/folder.ts'
import { canMount, smallDisk } from '#test/small-disk.ts'

import { filmOf } from './cut-film.ts'
import { type CutFormat, type CutOptions, kbpsFor, writeCut } from './cut.ts'

const run = promisify(execFile)
const folder = aFolder('cut')
const signal = new AbortController().signal
const DURATION_MS = 4000
const RATE = 48_000

const at = (name: string) => join(folder, name)
const ffmpeg = (...args: string[]) =>
  run('ffmpeg', ['-v', 'error', '-y', ...args], { encoding: 'buffer', maxBuffer: 512 * 1024 ** 2 })

/** A tone that rises by 1 kHz each second. */
const rising = (seconds: number, channels = "'0.5*sin(2*PI*(500*t+500*t*t))'") =>
  made(`aevalsrc=${channels}:s=44100:d=${seconds}`)
/** Frames whose left half counts to 20, and whose right half counts the twenties. */
const counting = (rate: string, seconds: number, size = '64x64') =>
  made(
    `color=black:s=${size}:r=${rate}:d=${seconds},geq=lum='if(lt(X,W/2),16+10*mod(N,20),16+10*floor(N/20))':cb=128:cr=128`,
  )
const made = (filters: string) => ['-f', 'lavfi', '-i', filters]
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '8', '-pix_fmt', 'yuv420p']

async function make(name: string, ...args: string[]): Promise<string> {
  await ffmpeg(...args, at(name))
  return at(name)
}

const sound = make('sound.wav', ...rising(4))
const film = make('film.mp4', ...counting('25', 4), ...rising(4), ...h264)

async function cut(path: string, format: CutFormat, options: Partial<CutOptions> = {}) {
  const out = join(await mkdtemp(at('out-')), `cut.${format}`)
  const common = { cuts, track: 0, durationMs: DURATION_MS, picture: format === 'mp4', signal }
  const written = await writeCut(path, out, { ...common, format, ...options })
  return { out, written }
}

async function samplesOf(path: string, channels = 1): Promise<Int16Array> {
  const form = ['-af', `aresample=${RATE}:async=1:first_pts=0`, '-ac', String(channels)]
  const { stdout } = await ffmpeg('-i', path, ...form, '-f', 's16le', 'pipe:1')
  return new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length))
}

/** When the rising tone was recorded that is heard at a time: its height over 20 ms says it. */
function heardAt(samples: Int16Array, seconds: number): number {
  const [from, to] = [seconds - 0.01, seconds + 0.01].map((time) => Math.round(time * RATE))
  const turns: number[] = []
  for (let index = from!; index < to!; index++) {
    const [earlier, later] = [samples[index - 1] ?? 0, samples[index] ?? 0]
    if (earlier < 0 && later >= 0) turns.push(index - later / (later - earlier))
  }
  const hz = ((turns.length - 1) * RATE) / (turns.at(-1)! - turns[0]!)
  return (hz - 500) / 1000
}

/** The numbers that the frames show. */
async function numbersOf(path: string): Promise<number[]> {
  const raw = ['-vf', 'scale=64:64', '-f', 'rawvideo', '-pix_fmt', 'yuv420p', 'pipe:1']
  const { stdout } = await ffmpeg('-i', path, ...raw)
  const bytes = 64 * 64 * 1.5
  const count = (from: number) => Math.round(((stdout[from] ?? 0) - 16) / 10)
  return Array.from({ length: stdout.length / bytes }, (_, frame) => {
    const middle = frame * bytes + 32 * 64
    return count(middle + 16) + 20 * count(middle + 48)
  })
}

interface Probed {
  streams: Record<string, string>[]
  format: { duration: string; tags?: Record<string, string> }
  chapters: { start_time: string; tags: { title: string } }[]
}
async function probe(path: string): Promise<Probed> {
  const shown = ['-show_streams', '-show_format', '-show_chapters']
  const { stdout } = await run('ffprobe', ['-v', 'error', '-of', 'json', ...shown, path])
  return JSON.parse(stdout) as Probed
}

const cuts = [
  { startMs: 505, endMs: 1205 },
  { startMs: 2010, endMs: 2630 },
  { startMs: 3000, endMs: 3100 },
]
const LEFT_MS = DURATION_MS - 700 - 620 - 100
/** A time of the recording for one of what is left. */
const recordedAt = (seconds: number) =>
  cuts.reduce(
    (time, { startMs, endMs }) => (time * 1000 < startMs ? time : time + (endMs - startMs) / 1000),
    seconds,
  )
const insides = [0.2, 0.4, 0.7, 1, 1.2, 1.5, 1.6, 1.9, 2.2, 2.4]

describe('each format', () => {
  // The others are encoded the same way; all of them are in the long run.
  const formats: [CutFormat, codec: string][] = [
    ['mp3', 'mp3'],
    ['m4a', 'aac'],
    ['wav', 'pcm_s16le'],
    ['flac', 'flac'],
    ['ogg', 'vorbis'],
    ['opus', 'opus'],
  ]
  test.for(formats.slice(0, isLong ? undefined : 2))(
    '%s is written, and each moment is where it should be',
    async ([format, codec]) => {
      const { out, written } = await cut(await sound, format)
      expect(Math.abs((written?.durationMs ?? 0) - LEFT_MS)).toBeLessThanOrEqual(20)
      const { streams, format: whole } = await probe(out)
      expect(streams.map((stream) => stream['codec_name'])).toEqual([codec])
      const samples = await samplesOf(out)
      // Only the file tells of the last frame of AAC that a part of it is to be thrown away.
      const playedMs =
        format === 'm4a' ? 1000 * Number(whole.duration) : samples.length / (RATE / 1000)
      expect(Math.abs(playedMs - LEFT_MS)).toBeLessThanOrEqual(20)
      for (const time of insides)
        expect(Math.abs(heardAt(samples, time) - recordedAt(time))).toBeLessThanOrEqual(0.025)
    },
  )

  test('sound keeps its rate and its two channels', async () => {
    const path = await make('two.flac', ...rising(4, "'0.5*sin(2000*t)|0.1*sin(2000*t)'"))
    const { out } = await cut(path, 'wav')
    const { streams } = await probe(out)
    expect(streams[0]).toMatchObject({ channels: 2, sample_rate: '44100' })
    const samples = await samplesOf(out, 2)
    const [left, right] = [0, 1].map((side) =>
      Math.max(...samples.subarray(RATE, 2 * RATE).filter((_, index) => index % 2 === side)),
    )
    expect(left! / right!).toBeCloseTo(5, 0)
  })

  test('a file of the kind that came has about as many bits a second', async () => {
    const kbpsOf = async (path: string) =>
      Number((await probe(path)).streams[0]!['bit_rate']) / 1000
    const low = await make('low.mp3', ...rising(4), '-b:a', '48k')
    expect(await kbpsOf((await cut(low, 'mp3')).out)).toBe(48)
    expect(await kbpsOf((await cut(await sound, 'mp3')).out)).toBe(128)
  })

  test('how many bits a second depends on the codec, and on what encoders need', () => {
    const of = (codec: string, kbps: number | null, channelCount = 1) => ({
      isVideo: false,
      wholeKbps: 31,
      hasGaps: false,
      toldMs: null,
      chapters: [],
      tags: new Map(),
      tracks: [{ isDefault: true, title: null }],
      audio: { codec, kbps, channelCount, sourceSampleRateHz: 44_100, samplesPerSecond: 0 },
    })
    expect(kbpsFor('m4a', of('aac', 96))).toBe(96)
    expect(kbpsFor('m4a', of('aac', 24)), 'as few as HE-AAC takes are not enough').toBe(48)
    expect(kbpsFor('m4a', of('mp3', 48))).toBe(128)
    expect(kbpsFor('opus', of('opus', null))).toBe(31)
    expect(kbpsFor('opus', { ...of('opus', null), isVideo: true })).toBe(96)
    expect(kbpsFor('m4a', of('aac', 384, 6))).toBe(160)
    expect(kbpsFor('wav', of('mp3', 48))).toBeNull()
  })

  if (isLong)
    test('a telephone call of 8 kHz is written', async () => {
      const path = await make('call.wav', ...rising(4), '-ar', '8000', '-c:a', 'pcm_mulaw')
      for (const format of ['mp3', 'm4a', 'ogg'] as const)
        expect((await cut(path, format)).written).not.toBeNull()
    })

  test.each(isLong ? (['m4a', 'mp3', 'mp4'] as const) : (['m4a'] as const))(
    '%s has a title and chapters',
    async (format) => {
      const labels = {
        title: 'Field = notes',
        durationMs: LEFT_MS,
        chapters: [
          { title: 'The ferry', startMs: 0 },
          { title: 'The end', startMs: 1500 },
        ],
      }
      const { format: whole, chapters } = await probe(
        (await cut(await film, format, { labels })).out,
      )
      expect(whole.tags).toMatchObject({ title: 'Field = notes' })
      expect(chapters.map(({ start_time: from, tags }) => [Number(from), tags.title])).toEqual([
        [0, 'The ferry'],
        [1.5, 'The end'],
      ])
    },
  )

  test('a stretch is muted, and a track is chosen', async () => {
    const tracks = [...rising(4, "'0.5*sin(2000*t)'"), ...rising(4, "'0.1*sin(2000*t)'")]
    const path = await make('tracks.mka', ...tracks, '-map', '0', '-map', '1', '-c:a', 'flac')
    const muted = [{ startMs: 1000, endMs: 2000 }]
    const { out } = await cut(path, 'wav', { cuts: [], muted, track: 1 })
    const samples = await samplesOf(out)
    expect(Math.max(...samples.subarray(RATE / 10, RATE / 2))).toBeCloseTo(3277, -2)
    expect(Math.max(...samples.subarray(RATE * 1.001, RATE * 1.999))).toBeLessThanOrEqual(1)
  })
})

/** By how many seconds sound and picture are apart, for each frame that does not lie beside a cut. */
async function apartIn(path: string, frameRate: number, late = 0): Promise<number[]> {
  const [samples, numbers] = [await samplesOf(path), await numbersOf(path)]
  return numbers.flatMap((number, frame) => {
    const middle = (frame + 0.5) / frameRate
    const isBeside = (seconds: number) =>
      numbers[Math.round(frame + seconds * frameRate)] !== number + Math.round(seconds * frameRate)
    if (isBeside(-0.05) || isBeside(0.05)) return []
    return [heardAt(samples, middle) + late - (number + 0.5) / frameRate]
  })
}

describe('a film', () => {
  const films: [name: string, rate: string, args: string[]][] = [
    ['of 25 frames a second', '25', ['film.mp4', ...h264]],
    ['of 29.97', '30000/1001', ['ntsc.mov', ...h264]],
    ['of 50', '50', ['fast.mkv', ...h264]],
    ['of a browser', '30', ['film.webm', '-c:v', 'libvpx', '-b:v', '2M']],
    ['with times that begin anywhere', '25', ['film.ts', ...h264, '-f', 'mpegts']],
  ]
  test.for(films.slice(0, isLong ? undefined : 2))(
    '%s is cut to the frame, with its sound',
    async ([, rate, [name, ...args]]) => {
      const path = await make(name!, ...counting(rate, 4), ...rising(4), ...args)
      const { out, written } = await cut(path, 'mp4', { durationMs: DURATION_MS })
      expect(Math.abs((written?.durationMs ?? 0) - LEFT_MS)).toBeLessThanOrEqual(20)
      const { streams } = await probe(out)
      const [picture] = streams
      expect(picture).toMatchObject({
        codec_name: 'h264',
        pix_fmt: 'yuv420p',
        avg_frame_rate: rate.includes('/') ? rate : `${rate}/1`,
      })
      const [count = 0, seconds = 1] = rate.split('/').map(Number)
      const frameRate = count / seconds
      const numbers = await numbersOf(out)
      expect(Math.abs(numbers.length / frameRate - LEFT_MS / 1000)).toBeLessThanOrEqual(
        1 / frameRate,
      )
      const apart = await apartIn(out, frameRate)
      expect(apart.length).toBeGreaterThan(numbers.length / 2)
      for (const each of apart) expect(Math.abs(each)).toBeLessThanOrEqual(1 / frameRate)
      for (const [frame, number] of numbers.entries())
        expect(
          Math.abs(number / frameRate - recordedAt((frame + 0.5) / frameRate)),
        ).toBeLessThanOrEqual(0.06 + 1.5 / frameRate)
    },
  )

  test('whose sound begins late and ends early is together with it', async () => {
    const sound = ['-itsoffset', '0.6', ...rising(2.4)]
    const path = await make('late.mp4', ...counting('25', 4), ...sound, ...h264)
    const { out } = await cut(path, 'mp4', { durationMs: 3000, cuts: cuts.slice(0, 2) })
    const apart = await apartIn(out, 25, 0.6)
    expect(apart.filter((each) => Math.abs(each) <= 0.04).length).toBeGreaterThan(20)
    // The picture goes on after the sound, to its own end.
    expect((await numbersOf(out)).at(-1)).toBe(99)
  })

  test.each([
    ['few', 'middle.mp4', []],
    ['many', 'middle.mkv', ['-g', '5']],
  ])(
    'of which a part in the middle stays is exact, with %s pictures to begin at',
    async (_, name, keys) => {
      const path = await make(name, ...counting('25', 4), ...rising(4), ...h264, ...keys)
      const { out } = await cut(path, 'mp4', {
        cuts: [
          { startMs: 0, endMs: 2005 },
          { startMs: 2600, endMs: 2900 },
          { startMs: 3500, endMs: DURATION_MS },
        ],
      })
      const numbers = await numbersOf(out)
      expect(Math.abs(numbers.length - 30)).toBeLessThanOrEqual(1)
      expect(Math.abs(numbers[0]! - 50)).toBeLessThanOrEqual(2)
      const apart = await apartIn(out, 25)
      expect(apart.length).toBeGreaterThan(20)
      for (const each of apart) expect(Math.abs(each)).toBeLessThanOrEqual(0.04)
    },
  )

  if (isLong)
    test('that is longer than its sound ends with a cut that reaches the end', async () => {
      const path = await make('longer.mp4', ...counting('25', 4), ...rising(3), ...h264)
      const { out } = await cut(path, 'mp4', {
        durationMs: 3000,
        cuts: [{ startMs: 2000, endMs: 3000 }],
      })
      expect((await numbersOf(out)).length).toBeCloseTo(50, -1)
    })

  if (isLong)
    test('that stands on its side, of odd size and with few frames becomes upright, even and steady', async () => {
      const odd = ['-c:v', 'libx264', '-pix_fmt', 'yuv444p', '-c:a', 'aac']
      const path = await make('odd.mov', ...counting('5', 4, '75x51'), ...rising(4), ...odd)
      const bytes = await readFile(path)
      const header = bytes.indexOf('tkhd')
      // A matrix by which it is turned to the right.
      for (const [index, value] of [0, 1, 0, -1, 0, 0].entries())
        bytes.writeInt32BE(value * 65_536, header + 44 + 4 * index)
      const turned = at('turned.mov')
      await writeFile(turned, bytes)
      const { out } = await cut(turned, 'mp4')
      const { streams } = await probe(out)
      expect(streams[0]).toMatchObject({
        width: 50,
        height: 74,
        pix_fmt: 'yuv420p',
        avg_frame_rate: '25/1',
      })
      expect(streams[0]?.['side_data_list']).toBeUndefined()
    })

  if (isLong)
    test('whose picture becomes larger in the middle keeps its size and its cuts', async () => {
      const parts = [
        await make('s.h264', ...counting('25', 2), ...h264),
        await make('l.h264', ...counting('25', 2, '128x128'), ...h264),
      ]
      const joined = ['-f', 'h264', '-r', '25', '-i', `concat:${parts.join('|')}`]
      const path = await make('grows.mkv', ...joined, ...rising(4), '-c:v', 'copy')
      const { out } = await cut(path, 'mp4')
      const { streams } = await probe(out)
      expect(streams[0]).toMatchObject({ width: 64, height: 64 })
      expect(Math.abs((await numbersOf(out)).length - LEFT_MS / 40)).toBeLessThanOrEqual(1)
    })

  if (isLong)
    test('of high dynamic range becomes a plain one', async () => {
      const colours = 'colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc'
      const hdr = [
        '-c:v',
        'libx265',
        '-x265-params',
        `log-level=none:${colours}`,
        '-pix_fmt',
        'yuv420p10le',
      ]
      const path = await make('hdr.mp4', ...counting('25', 1), ...rising(1), ...hdr)
      const { out } = await cut(path, 'mp4', {
        durationMs: 1000,
        cuts: [{ startMs: 200, endMs: 400 }],
      })
      const { streams } = await probe(out)
      expect(streams[0]).toMatchObject({ pix_fmt: 'yuv420p', color_transfer: 'bt709' })
    })

  test.each([
    ['usual', '25 fps, 25 tbr', 25],
    ['of television', '29.97 fps, 29.97 tbr', 30 / 1.001],
    ['of interlaced fields', '25 fps, 50 tbr', 25],
    ['of a phone', '29.83 fps, 30 tbr', 30],
    ['of a screen', '12.41 fps, 60 tbr', 60],
    ['of a browser', '1k fps, 1k tbr', 30],
    ['of a fast camera', '240 fps, 240 tbr', 60],
    ['of slides', '5 fps, 5 tbr', 25],
  ])('%s gets a steady rate that fits its frames: %s', (_, said, rate) => {
    const { count, seconds } = filmOf(`, yuv420p, 640x360, ${said}, 90k tbn`).frameRate
    expect(count / seconds).toBeCloseTo(rate, 5)
  })

  test('without its picture is sound', async () => {
    const { out } = await cut(await film, 'mp4', { picture: false })
    expect((await probe(out)).streams.map((stream) => stream['codec_type'])).toEqual(['audio'])
  })

  if (isLong)
    test('of 5,000 cuts is cut', async () => {
      const many = Array.from({ length: 5000 }, (_, index) => ({
        startMs: 0.8 * index + 0.1,
        endMs: 0.8 * index + 0.5,
      }))
      const { out, written } = await cut(await film, 'mp4', { cuts: many })
      expect(Math.abs((written?.durationMs ?? 0) - 2000)).toBeLessThanOrEqual(41)
      expect(Math.abs((await numbersOf(out)).length - 50)).toBeLessThanOrEqual(2)
    })
})

describe('a framed picture', () => {
  /** The grey of places of the first picture, as shares of its width and height. */
  async function greysOf(path: string, places: readonly (readonly [number, number])[]) {
    const raw = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']
    const { stdout } = await ffmpeg('-i', path, ...raw)
    const [{ width, height } = { width: '', height: '' }] = (await probe(path)).streams
    return places.map(
      ([x, y]) =>
        stdout[Math.floor(y * Number(height)) * Number(width) + Math.floor(x * Number(width))],
    )
  }
  const heard: { durationMs: number; heights: readonly number[] }[] = []
  const framing = (width: number, height: number, x = 0.5): CutOptions['framing'] => ({
    width,
    height,
    centre: { x, y: 0.5 },
    ground: '#000000',
    drawing: async (sound) => {
      heard.push(sound)
      const script = [
        `[Script Info]\nPlayResX: ${width}\nPlayResY: ${height}\n[V4+ Styles]`,
        'Format: Name, Fontname, PrimaryColour, Alignment\nStyle: D,Noto Sans,&H00FFFFFF,7\n[Events]',
        'Format: Layer, Start, End, Style, Text',
        'Dialogue: 0,0:00:00.00,0:01:00.00,D,{\\pos(0,0)\\p1}m 0 0 l 20 0 20 20 0 20',
        '',
      ].join('\n')
      const name = '@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff'
      return { script, font: await readFile(new URL(import.meta.resolve(name))) }
    },
  })

  test('of a film is cut to its shape around its centre, and drawn upon', async () => {
    // Grey from the left to the right.
    const path = await make(
      'grey.mp4',
      ...made("color=black:s=320x180:r=25:d=4,geq=lum='16+200*X/W':cb=128:cr=128"),
      ...rising(4),
      ...h264,
    )
    const shapes: [x: number, middle: number][] = [
      [0.5, 116],
      // No further than the picture goes.
      [0, 16 + 200 * (0.5 * (180 / 320))],
    ]
    for (const [x, middle] of shapes) {
      const { out, written } = await cut(path, 'mp4', { framing: framing(180, 180, x) })
      expect(Math.abs((written?.durationMs ?? 0) - LEFT_MS)).toBeLessThanOrEqual(20)
      const [corner, seen] = await greysOf(out, [
        [0.02, 0.02],
        [0.5, 0.5],
      ])
      expect(corner).toBeGreaterThan(225)
      expect(Math.abs(seen! - middle)).toBeLessThanOrEqual(8)
    }
  })

  test('of sound is drawn upon its ground, knowing how high each stretch of the sound is', async () => {
    const { out } = await cut(await sound, 'mp4', { framing: framing(108, 192) })
    const { streams } = await probe(out)
    expect(streams.map((stream) => stream['codec_name'])).toEqual(['h264', 'aac'])
    expect(streams[0]).toMatchObject({ width: 108, height: 192, pix_fmt: 'yuv420p' })
    const [corner, ground] = await greysOf(out, [
      [0.05, 0.05],
      [0.5, 0.5],
    ])
    expect([corner! > 225, ground! < 20]).toEqual([true, true])
    const { durationMs, heights } = heard.at(-1)!
    expect(heights.length).toBe(Math.ceil(durationMs / 20))
    expect(heights[20]).toBeCloseTo(0.5, 1)
  })
})

describe('what goes wrong leaves no file', () => {
  const filesIn = async (out: string) => readdir(join(out, '..'))

  test('when nothing is left, or it is no recording', async () => {
    for (const format of ['mp3', 'wav'] as const) {
      const { out, written } = await cut(await sound, format, {
        cuts: [{ startMs: 0, endMs: DURATION_MS }],
      })
      expect([written, await filesIn(out)]).toEqual([null, []])
    }
    await writeFile(at('not.mp3'), 'rubbish')
    expect((await cut(at('not.mp3'), 'mp3')).written).toBeNull()
  })

  if (isLong)
    test('when it is cancelled, at the sound or at the picture', async () => {
      const large = ['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=50:d=4']
      const path = await make('large.mp4', ...large, ...rising(4), ...h264)
      for (const least of [0, 0.15]) {
        const stop = new AbortController()
        const out = join(await mkdtemp(at('stopped-')), 'cut.mp4')
        const cancelled = writeCut(path, out, {
          cuts,
          format: 'mp4',
          track: 0,
          durationMs: DURATION_MS,
          picture: true,
          signal: stop.signal,
          onProgress: (share) => share > least && stop.abort(new Error('cancelled')),
        })
        await expect(cancelled).rejects.toThrow('cancelled')
        expect(await filesIn(out)).toEqual([])
      }
    })

  test.runIf(canMount)('when the disk is full', async () => {
    const out = join(await mkdtemp(at('small-')), 'cut.wav')
    await using _ = await smallDisk(join(out, '..'), '128k')
    const common = { cuts, track: 0, durationMs: DURATION_MS, picture: false, signal }
    await expect(writeCut(await sound, out, { ...common, format: 'wav' })).rejects.toMatchObject({
      code: 'ENOSPC',
    })
    expect(await filesIn(out)).toEqual([])
  })

  test('a recording that broke off is as long as what is there', async () => {
    const path = await make('broken.wav', ...rising(4))
    await truncate(path, 2 * 44_100 * 3)
    const { written } = await cut(path, 'mp3', { cuts: cuts.slice(0, 1) })
    expect(written?.durationMs).toBeCloseTo(2300, -2)
  })

  test('a list that is too long, or out of order, is not taken', async () => {
    const many = Array.from({ length: 5001 }, (_, index) => ({
      startMs: 2 * index,
      endMs: 2 * index + 1,
    }))
    await expect(cut(await sound, 'mp3', { cuts: many })).rejects.toThrow('too many')
    await expect(cut(await sound, 'mp3', { cuts: cuts.toReversed() })).rejects.toThrow('apart')
  })
})

test('how far it is goes from nothing to all, and never back', async () => {
  const shares: number[] = []
  await cut(await film, 'mp4', { onProgress: (share) => shares.push(share) })
  expect(shares.length).toBeGreaterThan(0)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(Math.max(...shares)).toBeLessThanOrEqual(1)
})
