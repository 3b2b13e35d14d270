/** Hostile files, as the decoder is given them. The long run takes more of them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { containerOf } from '#features/sound/container.ts'
import { type DecodeOptions, decoderArguments, measure } from '#features/sound/decode.ts'
import { needProgram } from '#features/sound/sandbox/programs.ts'
import { confinement, start } from '#features/sound/sandbox/sandbox.ts'
import { seeded } from '#shared/random.ts'
import { aFolder } from '#test/folder.ts'
import { descendantsOf } from '#test/children.ts'
import * as hostile from '#test/hostile.ts'
import { isLong, times } from '#test/long.ts'

const hour = 3_600_000
const signal = new AbortController().signal
const options: DecodeOptions = { signal, maxDurationMs: 12 * hour }

const folder = aFolder('hostile')
let trap: hostile.Trap
beforeAll(async () => {
  trap = await hostile.setTrap(folder)
})
afterAll(async () => {
  trap.close()
})

async function write({ name, bytes }: hostile.Hostile): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

async function ffmpeg(args: string[], reads: string[]) {
  const limits = { signal, memoryBytes: 512 * 1024 * 1024, cpuSeconds: 20 }
  const { stdout, stderr, ended } = await start(await needProgram('ffmpeg'), args, {
    ...limits,
    reads,
  })
  const [out, said] = await Promise.all([buffer(stdout), text(stderr), ended])
  return { out, said }
}

/** Every third; the long run takes all. */
const some = <T>(all: readonly T[]) => all.filter((_, index) => index % times(3, 1) === 0)

describe('a recording that refers to other files and addresses', () => {
  test('is refused, whatever it is called and however the reference is packed', async () => {
    const all = hostile.references(trap)
    expect(all.length).toBeGreaterThanOrEqual(30)
    for (const one of all) {
      const blocks: Buffer[] = []
      const onPcm = (block: Buffer) => void blocks.push(block)
      const verdict = await measure(await write(one), { ...options, onPcm })
      expect([one.name, verdict.kind]).toEqual([one.name, 'refused'])
      expect(Buffer.concat(blocks).includes(trap.mark)).toBe(false)
    }
    expect(trap.visitors()).toBe(0)
  }, 60_000)

  test('makes ffmpeg say nothing of what is in them', async () => {
    let decoded = 0
    for (const one of some(hostile.references(trap))) {
      const path = await write(one)
      const recognised = await containerOf(path)
      if (recognised.kind === 'refused') continue
      const { out, said } = await ffmpeg(decoderArguments(path, recognised.container, options), [
        path,
      ])
      expect(`${out.toString('latin1')}${said}`).not.toContain(trap.mark)
      decoded += 1
    }
    expect(decoded).toBeGreaterThan(times(1, 5))
    expect(trap.visitors()).toBe(0)
  }, 60_000)
})

describe.runIf((await confinement()) === 'sandboxed')('in the sandbox', () => {
  const protocols = 'file,http,tcp,udp,concat,subfile,crypto,data,pipe'
  const careless = ['-v', 'error', '-protocol_whitelist', protocols]
  const toPipe = ['-f', 's16le', 'pipe:1']

  test('a decoder that would follow every reference reaches neither our files nor the network', async () => {
    const told = (bytes: Buffer) => bytes.toString('latin1')
    const playlists = hostile
      .references(trap)
      .filter(({ bytes }) => /^(#EXTM3U|ffconcat)/.test(told(bytes)))
    expect(playlists.length).toBeGreaterThan(10)
    for (const one of some(playlists)) {
      const path = await write(one)
      const hls = ['-f', 'hls', '-allowed_extensions', 'ALL']
      const concat = ['-f', 'concat', '-safe', '0']
      const format = told(one.bytes).startsWith('#') ? hls : concat
      const { out, said } = await ffmpeg([...careless, ...format, '-i', path, ...toPipe], [path])
      expect(`${out.toString('latin1')}${said}`).not.toContain(trap.mark)
    }
    expect(trap.visitors()).toBe(0)
  }, 60_000)

  test('and would reach a file that was shown to it', async () => {
    const path = await write({
      name: 'control.txt',
      bytes: Buffer.from(`ffconcat version 1.0\nfile '${trap.canary}'\n`),
    })
    const args = [...careless, '-f', 'concat', '-safe', '0', '-i', path, ...toPipe]
    expect((await ffmpeg(args, [path, trap.canary])).out.toString('latin1')).toContain(trap.mark)
  })
})

test('sound beside damaged pictures is decoded, and no decoder of pictures is started', async () => {
  const path = await hostile.damagedPictures(folder)
  const { said } = await ffmpeg(decoderArguments(path, 'matroska', options), [path])
  expect(said).toContain('Video: magicyuv')
  const lines = said.split('\n').filter((line) => line.startsWith('[magicyuv @'))
  expect(lines.filter((line) => !line.includes('not on whitelist'))).toEqual([])
  expect(await measure(path, options)).toMatchObject({
    kind: 'audio',
    codec: 'opus',
    isVideo: true,
  })

  const careless = await ffmpeg(['-i', path, '-vn', '-f', 'null', '-'], [path])
  expect(careless.said).toMatch(/\[magicyuv @ \w+\] (?!.*not on whitelist)/)
})

test(
  'damaged recordings are refused or decoded, and nothing of ours breaks',
  async () => {
    const random = seeded(20_261_121)
    await mkdir(join(folder, 'seeds'), { recursive: true })
    const seeds = await hostile.seeds(join(folder, 'seeds'))
    for (const seed of seeds) {
      const bytes = await readFile(seed)
      for (let copy = 0; copy < times(1, 6); copy++) {
        const path = await write({ name: 'damaged', bytes: hostile.mutate(bytes, random) })
        const verdict = await measure(path, options)
        if (verdict.kind === 'audio') expect(verdict.durationMs).toBeLessThanOrEqual(12 * hour)
        else expect(verdict.reason).toMatch(/^(empty_file|not_media|cut_off|no_audio|too_long)$/)
      }
    }
  },
  times(60_000, 120_000),
)

describe('a bomb is cut at the longest duration, or refused', () => {
  const short = { ...options, maxDurationMs: 60_000 }
  const at = (name: string) => join(folder, name)

  test('FLAC of one value for days', async () => {
    const path = await hostile.constantFlac(at('days.flac'), { sizeBytes: 500_000 })
    expect(await measure(path, short)).toEqual({ kind: 'refused', reason: 'too_long' })
  })

  if (isLong)
    test('hours of Opus', async () => {
      const path = await hostile.longOpus(at('hours.opus'), { folder, hours: 0.5 })
      expect(await measure(path, short)).toEqual({ kind: 'refused', reason: 'too_long' })
      const whole = await measure(path, options)
      expect(whole.kind === 'audio' && Math.round(whole.durationMs / 1000)).toBe(1800)
    })

  if (isLong)
    test('Opus that is too long is not decoded to find that out', async () => {
      const path = await hostile.longOpus(at('days.opus'), { folder, hours: 37 })
      const fails = { ...options, onPcm: () => Promise.reject(new Error('it was decoded')) }
      expect(await measure(path, fails)).toEqual({ kind: 'refused', reason: 'too_long' })
    })

  test('a hundred tracks', async () => {
    const path = await hostile.manyTracks(at('tracks.mkv'), { folder, tracks: 100 })
    const verdict = await measure(path, short)
    expect(verdict.kind === 'refused' || verdict.durationMs < 1500).toBe(true)
  })

  test('a WAV as long as its header can say', async () => {
    const path = await hostile.endlessWav(at('endless.wav'), { sizeBytes: 16_000 })
    expect(await measure(path, short)).toMatchObject({ kind: 'audio', sampleCount: 32_000 })
  })

  test('a WAV of one sample a second', async () => {
    const path = await hostile.endlessWav(at('slow.wav'), { sizeBytes: 100_000, rateHz: 1 })
    expect(await measure(path, short)).toMatchObject({ kind: 'refused' })
  })

  test('a chain of Ogg streams without an end', async () => {
    const path = await hostile.oggChain(at('chain.ogg'), { folder, sizeBytes: 5_000_000 })
    expect(await measure(path, options)).toEqual({ kind: 'refused', reason: 'not_media' })
  })
})

test('decoders that are killed at any moment leave no process behind', async () => {
  const path = await hostile.constantFlac(join(folder, 'kill.flac'), { sizeBytes: 500_000 })
  const random = seeded(5)
  const killed = Array.from({ length: times(6, 24) }, async () => {
    const stop = new AbortController()
    const decoding = measure(path, { ...options, signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), random() * 900)
    await expect(decoding).rejects.toThrow('enough')
  })
  await Promise.all(killed)
  expect(await descendantsOf(process.pid)).toEqual([])
}, 60_000)
