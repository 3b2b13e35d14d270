import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

import { seeded } from '#shared/random.ts'
import { aFolder } from '#test/folder.ts'
import * as hostile from '#test/hostile.ts'
import { times } from '#test/long.ts'

import { surveyOgg } from './ogg.ts'

const run = promisify(execFile)
const signal = new AbortController().signal

const folder = aFolder('ogg')

async function make(name: string, ...codec: string[]): Promise<string> {
  const path = join(folder, name)
  const noise = ['-f', 'lavfi', '-i', 'anoisesrc=d=20:c=pink:a=0.3']
  await run('ffmpeg', ['-v', 'error', ...noise, ...codec, path])
  return path
}

test.each([
  ['2.5', '96k', 'audio'],
  ['20', '24k', 'voip'],
  ['60', '6k', 'voip'],
  ['120', '12k', 'audio'],
])('the length of Opus in frames of %s ms is seen without decoding', async (frame, rate, use) => {
  const coded = ['-c:a', 'libopus', '-frame_duration', frame, '-b:a', rate, '-application', use]
  const { links, opusMs } = await surveyOgg(await make(`${frame}.opus`, ...coded), signal)
  expect(links).toBe(1)
  // The encoder pads the end to a whole frame, and the beginning by its look-ahead.
  expect(opusMs).toBeGreaterThanOrEqual(20_000)
  expect(opusMs).toBeLessThan(20_250)
})

test('other sound is left to the decoder', async () => {
  const vorbis = await make('vorbis.ogg', '-c:a', 'libvorbis')
  expect(await surveyOgg(vorbis, signal)).toEqual({ links: 1, opusMs: 0 })
})

test('each stream of a chain is counted', async () => {
  const parts = [await make('first.opus', '-b:a', '32k'), await make('then.ogg', '-c:a', 'flac')]
  const [opus, flac] = await Promise.all(parts.map((path) => readFile(path)))
  const path = join(folder, 'chain.ogg')
  await writeFile(path, Buffer.concat([opus!, flac!, opus!, Buffer.from('rubbish'), opus!]))
  const { links, opusMs } = await surveyOgg(path, signal)
  expect(links).toBe(4)
  expect(Math.round(opusMs / 1000)).toBe(60)
})

test('a file is read to its end, whatever stands in it', async () => {
  const random = seeded(3)
  const seed = await readFile(await make('seed.opus', '-b:a', '16k'))
  for (let copy = 0; copy < times(30, 200); copy++) {
    const path = join(folder, 'mutated.ogg')
    await writeFile(path, hostile.mutate(seed, random))
    const { links, opusMs } = await surveyOgg(path, signal)
    expect(links + opusMs).toBeLessThan(1_000_000)
  }
})
