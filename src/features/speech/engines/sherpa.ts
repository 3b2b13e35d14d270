/**
 * The local neural engine: sherpa-onnx with a model that the operator installed. The model lives in
 * a child process, is loaded once and forgotten after ten idle minutes. A model that ends its process
 * fails the job it was asked for, and the queue tries again with a new process.
 */
import { open, readFile } from 'node:fs/promises'
import { availableParallelism, devNull, totalmem } from 'node:os'

import { type Recogniser, whisperLanguages } from '#features/models/models.ts'
import { semaphore } from '#server/semaphore.ts'

import type { Chunk, Engine, EngineResult, Region, Word } from './engine.ts'
import { isFaint, isGuess } from './guards.ts'
import { clip, likelihoodsOf, placeWords, wordsOfTokens } from './place-words.ts'
import { families, type Family } from './sherpa-families.ts'
import type { Answer, Heard } from './sherpa-host.ts'
import { type Kept, keep, type KeepOptions } from './sherpa-process.ts'
import { languageCode, languageOfText } from './spoken-language.ts'

/** Decoding, times of words and voices take about as long as a model with one thread. */
const LEAST_CORES = 2
/** The memory of a process besides its model, and of a model as a share of its files. */
const PROCESS_BYTES = 300 * 1024 * 1024
const WORKING_SHARE = 1.3
/** The share of the machine's memory that copies of one model may fill together. */
const MEMORY_SHARE = 0.6

/** About the memory that a process fills with models of this size loaded. */
export const memoryFor = (sizeBytes: number): number => PROCESS_BYTES + WORKING_SHARE * sizeBytes

/** Of each of its processes, besides the cores. */
export interface SherpaOptions extends Omit<KeepOptions, 'what'> {
  cores?: number
}

/** The model that is loaded, with everything that was decided about it. */
export function openSherpa(model: Recogniser, options: SherpaOptions = {}): Engine {
  const { cores = availableParallelism(), ...kept } = options
  const family = families[model.family]
  const neededBytes = memoryFor(model.sizeBytes)
  const lanes = Math.max(
    1,
    Math.min(
      Math.floor(cores / Math.max(LEAST_CORES, family.mostThreads)),
      Math.floor((MEMORY_SHARE * totalmem()) / neededBytes),
    ),
  )
  const threads = Math.max(1, Math.min(family.mostThreads, Math.floor(cores / lanes)))
  const what = `The speech model ${model.id}`
  const processes = Array.from({ length: lanes }, () => keep({ what, ...kept }))
  const languages = languagesOf(model)
  const places = semaphore(lanes)
  // The one that was used last is taken first: its model is still loaded.
  const free = processes.toReversed()

  const ask = async (
    process: Kept,
    { pcmPath, chunks }: { pcmPath: string; chunks: readonly Chunk[] },
    { spoken, signal }: { spoken: string; signal: AbortSignal },
  ): Promise<Answer> => {
    const modelConfig = {
      ...family.config(model.files, spoken, await isMultilingual(model)),
      tokens: model.files['tokens'],
      numThreads: threads,
      provider: 'cpu',
      debug: 0,
    }
    if (!process.isRunning()) await checkMemory(model, neededBytes)
    const sound = { family: model.family, language: spoken, pcmPath, chunks }
    return process.ask({ kind: 'recognise', modelConfig, ...sound }, signal)
  }

  return {
    name: 'sherpa',
    model: model.title,
    capabilities: {
      languages,
      hasWordTimes: family.hasTokenTimes,
      hasConfidence: family.hasTokenProbabilities,
      doubtsOtherLanguages: family.doubtsOtherLanguages === true && languages?.length === 1,
      hasPunctuation: family.hasPunctuation,
      longestChunkMs: family.longestChunkMs,
    },
    parallelGroups: lanes,
    groupMs: 60_000,
    async prepare({ language, signal }) {
      // Most likely the one that is asked next. Where none is free, all are loaded.
      const process = free.at(-1)
      const spoken = languageFor(family, languages, language)
      if (process) await ask(process, { pcmPath: devNull, chunks: [] }, { spoken, signal })
    },
    async recognise(pcm, chunks, { language, regions, signal }) {
      const spoken = languageFor(family, languages, language)
      await using _ = await places.take(signal)
      const process = free.pop()
      if (!process) throw new Error('a process was taken without a place')
      try {
        const answer = await ask(process, { pcmPath: pcm.path, chunks }, { spoken, signal })
        if (answer.kind === 'failed') throw new Error(`${what} failed: ${answer.reason}`)
        if (answer.kind !== 'heard') throw new Error(`${what} stopped before its end`)
        return resultOf(answer.heard, { family, spoken, languages, regions })
      } finally {
        free.push(process)
      }
    },
    async close() {
      await Promise.all(processes.map((each) => each.close()))
    },
  }
}

/** Never more than its family was trained on: a code it does not know ends its process. */
function languagesOf({ family, languages }: Recogniser): readonly string[] | null {
  if (family !== 'whisper') return languages
  const known = languages ?? whisperLanguages
  return known.filter((code) => whisperLanguages.includes(code) || code === 'yue')
}

function languageFor(
  family: Family,
  languages: readonly string[] | null,
  wanted: string | null,
): string {
  if (languages?.length === 1) return languages[0] ?? ''
  if (!family.takesLanguage) return ''
  if (wanted !== null && (languages === null || languages.includes(wanted))) return wanted
  return family.detectsLanguage ? '' : (languages?.[0] ?? '')
}

/** The names and values that the maker of an ONNX file gives it stand behind the network. */
const METADATA_BYTES = 64 * 1024

/** Whether a Whisper knows more than English, as its encoder says: a text, its length and the value. */
async function isMultilingual({ family, files }: Recogniser): Promise<boolean> {
  if (family !== 'whisper') return false
  // A file that is missing is named by sherpa-onnx.
  await using encoder = await open(files['encoder'] ?? '').catch(() => null)
  if (!encoder) return false
  const { size } = await encoder.stat()
  const end = Buffer.alloc(Math.min(size, METADATA_BYTES))
  await encoder.read(end, 0, end.length, size - end.length)
  return end.includes('is_multilingual\x12\x011')
}

/** A model that does not fit takes the whole machine down with it, so it is not even tried. */
async function checkMemory({ id }: Recogniser, neededBytes: number): Promise<void> {
  const facts = await readFile('/proc/meminfo', 'utf8').catch(() => '')
  const [, available] = /^MemAvailable:\s+(\d+) kB$/m.exec(facts) ?? []
  if (available === undefined) return
  const freeBytes = Number(available) * 1024
  if (freeBytes < neededBytes)
    throw new Error(
      `The speech model ${id} needs about ${mega(neededBytes)} MB of memory, and ${mega(freeBytes)} MB are free.`,
    )
}
const mega = (bytes: number): number => Math.round(bytes / 1_000_000)

function resultOf(
  all: readonly Heard[],
  {
    family,
    spoken,
    languages,
    regions,
  }: {
    family: Family
    spoken: string
    languages: readonly string[] | null
    regions: readonly Region[] | undefined
  },
): EngineResult {
  const heard = all.filter((each) => !(isGuess(each) && isFaint(each, regions)))
  const text = heard.map((each) => each.text).join(' ')
  const said = new Map<string, number>()
  for (const each of heard) {
    const code = languageCode(each.language)
    if (code !== null) said.set(code, (said.get(code) ?? 0) + each.text.length)
  }
  const [most] = [...said].toSorted((a, b) => b[1] - a[1])
  const language = spoken || most?.[0] || languageOfText(text, languages) || languages?.[0] || 'en'
  const cutOff = heard.filter(({ isCutOff }) => isCutOff)
  return {
    kind: 'done',
    words: heard.flatMap((each, place) =>
      marked(each, wordsOf(each, family, regions), { isPieceStart: place > 0 }),
    ),
    language,
    ...(cutOff.length > 0 && {
      cutOff: cutOff.map(({ startMs, endMs }) => ({ startMs, endMs })),
    }),
  }
}

/**
 * Where the end of a text is missing, its last word is in doubt: a reader looks there. A chunk that was
 * heard in parts has more than one piece.
 */
function marked(
  { isCutOff }: Heard,
  words: readonly Word[],
  { isPieceStart }: { isPieceStart: boolean },
): Word[] {
  return words.map((word, index) => ({
    ...word,
    ...(isCutOff && index === words.length - 1 && { confidence: 0 }),
    ...(isPieceStart && index === 0 && { isPieceStart }),
  }))
}

function wordsOf(heard: Heard, family: Family, regions: readonly Region[] | undefined): Word[] {
  if (heard.text === '') return []
  const chunk: Region = { startMs: heard.startMs, endMs: heard.endMs }
  if (family.hasTokenTimes && heard.timestamps.length > 0) return wordsOfTokens(heard, chunk)
  const likelihoods = family.hasTokenProbabilities ? likelihoodsOf(heard) : []
  return phrasesOf(heard, chunk)
    .flatMap(({ text, startMs, endMs }) =>
      placeWords(text, { startMs, endMs }, regions && clip(regions, { startMs, endMs })),
    )
    .map((word, index) => ({ ...word, confidence: likelihoods[index] ?? null }))
}

/** Phrases that follow each other in the chunk; the chunk itself where the model names none. */
function phrasesOf({ text, phrases }: Heard, chunk: Region): (Region & { text: string })[] {
  if (phrases.length === 0) return [{ text, ...chunk }]
  let lastMs = chunk.startMs
  return phrases.map((phrase, index) => {
    const next = phrases[index + 1]
    const startMs = Math.max(lastMs, at(chunk, phrase.startS))
    // A phrase that was not closed has no length: it goes on to the next, or to the end.
    const isOpen = phrase.lengthS <= 0
    const ends = isOpen ? (next?.startS ?? Infinity) : phrase.startS + phrase.lengthS
    const endMs = Math.max(startMs, at(chunk, ends))
    lastMs = endMs
    return { text: phrase.text.trim(), startMs, endMs }
  })
}

const at = ({ startMs, endMs }: Region, seconds: number): number =>
  Math.max(startMs, Math.min(endMs, Math.round(startMs + seconds * 1000)))
