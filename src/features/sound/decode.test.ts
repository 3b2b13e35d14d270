import { execFile } from 'node:child_process'
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

import { seeded } from '#shared/random.ts'

import { aFolder } from '#test/folder.ts'

import { decoderArguments, decodeToFile, measure } from './decode.ts'

const run = promisify(execFile)
const hour = 3_600_000
const signal = new AbortController().signal
const options = { signal, maxDurationMs: 12 * hour }

const folder = aFolder('decode')

const at = (name: string) => join(folder, name)
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=3']
const pictures = ['-f', 'lavfi', '-i', 'testsrc=duration=3:size=96x64:rate=5']
async function make(name: string, ...args: string[]): Promise<string> {
  await run('ffmpeg', ['-v', 'error', '-y', ...args, at(name)])
  return at(name)
}
async function write(name: string, content: string | Buffer): Promise<string> {
  await writeFile(at(name), content)
  return at(name)
}

describe('every accepted format is decoded and measured', () => {
  test.each([
    ['flac', 'flac', 'flac', []],
    ['mp3', 'mp3', 'mp3', []],
    ['mpga', 'mp3', 'mp3', ['-f', 'mp3']],
    ['m4a', 'mov', 'aac', []],
    ['wav', 'wav', 'pcm_s16le', []],
    ['ogg', 'ogg', 'vorbis', ['-c:a', 'libvorbis']],
    ['oga', 'ogg', 'flac', ['-c:a', 'flac']],
    ['opus', 'ogg', 'opus', []],
    ['webm', 'matroska', 'opus', []],
  ] as const)('%s', async (extension, container, codec, args) => {
    const path = await make(`sound.${extension}`, ...tone, ...args)
    const measured = await measure(path, options)
    expect(measured).toMatchObject({ kind: 'audio', container, codec, isVideo: false })
    if (measured.kind !== 'audio') return
    expect(measured.durationMs).toBe(Math.floor(measured.sampleCount / 16))
    expect(measured.durationMs).toBeGreaterThan(2900)
    expect(measured.durationMs).toBeLessThan(3150)
  })

  test.each([
    ['mp4', 'mov', 'h264', ['-c:v', 'libx264', '-c:a', 'aac']],
    ['mov', 'mov', 'hevc', ['-c:v', 'libx265', '-x265-params', 'log-level=none', '-c:a', 'aac']],
    ['avi', 'avi', 'mpeg4', ['-c:v', 'mpeg4', '-c:a', 'libmp3lame']],
    ['mpeg', 'mpeg', 'mpeg1video', ['-c:v', 'mpeg1video', '-r', '25', '-c:a', 'mp2']],
    ['webm', 'matroska', 'vp8', ['-c:v', 'libvpx', '-c:a', 'libopus']],
  ] as const)('%s with pictures', async (extension, container, videoCodec, args) => {
    const path = await make(`film.${extension}`, ...pictures, ...tone, ...args)
    const measured = await measure(path, options)
    expect(measured).toMatchObject({ kind: 'audio', container, isVideo: true, videoCodec })
  })

  test('a cover picture does not make a video', async () => {
    const sound = await make('covered-sound.mp3', ...tone)
    const cover = await make('cover.png', ...pictures, '-frames:v', '1')
    const both = ['-i', sound, '-i', cover, '-map', '0', '-map', '1', '-c', 'copy']
    const path = await make('covered.mp3', ...both)
    expect(await measure(path, options)).toMatchObject({
      container: 'mp3',
      isVideo: false,
      videoCodec: null,
    })
  })

  test('a name with quotes, a line break and an emoji is only a name', async () => {
    const path = at(`"a'\n🎙 $(id).mp3`)
    await writeFile(path, await readFile(await make('plain.mp3', ...tone)))
    expect(await measure(path, options)).toMatchObject({ kind: 'audio' })
  })

  test('the rate it was sampled with is told', async () => {
    const path = await make('call.wav', ...tone, '-ar', '8000', '-c:a', 'pcm_mulaw')
    expect(await measure(path, options)).toMatchObject({ sourceSampleRateHz: 8000 })
  })

  test('FLAC behind an ID3 tag is FLAC', async () => {
    const flac = await readFile(await make('bare.flac', ...tone))
    const tag = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0])
    const path = await write('tagged.flac', Buffer.concat([tag, flac]))
    expect(await measure(path, options)).toMatchObject({ kind: 'audio', container: 'flac' })
  })
})

describe('a file that cannot be read is refused with its reason', () => {
  const refused = (reason: string) => ({ kind: 'refused', reason })

  test('an empty file', async () => {
    expect(await measure(await write('empty.mp3', ''), options)).toEqual(refused('empty_file'))
  })

  test('text, random bytes, a picture and a damaged header, whatever they are called', async () => {
    const text = 'This is not a recording. '.repeat(9000)
    const random = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * i * 7919) >> 5))
    const picture = await readFile(await make('image.jpg', ...pictures, '-frames:v', '1'))
    const files = [
      await write('text.mp3', text),
      await write('wide.mp3', Buffer.from(`\uFEFF${text}`, 'utf16le')),
      await write('random.mp3', random),
      await write('picture.mp3', picture),
      await write('damaged.flac', Buffer.concat([Buffer.from('fLaC'), random])),
    ]
    for (const path of files) expect(await measure(path, options)).toEqual(refused('not_media'))
  })

  test('an MP4 whose end is missing, wherever its index is', async () => {
    const film = ['-c:v', 'mpeg4', '-c:a', 'aac']
    const last = await make('index-last.mp4', ...pictures, ...tone, ...film)
    const fast = [...film, '-movflags', '+faststart']
    const first = await make('index-first.mp4', ...pictures, ...tone, ...fast)
    for (const path of [last, first]) {
      expect(await measure(path, options)).toMatchObject({ kind: 'audio' })
      await truncate(path, Math.floor((await stat(path)).size / 2))
      expect(await measure(path, options)).toEqual(refused('cut_off'))
    }
  })

  test('a video without sound', async () => {
    const silent = await make('silent.mp4', ...pictures, '-c:v', 'mpeg4')
    const stream = ['-c:v', 'mpeg1video', '-r', '25', '-f', 'mpeg1video']
    const bare = await make('bare.mpeg', ...pictures, ...stream)
    expect(await measure(silent, options)).toEqual(refused('no_audio'))
    expect(await measure(bare, options)).toEqual(refused('no_audio'))
  })

  test('more than is allowed, by one second', async () => {
    const path = await make('three-seconds.flac', ...tone)
    expect(await measure(path, { signal, maxDurationMs: 2000 })).toEqual(refused('too_long'))
    expect(await measure(path, { signal, maxDurationMs: 3000 })).toMatchObject({ kind: 'audio' })
  })
})

describe('the cost of decoding is limited', () => {
  const silence = (rate: number, layout: string, seconds: number) => {
    const source = `anullsrc=r=${rate}:cl=${layout}`
    return make(`${rate}-${layout}.flac`, '-f', 'lavfi', '-t', String(seconds), '-i', source)
  }

  test('the best that recorders make is read', async () => {
    for (const [rate, layout] of [
      [192_000, 'stereo'],
      [192_000, '4.0'],
      [96_000, '7.1'],
      [48_000, '5.1(side)'],
    ] as const)
      expect(await measure(await silence(rate, layout, 1), options)).toMatchObject({
        kind: 'audio',
        sampleCount: 16_000,
      })
  })

  test('more samples in a second than any recording has are not decoded', async () => {
    const path = await silence(384_000, '7.1', 1)
    const blocks: Buffer[] = []
    const told: unknown[] = []
    const refused = await measure(path, {
      ...options,
      onPcm: (block) => void blocks.push(block),
      onStreams: (streams) => told.push(streams),
    })
    expect(refused).toEqual({ kind: 'refused', reason: 'too_costly' })
    expect(told).toEqual([])
  })
})

test.each(['mp3', 'wav', 'ogg', 'webm', 'avi'])(
  'a %s that broke off is as long as what is there',
  async (extension) => {
    const path = await make(`broken.${extension}`, ...tone, '-c:a', codecOf(extension))
    await truncate(path, Math.floor((await stat(path)).size * 0.6))
    const measured = await measure(path, options)
    expect(measured).toMatchObject({ kind: 'audio' })
    if (measured.kind !== 'audio') return
    expect(measured.durationMs).toBeGreaterThan(500)
    expect(measured.durationMs).toBeLessThan(2900)
  },
)
const codecOf = (extension: string) =>
  ({ wav: 'pcm_s16le', ogg: 'flac', webm: 'libopus' })[extension] ?? 'libmp3lame'

test('a header that lies about the length changes nothing', async () => {
  const path = await make('lying.wav', ...tone)
  const bytes = await readFile(path)
  const data = bytes.indexOf('data')
  bytes.writeUInt32LE(0xffff_ff00, data + 4)
  expect(await measure(await write('lying.wav', bytes), options)).toMatchObject({
    sampleCount: 48_000,
  })
})

test('a playlist or a script for ffmpeg opens no other file', async () => {
  const secret = await make('secret.wav', ...tone)
  const attempts = {
    'list.mp3': `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:3,\nfile://${secret}\n#EXT-X-ENDLIST\n`,
    'concat.mp3': `ffconcat version 1.0\nfile '${secret}'\n`,
    'session.wav': `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nm=audio 5004 RTP/AVP 0\n`,
    'manifest.mp4': `<?xml version="1.0"?><MPD><BaseURL>file://${secret}</BaseURL></MPD>`,
  }
  for (const [name, content] of Object.entries(attempts)) {
    expect(await measure(await write(name, content), options)).toEqual({
      kind: 'refused',
      reason: 'not_media',
    })
  }
})

test('the decoder is fenced in: one demuxer, one file, decoders of sound only', async () => {
  const args = decoderArguments('/some/where', 'matroska', options)
  const valueOf = (name: string) => args[args.indexOf(name) + 1]
  expect(valueOf('-f')).toBe('matroska')
  expect(valueOf('-format_whitelist')).toBe('matroska')
  expect(valueOf('-protocol_whitelist')).toBe('file,pipe')
  expect(valueOf('-i')).toBe('file:/some/where')
  expect(args).toContain('-nostdin')

  const { stdout } = await run('ffmpeg', ['-v', 'error', '-decoders'])
  const kinds = new Map(
    stdout.split('\n').map((line) => [line.trim().split(/\s+/)[1], line.trim()[0]]),
  )
  for (const decoder of valueOf('-codec_whitelist')!.split(','))
    expect([decoder, kinds.get(decoder) ?? 'A']).toEqual([decoder, 'A'])
})

test('the name of a recording stays one argument, whatever it is', () => {
  const random = seeded(9)
  const alphabet = `ab./-:%"'$()|;&\n\0\u202e\u00e9\u{1f399} `
  const shapeOf = (path: string) =>
    decoderArguments(path, 'mp3', options).map((each) => (each === `file:${path}` ? 'PATH' : each))
  const shape = shapeOf('/some/where')
  for (let count = 0; count < 500; count++) {
    const letters = Array.from({ length: 1 + random() * 250 }, () =>
      alphabet.charAt(random() * alphabet.length),
    )
    expect(shapeOf(`/${letters.join('')}`)).toEqual(shape)
  }
})

describe('decoding to a file', () => {
  test('leaves 16 kHz mono samples, and tells how far it is', async () => {
    const path = await make('stereo.m4a', ...tone, '-ac', '2', '-ar', '44100')
    const counts: number[] = []
    const onSamples = (count: number) => void counts.push(count)
    const measured = await decodeToFile(path, at('out.pcm'), { ...options, onSamples })
    expect(measured).toMatchObject({ kind: 'audio' })
    if (measured.kind !== 'audio') return
    expect((await stat(at('out.pcm'))).size).toBe(2 * measured.sampleCount)
    expect(counts.at(-1)).toBe(measured.sampleCount)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  })

  test('lifts what is very quiet, to its last sample', async () => {
    const loudness: number[] = []
    for (const quieter of [0, 45]) {
      const path = await make('quiet.wav', ...tone, '-af', `volume=-${quieter}dB`)
      const measured = await decodeToFile(path, at('quiet.pcm'), options)
      const pcm = await readFile(at('quiet.pcm'))
      expect(measured).toMatchObject({ sampleCount: pcm.length / 2 })
      loudness.push(Math.max(...new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2)))
    }
    const [usual = 0, quiet = 0] = loudness
    expect(quiet).toBeGreaterThan(usual / 4)
  })

  test('decoding that is refused or stopped leaves no file', async () => {
    await decodeToFile(await write('rubbish.mp3', 'rubbish'), at('gone.pcm'), options)
    const stop = new AbortController()
    const stopped = decodeToFile(await make('stopped.mp3', ...tone), at('gone.pcm'), {
      ...options,
      signal: stop.signal,
      onStreams: () => stop.abort(new Error('cancelled')),
    })
    await expect(stopped).rejects.toThrow('cancelled')
    expect((await readdir(folder)).filter((name) => name.startsWith('gone'))).toEqual([])
  })

  test('the streams of a file are told before the first samples come', async () => {
    const path = await make('told.mp4', ...pictures, ...tone, '-c:v', 'mpeg4', '-c:a', 'aac')
    const told: unknown[] = []
    const onStreams = (streams: object) => void told.push(streams)
    await decodeToFile(path, at('told.pcm'), { ...options, onStreams })
    expect(told).toEqual([{ codec: 'aac', isVideo: true, sourceSampleRateHz: 44_100 }])
  })
})
