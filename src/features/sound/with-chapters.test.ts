/** Chapters in files of sound, as ffprobe reads them. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'

import { type LabelledFormat, withChapters } from './sound.ts'

const run = promisify(execFile)
const folder = aFolder('with-chapters')
const signal = AbortSignal.timeout(60_000)

const labels = {
  title: 'Field = notes; "12"',
  durationMs: 30_000,
  chapters: [
    { title: 'Margaret was a ferry', startMs: 0 },
    { title: 'a = b; # [CHAPTER] \\ 船', startMs: 10_500 },
    { title: 'The end', startMs: 20_000 },
  ],
}

interface Probed {
  chapters: { start_time: string; end_time: string; tags: { title: string } }[]
  streams: { codec_name: string; codec_type: string }[]
  format: { duration: string; tags: { title: string } }
}

async function probe(path: string): Promise<Probed> {
  const what = ['-show_chapters', '-show_streams', '-show_format']
  const { stdout } = await run('ffprobe', ['-v', 'error', '-of', 'json', ...what, path])
  return JSON.parse(stdout) as Probed
}

/** Of the frames as they lie in the file. */
async function framesOf(path: string, muxer: string): Promise<string> {
  const copy = ['-map', '0:a', '-map_metadata', '-1', '-map_chapters', '-1', '-c', 'copy']
  const bare = `${path}.${muxer}`
  await run('ffmpeg', ['-v', 'error', '-y', '-i', path, ...copy, '-f', muxer, bare])
  return hashOf(await readFile(bare))
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function recorded(name: string, ...options: string[]): Promise<string> {
  const path = join(folder, name)
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=30']
  await run('ffmpeg', ['-v', 'error', '-y', ...tone, ...options, path])
  return path
}

const video = ['-f', 'lavfi', '-i', 'color=black:s=64x64:r=5:d=30', '-shortest']

test.for<[name: string, options: string[], format: LabelledFormat, isCopied: boolean]>([
  ['a.mp3', [], 'mp3', true],
  ['c.aac', ['-c:a', 'aac'], 'm4a', true],
  ['d.mp4', [...video, '-c:a', 'aac'], 'm4a', true],
  ['e.wav', [], 'm4a', false],
  ['g.ogg', ['-c:a', 'libopus'], 'mp3', false],
  ['h.mp3', [], 'm4a', false],
])('%s becomes %s with chapters', async ([name, options, format, isCopied]) => {
  const path = await recorded(name, ...options)
  const before = hashOf(await readFile(path))
  const out = join(await mkdtemp(join(folder, 'out-')), `sound.${format}`)
  expect(await withChapters(path, out, { format, labels, signal })).toBe(true)
  const { chapters, streams, format: whole } = await probe(out)
  expect(
    chapters.map(({ start_time: from, end_time: to, tags }) => [
      Number(from),
      Number(to),
      tags.title,
    ]),
  ).toEqual([
    [0, 10.5, 'Margaret was a ferry'],
    [10.5, 20, 'a = b; # [CHAPTER] \\ 船'],
    [20, expect.closeTo(30, 0), 'The end'],
  ])
  expect(whole.tags.title).toBe('Field = notes; "12"')
  expect(Number(whole.duration)).toBeCloseTo(30, 0)
  const [sound] = streams.filter(({ codec_type: type }) => type === 'audio')
  expect(sound?.codec_name).toBe(format === 'mp3' ? 'mp3' : 'aac')
  expect(streams.some(({ codec_type: type }) => type === 'video')).toBe(false)
  if (isCopied) {
    const muxer = format === 'mp3' ? 'mp3' : 'adts'
    expect(await framesOf(out, muxer)).toBe(await framesOf(path, muxer))
  }
  expect(hashOf(await readFile(path))).toBe(before)
})

test('a file that is no recording is not written with chapters', async () => {
  const path = join(folder, 'not.mp3')
  await copyFile(new URL(import.meta.url), path)
  const out = join(await mkdtemp(join(folder, 'out-')), 'sound.mp3')
  expect(await withChapters(path, out, { format: 'mp3', labels, signal })).toBe(false)
})
