import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { measure } from '#features/sound/decode.ts'
import { type Sides, sidesMeter } from '#features/sound/sides.ts'
import { aCall } from '#test/a-call.ts'
import { anEngine, stageStore } from '#test/engine.ts'
import { isLong } from '#test/long.ts'
import { aFolder } from '#test/folder.ts'

import { sidesHeard, soFar, type TranscribeResult, transcribe } from './speech.ts'

const folder = aFolder('call')
const path = join(folder, 'call.wav')
const signal = new AbortController().signal
const ignore = () => undefined
let sides: Sides | null

beforeAll(async () => {
  // Ben begins 5 s earlier than in the sample, while Ada still speaks.
  await aCall(path, { earlierS: 5 })
  const meter = sidesMeter()
  await measure(path, { signal, maxDurationMs: 60_000, onPairs: meter.listen })
  sides = meter.finish()
})

let workDir: string
beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'sides-'))
})
afterEach(() => rm(workDir, { recursive: true, force: true }))

/** Answers for each chunk how loud its sound is, so that the text shows which side was heard. */
function listening() {
  const asked: number[] = []
  const engine = anEngine({
    groupMs: 5000,
    recognise: async (pcm, chunks) => {
      const samples = await readFile(pcm.path)
      asked.push(...chunks.map(({ index }) => index))
      const words = chunks.map(({ startMs, endMs }) => {
        const heard = samples.subarray(startMs * 32, endMs * 32)
        let sum = 0
        for (let at = 0; at + 1 < heard.length; at += 2) sum += heard.readInt16LE(at) ** 2
        const height = Math.sqrt((2 * sum) / heard.length)
        const text = height > 300 ? 'loud' : 'quiet'
        return { text, startMs: startMs + 300, endMs: endMs - 300, confidence: null }
      })
      return { kind: 'done', language: 'en', words }
    },
  })
  return { engine, asked }
}

const turnsOf = (result: TranscribeResult) => (result.kind === 'done' ? result.turns : [])

test('each channel is a speaker, and what two say at once is there twice, in order', async () => {
  const stages = stageStore()
  const { engine } = listening()
  const job = { path, workDir, engine, sides: sidesHeard(sides) }
  const turns = turnsOf(await transcribe(job, stages, ignore, signal))
  expect(turns.map(({ speaker }) => speaker)).toEqual([0, 1, 0, 1])
  const [ada, ben] = turns
  expect(ben!.startMs).toBeLessThan(ada!.endMs)
  const starts = turns.map(({ startMs }) => startMs)
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  // A voice that leaks from the other channel is no sound of this one.
  expect(new Set(turns.flatMap(({ words }) => words.map(({ text }) => text)))).toEqual(
    new Set([expect.stringMatching(/^loud/i)]),
  )
})

if (isLong)
  test('a try that goes on finds what was heard on both sides, and asks for nothing twice', async () => {
    const stages = stageStore()
    const first = listening()
    const job = { path, workDir, engine: first.engine, sides: sidesHeard(sides) }
    const before = await transcribe(job, stages, ignore, signal)
    const last = stages.names().filter((name) => name.startsWith('words:')).length - 1
    expect(last).toBeGreaterThan(0)
    stages.drop(`words:${last}`)
    const second = listening()
    expect(await transcribe({ ...job, engine: second.engine }, stages, ignore, signal)).toEqual(
      before,
    )
    expect(second.asked.length).toBeGreaterThan(0)
    expect(second.asked.length).toBeLessThan(first.asked.length)

    // As if it had died before it stored what was heard.
    stages.drop('pcm')
    stages.drop('regions')
    const third = listening()
    expect(await transcribe({ ...job, engine: third.engine }, stages, ignore, signal)).toEqual(
      before,
    )
    expect(third.asked).toEqual([])
  })

test('the text so far has the speakers from its first words', async () => {
  const stages = stageStore()
  const { engine } = listening()
  const job = { path, workDir, engine, sides: sidesHeard(sides) }
  const turns = turnsOf(await transcribe(job, stages, ignore, signal))
  const groups = stages.names().filter((name) => name.startsWith('words:'))
  const found = new Map<string, unknown>()
  for (const name of groups) found.set(name, await stages.get(name))
  const read = soFar(found, { from: 0, readToMs: 0 })
  expect(read).toMatchObject({ groups: groups.length, isToldApart: true })
  const spoken = (all: { speaker: number | null; startMs: number }[]) =>
    all.map(({ speaker, startMs }) => [speaker, startMs]).toSorted()
  expect(spoken(read!.turns)).toEqual(spoken(turns))
})

test('a channel on which nobody speaks is no person: the voices are told apart', async () => {
  const { engine } = listening()
  const deaf = { leakDb: -6, floorDb: -10 }
  const [ada] = sidesHeard(sides)!
  const onlyLeft = join(folder, 'left.wav')
  await aCall(onlyLeft, { mix: 'onlyLeft' })
  const job = { path: onlyLeft, workDir, engine, sides: [ada!, deaf] }
  const stages = stageStore()
  await transcribe(job, stages, ignore, signal)
  const speakers = await stages.get<{ speaker: number }[]>('speakers')
  expect(new Set(speakers?.map(({ speaker }) => speaker))).toEqual(new Set([0, 1]))
})

test('a number of speakers that does not fit is believed before the channels are', () => {
  expect(sidesHeard(sides)).toHaveLength(2)
  expect(sidesHeard(sides, { count: 2 })).toHaveLength(2)
  expect(sidesHeard(sides, { max: 4 })).toHaveLength(2)
  expect(sidesHeard(sides, { count: 3 })).toBeNull()
  expect(sidesHeard(sides, { max: 1 })).toBeNull()
  expect(sidesHeard(sides && { ...sides, isApart: false })).toBeNull()
})

test('channels are people or mixed as somebody says, however they sound', () => {
  const alike = sides && { ...sides, isApart: false }
  expect(sidesHeard(alike, { channels: 'people' })).toHaveLength(2)
  expect(sidesHeard(alike, { channels: 'people', count: 3 })).toBeNull()
  expect(sidesHeard(sides, { channels: 'mixed' })).toBeNull()
  expect(sidesHeard({ each: [], isApart: false }, { channels: 'people' })).toBeNull()
})
