import { expect, test } from 'vitest'

import type { Word } from './engines/engine.ts'
import { soFar } from './so-far.ts'

/** A group of ten seconds, with a word for each second. */
function group(number: number, { engine = 'test', text = 'and' } = {}) {
  const fromMs = number * 10_000
  const words: Word[] = Array.from({ length: 10 }, (_, second) => ({
    text,
    startMs: fromMs + second * 1_000,
    endMs: fromMs + second * 1_000 + 800,
    confidence: 1,
  }))
  return { engine, fromMs, toMs: fromMs + 10_000, language: 'en', words, hasPunctuation: true }
}
const begin = { from: 0, readToMs: 0 }
const stagesOf = (groups: object[], others: Record<string, unknown> = {}) =>
  new Map<string, unknown>([
    ...groups.map((one, number): [string, unknown] => [`words:${number}`, one]),
    ...Object.entries(others),
  ])
const regions = (chunks: number[]) => ({
  regions: [{ startMs: 0, endMs: 60_000 }],
  chunks: chunks.map((startMs, index) => ({ index, startMs, endMs: startMs + 10_000 })),
})

test('groups are read to the first gap, and from where a reader is', () => {
  const stages = stagesOf([group(0), group(1)])
  stages.set('words:3', group(3))
  const all = soFar(stages, begin)
  expect(all).toMatchObject({ groups: 2, readToMs: 20_000, isToldApart: false })
  expect(all?.turns.map(({ speaker, startMs, endMs }) => [speaker, startMs, endMs])).toEqual([
    [null, 0, 9_800],
    [null, 10_000, 19_800],
  ])
  stages.set('words:2', group(2))
  const more = soFar(stages, { from: 2, readToMs: 20_000 })
  expect(more).toMatchObject({ groups: 4, readToMs: 40_000 })
  expect(more?.turns.map(({ startMs }) => startMs)).toEqual([20_000, 30_000])
})

test('turns have their speakers as soon as those are told apart', () => {
  const speakers = [
    { speaker: 0, startMs: 0, endMs: 5_000 },
    { speaker: 1, startMs: 5_000, endMs: 10_000 },
  ]
  const read = soFar(stagesOf([group(0)], { speakers }), begin)
  expect(read).toMatchObject({ isToldApart: true })
  expect(read?.turns.map(({ speaker, endMs }) => [speaker, endMs])).toEqual([
    [0, 4_800],
    [1, 9_800],
  ])
})

test('groups that an earlier try left behind are not read as if they went on', () => {
  const other = group(1, { engine: 'another' })
  expect(soFar(stagesOf([group(0), other]), begin)?.groups).toBe(1)
  const overlapping = { ...group(1), fromMs: 5_000 }
  expect(soFar(stagesOf([group(0), overlapping]), begin)?.groups).toBe(1)
  // The chunk that begins at 10 s is in neither.
  const missing = stagesOf([group(0), group(2)], { regions: regions([0, 10_000, 20_000]) })
  expect(soFar(missing, begin)?.groups).toBe(1)
  const quiet = stagesOf([group(0), group(2)], { regions: regions([0, 20_000]) })
  expect(soFar(quiet, begin)?.groups).toBe(2)
})

test('a reader whose groups were replaced meanwhile has to begin again', () => {
  const stages = stagesOf([group(0), { ...group(1), toMs: 18_000 }])
  expect(soFar(stages, { from: 2, readToMs: 20_000 })).toBeNull()
  expect(soFar(stages, { from: 5, readToMs: 50_000 })).toBeNull()
  expect(soFar(stages, { from: 2, readToMs: 18_000 })).toMatchObject({ groups: 2, turns: [] })
})

test('groups of several sides overlap, and go on where the next chunk begins', () => {
  const sided = (number: number, fromMs: number, lastFromMs: number) => {
    const { words, ...rest } = group(number)
    const both = words.map((word, at) => ({ ...word, side: at % 2 }))
    return { ...rest, fromMs, lastFromMs, toMs: fromMs + 20_000, words: both }
  }
  const stages = stagesOf([sided(0, 0, 4_000), sided(1, 10_000, 12_000)], {
    regions: regions([0, 4_000, 10_000, 12_000]),
  })
  const read = soFar(stages, begin)
  expect(read).toMatchObject({ groups: 2, isToldApart: true })
  expect(read?.turns.map(({ speaker }) => speaker)).toEqual([0, 1, 0, 1])
  // The chunk that begins at 7 s is in neither.
  stages.set('regions', regions([0, 4_000, 7_000, 10_000]))
  expect(soFar(stages, begin)?.groups).toBe(1)
})
