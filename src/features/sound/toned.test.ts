import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'
import { isLong } from '#test/long.ts'

import { writeToned } from './toned.ts'

const run = promisify(execFile)
const folder = aFolder('toned')
const signal = new AbortController().signal
const DURATION_MS = 4_000
const RATE = 16_000
const NAME = 'Margaret Hale'
const stretches = [{ startMs: 1_000, endMs: 1_600 }]

const at = (name: string) => join(folder, name)
const ffmpeg = (...args: string[]) =>
  run('ffmpeg', ['-v', 'error', '-y', ...args], { encoding: 'buffer', maxBuffer: 64 * 1024 ** 2 })
const noise = ['-f', 'lavfi', '-i', 'anoisesrc=d=4:a=0.4:r=48000:seed=1']
const picture = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:r=25:d=4']

async function samplesOf(path: string, track = 0): Promise<Int16Array> {
  const form = ['-map', `0:a:${track}`, '-ar', String(RATE), '-ac', '1', '-f', 's16le', 'pipe:1']
  const { stdout } = await ffmpeg('-i', path, ...form)
  return new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length))
}

/** How much of the loudness from here to there, in ms, is none of a tone of 1 kHz; and how loud it is. */
function listened(samples: Int16Array, fromMs: number, toMs: number) {
  const part = samples.subarray((fromMs * RATE) / 1000, (toMs * RATE) / 1000)
  let [power, inPhase, across] = [0, 0, 0]
  for (const [index, sample] of part.entries()) {
    power += sample * sample
    inPhase += sample * Math.cos((2 * Math.PI * 1000 * index) / RATE)
    across += sample * Math.sin((2 * Math.PI * 1000 * index) / RATE)
  }
  const tone = (2 * (inPhase ** 2 + across ** 2)) / part.length
  return { other: (power - tone) / Math.max(1, power), level: Math.sqrt(power / part.length) }
}

const toned = async (source: string, muteWith: 'tone' | 'silence' = 'tone') => {
  const out = `${source}.out`
  const options = { stretches, muteWith, durationMs: DURATION_MS, signal }
  expect(await writeToned(source, out, options)).toBe(true)
  return out
}

interface Probed {
  format: { format_name: string; tags?: Record<string, string> }
  streams: { codec_type: string; codec_name: string; tags?: Record<string, string> }[]
  chapters: unknown[]
}
async function probe(path: string): Promise<Probed> {
  const what = ['-show_format', '-show_streams', '-show_chapters', '-of', 'json']
  return JSON.parse((await run('ffprobe', ['-v', 'error', ...what, path])).stdout)
}

test.each([
  ['wav', ['-c:a', 'pcm_s16le'], 'wav'],
  ['mp3', ['-b:a', '128k'], 'mp3'],
  ['m4a', [], 'mov,mp4,m4a,3gp,3g2,mj2'],
  ['flac', [], 'flac'],
  ['ogg', ['-c:a', 'libopus'], 'ogg'],
  ['webm', ['-c:a', 'libopus'], 'matroska,webm'],
])('%s stays what it is, with a tone in the place of the words', async (ending, how, format) => {
  const source = at(`sound.${ending}`)
  const named = ['-metadata', `title=${NAME}`, '-metadata', `comment=${NAME}`]
  await ffmpeg(...noise, ...how, ...named, source)
  const out = await toned(source)
  const samples = await samplesOf(out)
  expect(Math.abs(samples.length / RATE - 4)).toBeLessThan(0.1)
  // A tone of -20 dB, and nothing else.
  const inside = listened(samples, 1_020, 1_580)
  expect(inside.other).toBeLessThan(0.02)
  expect(20 * Math.log10((inside.level * Math.SQRT2) / 32_767)).toBeCloseTo(-20, 0)
  expect(listened(samples, 400, 900).other).toBeGreaterThan(0.9)
  expect(listened(samples, 1_700, 2_200).other).toBeGreaterThan(0.9)
  expect((await probe(out)).format.format_name).toBe(format)
  expect((await readFile(out)).includes(NAME)).toBe(false)
})

test('a stretch can be silent', async () => {
  const source = at('silent.wav')
  await ffmpeg(...noise, source)
  expect(listened(await samplesOf(await toned(source, 'silence')), 1_010, 1_590).level).toBe(0)
})

test('a film keeps its frames, and nothing that is written beside them', async () => {
  const source = at('film.mp4')
  const captions = at('captions.srt')
  await writeFile(captions, `1\n00:00:01,000 --> 00:00:02,000\n${NAME}\n`)
  const facts = at('facts.txt')
  const chapter = `[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=4000\ntitle=${NAME}\n`
  await writeFile(facts, `;FFMETADATA1\ntitle=${NAME}\n${chapter}`)
  const mapped = ['-map', '0:v', '-map', '1:a', '-map', '2:a', '-map', '3:s', '-map_metadata', '4']
  // As television writes captions: a message between two pictures.
  const message = `h264_metadata=sei_user_data=086f3693-b7b3-4f2c-9653-21492feee5b8+${NAME}`
  const how = ['-c:v', 'libx264', '-x264opts', 'keyint=25', '-bsf:v', message, '-c:s', 'mov_text']
  const named = ['-metadata:s:a:1', `handler_name=${NAME}`]
  const inputs = [...picture, ...noise, ...noise, '-i', captions, '-i', facts]
  await ffmpeg(...inputs, ...mapped, ...how, ...named, source)
  expect((await readFile(source)).includes(NAME)).toBe(true)
  const out = await toned(source)
  const { streams, chapters } = await probe(out)
  expect(streams.map((stream) => stream.codec_type)).toEqual(['video', 'audio', 'audio'])
  expect(chapters).toEqual([])
  expect((await readFile(out)).includes(NAME)).toBe(false)
  for (const track of [0, 1])
    expect(listened(await samplesOf(out, track), 1_020, 1_580).other).toBeLessThan(0.02)
  const frames = async (path: string) =>
    (await ffmpeg('-i', path, '-map', '0:v', '-f', 'framemd5', 'pipe:1')).stdout
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('0,'))
  expect(await frames(out)).toEqual(await frames(source))
})

const films: [ending: string, how: string[]][] = [
  ['mkv', ['-c:v', 'libx264', '-c:a', 'aac']],
  ['ts', ['-c:v', 'mpeg2video', '-c:a', 'mp2']],
  ['webm', ['-c:v', 'libvpx', '-c:a', 'libopus']],
  ['avi', ['-c:v', 'mpeg4', '-c:a', 'mp3']],
]
test.each(films.slice(0, isLong ? undefined : 2))(
  'a film of %s has a picture and a tone',
  async (ending, how) => {
    const source = at(`film.${ending}`)
    await ffmpeg(...picture, ...noise, ...how, source)
    const out = await toned(source)
    const { streams } = await probe(out)
    expect(streams.map((stream) => stream.codec_type)).toEqual(['video', 'audio'])
    expect(listened(await samplesOf(out), 1_020, 1_580).other).toBeLessThan(0.02)
  },
)

test('what is no recording is not written', async () => {
  const source = at('words.txt')
  await writeFile(source, NAME)
  const options = { stretches, muteWith: 'tone', durationMs: DURATION_MS, signal } as const
  expect(await writeToned(source, `${source}.out`, options)).toBe(false)
})
