/**
 * A transducer of a few kilobytes, made here, that the real engine loads and decodes: it hears the six
 * tones of `tiny-model.ts`, in the three networks that a transducer is made of. A tone that goes on is
 * one word, because the decoder makes the word that was written last unlikely.
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
import { hearing, tinyTokens, TOKENS, writeModel } from './tiny-model.ts'

const CONTEXT = 2
const UNLIKELY = -100

/** Writes the files of the model, and the file by which the engine loads it. */
export async function writeTinyTransducer(
  folder: string,
  { name = 'tiny-transducer' } = {},
): Promise<void> {
  const files = { encoder: encoder(), decoder: decoder(), joiner: joiner(), tokens: tinyTokens() }
  await writeModel(folder, { id: name, family: 'transducer', files })
}

function encoder(): Buffer {
  const graph = message(
    hearing({ heard: 'encoder_out', lengths: 'encoder_out_lens' }),
    bytes(2, text('tiny')),
    bytes(12, shape('encoder_out', FLOAT, ['N', 'S', TOKENS])),
    bytes(12, shape('encoder_out_lens', INT64, ['N'])),
  )
  return network(graph, { model_type: 'zipformer2' })
}

/** Says of every token how much less likely it is after those that were written last. */
function decoder(): Buffer {
  const after = new Float32Array(TOKENS * TOKENS)
  // After the blank everything is as likely as before.
  for (let token = 1; token < TOKENS; token++) after[token * TOKENS + token] = UNLIKELY
  const graph = message(
    node('Gather', ['y', 'last'], 'written', { axis: 1 }),
    node('Squeeze', ['written', 'last'], 'token'),
    node('Gather', ['after', 'token'], 'decoder_out'),
    bytes(2, text('tiny')),
    floats('after', [TOKENS, TOKENS], after),
    integers('last', [CONTEXT - 1]),
    bytes(11, shape('y', INT64, ['N', CONTEXT])),
    bytes(12, shape('decoder_out', FLOAT, ['N', TOKENS])),
  )
  return network(graph, { vocab_size: TOKENS, context_size: CONTEXT })
}

function joiner(): Buffer {
  const graph = message(
    node('Add', ['encoder_out', 'decoder_out'], 'logit'),
    bytes(2, text('tiny')),
    bytes(11, shape('encoder_out', FLOAT, ['N', TOKENS])),
    bytes(11, shape('decoder_out', FLOAT, ['N', TOKENS])),
    bytes(12, shape('logit', FLOAT, ['N', TOKENS])),
  )
  return network(graph, { joiner_dim: TOKENS })
}
