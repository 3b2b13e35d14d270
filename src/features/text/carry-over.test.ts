import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { Word } from '#features/speech/contract.ts'

import { align } from './align.ts'
import { carryOver, countCorrections } from './carry-over.ts'

/** Each word takes 300 ms, with 100 ms of silence after it. */
const said = (text: string, confidence = 0.4): Word[] =>
  text.split(' ').map((word, index) => ({
    text: word,
    startMs: index * 400,
    endMs: index * 400 + 300,
    confidence,
  }))
const span = { startMs: 0, endMs: 60_000 }
const textOf = (turns: readonly (readonly Word[])[]) =>
  turns.map((turn) => turn.map(({ text }) => text).join(' ')).join(' | ')

/** Corrects a text, hears it anew, and carries the corrections over. A bar begins a new turn. */
function again({ was, mine, heard }: { was: string; mine: string; heard: string }) {
  const before = said(was)
  const words = said(heard.replaceAll(' |', ''), 0.7)
  const ends = heard.split(' | ').map((turn) => turn.split(' ').length)
  let from = 0
  const after = ends.map((count) => words.slice(from, (from += count)))
  const corrected = align(before, mine, span)
  const carried = carryOver({ before, corrected, after })
  expect(carried.kept + carried.unplaced.length).toBe(countCorrections(before, corrected))
  return { ...carried, text: textOf(carried.turns) }
}

test('a correction is put where the new text makes the old mistake', () => {
  const { text, turns, kept } = again({
    was: 'we met mister hargraves at noon',
    mine: 'we met Mrs Hargreaves at noon',
    heard: 'We met mister hargraves at noon.',
  })
  expect(text).toBe('We met Mrs Hargreaves at noon.')
  expect(kept).toBe(1)
  expect(turns[0]?.[3]).toEqual({ text: 'Hargreaves', startMs: 1200, endMs: 1500, confidence: 1 })
  expect(turns[0]?.[4]?.confidence).toBe(0.7)
})

test('a correction is put where the new text has another mistake between the same words', () => {
  const heard = 'we met hard graves at noon'
  const was = 'we met mister hargraves at noon'
  expect(again({ was, mine: 'we met Mrs Hargreaves at noon', heard }).text).toBe(
    'we met Mrs Hargreaves at noon',
  )
})

test('a correction that the new text has by itself stays, in the spelling that its author chose', () => {
  const was = 'the bind goes sticky after kendall'
  const mine = 'the binder goes sticky after Kendal'
  const heard = 'The binder goes sticky, after kendal'
  expect(again({ was, mine, heard })).toMatchObject({
    text: 'The binder goes sticky, after Kendal',
    kept: 2,
    unplaced: [],
  })
})

test('words that were added or taken out stay so', () => {
  const was = 'so um we start with tape'
  const mine = 'so we start again with tape'
  const heard = 'so um we start with tape | and then we stop'
  expect(again({ was, mine, heard }).text).toBe('so we start again with tape | and then we stop')
})

test('where the words around it have changed, a correction is listed with both texts', () => {
  const { text, unplaced } = again({
    was: 'one two three four five six seven',
    mine: 'one two three FOUR five six seven',
    heard: 'eins zwei drei vier fuenf sechs sieben',
  })
  expect(text).toBe('eins zwei drei vier fuenf sechs sieben')
  expect(unplaced).toEqual([{ startMs: 1200, endMs: 1500, was: 'four', mine: 'FOUR', now: 'vier' }])
})

test('a word that somebody found right is in doubt no more where the new text has it too', () => {
  const before = said('we saw margaret there')
  const corrected = before.with(2, { ...before[2]!, confidence: 1 })
  const after = [said('We saw Margaret there')]
  expect(carryOver({ before, corrected, after }).turns[0]?.map((word) => word.confidence)).toEqual([
    0.4, 0.4, 1, 0.4,
  ])
})

test('no correction is lost, whatever is corrected and whatever is heard then', () => {
  const known = fc.constantFrom('the', 'a', 'reel', 'tape', 'of', 'binder', 'sticky', 'goes', 'to')
  const texts = fc.array(known, { minLength: 1, maxLength: 60 })
  /** For each word: left alone, taken out, written anew, or with another word before it. */
  const hands = fc.array(fc.constantFrom('', '', '', '', 'out', 'anew', 'more'), { maxLength: 60 })
  const ears = fc.array(fc.constantFrom('', '', '', 'out', 'other', 'more', 'late'), {
    maxLength: 60,
  })
  const properties = fc.property(texts, hands, ears, fc.nat(5), (words, by, ear, turnCount) => {
    // Each word is the only one of its kind in its last letters, so that it can be followed.
    const before = said(words.map((word, index) => `${word}${index}`).join(' '))
    const written = before.map(({ text }, index) => {
      if (by[index] === 'out') return []
      if (by[index] === 'anew') return [`new${index}`]
      return by[index] === 'more' ? [`more${index}`, text] : [text]
    })
    const corrected = align(before, written.flat().join(' '), span)
    const words2 = before.flatMap((word, index): Word[] => {
      if (ear[index] === 'out') return []
      const other = { ...word, text: 'mumble' }
      if (ear[index] === 'other') return [other]
      if (ear[index] === 'late')
        return [{ ...word, startMs: word.startMs + 40, endMs: word.endMs + 40 }]
      return ear[index] === 'more' ? [word, { ...other, startMs: word.endMs }] : [word]
    })
    const size = Math.ceil(words2.length / (turnCount + 1))
    const after = Array.from({ length: turnCount + 1 }, (_, turn) =>
      words2.slice(turn * size, (turn + 1) * size),
    )

    const { turns, kept, unplaced } = carryOver({ before, corrected, after })
    expect(kept + unplaced.length).toBe(countCorrections(before, corrected))
    const there = turns.flat().map(({ text }) => text)
    const listed = unplaced.flatMap(({ mine }) => mine.split(' '))
    const takenOut = unplaced.flatMap(({ was }) => was.split(' '))
    for (const [index, word] of before.entries()) {
      const mine = `${by[index]}${index}`.replace('anew', 'new')
      if (by[index] === 'anew' || by[index] === 'more')
        expect([...there, ...listed].filter((one) => one === mine)).toHaveLength(1)
      if (by[index] === 'anew' || by[index] === 'out')
        expect(there.includes(word.text) && !takenOut.includes(word.text)).toBe(false)
    }
    // And nothing else of the new text is touched.
    const untouched = words2.filter(({ text }) => {
      const index = Number(/\d+$/.exec(text)?.[0] ?? -1)
      return text !== 'mumble' && (by[index] ?? '') === ''
    })
    const gone = untouched.filter(({ text }) => !there.includes(text))
    expect(gone).toEqual([])
  })
  fc.assert(properties, { numRuns: 300 })
})

test('of 20 corrections in a text that is heard quite differently, 20 are kept or listed', () => {
  const words = Array.from({ length: 400 }, (_, index) => `word${index % 37}`)
  const places = Array.from({ length: 20 }, (_, index) => index * 20 + 3)
  const mine = words.map((word, index) => (places.includes(index) ? `right${index}` : word))
  // One word in five differs from before, as from an engine that hears better.
  const heard = words.map((word, index) => ((index * 7) % 5 === 0 ? `other${index}` : word))
  const before = said(words.join(' '))
  const corrected = align(before, mine.join(' '), { startMs: 0, endMs: 200_000 })
  const { turns, kept, unplaced } = carryOver({ before, corrected, after: [said(heard.join(' '))] })
  const there = new Set(turns.flat().map(({ text }) => text))
  const listed = new Set(unplaced.map((one) => one.mine))
  expect(places.filter((at) => there.has(`right${at}`) || listed.has(`right${at}`))).toEqual(places)
  expect(kept).toBe(20)
})
