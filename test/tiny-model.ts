/**
 * A speech model of three kilobytes, made here, that the real engine loads and decodes: six tones,
 * each of which stands for a word. It is an ONNX network of four layers that hears how loud the
 * middle of each tone's band is, wrapped in the metadata of a Zipformer2 CTC model.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { FamilyName, Manifest } from '#features/models/models.ts'
import type { PcmFile } from '#features/speech/engines/engine.ts'

import {
  bytes,
  FLOAT,
  floats,
  INT64,
  integers,
  message,
  network,
  node,
  shape,
  text,
} from './onnx.ts'

export const tinyWords = ['hello', 'world', 'this', 'is', 'a', 'test'] as const
export type TinyWord = (typeof tinyWords)[number]

const BANDS = 80
const RATE_HZ = 16_000
const TONE_MS = 240
const PAUSE_MS = 160
/** Output frames are 40 ms: every fourth of the 10 ms feature frames. */
const STRIDE = 4

/**
 * Writes the files of the model, and the file by which the engine loads it. `spelling` is what it
 * writes for each of the six tones, in place of the words.
 */
export async function writeTinyModel(
  folder: string,
  {
    name = 'tiny',
    family = 'zipformer_ctc',
    spelling,
    installedAt,
  }: {
    name?: string
    family?: FamilyName
    spelling?: readonly string[]
    installedAt?: string
  } = {},
): Promise<void> {
  await writeModel(folder, {
    id: name,
    family,
    installedAt,
    files: { model: tinyModel(), tokens: tinyTokens(spelling) },
  })
}

/** Writes the files of a model by their purpose, and the file by which the engine loads them. */
export async function writeModel(
  folder: string,
  {
    files,
    ...facts
  }: Omit<Partial<Manifest>, 'files'> & { files: Record<string, Buffer | string> },
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const nameOf = (role: string) => (role === 'tokens' ? 'tokens.txt' : `${role}.onnx`)
  for (const [role, bytes] of Object.entries(files))
    await writeFile(join(folder, nameOf(role)), bytes)
  const names = Object.fromEntries(Object.keys(files).map((role) => [role, nameOf(role)]))
  const manifest = { version: 1, ...facts, files: names }
  await writeFile(join(folder, 'model.json'), JSON.stringify(manifest))
}

/** Mono 16 kHz samples, 16 bit little endian, in which each word is its tone, with pauses between. */
export function tinySpeech(
  words: readonly (TinyWord | { pauseMs: number })[],
  { amplitude = 0.3, toneMs = TONE_MS, pauseMs = PAUSE_MS } = {},
): Buffer {
  const pieces = words.map((word) => {
    if (typeof word !== 'string') return silence(word.pauseMs)
    const tone = Buffer.alloc(samplesIn(toneMs) * 2)
    const hz = frequencyOf(tinyWords.indexOf(word) + 1)
    for (let n = 0; n < tone.length / 2; n++) {
      const value = amplitude * Math.sin((2 * Math.PI * hz * n) / RATE_HZ)
      tone.writeInt16LE(Math.round(value * 32_767), n * 2)
    }
    return Buffer.concat([tone, silence(pauseMs)])
  })
  return Buffer.concat([silence(pauseMs * 2), ...pieces, silence(pauseMs)])
}

/** The same in a file, as an engine is given it. */
export async function tinyPcm(
  path: string,
  ...speech: Parameters<typeof tinySpeech>
): Promise<PcmFile> {
  const pcm = tinySpeech(...speech)
  await writeFile(path, pcm)
  return { path, sampleCount: pcm.length / 2, sourceSampleRateHz: RATE_HZ }
}

/**
 * A WAV file with a sentence of our sample, and after it these words as tones, above the same sentence
 * spoken softly: voice activity takes tones alone for silence.
 */
export async function spokenTones(words: readonly TinyWord[]): Promise<Uint8Array<ArrayBuffer>> {
  const voice = await readFile(new URL('../src/features/speech/engines/trial.pcm', import.meta.url))
  const tones = tinySpeech(words)
  for (let at = 0; at < tones.length; at += 2) {
    const under = SOFT * voice.readInt16LE(at % voice.length)
    tones.writeInt16LE(Math.round(tones.readInt16LE(at) + under), at)
  }
  return new Uint8Array(asWav(Buffer.concat([voice, tones])))
}
const SOFT = 0.3

/** The samples as a WAV file. */
export function asWav(pcm: Buffer): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + pcm.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(RATE_HZ, 24)
  header.writeUInt32LE(RATE_HZ * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(pcm.length, 40)
  return Buffer.concat([header, pcm])
}

/** Finds the words of the tones by their pitch, for stand-ins that must understand a recording. */
export function hearTones(pcm: Buffer): { word: TinyWord; startMs: number; endMs: number }[] {
  const heard: { word: TinyWord; startMs: number; endMs: number }[] = []
  const frame = samplesIn(FRAME_MS)
  for (let at = 0; (at + frame) * 2 <= pcm.length; at += frame) {
    const loudness = tinyWords.map((_, index) => pitchIn(pcm, at, frame, frequencyOf(index + 1)))
    const most = Math.max(...loudness)
    const word = most > AUDIBLE ? tinyWords[loudness.indexOf(most)] : undefined
    if (!word) continue
    const [startMs, endMs] = [(at * 1000) / RATE_HZ, ((at + frame) * 1000) / RATE_HZ]
    const last = heard.at(-1)
    if (last?.word === word && startMs - last.endMs <= FRAME_MS) last.endMs = endMs
    else heard.push({ word, startMs, endMs })
  }
  return heard.filter(({ startMs, endMs }) => endMs - startMs >= TONE_MS / 2)
}
const FRAME_MS = 20
const AUDIBLE = 0.02

/** Goertzel's algorithm: how strong one frequency is, as an amplitude of full scale. */
function pitchIn(pcm: Buffer, from: number, count: number, hz: number): number {
  const turn = 2 * Math.cos((2 * Math.PI * hz) / RATE_HZ)
  let [last, beforeLast] = [0, 0]
  for (let n = from; n < from + count; n++)
    [last, beforeLast] = [pcm.readInt16LE(n * 2) / 32_768 + turn * last - beforeLast, last]
  return (2 * Math.sqrt(last ** 2 + beforeLast ** 2 - turn * last * beforeLast)) / count
}

const samplesIn = (ms: number): number => Math.round((ms * RATE_HZ) / 1000)
const silence = (ms: number): Buffer => Buffer.alloc(samplesIn(ms) * 2)

/** Middle of the band that word number `token` is heard in. */
export function frequencyOf(token: number): number {
  const mel = (hz: number) => 1127 * Math.log(1 + hz / 700)
  const [low, high] = [mel(20), mel(7600)]
  const middle = low + ((bandOf(token) + 1) * (high - low)) / (BANDS + 1)
  return 700 * (Math.exp(middle / 1127) - 1)
}

const bandOf = (token: number): number => 8 + 10 * token

export function tinyTokens(
  spelling: readonly string[] = tinyWords.map((word) => `▁${word}`),
): string {
  const tokens = ['<blk>', ...spelling, '<unk>']
  return tokens.map((token, id) => `${token} ${id}\n`).join('')
}

/** As icefall's byte-level vocabularies write a text: one printable letter for each byte of UTF-8. */
export const inByteLetters = (text: string): string =>
  [...Buffer.from(text)].map((byte) => String.fromCodePoint(byteLetters[byte] ?? 0)).join('')

const upTo = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
/** icefall/byte_utils.py, PRINTABLE_BASE_CHARS. */
const byteLetters = [
  ...upTo(256, 287),
  ...upTo(32, 126),
  ...upTo(288, 305),
  ...upTo(308, 318),
  ...upTo(321, 328),
  ...upTo(330, 382),
  ...upTo(384, 422),
]

/** Of a matrix that is multiplied by itself. */
const SLOW_SIDE = 8000

/**
 * The model's file. For no purpose, `fillsBytes` makes it need that much more memory, and `isSlow` a
 * minute of processor time.
 */
export function tinyModel({ fillsBytes = 0, isSlow = false } = {}): Buffer {
  const graph = message(
    hearing({ heard: 'louder', lengths: 'log_probs_len' }),
    node('ConstantOfShape', ['much'], 'zeros'),
    ...(isSlow ? [node('MatMul', ['zeros', 'zeros'], 'product')] : []),
    node('ReduceMax', [isSlow ? 'product' : 'zeros'], 'zero', { keepdims: 0 }),
    node('Add', ['louder', 'zero'], 'scores'),
    node('LogSoftmax', ['scores'], 'log_probs', { axis: -1 }),
    bytes(2, text('tiny')),
    integers('much', isSlow ? [SLOW_SIDE, SLOW_SIDE] : [1 + fillsBytes / 4]),
    bytes(12, shape('log_probs', FLOAT, ['N', 'S', TOKENS])),
    bytes(12, shape('log_probs_len', INT64, ['N'])),
  )
  return network(graph, { model_type: 'zipformer2_ctc' })
}

/** The blank, the six words, and what is no word. */
export const TOKENS = tinyWords.length + 2

/** The layers that hear in every fourth frame which word it is, or that there is none. */
export function hearing({ heard, lengths }: { heard: string; lengths: string }): Buffer {
  const weights = new Float32Array(BANDS * TOKENS)
  for (let token = 1; token <= tinyWords.length; token++)
    for (const band of [-1, 0, 1]) weights[(bandOf(token) + band) * TOKENS + token] = 1 / 3
  const bias = new Float32Array(TOKENS)
  bias[0] = 2
  bias[TOKENS - 1] = -100
  return message(
    node('Slice', ['x', 'starts', 'ends', 'axes', 'steps'], 'every4'),
    node('MatMul', ['every4', 'w'], 'bands'),
    node('Add', ['bands', 'b'], heard),
    node('Add', ['x_lens', 'three'], 'rounded'),
    node('Div', ['rounded', 'four'], lengths),
    floats('w', [BANDS, TOKENS], weights),
    floats('b', [TOKENS], bias),
    integers('starts', [0]),
    integers('ends', [Number.MAX_SAFE_INTEGER]),
    integers('axes', [1]),
    integers('steps', [STRIDE]),
    integers('three', [STRIDE - 1]),
    integers('four', [STRIDE]),
    bytes(11, shape('x', FLOAT, ['N', 'T', BANDS])),
    bytes(11, shape('x_lens', INT64, ['N'])),
  )
}

/** Two tones that stand for two people in the models below. */
const tinyVoices = ['hello', 'test'] as const
const WINDOW = 160_000
const HEARD_AT_ONCE = 991
const HEARD_EVERY = 270
/** Nobody, each of three speakers, and each pair of them. */
const CLASSES = 7

/** Hears in windows of ten seconds which of the two voices is there, as pyannote's segmentation does. */
function tinySegmentation(): Buffer {
  // Each voice is heard by a cosine and a sine of its pitch, and their squares add up to its power.
  const filters = new Float32Array(2 * tinyVoices.length * HEARD_AT_ONCE)
  const weights = new Float32Array(2 * tinyVoices.length * CLASSES)
  for (const [voice, word] of tinyVoices.entries()) {
    const turn = (2 * Math.PI * frequencyOf(tinyWords.indexOf(word) + 1)) / RATE_HZ
    for (let n = 0; n < HEARD_AT_ONCE; n++) {
      filters[2 * voice * HEARD_AT_ONCE + n] = (2 * Math.cos(turn * n)) / HEARD_AT_ONCE
      filters[(2 * voice + 1) * HEARD_AT_ONCE + n] = (2 * Math.sin(turn * n)) / HEARD_AT_ONCE
    }
    for (const half of [0, 1]) weights[(2 * voice + half) * CLASSES + voice + 1] = 400
  }
  const bias = Float32Array.from({ length: CLASSES }, (_, index) => (index > 2 ? -50 : 0))
  bias[0] = 2

  const graph = message(
    node('Conv', ['x', 'filters'], 'waves', { strides: [HEARD_EVERY] }),
    node('Mul', ['waves', 'waves'], 'powers'),
    node('Transpose', ['powers'], 'frames', { perm: [0, 2, 1] }),
    node('MatMul', ['frames', 'w'], 'heard'),
    node('Add', ['heard', 'b'], 'scores'),
    node('LogSoftmax', ['scores'], 'y', { axis: -1 }),
    bytes(2, text('tiny')),
    floats('filters', [2 * tinyVoices.length, 1, HEARD_AT_ONCE], filters),
    floats('w', [2 * tinyVoices.length, CLASSES], weights),
    floats('b', [CLASSES], bias),
    bytes(11, shape('x', FLOAT, ['N', 1, 'T'])),
    bytes(12, shape('y', FLOAT, ['N', 'S', CLASSES])),
  )
  return network(graph, {
    sample_rate: RATE_HZ,
    window_size: WINDOW,
    receptive_field_size: HEARD_AT_ONCE,
    receptive_field_shift: HEARD_EVERY,
    num_speakers: 3,
    powerset_max_classes: 2,
    num_classes: CLASSES,
  })
}

/** A network that describes a voice by the loudness of each band. */
function tinyEmbedding(): Buffer {
  const graph = message(
    node('Exp', ['x'], 'loudness'),
    node('ReduceMean', ['loudness'], 'embedding', { axes: [1], keepdims: 0 }),
    bytes(2, text('tiny')),
    bytes(11, shape('x', FLOAT, ['N', 'T', BANDS])),
    bytes(12, shape('embedding', FLOAT, ['N', BANDS])),
  )
  return network(graph, {
    framework: 'wespeaker',
    language: 'English',
    url: '',
    comment: '',
    sample_rate: RATE_HZ,
    output_dim: BANDS,
    normalize_samples: 1,
    feature_normalize_type: '',
  })
}

/** Writes the pair of models that tells the two voices apart. */
export async function writeTinySpeakers(
  modelsDir: string,
  { suffix = '', sameVoice }: { suffix?: string; sameVoice?: number } = {},
): Promise<void> {
  for (const [family, model] of [
    ['segmentation', tinySegmentation()],
    ['embedding', tinyEmbedding()],
  ] as const) {
    const id = `tiny-${family}${suffix}`
    await writeModel(join(modelsDir, id), { id, family, sameVoice, files: { model } })
  }
}
