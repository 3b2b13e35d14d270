/**
 * A transducer of a few kilobytes, made here, that the real engine loads and decodes: it hears the six
 * tones of `tiny-model.ts`, in the three networks that a transducer is made of. A tone that goes on is
 * one word, because the decoder makes the word that was written last unlikely.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

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
import { bandOf, BANDS, STRIDE, tinyTokens, tinyWords } from './tiny-model.ts'

const SIZE = tinyWords.length + 2
const CONTEXT = 2
const UNLIKELY = -100

/** Writes the files of the model, and what tells the engine how to load it. */
export async function writeTinyTransducer(
  folder: string,
  { name = 'tiny-transducer' } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const files = { encoder: 'encoder.onnx', decoder: 'decoder.onnx', joiner: 'joiner.onnx' }
  await writeFile(join(folder, files.encoder), encoder())
  await writeFile(join(folder, files.decoder), decoder())
  await writeFile(join(folder, files.joiner), joiner())
  await writeFile(join(folder, 'tokens.txt'), tinyTokens())
  const manifest = {
    version: 1,
    id: name,
    family: 'transducer',
    files: { ...files, tokens: 'tokens.txt' },
  }
  await writeFile(join(folder, 'model.json'), JSON.stringify(manifest))
}

/** Hears in every fourth frame which word it is, or that there is none. */
function encoder(): Buffer {
  const weights = new Float32Array(BANDS * SIZE)
  for (let token = 1; token <= tinyWords.length; token++)
    for (const band of [-1, 0, 1]) weights[(bandOf(token) + band) * SIZE + token] = 1 / 3
  const bias = new Float32Array(SIZE)
  bias[0] = 2
  bias[SIZE - 1] = UNLIKELY
  const graph = message(
    node('Slice', ['x', 'starts', 'ends', 'axes', 'steps'], 'every4'),
    node('MatMul', ['every4', 'w'], 'heard'),
    node('Add', ['heard', 'b'], 'encoder_out'),
    node('Add', ['x_lens', 'three'], 'rounded'),
    node('Div', ['rounded', 'four'], 'encoder_out_lens'),
    bytes(2, text('tiny')),
    floats('w', [BANDS, SIZE], weights),
    floats('b', [SIZE], bias),
    integers('starts', [0]),
    integers('ends', [Number.MAX_SAFE_INTEGER]),
    integers('axes', [1]),
    integers('steps', [STRIDE]),
    integers('three', [STRIDE - 1]),
    integers('four', [STRIDE]),
    bytes(11, shape('x', FLOAT, ['N', 'T', BANDS])),
    bytes(11, shape('x_lens', INT64, ['N'])),
    bytes(12, shape('encoder_out', FLOAT, ['N', 'S', SIZE])),
    bytes(12, shape('encoder_out_lens', INT64, ['N'])),
  )
  return network(graph, { model_type: 'zipformer2' })
}

/** Says of every token how much less likely it is after those that were written last. */
function decoder(): Buffer {
  const after = new Float32Array(SIZE * SIZE)
  // After the blank everything is as likely as before.
  for (let token = 1; token < SIZE; token++) after[token * SIZE + token] = UNLIKELY
  const graph = message(
    node('Gather', ['y', 'last'], 'written', { axis: 1 }),
    node('Squeeze', ['written', 'last'], 'token'),
    node('Gather', ['after', 'token'], 'decoder_out'),
    bytes(2, text('tiny')),
    floats('after', [SIZE, SIZE], after),
    integers('last', [CONTEXT - 1]),
    bytes(11, shape('y', INT64, ['N', CONTEXT])),
    bytes(12, shape('decoder_out', FLOAT, ['N', SIZE])),
  )
  return network(graph, { vocab_size: SIZE, context_size: CONTEXT })
}

function joiner(): Buffer {
  const graph = message(
    node('Add', ['encoder_out', 'decoder_out'], 'logit'),
    bytes(2, text('tiny')),
    bytes(11, shape('encoder_out', FLOAT, ['N', SIZE])),
    bytes(11, shape('decoder_out', FLOAT, ['N', SIZE])),
    bytes(12, shape('logit', FLOAT, ['N', SIZE])),
  )
  return network(graph, { joiner_dim: SIZE })
}
