/**
 * Language models that an operator can run beside this server, and which of them suits a machine.
 * None comes with the product, and none is downloaded. The list was made on 2026-11-26 of what their
 * makers publish. Nothing in it was measured here, so sizes are rounded and speeds are ranges:
 *
 * - A written token reads all weights that take part in it from memory once, so writing is as fast as
 *   memory allows. Reading a transcript is arithmetic, two operations a weight and token.
 * - The speed of memory and processor is known only by the class of the machine, hence the range.
 */

/** The tokens that a server reads and writes at once, with the settings below. */
export const CONTEXT_TOKENS = 8_192

export interface LanguageModel {
  title: string
  licence: string
  /** Its name in Ollama's library. */
  ollama: string
  /** The repository and the size of its weights at Hugging Face, as llama.cpp takes them. */
  gguf: string
  /** On the disk, in 4 bits a weight. */
  diskGB: number
  /** The memory that `CONTEXT_TOKENS` take besides. */
  contextGB: number
  /** Billions of weights: all of them, and those that take part in one token. */
  weights: number
  active: number
  about: string
}

/** From small to large; of those that a machine can run, the last writes best. All speak our languages. */
export const languageModels: readonly LanguageModel[] = [
  {
    title: 'Qwen3 4B Instruct 2507',
    licence: 'Apache-2.0',
    ollama: 'qwen3:4b-instruct',
    gguf: 'unsloth/Qwen3-4B-Instruct-2507-GGUF:Q4_K_M',
    diskGB: 2.5,
    contextGB: 1.2,
    weights: 4,
    active: 4,
    about: 'the smallest whose summaries are worth reading; weak in small languages',
  },
  {
    title: 'Ministral 3 8B Instruct',
    licence: 'Apache-2.0',
    ollama: 'ministral-3:8b',
    gguf: 'mistralai/Ministral-3-8B-Instruct-2512-GGUF:Q4_K_M',
    diskGB: 6,
    contextGB: 1.2,
    weights: 8.8,
    active: 8.8,
    about: 'its makers name all our languages but Russian, and "dozens" more',
  },
  {
    title: 'Gemma 3 12B',
    licence: 'Gemma Terms of Use, which forbid some uses',
    ollama: 'gemma3:12b',
    gguf: 'ggml-org/gemma-3-12b-it-GGUF:Q4_K_M',
    diskGB: 8.1,
    contextGB: 1.2,
    weights: 12,
    active: 12,
    about: 'strong in many languages',
  },
  {
    title: 'Qwen3 30B A3B Instruct 2507',
    licence: 'Apache-2.0',
    ollama: 'qwen3:30b-a3b-instruct-2507-q4_K_M',
    gguf: 'unsloth/Qwen3-30B-A3B-Instruct-2507-GGUF:Q4_K_M',
    diskGB: 19,
    contextGB: 0.9,
    weights: 30.5,
    active: 3.3,
    about: 'large, and quick without a graphics card: a tenth of it works on each token',
  },
  {
    title: 'Mistral Small 3.2 24B',
    licence: 'Apache-2.0',
    ollama: 'mistral-small3.2:24b',
    gguf: 'unsloth/Mistral-Small-3.2-24B-Instruct-2506-GGUF:Q4_K_M',
    diskGB: 15,
    contextGB: 1.4,
    weights: 24,
    active: 24,
    about: 'for a graphics card with 24 GB, or a large Mac',
  },
]

export interface Machine {
  cores: number
  memoryGB: number
  /** Where models are likely to be kept; null where that cannot be said. */
  freeDiskGB: number | null
  /** An NVIDIA card with memory of its own, or a Mac's chip, which shares that of the machine. */
  gpu: { kind: 'nvidia'; name: string; memoryGB: number } | { kind: 'apple'; name: string } | null
}

/** The low and the high end of what is likely. */
type Range = readonly [low: number, high: number]

export interface Plan {
  model: LanguageModel
  on: 'graphics card' | 'processor'
  memoryGB: number
  /** Tokens a second. */
  writes: Range
  reads: Range
  /** The summary of an hour of speech. */
  hourMinutes: Range
  /** LLM_TIMEOUT_SECONDS. */
  timeoutSeconds: number
}

/** Why a machine runs none of them. */
export type TooSmall = 'memory' | 'disk' | 'slow'

/**
 * The memory of this server with a recogniser at work, its database and the system. The rest is for a
 * model.
 */
const OWN_GB = 3
/** A Mac gives its graphics processor no more of its memory than this. */
const MAC_SHARE = 0.7
const CARD_OWN_GB = 0.5

/** GB a second from memory, and billions of operations a second, as far as such programs come. */
interface Power {
  bandwidth: Range
  operations: Range
}

const ofCore: Range = [15, 50]

function processor({ cores }: Machine): Power {
  // Machines with many cores are servers, with more channels to their memory.
  return {
    bandwidth: cores > 16 ? [50, 150] : [20, 50],
    operations: [cores * ofCore[0], cores * ofCore[1]],
  }
}

function graphics(gpu: NonNullable<Machine['gpu']>): Power {
  if (gpu.kind === 'nvidia')
    return gpu.memoryGB > 30
      ? { bandwidth: [500, 2_000], operations: [20_000, 100_000] }
      : { bandwidth: [150, 700], operations: [5_000, 50_000] }
  if (/Ultra|Max/.test(gpu.name)) return { bandwidth: [250, 600], operations: [5_000, 20_000] }
  if (gpu.name.includes('Pro')) return { bandwidth: [100, 200], operations: [2_500, 7_000] }
  return { bandwidth: [50, 110], operations: [1_200, 4_000] }
}

/**
 * The tokens for the summary of an hour: about 9,000 words, which are 12,000 tokens in English. They
 * are read in parts, the notes on them are read once more, and all is written as notes and a summary.
 */
const HOUR = { read: 16_000, written: 2_000 }
/** The longest single question and answer. */
const LONGEST = { read: 6_800, written: 1_400 }
/** A model that takes longer than the speech itself is not worth running. */
const MOST_MINUTES = 60
const TIMEOUTS = [120, 300, 600, 900, 1_800, 3_600]

function secondsFor(work: typeof HOUR, { reads, writes }: Pick<Plan, 'reads' | 'writes'>): Range {
  const at = (end: 0 | 1) => work.read / reads[end] + work.written / writes[end]
  return [at(1), at(0)]
}

function planFor(model: LanguageModel, machine: Machine): Plan | TooSmall {
  const { diskGB, contextGB, weights, active } = model
  const { gpu, memoryGB, freeDiskGB } = machine
  const needed = diskGB + contextGB
  const cardGB =
    gpu === null ? 0 : gpu.kind === 'apple' ? memoryGB * MAC_SHARE : gpu.memoryGB - CARD_OWN_GB
  const isOnCard = gpu !== null && needed <= cardGB
  if (!isOnCard && needed > memoryGB - OWN_GB) return 'memory'
  const { bandwidth, operations } = isOnCard ? graphics(gpu) : processor(machine)
  const over = ([low, high]: Range, cost: number): Range => [low / cost, high / cost]
  // Programs reach about two thirds of the bandwidth.
  const writes = over(bandwidth, (1.5 * diskGB * active) / weights)
  const reads = over(operations, 2 * active)
  const [least, most] = secondsFor(HOUR, { reads, writes })
  if (most > MOST_MINUTES * 60) return 'slow'
  if (freeDiskGB !== null && freeDiskGB < diskGB + 1) return 'disk'
  // Twice the slow end: a server that works on a recording meanwhile has less to give.
  const timeout = 2 * secondsFor(LONGEST, { reads, writes })[1]
  return {
    model,
    on: isOnCard ? 'graphics card' : 'processor',
    memoryGB: needed,
    writes,
    reads,
    hourMinutes: [least / 60, most / 60],
    timeoutSeconds: TIMEOUTS.find((seconds) => seconds >= timeout) ?? 3_600,
  }
}

/**
 * The models that this machine can run, best first; or why it can run none. A model that fits on a
 * graphics card comes first, because a larger model on the processor is many times slower.
 */
export function plansFor(machine: Machine): { plans: Plan[]; why: TooSmall | null } {
  const all = languageModels.map((model) => planFor(model, machine))
  const fitting = all.filter((plan) => typeof plan !== 'string').reverse()
  const isOnCard = ({ on }: Plan) => on === 'graphics card'
  const plans = [...fitting.filter(isOnCard), ...fitting.filter((plan) => !isOnCard(plan))]
  const [smallest] = all
  return { plans, why: typeof smallest === 'string' && plans.length === 0 ? smallest : null }
}
