/** Words, waveform and film have the times at which a player plays a recording, whatever its file is like. */
import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { measure as decode } from '#features/sound/decode.ts'
import { withChapters } from '#features/sound/sound.ts'
import { aCall } from '#test/a-call.ts'
import { times } from '#test/long.ts'
import { type Storage, diskStorage } from '#server/storage.ts'

import { type Measured, measure } from './measure.ts'

const run = promisify(execFile)
const { signal } = new AbortController()
const key = '0b0e7c3a-1111-4222-8333-444455556666'

let folder: string
let storage: Storage
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clock-'))
  storage = diskStorage(join(folder, 'files'))
  await mkdir(join(folder, 'files'))
})
afterAll(() => rm(folder, { recursive: true }))

const ffmpeg = (...args: string[]) => run('ffmpeg', ['-v', 'error', '-y', ...args], { cwd: folder })
/** A tone of two seconds, which becomes another one after the first. */
const tone = ['-f', 'lavfi', '-i', "aevalsrc='.5*sin(PI*t*if(lt(t,1),800,2000))':s=44100:d=2"]
const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=44100:cl=mono:d=3']
const picture = (seconds: number) => ['-f', 'lavfi', '-i', `color=s=64x64:r=5:d=${seconds}`]
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']
/** From its second second on, the sound comes later by so much. */
const later = (seconds: number) => {
  const times = `setts=ts='PTS+gt(PTS*TB,1)*${seconds}/TB'`
  return ['-c', 'copy', '-bsf:a', times]
}

interface Case {
  what: string
  file: string
  make: () => Promise<unknown>
  /** Where sound is, in seconds. */
  sounds: [from: number, to: number][]
  type?: string
  /** Whether the file was put anew for players. */
  isAnew?: boolean
}

const cases: Case[] = [
  {
    what: 'sound that begins after the picture',
    file: 'late.mp4',
    make: () => ffmpeg(...picture(6), '-itsoffset', '3', ...tone, ...h264, 'late.mp4'),
    sounds: [[3, 5]],
  },
  {
    what: 'sound that begins late without a picture',
    file: 'late.webm',
    make: () => ffmpeg('-itsoffset', '3', ...tone, 'late.webm'),
    sounds: [[3, 5]],
  },
  {
    what: 'a gap in the sound of an MP4',
    file: 'gap.m4a',
    make: async () => {
      await ffmpeg(...tone, 'whole.m4a')
      await ffmpeg('-i', 'whole.m4a', ...later(3), 'gap.m4a')
    },
    sounds: [
      [0, 1],
      [4, 5],
    ],
    isAnew: true,
  },
  {
    what: 'a gap in the sound of a film',
    file: 'gap.webm',
    make: async () => {
      await ffmpeg(...picture(6), ...tone, '-c:v', 'libvpx', '-c:a', 'libopus', 'whole.webm')
      await ffmpeg('-i', 'whole.webm', ...later(3), 'gap.webm')
    },
    sounds: [
      [0, 1],
      [4, 5],
    ],
    isAnew: true,
  },
  {
    what: 'times that jump by days',
    file: 'days.webm',
    make: async () => {
      await ffmpeg(...tone, 'whole.webm')
      await ffmpeg('-i', 'whole.webm', ...later(300_000), 'days.webm')
    },
    sounds: [[0, 2]],
    isAnew: true,
  },
  {
    what: 'an MP3 of varying bit rate with an index of a hundred places',
    file: 'varying.mp3',
    make: () => ffmpeg(...silence, ...tone, ...joined, '-q:a', '2', 'varying.mp3'),
    sounds: [[3, 5]],
    type: 'audio/mp4',
    isAnew: true,
  },
  {
    what: 'an MP3 of varying bit rate without an index',
    file: 'bare.mp3',
    make: () => ffmpeg(...silence, ...tone, ...joined, '-q:a', '2', '-write_xing', '0', 'bare.mp3'),
    sounds: [[3, 5]],
    type: 'audio/mp4',
    isAnew: true,
  },
  {
    what: 'an MP3 that is shorter than its header says',
    file: 'cut.mp3',
    make: async () => {
      await ffmpeg(...tone, '-b:a', '64k', 'cut.mp3')
      await truncate(join(folder, 'cut.mp3'), 12_000)
    },
    sounds: [[0, 1.45]],
    type: 'audio/mp4',
    isAnew: true,
  },
  {
    what: 'an MP3 behind rubbish',
    file: 'rubbish.mp3',
    make: async () => {
      await ffmpeg(...tone, '-b:a', '64k', 'clean.mp3')
      const clean = await readFile(join(folder, 'clean.mp3'))
      await writeFile(join(folder, 'rubbish.mp3'), Buffer.concat([Buffer.alloc(9000), clean]))
    },
    sounds: [[0, 2]],
    type: 'audio/mp4',
    isAnew: true,
  },
  {
    what: 'an MP3 of one bit rate',
    file: 'steady.mp3',
    make: () => ffmpeg(...silence, ...tone, ...joined, '-b:a', '64k', 'steady.mp3'),
    sounds: [[3, 5]],
    type: 'audio/mpeg',
  },
  {
    what: 'raw AAC that is called an MP4',
    file: 'raw.m4a',
    make: () => ffmpeg(...silence, ...tone, ...joined, '-c:a', 'aac', '-f', 'adts', 'raw.m4a'),
    sounds: [[3, 5]],
    type: 'audio/mp4',
    isAnew: true,
  },
  {
    what: 'a second track, where the first is silent',
    file: 'second.mp4',
    make: () => ffmpeg(...picture(3), ...silence, ...tone, ...each(0, 1, 2), ...h264, 'second.mp4'),
    sounds: [[0, 2]],
    isAnew: true,
  },
  {
    what: 'a second track of what no browser plays, where the first is silent',
    file: 'second.mkv',
    make: () => ffmpeg(...picture(3), ...silence, ...tone, ...each(0, 1, 2), ...h264, 'second.mkv'),
    sounds: [[0, 2]],
    type: 'video/mp4',
    isAnew: true,
  },
  {
    what: 'a second track, where the first cannot be decoded',
    file: 'second.mkv',
    make: () => {
      const kinds = ['-c:v', 'libx264', '-c:a:0', 'dca', '-strict', '-2', '-c:a:1', 'aac']
      return ffmpeg(...picture(3), ...silence, ...tone, ...each(0, 1, 2), ...kinds, 'second.mkv')
    },
    sounds: [[0, 2]],
    type: 'video/mp4',
    isAnew: true,
  },
  {
    what: 'a second track that no browser plays, where the first cannot be decoded',
    file: 'second.mpeg',
    make: () => {
      const kinds = ['-c:v', 'mpeg2video', '-r', '25', '-c:a:0', 'dca', '-strict', '-2']
      const second = ['-c:a:1', 'ac3', '-f', 'vob', 'second.mpeg']
      return ffmpeg(...picture(3), ...silence, ...tone, ...each(0, 1, 2), ...kinds, ...second)
    },
    sounds: [[0, 2]],
  },
  {
    what: 'the track that an MP4 names, which a player plays',
    file: 'named.m4a',
    make: () => {
      // As loud as the other: a film in two languages.
      const other = ['-f', 'lavfi', '-i', "aevalsrc='.5*sin(700*PI*t)':s=44100:d=4"]
      const names = ['-disposition:a:0', '0', '-disposition:a:1', 'default']
      return ffmpeg(...other, ...tone, ...each(0, 1), ...names, 'named.m4a')
    },
    sounds: [[0, 2]],
    isAnew: true,
  },
  {
    what: 'channels of which one is the other turned over',
    file: 'turned.wav',
    make: () => ffmpeg(...tone, '-af', 'pan=stereo|c0=c0|c1=-1*c0', 'turned.wav'),
    sounds: [[0, 2]],
  },
]
const joined = ['-filter_complex', '[0][1]concat=n=2:v=0:a=1']
function each(...inputs: number[]): string[] {
  return inputs.flatMap((input) => ['-map', String(input)])
}

// Every other one is for the long run.
test.each(cases.filter((_, at) => at % times(2, 1) === 0))(
  '$what: sound is where it is played',
  async ({ file, make, sounds, type, isAnew }) => {
    await make()
    await stored(file)
    const measured = await measure(storage, key, signal)
    const end = sounds.at(-1)![1]
    expect(Math.abs(measured.durationMs / 1000 - end)).toBeLessThan(0.1)
    const heard = soundsIn(measured)
    expect(heard).toHaveLength(sounds.length)
    for (const [index, range] of sounds.entries())
      for (const side of [0, 1] as const)
        expect(Math.abs(heard[index]![side] - range[side])).toBeLessThan(0.1)
    if (type) expect(measured.mediaType).toBe(type)

    // That file is what the player gets and the job decodes; it is not put anew twice.
    expect(measured.key === key).toBe(isAnew !== true)
    const { path } = await storage.open(measured.key)
    expect(measured.sizeBytes).toBe((await stat(path)).size)
    const isAsSent = (await readFile(path)).equals(await readFile(join(folder, file)))
    expect(isAsSent).toBe(isAnew !== true)
    const again = await decode(path, { signal, maxDurationMs: 60_000 })
    expect(again).toMatchObject({ durationMs: measured.durationMs, hasGaps: false })
    // But for the hash, which is that of the file that came.
    const { contentHash, ...anew } = measured
    expect(await measure(storage, measured.key, signal)).toMatchObject(anew)
    const sent = createHash('sha256').update(await readFile(join(folder, file)))
    expect(contentHash).toBe(sent.digest('hex'))
  },
)

test('a file is put into another container on a disk that has no room for a copy of it', async () => {
  await ffmpeg(...silence, ...tone, ...joined, '-q:a', '2', 'varying.mp3')
  await stored('varying.mp3')
  const write = () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
  const { mediaType } = await measure({ ...storage, write }, key, signal)
  expect(mediaType).toBe('audio/mp4')
})

test('a file that no browser plays is left as it is', async () => {
  await ffmpeg(...tone, '-c:a', 'aac', 'whole.mkv')
  await ffmpeg('-i', 'whole.mkv', ...later(1), 'gap.mkv')
  await stored('gap.mkv')
  const sizeBytes = (await stat(join(folder, 'gap.mkv'))).size
  expect(await measure(storage, key, signal)).toMatchObject({ mediaType: null, sizeBytes })
})

test('where a second track cannot be put in the place of all, the one that is transcribed is measured', async () => {
  const sound = ['-c:v', 'mpeg4', '-c:a', 'mp3', 'second.avi']
  await ffmpeg(...picture(3), ...silence, ...tone, ...each(0, 1, 2), ...sound)
  await stored('second.avi')
  const measured = await measure(storage, key, signal)
  const { path } = await storage.open(key)
  const first = await decode(path, { signal, maxDurationMs: 60_000 })
  expect(first).toMatchObject({ kind: 'audio', durationMs: measured.durationMs })
  expect(Math.max(...measured.peaks)).toBe(0)
})

async function stored(file: string): Promise<void> {
  await copyFile(join(folder, file), join(folder, 'files', key))
}

function soundsIn({ peaks, durationMs }: Measured): [number, number][] {
  const found: [number, number][] = []
  for (const [index, height] of peaks.entries()) {
    if (height < 20) continue
    const from = (index * durationMs) / peaks.length / 1000
    const to = ((index + 1) * durationMs) / peaks.length / 1000
    const last = found.at(-1)
    if (last && from - last[1] < 0.2) last[1] = to
    else found.push([from, to])
  }
  return found
}

test('channels that are people are told from those of one sound, and one channel has no sides', async () => {
  await aCall(join(folder, 'call.wav'))
  await aCall(join(folder, 'room.wav'), { mix: 'room' })
  const measureFile = async (file: string) => {
    await copyFile(join(folder, file), join(folder, 'files', key))
    return measure(storage, key, signal)
  }
  expect((await measureFile('call.wav')).sides.isApart).toBe(true)
  expect((await measureFile('room.wav')).sides.isApart).toBe(false)
  await ffmpeg(...tone, 'mono.wav')
  expect((await measureFile('mono.wav')).sides.each).toEqual([])
})

test('a film and the sound of one say where they begin, by a track of time code or in the WAV', async () => {
  const beginning = async (name: string, ...options: string[]) => {
    await ffmpeg(...options, name)
    await copyFile(join(folder, name), join(folder, 'files', key))
    return (await measure(storage, key, signal)).filmStart
  }
  const pictures = ['-f', 'lavfi', '-i', 'testsrc=s=320x240:r=25:d=2']
  const film = [...pictures, ...tone, ...h264, '-timecode', '10:00:00:00']
  expect(await beginning('tc.mov', ...film)).toEqual({ timecode: '10:00:00:00', frameRate: '25' })
  const samples = String(36_000 * 44_100)
  const wav = [...tone, '-write_bext', '1', '-metadata', `time_reference=${samples}`]
  expect(await beginning('bext.wav', ...wav)).toEqual({ timecode: '10:00:00:00', frameRate: null })
  expect(await beginning('plain.mov', ...pictures, ...tone, ...h264)).toBeNull()
})

test.for(['mp3', 'm4a'] as const)(
  'the chapters that an %s brings along are told',
  async (format) => {
    const long = ['-f', 'lavfi', '-i', 'sine=duration=30']
    await ffmpeg(...long, 'whole.wav')
    const list = [
      { title: 'How it began', startMs: 0 },
      { title: 'Vögel; = #2', startMs: 10_500 },
    ]
    const labels = { title: 'Field notes', durationMs: 30_000, chapters: list }
    const out = join(folder, 'files', key)
    await rm(out, { force: true })
    expect(await withChapters(join(folder, 'whole.wav'), out, { format, labels, signal })).toBe(
      true,
    )
    expect((await measure(storage, key, signal)).chapters).toEqual({ by: 'own', list })
    await copyFile(join(folder, 'whole.wav'), out)
    expect((await measure(storage, key, signal)).chapters).toBeNull()
  },
)

/** Ada and Ben of a call, each on a track of its own. */
async function twoTracks(file: string, ...options: string[]): Promise<void> {
  await aCall(join(folder, 'both.wav'))
  const split = 'asplit[one][two];[one]pan=mono|c0=c0[ada];[two]pan=mono|c0=c1[ben]'
  const tracks = ['-filter_complex', split, '-map', '[ada]', '-map', '[ben]']
  const ada = ['-metadata:s:a:0', 'title=Ada', '-metadata:s:a:1', 'title=Track 2']
  await ffmpeg('-i', 'both.wav', ...options, ...tracks, ...ada, file)
}

test('tracks that are people are told and named, and a player plays all of them', async () => {
  await twoTracks('guests.webm', '-c:a', 'libopus')
  await stored('guests.webm')
  const {
    key: anew,
    sides,
    mediaType,
    durationMs,
    ...measured
  } = await measure(storage, key, signal)
  expect(sides).toMatchObject({ isApart: true, each: [{ track: 1, title: 'Ada' }, { track: 2 }] })
  expect(sides.each[1]).not.toHaveProperty('title')
  expect(anew).not.toBe(key)
  expect(mediaType).toBe('audio/webm')
  // Ada speaks first, and Ben from the seventh second on.
  const heights = soundsIn({ key: anew, sides, mediaType, durationMs, ...measured })
  expect(heights.some(([from, to]) => from < 5 && to > 1)).toBe(true)
  expect(heights.some(([from, to]) => from < 11 && to > 8)).toBe(true)
  const { path } = await storage.open(anew)
  const heard: Buffer[] = []
  const onPcm = (block: Buffer) => void heard.push(Buffer.from(block))
  const decoded = await decode(path, { signal, maxDurationMs: 60_000, sides: sides.each, onPcm })
  expect(decoded).toMatchObject({ kind: 'audio' })
  const samples = Buffer.concat(heard)
  const loudest = (side: number, second: number) =>
    Math.max(
      ...Array.from({ length: 16_000 }, (_, at) =>
        Math.abs(samples.readInt16LE(4 * (second * 16_000 + at) + 2 * side)),
      ),
    )
  expect(loudest(0, 3)).toBeGreaterThan(5 * loudest(1, 3))
  expect(loudest(1, 9)).toBeGreaterThan(5 * loudest(0, 9))
})

test('a film in two languages is one sound, unless somebody knows better', async () => {
  await aCall(join(folder, 'talk.wav'), { mix: 'twice' })
  const twice = ['-map', '0:a', '-map', '0:a', '-c:a', 'libopus', 'languages.webm']
  await ffmpeg('-i', 'talk.wav', ...twice)
  await stored('languages.webm')
  const measured = await measure(storage, key, signal)
  expect(measured).toMatchObject({ key, sides: { isApart: false } })
  expect(measured.sides.each.map(({ track }) => track)).toEqual([0, 1])
})
