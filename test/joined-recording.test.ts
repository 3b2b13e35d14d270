/**
 * Stretches of a recording that several recorders have written, joined as the browser joins them
 * and read by the server's ffmpeg. Files that browsers record have no length and no index. ffmpeg
 * makes such files too when it writes to a pipe.
 */
import { execFile, spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { joinStretches } from '../src/features/recordings/ui/recording/join.ts'

const RATE = 16_000
const kinds = {
  'WebM with Opus': ['-c:a', 'libopus', '-frame_duration', '60', '-f', 'webm', '-live', '1'],
  'fragmented MP4 with AAC': ['-c:a', 'aac', '-f', 'mp4', '-movflags', 'empty_moov+frag_keyframe'],
}

async function tone(hertz: number, seconds: number, kind: readonly string[]): Promise<Blob> {
  const sine = `sine=frequency=${hertz}:duration=${seconds}:sample_rate=48000`
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-v', 'error', '-f', 'lavfi', '-i', sine, ...kind, 'pipe:1'],
    { encoding: 'buffer' },
  )
  return new Blob([new Uint8Array(stdout)])
}

async function decoded(bytes: ArrayBuffer): Promise<Int16Array> {
  const options = ['-v', 'error', '-i', 'pipe:0', '-f', 's16le', '-ac', '1', '-ar', String(RATE)]
  const ffmpeg = spawn('ffmpeg', [...options, 'pipe:1'], { stdio: ['pipe', 'pipe', 'inherit'] })
  ffmpeg.stdin.end(Buffer.from(bytes))
  const samples = await buffer(ffmpeg.stdout)
  return new Int16Array(samples.buffer, samples.byteOffset, samples.length / 2)
}

/** How often a second it crosses zero, which for a tone is twice its pitch. */
function pitchAt(samples: Int16Array, seconds: number): number {
  const second = samples.slice(seconds * RATE, (seconds + 0.5) * RATE)
  return second.filter((sample, at) => sample >= 0 !== (second[at - 1] ?? sample) >= 0).length
}

test.each(Object.entries(kinds))(
  '%s of two recorders becomes one recording, whole and in order',
  async (_, kind) => {
    const { bytes, seconds } = await joinStretches([
      await tone(400, 3.1, kind),
      await tone(1000, 2.3, kind),
    ])
    expect(Math.abs(seconds - 5.4)).toBeLessThan(0.2)
    const samples = await decoded(bytes)
    expect(Math.abs(samples.length / RATE - 5.4)).toBeLessThan(0.2)
    expect(Math.abs(pitchAt(samples, 2.4) - 400)).toBeLessThan(10)
    expect(Math.abs(pitchAt(samples, 3.4) - 1000)).toBeLessThan(10)
  },
)

test('stretches of different kinds are not joined to something that no program reads', async () => {
  const [webm, mp4] = await Promise.all(Object.values(kinds).map((kind) => tone(400, 1, kind)))
  await expect(joinStretches([webm!, mp4!])).rejects.toThrow('does not fit')
})
