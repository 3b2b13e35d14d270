import { expect, test } from 'vitest'

import type { Word } from '../engines/engine.ts'
import { withVoices } from './voices.ts'

/** Words of half a second, one after the other, by the voices that are named. */
function said(fromMs: number, voices: string): Word[] {
  return [...voices].map((voice, index) => ({
    text: 'word',
    startMs: fromMs + index * 500,
    endMs: fromMs + index * 500 + 500,
    confidence: null,
    ...(voice === '-' ? {} : { voice }),
  }))
}
const turn = (speaker: number, startMs: number, endMs: number) => ({ speaker, startMs, endMs })

test('an engine that names nobody leaves the speakers to our own diarization', () => {
  const own = [turn(0, 0, 900)]
  expect(withVoices([said(0, '--')], own)).toEqual(own)
  expect(withVoices([], own)).toEqual(own)
})

test("in one group the engine's own names are the speakers, in order of first speech", () => {
  expect(withVoices([said(1000, 'BBAAB')], [turn(0, 0, 9000)])).toEqual([
    turn(0, 1000, 2000),
    turn(1, 2000, 3000),
    turn(0, 3000, 3500),
  ])
})

test('with a given number of speakers, voices that an engine made two are one', () => {
  const own = [turn(0, 0, 1000), turn(1, 1000, 2000)]
  const [first, second] = [turn(0, 0, 1000), turn(1, 1000, 2000)]
  expect(withVoices([said(0, 'AABC')], own, { count: 2 })).toEqual([first, second])
})

test('a speaker keeps the number from group to group, whatever the engine calls them there', () => {
  const own = [
    turn(0, 0, 1000),
    turn(1, 1000, 2000),
    turn(1, 60_000, 61_000),
    turn(0, 61_000, 62_000),
  ]
  const groups = [said(0, 'AABB'), said(60_000, 'AABB')]
  expect(withVoices(groups, own)).toEqual([
    turn(0, 0, 1000),
    turn(1, 1000, 2000),
    turn(1, 60_000, 61_000),
    turn(0, 61_000, 62_000),
  ])
})

test('parts of a group that were asked for by themselves are like groups', () => {
  const own = [turn(0, 0, 1000), turn(1, 1000, 2000)]
  const [first, second] = [said(0, 'AA'), said(1000, 'AA')].map((words, index) =>
    words.map((word) => ({ ...word, voice: `${index}/${word.voice}` })),
  )
  expect(withVoices([[...first!, ...second!]], own)).toEqual(own)
})

test('two voices of one group stay two people where our own diarization has two', () => {
  const own = [turn(0, 0, 3000), turn(1, 3000, 4000)]
  const turns = withVoices([said(0, 'AAAABBBB'), said(60_000, 'A')], own)
  expect(new Set(turns.slice(0, 2).map(({ speaker }) => speaker))).toEqual(new Set([0, 1]))
})
