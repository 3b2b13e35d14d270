/** Takes the sound out of a video as it is, without decoding any of it. */
import { rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

import { needProgram } from '../sandbox/programs.ts'
import { start } from '../sandbox/sandbox.ts'
import { containerOf } from './container.ts'

const MEMORY_BYTES = 384 * 1024 * 1024
/** Copying 100 MB takes a second of it. */
const CPU_SECONDS = 60

/** What browsers are told the sound is, by the container that it comes in. */
const kept = {
  mov: { format: 'mp4', type: 'audio/mp4' },
  matroska: { format: 'webm', type: 'audio/webm' },
} as const

/**
 * Writes the first sound of a recording to `out`, whose folder is nobody else's. Answers its type;
 * null where it cannot be taken out.
 */
export async function takeSound(
  path: string,
  out: string,
  { signal }: { signal: AbortSignal },
): Promise<string | null> {
  const file = resolve(path)
  const recognised = await containerOf(file)
  if (recognised.kind === 'refused') return null
  const { container } = recognised
  if (container !== 'mov' && container !== 'matroska') return null
  const { format, type } = kept[container]
  const program = await start(
    await needProgram('ffmpeg'),
    [
      ['-nostdin', '-hide_banner', '-nostats', '-v', 'error'],
      ['-protocol_whitelist', 'file', '-format_whitelist', container, '-f', container],
      ['-max_streams', '32', '-vn', '-sn', '-dn', '-i', `file:${file}`],
      ['-map', '0:a:0', '-map_metadata', '-1', '-map_chapters', '-1', '-c:a', 'copy'],
      [
        '-vn',
        '-sn',
        '-dn',
        ...(format === 'mp4' ? ['-movflags', '+faststart', '-strict', '-2'] : []),
      ],
      ['-f', format, '-y', `file:${resolve(out)}`],
    ].flat(),
    {
      signal,
      memoryBytes: MEMORY_BYTES,
      cpuSeconds: CPU_SECONDS,
      reads: [file],
      workDir: dirname(resolve(out)),
      niceness: 5,
    },
  )
  const [{ code }] = await Promise.all([program.ended, text(program.stdout), text(program.stderr)])
  signal.throwIfAborted()
  if (code === 0) return type
  await rm(out, { force: true })
  return null
}
