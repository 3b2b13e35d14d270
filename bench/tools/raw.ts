/** The measure that the pipeline is compared with: the same models and programs without it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

import type { Chunk, Engine } from '#features/speech/engines/engine.ts'

import { cpuMs } from './processes.ts'

/** How long an engine takes for these chunks, without a pipeline around it, in ms. */
export async function recogniseAlone(
  engine: Engine,
  pcmPath: string,
  { chunks, workDir }: { chunks: readonly Chunk[]; workDir: string },
): Promise<number> {
  const startedAt = performance.now()
  const pcm = { path: pcmPath, sampleCount: 0, sourceSampleRateHz: null }
  const { signal } = new AbortController()
  const result = await engine.recognise(pcm, chunks, { language: null, workDir, signal })
  const wallMs = performance.now() - startedAt
  await engine.close?.()
  if (result.kind !== 'done') throw new Error(`the engine answered ${result.kind}`)
  return wallMs
}

/** ffmpeg to mono 16 kHz PCM, thrown away. */
export async function decodeRaw(path: string): Promise<{ wallMs: number; cpuMs: number }> {
  const before = cpuMs().children
  const startedAt = performance.now()
  const input = ['-nostdin', '-v', 'error', '-threads', '1', '-i', path, '-vn']
  const output = ['-ac', '1', '-ar', '16000', '-f', 's16le', 'pipe:1']
  const child = spawn('ffmpeg', [...input, ...output], { stdio: ['ignore', 'ignore', 'ignore'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`ffmpeg ended with code ${code}`)
  return { wallMs: performance.now() - startedAt, cpuMs: cpuMs().children - before }
}
