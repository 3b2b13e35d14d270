/**
 * When known words were said, for engines that do not say it: pocketsphinx listens to each chunk for
 * these very words, one after the other, with pauses where there are any ("forced alignment"). It
 * knows American English; on a machine without it, and where the words cannot be found, the times stay
 * estimates.
 */
import { availableParallelism } from 'node:os'

import { MissingProgram } from '#features/sound/sandbox/programs.ts'
import { isDiskFull } from '#server/own-disk.ts'
import { semaphore } from '#server/semaphore.ts'

import type { Run } from '../job.ts'
import type { Chunk, PcmFile, Region, Word } from './engine.ts'
import { findPocketsphinx, runBatch } from './pocketsphinx-program.ts'
import { readCtm } from './pocketsphinx.ts'
import { openDictionary, type Pronunciations } from './pronunciations.ts'
import { readingsOf } from './readings.ts'

/** It takes a fiftieth of the sound's length; far above that something is wrong. */
const patienceMs = (audioMs: number): number => 15_000 + audioMs
/**
 * Wide beams: even where every second word of a text was heard wrong, the others are found; wider
 * ones find the same. A text that does not fit the sound at all still ends the search. It then gets no
 * times, which is better than wrong ones. Two Gaussians of a moment do as well as the usual four, and cost
 * an eighth less.
 */
const search = [
  '-dict dictionary -fsgctl grammars -fsgdir . -fsgext .fsg',
  '-bestpath no -beam 1e-150 -wbeam 1e-150 -pbeam 1e-150 -lw 1 -topn 2',
].flatMap((options) => options.split(' '))

const processes = semaphore(availableParallelism())
let known: { path: string; dictionary: Pronunciations } | undefined

async function dictionaryAt(path: string): Promise<Pronunciations> {
  if (known?.path !== path) known = { path, dictionary: await openDictionary(path) }
  return known.dictionary
}

/** A chunk, and the words that were said in it. */
export type ChunkWords = readonly [chunk: Chunk, words: readonly Word[]]

/** As it is told to the log: nothing that was said. */
const TOO_LATE = 'Listening for the words took too long. The rest of this recording is not tried.'

/**
 * Answers the words of all pieces, with the times at which they were said where that could be found
 * out. Estimated times are worth more than no words at all, so what goes wrong is told once, and after
 * a time-out no further group of the job is tried: each would wait as long.
 */
export function aligner(job: Pick<Run, 'workDir' | 'signal' | 'onProblem'>, patience = patienceMs) {
  let isTold = false
  let isOver = false
  const tell = (problem: unknown) => {
    if (!isTold) job.onProblem?.(problem, 'times')
    isTold = true
  }
  return async (pcm: PcmFile, pieces: readonly ChunkWords[], language: string): Promise<Word[]> => {
    const asked = pieces.filter(([, words]) => words.some(({ isEstimated }) => isEstimated))
    const placed = new Map<number, Word[]>()
    if (!isOver && language === 'en' && asked.length > 0)
      try {
        for (const [chunk, words] of await listenFor(pcm, asked, { ...job, patience }))
          placed.set(chunk.index, words)
      } catch (error) {
        job.signal.throwIfAborted()
        if (isDiskFull(error)) throw error
        const isLate = error instanceof DOMException && error.name === 'TimeoutError'
        isOver ||= isLate || error instanceof MissingProgram
        if (!(error instanceof MissingProgram)) tell(isLate ? new Error(TOO_LATE) : error)
      }
    return pieces.flatMap(([chunk, words]) => placed.get(chunk.index) ?? words)
  }
}

/** @returns those pieces whose words were found */
async function listenFor(
  pcm: PcmFile,
  pieces: readonly ChunkWords[],
  { workDir, signal, patience }: Pick<Run, 'workDir' | 'signal'> & { patience: typeof patienceMs },
): Promise<[Chunk, Word[]][]> {
  const pocketsphinx = await findPocketsphinx()
  const pronunciations = await dictionaryAt(pocketsphinx.dictionary)
  const texts = pieces
    .map(([chunk, words]) => ({
      chunk,
      words,
      spoken: words.map(({ text }) => spokenWays(text, pronunciations)),
    }))
    .filter(({ spoken }) => spoken.some((readings) => readings.length > 0))
  if (texts.length === 0) return []
  const grammars = texts.map(({ chunk, spoken }) => grammarOf(chunk.index, spoken))
  const chunks = texts.map(({ chunk }) => chunk)
  const audioMs = chunks.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  await using _ = await processes.take(signal)
  const ctm = await runBatch(pocketsphinx, pcm, chunks, {
    // Without a grammar to begin with, pocketsphinx first loads a language model of 27 MB.
    args: [...search, '-fsg', `${chunks[0]?.index}.fsg`],
    files: {
      ...Object.fromEntries(
        grammars.map(({ grammar }, at) => [`${chunks[at]?.index}.fsg`, grammar]),
      ),
      grammars: chunks.map(({ index }) => `${index}\n`).join(''),
      dictionary: grammars.map(({ dictionary }) => dictionary).join(''),
    },
    wallMs: patience(audioMs),
    workDir,
    signal,
  })
  const heard = new Map<string, Region>(readCtm(ctm, chunks).map((word) => [word.text, word]))
  return texts.flatMap(({ chunk, words, spoken }): [Chunk, Word[]][] => {
    const spans = spansOf(chunk, spoken, heard)
    return spans ? [[chunk, words.map((word, at) => moved(word, spans[at]))]] : []
  })
}

/** Ways to read a word; each has parts, each part the ways to say it. None for what cannot be said. */
type Spoken = readonly (readonly string[])[][]

function spokenWays(text: string, pronunciations: Pronunciations): Spoken {
  return readingsOf(text, pronunciations.has)
    .map((reading) => reading.map((part) => part.split('|').flatMap(pronunciations.of)))
    .filter((parts) => parts.every((sounds) => sounds.length > 0))
}

/**
 * A grammar that lets nothing be said but these words in this order, and its dictionary. Each part of
 * each way to read a word has a name of its own, which tells where it belongs when it is heard.
 */
export function grammarOf(
  chunk: number,
  words: readonly Spoken[],
): { grammar: string; dictionary: string } {
  const transitions: string[] = []
  const entries: string[] = []
  let states = 1
  for (const [word, readings] of words.entries()) {
    if (readings.length === 0) continue
    const from = states - 1
    // After the states between the parts of a reading comes the one in which all readings end.
    const to = from + readings.reduce((sum, parts) => sum + parts.length - 1, 1)
    for (const [reading, parts] of readings.entries())
      for (const [part, sounds] of parts.entries()) {
        const at = part === 0 ? from : states - 1
        const next = part === parts.length - 1 ? to : states++
        const name = nameOf({ chunk, word, reading, part })
        transitions.push(`TRANSITION ${at} ${next} 1.0 ${name}`)
        entries.push(
          ...sounds.map((each, way) => `${name}${way > 0 ? `(${way + 1})` : ''} ${each}`),
        )
      }
    states = to + 1
  }
  const head = [`FSG_BEGIN ${chunk}`, `NUM_STATES ${states}`, 'START_STATE 0']
  return {
    grammar: linesOf([...head, `FINAL_STATE ${states - 1}`, ...transitions, 'FSG_END']),
    dictionary: linesOf(entries),
  }
}

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

const nameOf = (place: { chunk: number; word: number; reading: number; part: number }): string =>
  [place.chunk, place.word, place.reading, place.part].join('-')

/** Where each word was heard; null where one of those that can be said was not. */
function spansOf(
  chunk: Chunk,
  words: readonly Spoken[],
  heard: ReadonlyMap<string, Region>,
): Region[] | null {
  const found = words.map((readings, word) =>
    readings.flatMap((parts, reading): Region[] => {
      const at = (part: number) => heard.get(nameOf({ chunk: chunk.index, word, reading, part }))
      const [first, last] = [at(0), at(parts.length - 1)]
      return first && last ? [{ startMs: first.startMs, endMs: last.endMs }] : []
    }),
  )
  if (found.some((spans, word) => spans.length === 0 && (words[word]?.length ?? 0) > 0)) return null
  // A word that cannot be said, such as a note, lies between its neighbours.
  return found.map(([span], word) => {
    if (span) return span
    const startMs = found.slice(0, word).findLast(([before]) => before)?.[0]?.endMs
    const endMs = found.slice(word + 1).find(([after]) => after)?.[0]?.startMs
    return { startMs: startMs ?? chunk.startMs, endMs: endMs ?? chunk.endMs }
  })
}

function moved(word: Word, span: Region | undefined): Word {
  if (!word.isEstimated || !span) return word
  const { isEstimated: _, ...rest } = word
  return { ...rest, startMs: span.startMs, endMs: span.endMs, isAligned: true }
}
