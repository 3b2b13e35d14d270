import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { beforeAll, expect, test } from 'vitest'

import { decodeToFile } from '#features/sound/decode.ts'
import { aFolder } from '#test/folder.ts'
import { programsBut } from '#test/cluster.ts'
import { anEngine } from '#test/engine.ts'

import { aligner, grammarOf } from './align-words.ts'
import type { Chunk, PcmFile, Word } from './engine.ts'
import { placeWords } from './place-words.ts'
import { findPocketsphinx } from './pocketsphinx-program.ts'
import { openDictionary } from './pronunciations.ts'
import { recognise } from './recognise.ts'

const known = join(import.meta.dirname, '../../../../bench/times')
const signal = new AbortController().signal
/** As much as engines are given at once, at most. */
const long: Chunk = { index: 4, startMs: 50, endMs: 24_700 }
const short: Chunk = { index: 5, startMs: 25_200, endMs: 27_200 }

const workDir = aFolder('align')
let pcm: PcmFile
/** The words that are said in a chunk. */
let said: (chunk: Chunk) => { text: string; startMs: number }[]
beforeAll(async () => {
  const path = join(workDir, 'meeting.pcm')
  const decoded = await decodeToFile(join(known, 'meeting.opus'), path, {
    signal,
    maxDurationMs: 600_000,
  })
  if (decoded.kind === 'refused') throw new Error(decoded.reason)
  pcm = { path, ...decoded }
  const words = (await readFile(join(known, 'meeting.tsv'), 'utf8')).trim().split('\n')
  said = (chunk) =>
    words
      .map((line) => line.split('\t'))
      .map(([startMs, endMs, text]) => ({
        text: text!,
        startMs: Number(startMs),
        endMs: Number(endMs),
      }))
      .filter(({ startMs, endMs }) => startMs >= chunk.startMs && endMs <= chunk.endMs)
})

/** The words of a chunk as an engine without times gives them. */
const estimated = (chunk: Chunk): Word[] =>
  placeWords(
    said(chunk)
      .map(({ text }) => text)
      .join(' '),
    chunk,
  )
const align = (pieces: [Chunk, Word[]][], language = 'en') =>
  aligner({ workDir, signal })(pcm, pieces, language)

function medianError(words: readonly Word[], chunk: Chunk): number {
  const errors = said(chunk).map(({ startMs }, at) => Math.abs(words[at]!.startMs - startMs))
  return errors.toSorted((a, b) => a - b)[Math.floor(errors.length / 2)]!
}

test('words are found where they were said, prices and times of day too', async () => {
  const guessed = estimated(long)
  const words = await align([[long, guessed]])
  expect(words.map(({ text }) => text)).toEqual(guessed.map(({ text }) => text))
  expect(words.some(({ isEstimated }) => isEstimated)).toBe(false)
  expect(medianError(words, long)).toBeLessThan(150)
  expect(medianError(guessed, long)).toBeGreaterThan(150)
  const startOf = (text: string) => words.find((word) => word.text === text)!.startMs
  for (const each of said(long).filter(({ text }) => /[$:%]/.test(text)))
    expect(Math.abs(startOf(each.text) - each.startMs)).toBeLessThan(150)
})

test('words that were heard wrong do not cost the others their times', async () => {
  const others = 'harbor window seven paper morning'.split(' ')
  const heard = estimated(long).map((word, at) =>
    at % 3 === 1 ? { ...word, text: others[at % others.length]! } : word,
  )
  expect(medianError(await align([[long, heard]]), long)).toBeLessThan(150)
})

test('words that cannot be found keep their estimated times, and those of other pieces do not', async () => {
  const unfit = placeWords('and so on and so forth for ever '.repeat(25), long)
  const instant: Chunk = { index: 6, startMs: 28_000, endMs: 28_050 }
  const tooLong = placeWords('unquestionable considerations', instant)
  const music: Chunk = { index: 7, startMs: 29_000, endMs: 31_000 }
  const notes = placeWords('♪ ♪', music)
  const words = await align([
    [long, unfit],
    [short, estimated(short)],
    [instant, tooLong],
    [music, notes],
  ])
  const isFrom = (one: Chunk) => (word: Word) =>
    word.startMs >= one.startMs && word.startMs < one.endMs
  expect(words.filter(isFrom(long))).toEqual(unfit)
  expect(words.filter(isFrom(instant))).toEqual(tooLong)
  expect(words.filter(isFrom(music))).toEqual(notes)
  const found = words.filter(isFrom(short))
  expect(found.some(({ isEstimated }) => isEstimated)).toBe(false)
  expect(medianError(found, short)).toBeLessThan(150)
})

test('a word that nobody can say lies between the words beside it', async () => {
  const [first, ...rest] = estimated(short)
  const note: Word = { ...first!, text: '♪' }
  const words = await align([[short, [first!, note, ...rest]]])
  expect(words.map(({ text }) => text)).toEqual([first, note, ...rest].map((word) => word!.text))
  expect(words[1]!.startMs).toBe(words[0]!.endMs)
  expect(words[1]!.endMs).toBe(words[2]!.startMs)
})

test('times that an engine gave, and words of other languages, are left as they are', async () => {
  const own = estimated(short).map(({ isEstimated, ...word }) => ({
    ...word,
    confidence: isEstimated ? 0.5 : 1,
  }))
  expect(await align([[short, own]])).toEqual(own)
  expect(await align([[short, estimated(short)]], 'de')).toEqual(estimated(short))
})

test('the stored words of a group have aligned times, and no word is lost by them', async () => {
  const words = estimated(short)
  const stored = new Map<string, unknown>()
  async function* chunks() {
    yield short
  }
  await recognise(
    {
      path: 'none',
      workDir,
      engine: anEngine({ recognise: async () => ({ kind: 'done', language: 'en', words }) }),
      stages: { get: async () => null, put: async (name, stage) => void stored.set(name, stage) },
      onProgress: () => undefined,
      signal,
    },
    {
      chunks: chunks(),
      // Voice activity heard next to nothing.
      soundOf: async () => ({
        pcm,
        regions: [{ startMs: short.startMs, endMs: short.startMs + 1 }],
      }),
      whole: new Promise(() => undefined),
    },
  )
  expect(stored.get('words:0')).toMatchObject({
    words: words.map(({ text }) => ({ text })),
  })
  expect(JSON.stringify(stored.get('words:0'))).not.toContain('isEstimated')
})

test('without pocketsphinx the times stay estimates', async () => {
  const module = join(import.meta.dirname, 'align-words.ts')
  const pieces = [[short, estimated(short)]]
  const job = `{ workDir: ${JSON.stringify(workDir)}, signal: AbortSignal.timeout(60_000) }`
  const script = `
    import { aligner } from ${JSON.stringify(module)}
    const words = await aligner(${job})(${JSON.stringify(pcm)}, ${JSON.stringify(pieces)}, 'en')
    console.log(JSON.stringify(words))`
  const file = join(workDir, 'without.ts')
  await writeFile(file, script)
  const PATH = await programsBut(/^pocketsphinx/, join(workDir, 'programs'))
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env: { PATH } })
  expect(JSON.parse(stdout)).toEqual(estimated(short))
})

test('an aligner that takes too long is told once, and no further group of the job waits for it', async () => {
  const told: unknown[] = []
  let tries = 0
  const align = aligner(
    { workDir, signal, onProblem: (error, stage) => told.push(stage, error) },
    () => {
      tries += 1
      return 1
    },
  )
  for (const chunk of [short, long])
    expect(await align(pcm, [[chunk, estimated(chunk)]], 'en')).toEqual(estimated(chunk))
  expect(told).toEqual([
    'times',
    expect.objectContaining({ message: expect.stringMatching(/^Listening/) }),
  ])
  expect(tries).toBe(1)
})

test('a failure is told once, and the next group is tried all the same', async () => {
  const told: unknown[] = []
  const align = aligner({ workDir, signal, onProblem: (_, stage) => told.push(stage) })
  const gone: PcmFile = { ...pcm, path: join(workDir, 'gone.pcm') }
  for (const _ of [1, 2])
    expect(await align(gone, [[short, estimated(short)]], 'en')).toEqual(estimated(short))
  expect(told).toEqual(['times'])
  const found = await align(pcm, [[short, estimated(short)]], 'en')
  expect(found.some(({ isEstimated }) => isEstimated)).toBe(false)
})

test('aborting ends it', async () => {
  const stop = new AbortController()
  const align = aligner({ workDir, signal: stop.signal })
  const aligning = align(pcm, [[long, estimated(long)]], 'en')
  stop.abort(new Error('cancelled'))
  await expect(aligning).rejects.toThrow('cancelled')
})

test('a grammar has a way for each reading of a word, and no way around it', () => {
  const { grammar, dictionary } = grammarOf(7, [
    [[['HH AH L OW', 'HH EH L OW']]],
    [],
    [[['F AY V'], ['D AA L ER Z']], [['F AY V']]],
  ])
  expect(grammar.split('\n')).toEqual([
    'FSG_BEGIN 7',
    'NUM_STATES 4',
    'START_STATE 0',
    'FINAL_STATE 3',
    'TRANSITION 0 1 1.0 7-0-0-0',
    'TRANSITION 1 2 1.0 7-2-0-0',
    'TRANSITION 2 3 1.0 7-2-0-1',
    'TRANSITION 1 3 1.0 7-2-1-0',
    'FSG_END',
    '',
  ])
  expect(dictionary.split('\n').slice(0, 3)).toEqual([
    '7-0-0-0 HH AH L OW',
    '7-0-0-0(2) HH EH L OW',
    '7-2-0-0 F AY V',
  ])
})

test('a word sounds as the dictionary says, and else as it is written', async () => {
  const pronunciations = await openDictionary((await findPocketsphinx()).dictionary)
  expect(pronunciations.of('read')).toEqual(['R EH D', 'R IY D'])
  expect(pronunciations.of("one's")).toEqual(['W AH N Z'])
  expect(pronunciations.of('u.s.')).toEqual(['Y UW EH S'])
  expect(pronunciations.has('uxs')).toBe(false)
  expect(pronunciations.has('zelmira')).toBe(false)
  expect(pronunciations.of('zelmira')).toEqual(['Z EH L M ER AH'])
  expect(pronunciations.of('yoshee')).toEqual(['Y AA SH IY'])
  expect(pronunciations.of('…')).toEqual([])
})
