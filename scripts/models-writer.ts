/**
 * `npm run models -- writer`: which language model suits this machine, and how to set it up, in words to be
 * copied. It looks, tries the model that is set up, and prints; nothing is downloaded or changed.
 */
import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { cpus, homedir } from 'node:os'
import { promisify } from 'node:util'

import { thisMachine } from '#features/models/catalogue.ts'
import {
  CONTEXT_TOKENS,
  type Machine,
  type Plan,
  type TooSmall,
  plansFor,
} from '#features/writing/language-models.ts'
import {
  LLAMA_CPP,
  OLLAMA,
  contextOfLlamaCpp,
  modelsOfOllama,
} from '#features/writing/model-servers.ts'
import { type Trial, factsIn } from '#features/writing/trial.ts'
import type { Config } from '#server/config.ts'
import { BRAND } from '#shared/business.ts'

/** The findings on a machine. */
export interface Found extends Machine {
  /** The models of an Ollama that answers; null where none does. */
  ollama: { name: string; bytes: number }[] | null
  /** How many tokens a server of llama.cpp that answers reads at once; null where none answers. */
  llamaCpp: number | null
}

export async function lookAround(): Promise<Found> {
  const { cores, memoryBytes } = thisMachine()
  const [gpu, freeDiskGB, ollama, llamaCpp] = await Promise.all([
    findGraphics(),
    freeDisk(),
    modelsOfOllama(OLLAMA),
    contextOfLlamaCpp(LLAMA_CPP),
  ])
  return { cores, memoryGB: memoryBytes / 1e9, freeDiskGB, gpu, ollama, llamaCpp }
}

const QUICK = { timeout: 5_000 }

async function findGraphics(): Promise<Machine['gpu']> {
  if (process.platform === 'darwin' && process.arch === 'arm64')
    return { kind: 'apple', name: cpus()[0]?.model ?? 'Apple' }
  const asked = ['--query-gpu=name,memory.total', '--format=csv,noheader,nounits']
  const answer = await promisify(execFile)('nvidia-smi', asked, QUICK).catch(() => null)
  // One line for each card: the first is the one that such programs take.
  const [, name, mebibytes] = /^(.+), *(\d+)$/m.exec(answer?.stdout ?? '') ?? []
  return name ? { kind: 'nvidia', name, memoryGB: (Number(mebibytes) * 1_048_576) / 1e9 } : null
}

async function freeDisk(): Promise<number | null> {
  const disk = await statfs(homedir()).catch(() => null)
  return disk && (disk.bavail * disk.bsize) / 1e9
}

/** All that the command prints. `trial`: of the model that is set up. */
export function adviceFor(found: Found, { llm }: Config['writing'], trial: Trial | null): string {
  const { plans, why } = plansFor(found)
  const [best, ...others] = plans
  return [
    'A language model for summaries and documents. Nothing is downloaded or changed by this command.',
    '',
    ...machineIn(found),
    llm
      ? `Set up at present: ${llm.model} at ${new URL(llm.baseUrl).host}.`
      : `Set up at present: none. ${WITHOUT}`,
    ...(trial ? triedIn(trial) : []),
    '',
    ...(best ? [...stepsFor(best, found), ...othersIn(others)] : tooSmall(why ?? 'memory')),
    ...ELSEWHERE,
    '',
  ].join('\n')
}

const WITHOUT =
  'Summaries are key sentences of the transcript, and documents are made of its sentences.'

/** How the trial went. An answer that would not be shown is printed too: it says what is wrong. */
function triedIn(trial: Trial): string[] {
  const { why, answer } = trial
  return [
    `Asked now for a summary of two sentences of ours: ${why ?? 'its answer would be shown.'}`,
    ...(answer === null ? [] : [`  ${answer.replaceAll('\n', '\n  ')}`]),
    `  (${factsIn(trial)})`,
  ]
}

function machineIn({ cores, memoryGB, freeDiskGB, gpu, ollama, llamaCpp }: Found): string[] {
  const disk = freeDiskGB === null ? '' : `, ${round(freeDiskGB)} GB free on the disk`
  const graphics =
    gpu === null
      ? 'no graphics card that can be used was found (NVIDIA or a Mac with a chip of Apple)'
      : gpu.kind === 'apple'
        ? `${gpu.name}, whose graphics processor shares the memory`
        : `${gpu.name} with ${round(gpu.memoryGB)} GB`
  return [
    `This machine: ${cores} ${cores === 1 ? 'core' : 'cores'}, ${round(memoryGB)} GB of memory${disk}; ${graphics}.`,
    ollama === null
      ? `No Ollama answers at ${OLLAMA}.`
      : `An Ollama answers at ${OLLAMA} and has ${listOf(ollama)}.`,
    llamaCpp === null
      ? `No llama.cpp server answers at ${LLAMA_CPP}.`
      : `A llama.cpp server answers at ${LLAMA_CPP} and reads ${figure(llamaCpp)} tokens at once.`,
  ]
}

const MOST_NAMED = 8

function listOf(models: readonly { name: string; bytes: number }[]): string {
  if (models.length === 0) return 'no model'
  const named = models
    .slice(0, MOST_NAMED)
    .map(({ name, bytes }) => `${name} (${round(bytes / 1e9)} GB)`)
  const more = models.length - named.length
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** The name under which Ollama keeps the model with the context that is needed. */
const OURS = 'quoth-writer'

function stepsFor(plan: Plan, { ollama }: Found): string[] {
  const { title, licence, about, diskGB, ollama: name, gguf } = plan.model
  const isThere = ollama?.some((model) => model.name === name) ?? false
  return [
    `What suits it: ${title} (${about})`,
    ...table([
      ['licence', licence],
      ['on the disk', `about ${round(diskGB)} GB`],
      ['memory at work', `about ${round(plan.memoryGB)} GB, on the ${plan.on}`],
      ['speed', `about ${range(plan.reads)} tokens a second read, ${range(plan.writes)} written`],
      ['an hour of speech', `its summary takes about ${minutes(plan)}`],
    ]),
    ...HOW,
    '',
    ollama === null
      ? 'With Ollama (https://ollama.com/download):'
      : 'With the Ollama that is here:',
    '',
    ...(isThere ? [] : [`  ollama pull ${name}`]),
    `  printf 'FROM ${name}\\nPARAMETER num_ctx ${CONTEXT_TOKENS}\\n' > ${OURS}.modelfile`,
    `  ollama create ${OURS} -f ${OURS}.modelfile`,
    '',
    `The last two let it read ${figure(CONTEXT_TOKENS)} tokens at once. Ollama's own limit is 4,096 on most machines, and it`,
    'cuts off what is more without a word. OLLAMA_CONTEXT_LENGTH of the Ollama server does the same for all',
    `its models. Then, in .env beside package.json or in the environment of ${BRAND}:`,
    '',
    ...settings(`${OLLAMA}/v1`, OURS, plan),
    '',
    'Or with llama.cpp (https://github.com/ggml-org/llama.cpp), which fetches the model at its first start:',
    '',
    `  llama-server -hf ${gguf} --ctx-size ${CONTEXT_TOKENS} --parallel 1 --alias ${OURS} --port ${new URL(LLAMA_CPP).port}`,
    '',
    ...settings(`${LLAMA_CPP}/v1`, OURS, plan),
    '',
    'Then run this command once more: it tries the model, and prints its answer, the time, and what is wrong.',
    `Start ${BRAND} anew. The accounts that ADMIN_EMAILS names can try it at /admin too, under "Models, mail,`,
    'settings". A larger context (16384, 32768) reads long recordings in fewer parts and takes more memory: set it',
    'in both places. In a container, 127.0.0.1 is the container itself: name the machine.',
    '',
  ]
}

const HOW = [
  '',
  'Estimates, not measurements: reading takes two operations a weight and token, writing reads all weights',
  'from memory for each token, and what this class of machine can do is known roughly. The words of a',
  'transcription never wait for its summary. A worker that recognises speech meanwhile slows both.',
]

function settings(baseUrl: string, model: string, { timeoutSeconds }: Plan): string[] {
  return [
    `  LLM_BASE_URL=${baseUrl}`,
    `  LLM_MODEL=${model}`,
    `  LLM_CONTEXT_TOKENS=${CONTEXT_TOKENS}`,
    `  LLM_TIMEOUT_SECONDS=${timeoutSeconds}`,
  ]
}

function othersIn(plans: readonly Plan[]): string[] {
  if (plans.length === 0) return []
  return [
    'Others that this machine can run:',
    ...table(
      plans.map((plan) => [
        plan.model.ollama,
        `${round(plan.model.diskGB)} GB`,
        `${minutes(plan)} for an hour, on the ${plan.on}`,
        plan.model.licence,
        plan.model.about,
      ]),
    ),
    '',
  ]
}

const reasons: Record<TooSmall, string> = {
  memory:
    'Even the smallest whose summaries are worth reading needs about 4 GB of memory beside the 3 GB of the rest.',
  slow: 'Even with the smallest whose summaries are worth reading, that of an hour of speech may take longer than an hour.',
  disk: 'There is too little room on the disk: the smallest needs about 3 GB.',
}

function tooSmall(why: TooSmall): string[] {
  return [
    `This machine is too small for a language model. ${reasons[why]}`,
    'What works without one: transcripts, speakers, search, captions and every export; key sentences in the',
    'place of summaries; documents made of sentences. What does not: summaries in another language.',
    '',
  ]
}

const ELSEWHERE = [
  'A service that speaks the chat API of OpenAI is set up like this, for example; what people said is sent there:',
  '',
  '  LLM_BASE_URL=https://api.openai.com/v1',
  '  LLM_MODEL=gpt-4o-mini',
  '  LLM_API_KEY=YOUR_KEY',
  '',
  'A model on another machine is set up by the same settings, without a key. Run this command there to see what',
  'it can run (its Ollama must listen to others: OLLAMA_HOST=0.0.0.0, behind a firewall).',
  'The list was made in November 2026. Newer models may be better: any that follows instructions will do, and',
  'those that do not think aloud before they answer are quicker.',
]

const figure = (count: number): string => count.toLocaleString('en-US')

/** Two digits: a guess has no more. */
function round(value: number): string {
  return value < 10
    ? String(Math.round(value * 10) / 10)
    : figure(Number(value.toPrecision(value < 100 ? 2 : 3)))
}

const rough = (value: number): string => figure(Number(value.toPrecision(value < 100 ? 1 : 2)))

const range = ([low, high]: readonly [number, number]): string => `${rough(low)} to ${rough(high)}`

function minutes({ hourMinutes: [least, most] }: Plan): string {
  if (most < 1) return 'less than a minute'
  // In steps of five: a guess has no more.
  const step = most < 10 ? 1 : 5
  const from = Math.max(1, step * Math.floor(least / step))
  return `${from} to ${Math.max(from + 1, step * Math.ceil(most / step))} minutes`
}

/** Columns as wide as their widest cell. */
export function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const table = (rows: readonly (readonly string[])[]): string[] =>
  tableOf(rows).map((row) => `  ${row}`)
