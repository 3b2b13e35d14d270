/**
 * A Whisper model of some kilobytes, made here, that the real engine loads and decodes. It writes
 * one word for each stretch of `1 / wordsPerS` seconds, for the tone in its middle, and ends where
 * there is no tone. So tests can see how the engine treats fast and slow speech.
 */
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
import { frequencyOf, tinyWords, writeModel } from './tiny-model.ts'

const BANDS = 80
const FRAMES_PER_S = 100
const TEXT = tinyWords.length
/** Ids after those of the words. */
const id = {
  eot: TEXT,
  sot: TEXT + 1,
  translate: TEXT + 2,
  transcribe: TEXT + 3,
  noSpeech: TEXT + 4,
}
const FIRST_LANGUAGE = TEXT + 5
/** One for each 20 ms of Whisper's 30 s. */
const TIME_MARKS = 1501
/** It answers always this when it is asked where a phrase begins. */
export const MARKED_AT_MS = 1000

export interface TinyWhisper {
  name?: string
  wordsPerS?: number
  /** Null: the model knows English only, and has no marks for languages. */
  languages?: readonly string[] | null
}

export async function writeTinyWhisper(
  folder: string,
  { name = 'tiny-whisper', wordsPerS = 2.5, languages = ['en', 'hi'] }: TinyWhisper = {},
): Promise<void> {
  const tokens = tinyWords.map((word, index) => `${btoa(` ${word}`)} ${index}\n`).join('')
  const files = { encoder: encoder(languages), decoder: decoder(wordsPerS, languages), tokens }
  await writeModel(folder, {
    id: name,
    family: 'whisper',
    languages,
    files,
  })
}

const noTimesOf = (languages: readonly string[] | null): number =>
  FIRST_LANGUAGE + (languages?.length ?? 0)
const promptOf = (languages: readonly string[] | null): number[] =>
  languages ? [id.sot, FIRST_LANGUAGE, id.transcribe] : [id.sot]

/** Hears in each frame which word it is, or that there is none. */
function encoder(languages: readonly string[] | null): Buffer {
  const size = TEXT + 1
  const weights = new Float32Array(BANDS * size)
  for (let word = 0; word < TEXT; word++) {
    const middle = Math.round(bandOf(frequencyOf(word + 1)))
    for (const band of [-1, 0, 1]) weights[(middle + band) * size + word] = 10
  }
  const bias = new Float32Array(size)
  bias[id.eot] = 10

  const graph = message(
    node('Transpose', ['mel'], 'frames', { perm: [0, 2, 1] }),
    node('MatMul', ['frames', 'w'], 'heard'),
    node('Add', ['heard', 'b'], 'scores'),
    node('Unsqueeze', ['scores', 'first'], 'n_layer_cross_k'),
    node('Identity', ['n_layer_cross_k'], 'n_layer_cross_v'),
    bytes(2, text('tiny')),
    floats('w', [BANDS, size], weights),
    floats('b', [size], bias),
    integers('first', [0]),
    bytes(11, shape('mel', FLOAT, ['N', BANDS, 'T'])),
    bytes(12, shape('n_layer_cross_k', FLOAT, [1, 'N', 'T', size])),
    bytes(12, shape('n_layer_cross_v', FLOAT, [1, 'N', 'T', size])),
  )
  return network(graph, {
    model_type: 'whisper-tiny',
    n_mels: BANDS,
    n_text_layer: 1,
    n_text_ctx: 448,
    n_text_state: 1,
    n_vocab: noTimesOf(languages) + 1 + TIME_MARKS,
    sot: id.sot,
    eot: id.eot,
    blank_id: 0,
    translate: id.translate,
    transcribe: id.transcribe,
    no_speech: id.noSpeech,
    no_timestamps: noTimesOf(languages),
    is_multilingual: languages ? 1 : 0,
    sot_sequence: promptOf(languages).join(','),
    ...(languages && {
      all_language_tokens: languages.map((_, index) => FIRST_LANGUAGE + index).join(','),
      all_language_codes: languages.join(','),
    }),
  })
}

/** Looks up the tone in the stretch of the next word. */
function decoder(wordsPerS: number, languages: readonly string[] | null): Buffer {
  const heard = TEXT + 1
  const others = noTimesOf(languages) + 1 + TIME_MARKS - heard
  // All other tokens are so unlikely that the model never writes them.
  const unlikely = new Float32Array(others).fill(-600)
  unlikely[others - TIME_MARKS + MARKED_AT_MS / 20] = -500
  const framesPerWord = FRAMES_PER_S / wordsPerS
  const cache = ['L', 'N', 'P', 'D']

  const graph = message(
    // The words that were written so far, counted from the first; a mark of time may come before it.
    node('Shape', ['tokens'], 'tokens_shape'),
    node('Gather', ['tokens_shape', 'one'], 'count'),
    node('Add', ['offset', 'count'], 'position'),
    node('Sub', ['position', 'prompt'], 'written'),
    node('Cast', ['written'], 'written_f', { to: FLOAT }),
    node('Mul', ['written_f', 'frames_per_word'], 'until'),
    node('Sub', ['until', 'half_a_word'], 'middle'),
    node('Cast', ['middle'], 'middle_i', { to: INT64 }),
    node('Shape', ['n_layer_cross_k'], 'cross_shape'),
    node('Gather', ['cross_shape', 'two'], 'frames'),
    node('Sub', ['frames', 'one'], 'last'),
    node('Min', ['middle_i', 'last'], 'not_after'),
    node('Max', ['not_after', 'zero'], 'frame'),
    node('Gather', ['n_layer_cross_k', 'frame'], 'there', { axis: 2 }),
    node('Squeeze', ['there', 'zero'], 'words'),
    node('Concat', ['words', 'unlikely'], 'logits', { axis: 2 }),
    node('Identity', ['in_n_layer_self_k_cache'], 'out_n_layer_self_k_cache'),
    node('Identity', ['in_n_layer_self_v_cache'], 'out_n_layer_self_v_cache'),
    bytes(2, text('tiny')),
    integers('zero', [0]),
    integers('one', [1]),
    integers('two', [2]),
    integers('prompt', [promptOf(languages).length]),
    floats('frames_per_word', [1], Float32Array.of(framesPerWord)),
    floats('half_a_word', [1], Float32Array.of(framesPerWord / 2)),
    floats('unlikely', [1, 1, others], unlikely),
    bytes(11, shape('tokens', INT64, ['N', 'K'])),
    bytes(11, shape('in_n_layer_self_k_cache', FLOAT, cache)),
    bytes(11, shape('in_n_layer_self_v_cache', FLOAT, cache)),
    bytes(11, shape('n_layer_cross_k', FLOAT, [1, 'N', 'T', heard])),
    bytes(11, shape('n_layer_cross_v', FLOAT, [1, 'N', 'T', heard])),
    bytes(11, shape('offset', INT64, [1])),
    bytes(12, shape('logits', FLOAT, ['N', 1, heard + others])),
    bytes(12, shape('out_n_layer_self_k_cache', FLOAT, cache)),
    bytes(12, shape('out_n_layer_self_v_cache', FLOAT, cache)),
  )
  return network(graph, {})
}

/** Whisper's bands (Slaney's scale, to 8 kHz): even to 1 kHz, then by factors. */
function bandOf(hz: number): number {
  const mel = (at: number) =>
    at < 1000 ? (3 * at) / 200 : 15 + (27 * Math.log(at / 1000)) / Math.log(6.4)
  return (mel(hz) / mel(8000)) * (BANDS + 1) - 1
}
