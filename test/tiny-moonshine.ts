/**
 * A network in the form of Moonshine v2 that ignores the sound and writes the words that a test wants:
 * a list says which token follows which. Its cache grows by one with each token, as a real one's does.
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
import { writeModel } from './tiny-model.ts'

const BOOL = 9
const VERY_SURE = 12

/** @param spelling tokens from number 3 on, as they are read; `next` says which number follows each */
export async function writeTinyMoonshine(
  folder: string,
  {
    name,
    spelling,
    next,
    logit = VERY_SURE,
  }: {
    name: string
    spelling: readonly string[]
    next: ReadonlyMap<number, number>
    /** How much likelier the next token is than each other, as a power of e. */
    logit?: number
  },
): Promise<void> {
  const vocabulary = ['<unk>', '<s>', '</s>', ...spelling]
  const lines = vocabulary.map((token, id) => `${Buffer.from(token).toString('base64')}\t${id}`)
  const mergedDecoder = decoder({ size: vocabulary.length, next, logit })
  const files = { encoder: encoder(), mergedDecoder, tokens: lines.join('\n') }
  await writeModel(folder, { id: name, family: 'moonshine_v2', languages: ['en'], files })
}

/** A frame for every 384 samples: the samples themselves, thinned. */
function encoder(): Buffer {
  const graph = message(
    node('Slice', ['input_values', 'from', 'to', 'axes', 'steps'], 'thin'),
    node('Unsqueeze', ['thin', 'last'], 'last_hidden_state'),
    bytes(2, text('encoder')),
    integers('from', [0]),
    integers('to', [1_000_000_000]),
    integers('axes', [1]),
    integers('steps', [384]),
    integers('last', [2]),
    bytes(11, shape('input_values', FLOAT, ['batch', 'samples'])),
    bytes(11, shape('attention_mask', INT64, ['batch', 'samples'])),
    bytes(12, shape('last_hidden_state', FLOAT, ['batch', 'frames', 1])),
  )
  return network(graph, {})
}

function decoder({
  size,
  next,
  logit,
}: {
  size: number
  next: ReadonlyMap<number, number>
  logit: number
}): Buffer {
  const table = new Float32Array(size * size)
  for (const [from, to] of next) table[from * size + to] = logit
  const own = 'past_key_values.0.decoder.key'
  const heard = 'past_key_values.0.encoder.key'
  const graph = message(
    node('Gather', ['table', 'input_ids'], 'logits', { axis: 0 }),
    node('Concat', [own, 'one'], 'present.0.decoder.key', { axis: 2 }),
    // The mask is as long as the sound; thinned like the sound it must fit the frames.
    node('Slice', ['encoder_attention_mask', 'from', 'to', 'axes', 'steps'], 'thin'),
    node('Cast', ['thin'], 'seen', { to: FLOAT }),
    node('Unsqueeze', ['seen', 'last'], 'mask'),
    node('Mul', ['encoder_hidden_states', 'mask'], 'masked'),
    node('Unsqueeze', ['masked', 'heads'], 'present.0.encoder.key'),
    bytes(2, text('decoder')),
    floats('table', [size, size], table),
    floats('one', [1, 1, 1, 1], Float32Array.of(1)),
    integers('from', [0]),
    integers('to', [1_000_000_000]),
    integers('axes', [1]),
    integers('steps', [384]),
    integers('last', [2]),
    integers('heads', [1]),
    bytes(11, shape('encoder_attention_mask', INT64, ['batch', 'samples'])),
    bytes(11, shape('input_ids', INT64, ['batch', 1])),
    bytes(11, shape('encoder_hidden_states', FLOAT, ['batch', 'frames', 1])),
    bytes(11, shape(own, FLOAT, ['batch', 1, 'written', 1])),
    bytes(11, shape(heard, FLOAT, ['batch', 1, 'frames', 1])),
    bytes(11, shape('use_cache_branch', BOOL, [1])),
    bytes(12, shape('logits', FLOAT, ['batch', 1, size])),
    bytes(12, shape('present.0.decoder.key', FLOAT, ['batch', 1, 'more', 1])),
    bytes(12, shape('present.0.encoder.key', FLOAT, ['batch', 1, 'frames', 1])),
  )
  return network(graph, {})
}
