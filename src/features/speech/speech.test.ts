import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'
import { childrenOf } from '#test/children.ts'
import { stageStore, takingTurns } from '#test/engine.ts'
import { isLong } from '#test/long.ts'

import { wordErrors } from '../../../bench/metrics.ts'
import type { Chunk, Engine, EngineResult } from './engines/engine.ts'
import {
  chooseEngine,
  type Progress,
  type StageStore,
  transcribe,
  type TranscribeResult,
} from './speech.ts'

const fixture = (name: string) => join(import.meta.dirname, '../transcriptions/sample', name)
const signal = new AbortController().signal

let workDir: string
beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'speech-'))
})
afterEach(() => rm(workDir, { recursive: true, force: true }))

/** An engine of the tests: one word per chunk, unless told otherwise. */
function counting(
  answer: (chunks: readonly Chunk[], signal: AbortSignal) => EngineResult | Promise<EngineResult>,
): Engine & { calls: number[] } {
  const calls: number[] = []
  return {
    calls,
    name: 'counting',
    capabilities: {
      languages: null,
      hasWordTimes: true,
      hasConfidence: false,
      hasPunctuation: false,
      longestChunkMs: 3_000,
    },
    diarizer: takingTurns,
    parallelGroups: 1,
    groupMs: 3_000,
    recognise: async (_pcm, chunks, { signal }) => {
      calls.push(chunks[0]!.index)
      return answer(chunks, signal)
    },
  }
}
const oneWordEach = (chunks: readonly Chunk[]): EngineResult => ({
  kind: 'done',
  language: 'en',
  words: chunks.map(({ index, startMs, endMs }) => ({
    text: `word${index}`,
    startMs,
    endMs,
    confidence: null,
  })),
})

const sample = fixture('sample.m4a')
const ffmpeg = (args: string[]) => promisify(execFile)('ffmpeg', ['-v', 'error', ...args])

const folder = aFolder('speech-sound')
/** The beginning of the sample: two speakers, in several chunks. */
let beginning: string
beforeAll(async () => {
  beginning = join(folder, 'beginning.wav')
  await ffmpeg(['-t', '13', '-i', sample, '-ac', '1', '-ar', '16000', beginning])
})

/** The one file of samples in a work folder. */
async function pcmIn(folder: string): Promise<string> {
  const names = await readdir(folder)
  expect(names).toHaveLength(1)
  return join(folder, names[0]!)
}
const ignore = () => undefined

// `npm test` holds the engine to a part of the sample in scripts/transcribe.test.ts.
if (isLong)
  test('the sample is read as it was spoken, by two speakers in turns, and tells how far it is', async () => {
    const stages = stageStore()
    const told: Progress[] = []
    const engine = await chooseEngine({ transcriber: 'auto' })
    const job = { path: sample, workDir, engine }
    const result = await transcribe(job, stages, (progress) => told.push(progress), signal)
    expect(result).toMatchObject({ kind: 'done', language: 'en', engine: 'pocketsphinx' })
    if (result.kind !== 'done') return

    const lines = (await readFile(fixture('sample.txt'), 'utf8')).trim().split('\n')
    const said = lines.map((line) => line.replace(/^\w+: /, '')).join(' ')
    expect(wordErrors(said, result.turns.map(({ text }) => text).join(' ')).rate).toBeLessThan(0.2)

    // Ada begins and Ben answers: whoever speaks at the middle of a true turn is told apart.
    const truth = (await readFile(fixture('sample.rttm'), 'utf8')).trim().split('\n')
    const heard = truth.map((line) => {
      const [, , , start, length] = line.split(' ')
      const middleMs = (Number(start) + Number(length) / 2) * 1000
      return result.turns.find(({ startMs, endMs }) => startMs <= middleMs && middleMs <= endMs)
    })
    expect(heard.map((turn) => turn?.speaker)).toEqual(
      truth.map((line) => (line.includes(' Ada ') ? 0 : 1)),
    )
    for (const { text, words } of result.turns) {
      expect(text).toMatch(/^[A-Z].*\.$/)
      expect(text).toBe(words.map((word) => word.text).join(' '))
    }

    expect(told[0]).toEqual({ kind: 'analyzing_format' })
    const counts = told.flatMap((progress) => (progress.kind === 'chunk' ? [progress] : []))
    expect(counts.at(-1)?.done).toBe(counts.at(-1)?.total)
    const done = counts.map((count) => count.done)
    expect(done).toEqual(done.toSorted((a, b) => a - b))
    expect(stages.names()).toEqual(
      expect.arrayContaining(['pcm', 'regions', 'speakers', 'words:0', 'words:1']),
    )
  }, 120_000)

describe('a retry', () => {
  test('works out only what is missing', async () => {
    const stages = stageStore()
    const broken = counting((chunks) => {
      if (broken.calls.length === 3) throw new Error('out of memory')
      return oneWordEach(chunks)
    })
    const first = transcribe({ path: beginning, workDir, engine: broken }, stages, ignore, signal)
    await expect(first).rejects.toThrow('out of memory')
    expect(stages.names()).toContain('words:1')
    expect(stages.names()).not.toContain('words:2')

    const mended = counting(oneWordEach)
    const told: string[] = []
    const second = await transcribe(
      { path: beginning, workDir, engine: mended },
      stages,
      ({ kind }) => told.push(kind),
      signal,
    )
    expect(second.kind).toBe('done')
    expect(mended.calls).not.toContain(broken.calls[0])
    expect(mended.calls[0]).toBe(broken.calls[2])
    expect(told).not.toContain('analyzing_format')
    expect(told).not.toContain('splitting')

    const third = counting(oneWordEach)
    const again = await transcribe(
      { path: beginning, workDir, engine: third },
      stages,
      ignore,
      signal,
    )
    expect(third.calls).toEqual([])
    expect(again).toEqual(second)
  })

  test('decodes again when the samples are gone or cut short', async () => {
    const stages = stageStore()
    const engine = counting(oneWordEach)
    await transcribe({ path: beginning, workDir, engine }, stages, ignore, signal)
    const { size } = await stat(await pcmIn(workDir))
    await rm(workDir, { recursive: true })
    stages.drop('words:0')
    await transcribe({ path: beginning, workDir, engine }, stages, ignore, signal)
    expect((await stat(await pcmIn(workDir))).size).toBe(size)

    await truncate(await pcmIn(workDir), size / 2)
    stages.drop('words:0')
    await transcribe({ path: beginning, workDir, engine }, stages, ignore, signal)
    expect((await stat(await pcmIn(workDir))).size).toBe(size)
  })

  test('after a crash while decoding uses the words that were there, and leaves no samples twice', async () => {
    const stages = stageStore()
    const first = counting(oneWordEach)
    const before = await transcribe(
      { path: beginning, workDir, engine: first },
      stages,
      ignore,
      signal,
    )
    // As if the process had died before it stored that the recording is decoded and heard.
    stages.drop('pcm')
    stages.drop('regions')
    const second = counting(oneWordEach)
    const again = await transcribe(
      { path: beginning, workDir, engine: second },
      stages,
      ignore,
      signal,
    )
    expect(second.calls).toEqual([])
    expect(again).toEqual(before)
    await pcmIn(workDir)
  })

  test('with another engine asks that one for every word', async () => {
    const stages = stageStore()
    const first = counting(oneWordEach)
    await transcribe({ path: beginning, workDir, engine: first }, stages, ignore, signal)
    const other = { ...counting(oneWordEach), name: 'other' }
    await transcribe({ path: beginning, workDir, engine: other }, stages, ignore, signal)
    expect(other.calls).toEqual(first.calls)
  })
})

describe('a file without speech is refused', () => {
  test('silence, without asking the engine', async () => {
    const path = join(workDir, 'silence.wav')
    await ffmpeg(['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono:d=9', path])
    const engine = counting(oneWordEach)
    const result = await transcribe({ path, workDir, engine }, stageStore(), ignore, signal)
    expect(result).toEqual({ kind: 'refused', reason: 'no_speech' })
    expect(engine.calls).toEqual([])
  })

  test('speech in which the engine understands no word, and says so', async () => {
    const engine = counting(() => ({ kind: 'done', language: 'en', words: [] }))
    const result = await transcribe(
      { path: beginning, workDir, engine },
      stageStore(),
      ignore,
      signal,
    )
    expect(result).toEqual({ kind: 'refused', reason: 'no_words' })
  })

  test('a file that is no recording, and sound that the engine cannot read', async () => {
    const path = fixture('sample.txt')
    const engine = counting(() => ({ kind: 'refused', reason: 'unreadable_audio' }))
    const job = { path, workDir, engine }
    expect(await transcribe(job, stageStore(), ignore, signal)).toEqual({
      kind: 'refused',
      reason: 'not_media',
    })
    expect(await transcribe({ ...job, path: beginning }, stageStore(), ignore, signal)).toEqual({
      kind: 'refused',
      reason: 'unreadable_audio',
    })
    expect(engine.calls).toHaveLength(1)
  })
})

describe('failing and stopping', () => {
  test('an engine that is busy fails the try, so that it is tried again later', async () => {
    const engine = counting(() => ({ kind: 'busy', retryAfterMs: 2000 }))
    const busy = transcribe({ path: beginning, workDir, engine }, stageStore(), ignore, signal)
    await expect(busy).rejects.toThrow('counting is busy, and asks to come back in 2 s.')
  })

  test('a failure in one group stops the others before it is reported', async () => {
    let stopped = 0
    let waiting = 0
    const allWait = Promise.withResolvers<void>()
    const engine = {
      ...counting(async (chunks, signal) => {
        if (chunks[0]!.index === 0) {
          await allWait.promise
          throw new Error('broken')
        }
        waiting += 1
        if (waiting === 2) allWait.resolve()
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        stopped += 1
        throw signal.reason
      }),
      parallelGroups: 3,
    }
    const failing = transcribe({ path: beginning, workDir, engine }, stageStore(), ignore, signal)
    await expect(failing).rejects.toThrow('broken')
    expect(stopped).toBe(2)
  })

  test('aborting is answered when what was going on has ended', async () => {
    const stop = new AbortController()
    const stages = stageStore()
    let isStored = false
    const put: StageStore['put'] = async (name) => {
      if (name !== 'pcm') return
      stop.abort(new Error('cancelled'))
      // This takes longer to end after the signal than anything else does.
      await sleep(500)
      isStored = true
    }
    const job = { path: beginning, workDir, engine: counting(oneWordEach) }
    await expect(transcribe(job, { ...stages, put }, ignore, stop.signal)).rejects.toThrow(
      'cancelled',
    )
    expect(isStored).toBe(true)
  })

  test.each(['converting', 'splitting', 'chunks'])(
    'aborting while %s ends every process',
    async (when) => {
      const stop = new AbortController()
      const engine = await chooseEngine({ transcriber: 'pocketsphinx' })
      const stopAt = ({ kind }: Progress) => {
        const isThen = kind === when || (when === 'converting' && kind === 'analyzing_format')
        if (isThen) setTimeout(() => stop.abort(new Error('cancelled')), 50)
      }
      const stopped = transcribe(
        { path: sample, workDir, engine },
        stageStore(),
        stopAt,
        stop.signal,
      )
      await expect(stopped).rejects.toThrow('cancelled')
      expect((await childrenOf(process.pid)).join(' ')).not.toMatch(/ffmpeg|pocketsphinx/)
    },
  )
})

describe('speakers', () => {
  const speakersOf = (result: TranscribeResult) =>
    result.kind === 'done' ? new Set(result.turns.map(({ speaker }) => speaker)).size : null

  test('are as many as the caller says', async () => {
    const { diarizer: _, ...engine } = counting(oneWordEach)
    for (const count of [1, 3]) {
      const job = { path: beginning, workDir, engine, speakers: { count } }
      const stages = stageStore()
      await transcribe(job, stages, ignore, signal)
      const turns = await stages.get<{ speaker: number }[]>('speakers')
      expect(new Set(turns?.map(({ speaker }) => speaker)).size).toBe(count)
    }
  })

  test('are told apart all the same when the engine’s own diarization breaks, and that is told', async () => {
    const problems: unknown[] = []
    const diarizer = {
      name: 'broken',
      diarize: async () => {
        throw new Error('no memory')
      },
    }
    const engine = { ...counting(oneWordEach), diarizer }
    const onProblem = (error: unknown) => void problems.push(error)
    const job = { path: beginning, workDir, engine, onProblem }
    expect(speakersOf(await transcribe(job, stageStore(), ignore, signal))).toBe(2)
    expect(problems).toEqual([new Error('no memory')])
  })
})

test('words that an engine lost are reported with their place, and the rest is kept', async () => {
  const problems: unknown[] = []
  const engine = counting((chunks) => ({
    ...(oneWordEach(chunks) as Extract<EngineResult, { kind: 'done' }>),
    cutOff: chunks[0]!.index === 0 ? [{ startMs: 200, endMs: 3000 }] : [],
  }))
  const onProblem = (...problem: unknown[]) => void problems.push(problem)
  const job = { path: beginning, workDir, engine, onProblem }
  const result = await transcribe(job, stageStore(), ignore, signal)
  expect(result.kind).toBe('done')
  const said = new Error('counting could not write all that was said from 200 to 3000 ms')
  expect(problems).toEqual([[said, 'words']])
})

describe('words that an engine makes up', () => {
  const spoken = (text: string, startMs: number) => ({
    text,
    startMs,
    endMs: startMs + 100,
    confidence: null,
  })
  const textOf = async (engine: Engine) => {
    const result = await transcribe(
      { path: beginning, workDir, engine },
      stageStore(),
      ignore,
      signal,
    )
    return result.kind === 'done' ? result.turns.map(({ text }) => text).join(' ') : result.reason
  }

  test('a chunk whose text repeats itself is recognised again in halves', async () => {
    const asked: number[] = []
    const engine = counting((chunks) => {
      asked.push(chunks.length)
      const isAgain = asked.length > 1 && chunks[0]!.index === 0
      return {
        kind: 'done',
        language: 'en',
        words: chunks.flatMap(({ startMs }) =>
          Array.from({ length: isAgain ? 1 : 20 }, (_, index) =>
            spoken(isAgain ? 'better' : 'again', startMs + 300 + index * 100),
          ),
        ),
      }
    })
    const text = (await textOf(engine)).toLowerCase()
    expect(asked).toContain(2)
    expect(text).toContain('better')
    expect(text).not.toContain('again')
  })

  test('words in the middle of a pause are not told', async () => {
    const engine = counting((chunks) => ({
      kind: 'done',
      language: 'en',
      words: chunks.flatMap(({ startMs, endMs }) => [
        spoken('heard', startMs + 300),
        spoken('invented', endMs + 500_000),
      ]),
    }))
    expect((await textOf(engine)).toLowerCase()).not.toContain('invented')
  })
})
