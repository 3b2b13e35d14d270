/** What a file says of its streams, for those who write it anew with its picture. */
import { resolve } from 'node:path'

import type { Container } from './container.ts'
import { audioDecoders, type Report, readReport } from './decode.ts'
import { needProgram } from './sandbox/programs.ts'
import { run, start } from './sandbox/sandbox.ts'

/** Decoders of pictures that films are made with. */
const pictureDecoders = [
  'h264 hevc vp8 vp9 libvpx libvpx-vp9 av1 libdav1d libaom-av1 mpeg4 mpeg1video mpeg2video mjpeg',
  'msmpeg4 msmpeg4v1 msmpeg4v2 h263 h263p wmv1 wmv2 wmv3 vc1 theora flv vp6 vp6f svq1 svq3 prores',
  'dnxhd dvvideo qtrle cinepak huffyuv ffvhuff ffv1 rawvideo png',
].flatMap((names) => names.split(' '))

/** Arguments that let ffmpeg open these, and those of sound. */
export const filmDecoders = ['-codec_whitelist', [...audioDecoders, ...pictureDecoders].join(',')]

/** ffmpeg looks at some seconds of each stream, of pictures too. */
const MEMORY_BYTES = 1024 * 1024 * 1024
const CPU_SECONDS = 60

const inputOf = (path: string, container: Container): string[] =>
  [
    ['-nostdin', '-hide_banner', '-protocol_whitelist', 'file', '-format_whitelist', container],
    ['-f', container, '-max_streams', '32', ...filmDecoders, '-threads', '1'],
    ['-i', `file:${resolve(path)}`],
  ].flat()
const limitsFor = (path: string, signal: AbortSignal) => ({
  signal,
  memoryBytes: MEMORY_BYTES,
  cpuSeconds: CPU_SECONDS,
  reads: [resolve(path)],
})

export type Described = Report & Required<Pick<Report, 'audio'>>

/** Null where ffmpeg finds no such track of sound. */
export async function describe(
  path: string,
  container: Container,
  { track, signal }: { track: number; signal: AbortSignal },
): Promise<Described | null> {
  const args = ['-v', 'info', ...inputOf(path, container)]
  const { stdout, stderr, ended } = await start(
    await needProgram('ffmpeg'),
    args,
    limitsFor(path, signal),
  )
  stdout.resume()
  const ignore = () => undefined
  const report = await readReport(stderr, { tracks: [track], onInput: ignore, onOutput: ignore })
  await ended
  signal.throwIfAborted()
  const { audio } = report
  return audio ? { ...report, audio } : null
}

/**
 * By how many seconds the picture begins after the sound, where the times of a file begin anywhere. ffmpeg
 * then takes the beginning of what is read for zero, which for the words is that of the sound.
 */
export async function startsApart(
  path: string,
  container: Container,
  { track, signal }: { track: number; signal: AbortSignal },
): Promise<number> {
  if (container !== 'mpeg' && container !== 'mpegts') return 0
  const firstOf = (stream: string, to: string) => [
    '-map',
    `0:${stream}`,
    ...'-c copy -frames 1 -f framecrc'.split(' '),
    to,
  ]
  let sound = ''
  const { said: picture } = await run(
    await needProgram('ffmpeg'),
    [
      ['-nostats', '-v', 'error', ...inputOf(path, container)],
      firstOf(`a:${track}`, 'pipe:1'),
      firstOf('V:0', 'pipe:2'),
    ].flat(),
    { ...limitsFor(path, signal), onOutput: (piece) => (sound += piece) },
  )
  const apart = firstIn(picture) - firstIn(sound)
  return Number.isFinite(apart) ? apart : 0
}

/** The time of the first frame, in seconds, in what ffmpeg's muxer of checksums writes. */
function firstIn(written: string): number {
  const [, count, seconds] = /^#tb 0: (\d+)\/(\d+)$/m.exec(written) ?? []
  const [, at] = /^0, +-?\d+, +(-?\d+),/m.exec(written) ?? []
  return (Number(at) * Number(count)) / Number(seconds)
}
