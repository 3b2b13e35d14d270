/**
 * Moonshine v2, decoded here and not by sherpa-onnx 1.13.8, for two reasons. sherpa-onnx gives the
 * decoder a mask as long as the encoder's frames, where the model wants one as long as the samples:
 * so it fails in silence above 9.2 s, and pieces of 7 s tear sentences. And it does not tell how
 * likely each token was, which is how doubtful words are found.
 *
 * The encoder hears the whole sound at once. The decoder writes one token after the other, each time
 * the likeliest, with what it worked out for the ones before kept in the cache that it hands back.
 */
import { readFileSync } from 'node:fs'

import { type Onnxruntime, openOnnxruntime, type Tensor } from './onnxruntime.ts'

export interface MoonshineFiles {
  encoder: string
  mergedDecoder: string
  tokens: string
  threads: number
}

export interface Written {
  text: string
  /** As in tokens.txt, with `▁` for a space; a token that is no whole letter as `<0xE4>`. */
  tokens: string[]
  /** Natural logarithms. */
  logProbabilities: number[]
  /** It was stopped: a model that goes round in circles never ends by itself. */
  isCutOff: boolean
}

const RATE_HZ = 16_000
/** The tokens of the fastest speech. */
const TOKENS_PER_S = 15
/** A lone "Yes." needs room as well. */
const SPARE_TOKENS = 8
/** In shorter sound the encoder finds nothing to hold on to; silence is added to it. */
const SHORTEST_SAMPLES = RATE_HZ / 2
const BEGIN = 1n
const END = 2
/** A token this much less likely than the likeliest adds nothing to the sum. */
const NEGLIGIBLE = 20

const PAST = 'past_key_values'
const PRESENT = 'present'
const MASK = 'encoder_attention_mask'

/** @param files.threads how many a step may use */
export function loadMoonshine(
  files: MoonshineFiles,
  { load, tensor }: Onnxruntime = openOnnxruntime(),
): { write(samples: Float32Array): Written } {
  const vocabulary = readVocabulary(files.tokens)
  const encoder = load(files.encoder, files)
  const decoder = load(files.mergedDecoder, files)
  const hasMask = decoder.inputs.some(({ name }) => name === MASK)
  const cacheNames = decoder.inputs.filter(({ name }) => name.startsWith(PAST))
  const ownNames = cacheNames.map(({ name }) => name).filter((name) => name.includes('.decoder.'))
  const present = (name: string) => name.replace(PAST, PRESENT)
  const begun = ['logits', ...cacheNames.map(({ name }) => present(name))]
  // The cache of the encoder stays as it was; only that of the text grows.
  const wentOn = ['logits', ...ownNames.map(present)]

  const encode = (sound: Tensor, mask: Tensor): Tensor => {
    const given = encoder.inputs.map(({ name }, place) => [name, place === 0 ? sound : mask])
    return only(encoder.run(Object.fromEntries(given), ['last_hidden_state']))
  }

  return {
    write(samples) {
      const heard = new Float32Array(Math.max(samples.length, SHORTEST_SAMPLES))
      heard.set(samples)
      const shape = [1, heard.length]
      // By name: what takes the place of another frees it, and a step that fails leaves none behind.
      const held = new Map<string, Tensor>()
      const hold = (name: string, value: Tensor): Tensor => {
        held.get(name)?.free()
        held.set(name, value)
        return value
      }
      const most = Math.floor((heard.length / RATE_HZ) * TOKENS_PER_S) + SPARE_TOKENS
      const said: Said[] = []
      let isEnded = false
      try {
        const sound = hold('sound', tensor(heard, shape))
        const mask = hold('mask', tensor(new BigInt64Array(heard.length).fill(1n), shape))
        const states = hold('states', encode(sound, mask))
        const token = hold('token', tensor(BigInt64Array.of(BEGIN), [1, 1]))
        const isCached = hold('isCached', tensor(Uint8Array.of(0), [1]))
        for (const { name, shape: lengths } of cacheNames)
          hold(name, tensor(new Float32Array(0), emptied(lengths)))

        while (!isEnded && said.length < most) {
          const given: Record<string, Tensor> = {
            ...(hasMask ? { [MASK]: mask } : {}),
            input_ids: token,
            encoder_hidden_states: states,
            use_cache_branch: isCached,
          }
          for (const [name, value] of held) if (name.startsWith(PAST)) given[name] = value
          const isFirst = said.length === 0
          const names = isFirst ? cacheNames.map(({ name }) => name) : ownNames
          const [logits, ...kept] = decoder.run(given, isFirst ? begun : wentOn)
          for (const [place, value] of kept.entries()) hold(names[place] ?? '', value)
          if (!logits) throw new Error('the decoder answered nothing')
          const next = likeliest(hold('logits', logits).numbers())
          isEnded = next.id === END
          if (isEnded) continue
          said.push(next)
          token.write(BigInt64Array.of(BigInt(next.id)))
          isCached.write(Uint8Array.of(1))
        }
      } finally {
        for (const each of held.values()) each.free()
      }
      return written(said, { vocabulary, isCutOff: !isEnded })
    },
  }
}

interface Said {
  id: number
  logProbability: number
}

/** The likeliest token, and the logarithm of its probability among all. */
export function likeliest(logits: Float32Array): Said {
  let id = 0
  let most = -Infinity
  for (let each = 0; each < logits.length; each++) {
    const logit = logits[each] ?? -Infinity
    if (logit > most) {
      most = logit
      id = each
    }
  }
  let sum = 0
  for (const logit of logits) if (most - logit < NEGLIGIBLE) sum += Math.exp(logit - most)
  return { id, logProbability: -Math.log(sum) }
}

/** The shape of a cache in which nothing is so far: every dimension that varies is one or none. */
const emptied = (shape: readonly number[]): number[] =>
  shape.map((length, place) => (length >= 0 ? length : place === 0 ? 1 : 0))

function only(tensors: readonly Tensor[]): Tensor {
  const [tensor] = tensors
  if (!tensor) throw new Error('the encoder answered nothing')
  return tensor
}

/** tokens.txt: in each line a token's bytes in base64, a space or a tab, and its number. */
export function readVocabulary(path: string): Buffer[] {
  const vocabulary: Buffer[] = []
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, bytes = '', id] = /^(\S*)\s+(\d+)\s*$/.exec(line) ?? []
    if (id !== undefined) vocabulary[Number(id)] = Buffer.from(bytes, 'base64')
  }
  if (vocabulary.length === 0) throw new Error('tokens.txt holds no tokens')
  return vocabulary
}

function written(
  said: readonly Said[],
  { vocabulary, isCutOff }: { vocabulary: readonly Buffer[]; isCutOff: boolean },
): Written {
  const tokens = said.map(({ id }) => vocabulary[id] ?? Buffer.alloc(0))
  return {
    text: Buffer.concat(tokens).toString('utf8').replaceAll('▁', ' ').trim(),
    tokens: tokens.map(spelt),
    logProbabilities: said.map(({ logProbability }) => logProbability),
    isCutOff,
  }
}

function spelt(bytes: Buffer): string {
  const [byte] = bytes
  const isPart = bytes.length === 1 && byte !== undefined && byte >= 0x80
  return isPart ? `<0x${byte.toString(16).toUpperCase()}>` : bytes.toString('utf8')
}
