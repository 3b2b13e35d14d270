/**
 * Makes the product's own sample recording: sample.m4a and sample.rttm from sample.txt, spoken by
 * two voices of flite.
 *
 * node scripts/make-sample.ts        needs flite and ffmpeg
 *
 * The files are committed, so run this only when the text changes, and make-sample-transcription.ts
 * after it. No person's voice was recorded, so the sample may be copied and published freely.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = new URL('../src/features/transcriptions/sample/', import.meta.url).pathname
const sampleRateHz = 16_000

const voices: Record<string, string> = { Ada: 'slt', Ben: 'rms' }
/** Pauses between turns, used in turn: people do not wait equally long. */
const pausesMs = [550, 450, 650, 500, 400, 700, 600]
const edgeMs = 300

interface SpokenTurn {
  speaker: string
  startSample: number
  samples: Int16Array
}

const scratch = mkdtempSync(join(tmpdir(), 'make-sample-'))
try {
  const lines = readFileSync(join(folder, 'sample.txt'), 'utf8').trim().split('\n')
  const turns = placeTurns(lines)
  writeRecording(turns)
  writeFileSync(join(folder, 'sample.rttm'), turns.map(rttmLine).join(''))
} finally {
  rmSync(scratch, { recursive: true })
}

function placeTurns(lines: string[]): SpokenTurn[] {
  let startSample = samplesIn(edgeMs)
  return lines.map((line, index) => {
    const [speaker = '', text = ''] = line.split(/:\s*/, 2)
    const voice = voices[speaker]
    if (!voice) throw new Error(`sample.txt line ${index + 1} names no speaker with a voice`)
    const turn = { speaker, startSample, samples: speak(voice, text) }
    const pauseMs = pausesMs[index % pausesMs.length] ?? 500
    startSample += turn.samples.length + samplesIn(pauseMs)
    return turn
  })
}

/** Silence around the words is cut, so that the turn times are those of the voice. */
function speak(voice: string, text: string): Int16Array {
  const wav = join(scratch, 'turn.wav')
  execFileSync('flite', ['-voice', voice, '-t', text, '-o', wav])
  const pcm = execFileSync(
    'ffmpeg',
    // prettier-ignore
    ['-v', 'error', '-i', wav, '-ac', '1', '-ar', `${sampleRateHz}`, '-f', 's16le', 'pipe:1'],
    { maxBuffer: 64 << 20 },
  )
  const samples = new Int16Array(pcm.length >> 1)
  for (let i = 0; i < samples.length; i++) samples[i] = pcm.readInt16LE(2 * i)
  const audible = (sample: number) => Math.abs(sample) > 200
  return atSpeechLevel(
    samples.slice(samples.findIndex(audible), samples.findLastIndex(audible) + 1),
  )
}

/** The voices come at different levels; brought to the same one, so that neither sounds far away. */
function atSpeechLevel(samples: Int16Array): Int16Array {
  const rms = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
  const loudest = samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)
  const gain = Math.min(2600 / rms, 29_000 / loudest)
  return samples.map((sample) => Math.round(sample * gain))
}

function writeRecording(turns: SpokenTurn[]): void {
  const last = turns.at(-1)
  if (!last) throw new Error('sample.txt holds no lines')
  const whole = new Int16Array(last.startSample + last.samples.length + samplesIn(edgeMs))
  for (const { startSample, samples } of turns) whole.set(samples, startSample)
  // prettier-ignore
  execFileSync(
    'ffmpeg',
    ['-v', 'error', '-y', '-f', 's16le', '-ar', `${sampleRateHz}`, '-ac', '1', '-i', 'pipe:0',
     '-c:a', 'aac', '-b:a', '40k', '-movflags', '+faststart', '-fflags', '+bitexact',
     join(folder, 'sample.m4a')],
    { input: new Uint8Array(whole.buffer) },
  )
}

function rttmLine({ speaker, startSample, samples }: SpokenTurn): string {
  const seconds = (count: number) => (count / sampleRateHz).toFixed(3)
  return `SPEAKER sample 1 ${seconds(startSample)} ${seconds(samples.length)} <NA> <NA> ${speaker} <NA> <NA>\n`
}

function samplesIn(durationMs: number): number {
  return (durationMs * sampleRateHz) / 1000
}
