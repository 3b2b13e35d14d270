/**
 * Chunks in, words out: groups of chunks go to the engine as they come, as many at once as it takes,
 * and what it answers is checked before it is believed (see guards.ts). Where the engine tells no
 * times, they are found in the sound (see align-words.ts) while it is asked for the next group.
 *
 * Each group is a stage, `words:0`, `words:1`, …, stored when it is done.
 */
import { type Semaphore, semaphore } from '#server/semaphore.ts'

import { aborted, Refused, type Run, together } from '../job.ts'
import { group } from '../listen/chunks.ts'
import type { Hearing } from '../listen/hearing.ts'
import { aligner } from './align-words.ts'
import type { Chunk, EngineResult, PcmFile, Region, Word } from './engine.ts'
import { cutLoops, halvesOf, hasLoop, isSpeakable, withinSpeech } from './guards.ts'
import { withOtherLanguage } from './other-language.ts'

/** One answer of an engine, as it is stored. */
export interface RecognisedGroup {
  /** With its model and what it was told, language and terms: another of either may hear other words. */
  engine: string
  /** First and last chunk of the group, to tell a group from one that was cut differently. */
  fromMs: number
  toMs: number
  /** Where its last chunk begins, in a recording of several sides, whose chunks overlap. */
  lastFromMs?: number
  language: string
  words: Word[]
  /** Of the engine. */
  hasPunctuation: boolean
}

/** The first chunks are short ones, so a few chunks say less of all others than what is usual. */
const FEW = 20
const USUAL_MS = 16_000

/** @throws Refused when the engine cannot read the sound */
export async function recognise(run: Run, hearing: Hearing): Promise<RecognisedGroup[]> {
  const { engine, onProgress } = run
  const groups = numbered(group(hearing.chunks, engine))
  const results: RecognisedGroup[] = []
  let done = 0
  let heardToMs = 0
  let total: number | null = null
  // Of a long recording it takes minutes until all chunks are counted. Until then there are as many as
  // the finished part lets expect.
  const totalByNow = () => {
    if (total !== null || done === 0 || !run.durationMs) return total
    const eachMs = (heardToMs + FEW * USUAL_MS) / (done + FEW)
    return done + Math.max(1, Math.round((run.durationMs - heardToMs) / eachMs))
  }
  let isAsked = false
  // Told before the first chunk is done too: that one is waited for most.
  const tell = () => {
    const all = totalByNow()
    if (all !== null && (isAsked || done > 0)) onProgress({ kind: 'chunk', done, total: all })
  }
  const onGroupProgress: typeof onProgress = (progress) => {
    onProgress(progress)
    isAsked = true
    tell()
  }
  const countAll = ({ chunkCount }: { chunkCount: number }) => {
    total = chunkCount
    tell()
  }
  // Should hearing fail, the chunks fail too, and say why.
  hearing.whole.then(countAll, () => undefined)

  const work = async (working: Working) => {
    const stopped = aborted(working.signal)
    for (;;) {
      const { value: next } = await Promise.race([groups.next(), stopped])
      if (!next) return
      onProgress({ kind: 'sending' })
      results[next.number] = await recogniseGroup(working, hearing, next)
      done += next.members.length
      heardToMs = Math.max(heardToMs, endOf(next.members))
      tell()
    }
  }
  await together(run.signal, (signal) => {
    const part: Run = { ...run, signal, onProgress: onGroupProgress }
    const working = { ...part, asking: semaphore(engine.parallelGroups), align: aligner(part) }
    const beside = engine.capabilities.hasWordTimes ? 0 : 1
    const workers = Array.from({ length: engine.parallelGroups + beside }, () => work(working))
    return [prepared(part), ...workers]
  })
  return results
}

/** What goes wrong is told by the first question, which needs the same. */
const prepared = async ({ engine, language = null, signal }: Run): Promise<void> =>
  engine.prepare?.({ language, signal }).catch(() => undefined)

interface Working extends Run {
  /** The engine answers no more questions at once than it says. */
  asking: Semaphore
  align: ReturnType<typeof aligner>
}

interface Group {
  number: number
  members: readonly Chunk[]
}

async function* numbered(groups: AsyncIterable<Chunk[]>): AsyncGenerator<Group, undefined> {
  let number = 0
  for await (const members of groups) yield { number: number++, members }
}

async function recogniseGroup(
  run: Working,
  hearing: Hearing,
  { number, members }: Group,
): Promise<RecognisedGroup> {
  const { stages, onProgress } = run
  const name = `words:${number}`
  const engine = namedEngine(run)
  const fromMs = members[0]?.startMs ?? 0
  const toMs = endOf(members)
  const stored = await stages.get<RecognisedGroup>(name)
  if (stored?.engine === engine && stored.fromMs === fromMs && stored.toMs === toMs) return stored

  onProgress({ kind: 'chunks' })
  const sides = new Map<number | undefined, Chunk[]>()
  for (const chunk of members) sides.set(chunk.side, [...(sides.get(chunk.side) ?? []), chunk])
  const heard = []
  for (const [side, own] of sides) heard.push(await recogniseSide(run, hearing, { side, own }))
  const last = sides.has(undefined) ? {} : { lastFromMs: members.at(-1)?.startMs ?? fromMs }
  const { hasPunctuation } = run.engine.capabilities
  const words = heard.flatMap((each) => each.words)
  const language = languageOf(heard)
  const stage: RecognisedGroup = { engine, fromMs, toMs, ...last, language, words, hasPunctuation }
  await stages.put(name, stage)
  return stage
}

const endOf = (chunks: readonly Chunk[]): number => Math.max(0, ...chunks.map(({ endMs }) => endMs))

/** The words of chunks that have one sound. */
async function recogniseSide(
  run: Working,
  hearing: Hearing,
  { side, own }: { side: number | undefined; own: readonly Chunk[] },
): Promise<Pick<RecognisedGroup, 'language' | 'words'>> {
  const sound = await hearing.soundOf(own)
  const { words, language } = await ask(run, own, sound)
  const believed = await guarded(run, words, own, sound)
  // After the guards: a word is not left out for where it was aligned.
  const aligned = await run.align(sound.pcm, byChunk(believed, own), language)
  const timed = withOtherLanguage(aligned, run).map(inThousandths)
  return { language, words: side === undefined ? timed : timed.map((word) => ({ ...word, side })) }
}

/**
 * How sure an engine is of a word, in three digits: seventeen would take more room than the word. Nearly
 * sure does not become 1, which is said of words that a person wrote.
 */
function inThousandths<Told extends Word>(word: Told): Told {
  const { confidence } = word
  if (confidence === null || confidence >= 1) return word
  return { ...word, confidence: Math.min(0.999, Math.round(confidence * 1000) / 1000) }
}

const namedEngine = ({ engine, language, terms = [] }: Run): string =>
  [engine.name, engine.model, language, ...(engine.capabilities.takesTerms ? terms : [])]
    .filter(Boolean)
    .join(' ')

interface Sound {
  pcm: PcmFile
  regions: readonly Region[]
}

async function ask(
  { engine, workDir, language = null, terms = [], onProblem, signal, asking }: Working,
  chunks: readonly Chunk[],
  { pcm, regions }: Sound,
): Promise<Extract<EngineResult, { kind: 'done' }>> {
  await using _ = await asking.take(signal)
  signal.throwIfAborted()
  const result = await engine.recognise(pcm, chunks, { language, terms, regions, workDir, signal })
  // The queue backs off and tries again; the groups that are done stay done.
  if (result.kind === 'busy')
    throw new Error(
      `The speech engine ${engine.name} is busy, and asks to come back in ${Math.ceil(result.retryAfterMs / 1000)} s.`,
    )
  if (result.kind === 'refused') throw new Refused(result.reason)
  for (const { startMs, endMs } of result.cutOff ?? [])
    onProblem?.(
      new Error(`${engine.name} could not write all that was said from ${startMs} to ${endMs} ms`),
      'words',
    )
  return result
}

/** The words without what was made up. */
async function guarded(
  run: Working,
  words: readonly Word[],
  chunks: readonly Chunk[],
  sound: Sound,
): Promise<Word[]> {
  const kept: Word[] = []
  for (const [chunk, said] of byChunk(words, chunks)) {
    const believed = hasLoop(said) ? await askedAgain(run, chunk, { said, sound }) : [said]
    for (const piece of believed) kept.push(...marked(withinSpeech(piece, sound.regions)))
  }
  return kept
}

/**
 * The words of a chunk in which the engine repeated itself: a model may have gone round in circles, or
 * somebody has really said it so often. The sound decides. The chunk is asked for again in halves, and
 * halves of those, where the engine begins afresh: if it hears in each no more than people repeat
 * themselves, and no more than there was time for, all of it was said. Otherwise it is cut short.
 */
async function askedAgain(
  run: Working,
  chunk: Chunk,
  { said, sound }: { said: readonly Word[]; sound: Sound },
): Promise<Word[][]> {
  let pieces: [Chunk, Word[]][] = [[chunk, [...said]]]
  for (;;) {
    const halves = new Map(
      pieces
        .filter(([piece, words]) => hasLoop(words) && (piece === chunk || isDivisible(piece)))
        .map(([piece]) => [piece, halvesOf(piece, sound.regions)]),
    )
    if (halves.size === 0) break
    const asked = [...halves.values()].flat().map((half, index) => ({ ...half, index }))
    const again = byChunk((await ask(run, asked, sound)).words, asked)
    pieces = pieces.flatMap(([piece, words]) =>
      halves.has(piece) ? again.splice(0, 2) : [[piece, words] satisfies [Chunk, Word[]]],
    )
  }
  const words = pieces.flatMap(([, heard]) => heard)
  if (words.length === 0) return [cutLoops(said)]
  const isSaid = pieces.every(
    ([piece, heard]) => !hasLoop(heard) && isSpeakable(heard, piece, sound.regions),
  )
  if (isSaid) return pieces.map(([, heard]) => heard)
  const places = pieces.map(([piece]) => piece)
  return byChunk(cutLoops(words), places).map(([, kept]) => kept)
}

/** Shorter pieces of a chunk hold hardly a sentence, and are heard worse. */
const DIVISIBLE_MS = 3000
const isDivisible = ({ startMs, endMs }: Chunk): boolean => endMs - startMs >= DIVISIBLE_MS

const marked = (piece: readonly Word[]): Word[] =>
  piece.map((word, index) => (index === 0 ? { ...word, isPieceStart: true } : word))

/** Each word with the last chunk that begins before it. */
export function byChunk(words: readonly Word[], chunks: readonly Chunk[]): [Chunk, Word[]][] {
  return chunks.map((chunk, place) => {
    const fromMs = place === 0 ? -Infinity : chunk.startMs
    const toMs = chunks[place + 1]?.startMs ?? Infinity
    return [chunk, words.filter(({ startMs }) => startMs >= fromMs && startMs < toMs)]
  })
}

export function languageOf(groups: readonly Pick<RecognisedGroup, 'language' | 'words'>[]): string {
  const counts = new Map<string, number>()
  for (const { language, words } of groups)
    counts.set(language, (counts.get(language) ?? 0) + words.length)
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), ['en', -1])[0]
}
