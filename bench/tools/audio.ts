/** Sound for benches: real recordings, joined one after the other until it is long enough. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ownSample = fileURLToPath(
  new URL('../../src/features/transcriptions/sample/sample.m4a', import.meta.url),
)
const BYTES_PER_SECOND = 32_000
/** Recordings that follow each other directly would make one phrase of two. */
const PAUSE = Buffer.alloc(BYTES_PER_SECOND * 0.8)

export interface Recordings {
  paths: string[]
  /** Said beside the figures, which depend on it. */
  description: string
}

/** Those of a folder, or the one sample that is ours; says so when a folder has none. */
export async function recordings(folder: string | undefined): Promise<Recordings> {
  const names = folder === undefined ? [] : await readdir(folder).catch(() => null)
  if (names === null) console.log(`There is no folder ${folder}.`)
  const found = (names ?? []).filter((name) => /\.(flac|wav|m4a|mp3|ogg|opus)$/.test(name)).sort()
  if (folder !== undefined && found.length > 0)
    return {
      paths: found.map((name) => join(folder, name)),
      description: `${found.length} recordings of the samples folder, joined in turn`,
    }
  console.log(
    'No samples folder is given (--samples DIR or QUOTH_SAMPLES), so our one sample is joined to itself: ' +
      'times are right, but nothing can be said about words and voices.',
  )
  return { paths: [ownSample], description: 'our own sample recording, joined to itself' }
}

/** Mono PCM, 16 kHz, 16 bit, of exactly this number of seconds. */
export async function joined(sources: Recordings, seconds: number): Promise<Buffer> {
  const wanted = Math.round(seconds * 16_000) * 2
  const once = await Promise.all(sources.paths.map(decoded))
  const parts: Buffer[] = []
  let bytes = 0
  while (bytes < wanted)
    for (const part of once.flatMap((pcm) => [pcm, PAUSE])) {
      parts.push(part)
      bytes += part.length
    }
  return Buffer.concat(parts).subarray(0, wanted)
}

/** Mono PCM, 16 kHz, 16 bit. */
export async function decoded(path: string): Promise<Buffer> {
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-ar', '16000', 'pipe:1'],
    { encoding: 'buffer', maxBuffer: 1024 * 1024 * 1024 },
  )
  return stdout
}

const codecs = {
  m4a: ['-c:a', 'aac', '-b:a', '64k', '-ar', '44100'],
  mp3: ['-c:a', 'libmp3lame', '-b:a', '64k', '-ar', '44100'],
  opus: ['-c:a', 'libopus', '-b:a', '32k'],
  wav: ['-c:a', 'pcm_s16le'],
  flac: ['-c:a', 'flac'],
} as const

/** Writes PCM, of channels in turn, as a file of the kind that its name says, through `filters` of ffmpeg. */
export async function encode(
  pcm: Buffer,
  path: string,
  filters: readonly string[] = [],
  channels = 1,
): Promise<string> {
  const kind = path.split('.').at(-1) as keyof typeof codecs
  const input = ['-f', 's16le', '-ac', String(channels), '-ar', '16000', '-i', 'pipe:0']
  const ffmpeg = spawn(
    'ffmpeg',
    ['-v', 'error', '-y', ...input, ...filters, ...codecs[kind], path],
    {
      stdio: ['pipe', 'inherit', 'inherit'],
    },
  )
  ffmpeg.stdin.end(pcm)
  const [code] = await once(ffmpeg, 'exit')
  if (code !== 0) throw new Error(`ffmpeg could not write ${path}`)
  return path
}
