import { describe, expect, test } from 'vitest'

import { type Said, captionsOf, markedIn, namesIn } from './clip-captions.ts'

/** Words of 300 ms each, one after the other; a number is a pause, in seconds. */
function said(text: string, speaker = 0, fromMs = 0): Said[] {
  let at = fromMs
  return text.split(' ').flatMap((part) => {
    if (/^\d+$/.test(part)) {
      at += Number(part) * 1000
      return []
    }
    at += 300
    return { text: part, startMs: at - 300, endMs: at, speaker }
  })
}
const upright = { letters: 22, endMs: 60_000 }
const textOf = (words: readonly Said[], options = upright) =>
  captionsOf(words, options).map(({ lines }) =>
    lines.map((line) => line.map(({ text }) => text).join(' ')),
  )

const TALK =
  'Eight hours a reel at fifty-four degrees. I can do six at once, so call it two weeks, if nothing breaks.'

describe('captions of a clip', () => {
  test('have two lines at most, of no more letters than there is room for', () => {
    const captions = textOf(said(TALK))
    expect(captions.flat().join(' ')).toBe(TALK)
    for (const lines of captions) {
      expect(lines.length).toBeLessThanOrEqual(2)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(22)
    }
  })

  test('end with a sentence that has filled a line, with a pause, and with who speaks', () => {
    expect(textOf(said('We went to the old harbour. Then 2 we came back.'))).toEqual([
      ['We went to the', 'old harbour.'],
      ['Then'],
      ['we came back.'],
    ])
    const two = [...said('How long is that?', 0), ...said('Eight hours.', 1, 1_200)]
    expect(textOf(two)).toEqual([['How long is that?'], ['Eight hours.']])
  })

  test('follow each other, and stay no longer than the clip', () => {
    const captions = captionsOf(said(`${TALK} 3 Yes.`), { ...upright, endMs: 9_000 })
    for (const [at, { endMs }] of captions.entries())
      expect(endMs).toBeLessThanOrEqual(captions[at + 1]?.startMs ?? 9_000)
    expect(captions.map(({ startMs, endMs }) => endMs > startMs)).not.toContain(false)
  })

  test('break a word that is longer than a line, and count Chinese letters as two', () => {
    const long = 'Donaudampfschifffahrtsgesellschaft'
    expect(textOf(said(long))).toEqual([[long.slice(0, 22), long.slice(22)]])
    expect(textOf(said('今天的天气很好我们一起去公园散步吧'))).toEqual([
      ['今天的天气很好我们一起', '去公园散步吧'],
    ])
  })

  test('name who speaks, unless there is but one voice without a name', () => {
    const voices = (...names: (string | null)[]) =>
      names.map((name, speaker) => ({ speaker, name }))
    expect([...namesIn(voices(null))]).toEqual([])
    expect([...namesIn(voices('Ada'))]).toEqual([[0, 'Ada']])
    expect([...namesIn(voices('Ada', null)).values()]).toEqual(['Ada', 'Speaker B'])
  })

  test('mark each word until the next one is said', () => {
    const [caption] = captionsOf(said('one 0 two'), upright)
    const marked = markedIn(caption!).map(({ word, startMs, endMs }) => [word.text, startMs, endMs])
    expect(marked).toEqual([
      ['one', 0, 300],
      ['two', 300, 1_400],
    ])
  })
})
