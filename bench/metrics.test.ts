import { describe, expect, test } from 'vitest'
import {
  diarizationErrors,
  normalizedWords,
  parseRttm,
  rightWords,
  totalWordErrors,
  wordErrors,
} from './metrics.ts'

describe('word errors', () => {
  test('the same words in other clothes are no error', () => {
    expect(wordErrors('It’s a well-known fact.', "IT'S a well known, fact!")).toEqual({
      substitutions: 0,
      deletions: 0,
      insertions: 0,
      referenceWords: 5,
      rate: 0,
    })
  })

  test('marks, quotes and hesitations are not words', () => {
    expect(normalizedWords("[noise] Um, 'yes' <cough> – uh – rock 'n' roll hmm")).toEqual([
      'yes',
      'rock',
      'n',
      'roll',
    ])
  })

  test('each heard word is right or wrong, and a hesitation is neither', () => {
    const said = 'in nineteen eighty four the binder goes sticky'
    const heard = ['In', '1984,', 'uh', 'the', 'bender', 'it', 'goes']
    expect(rightWords(said, heard)).toEqual([true, true, null, true, false, false, true])
    expect(rightWords('', ['so'])).toEqual([false])
  })

  test('a number is the same in digits and in words', () => {
    const said =
      'in nineteen eighty four then three hundred and five of two thousand paid five dollars'
    const { rate, referenceWords } = wordErrors(said, 'In 1984, then 305 of 2,000 paid $5.')
    expect({ rate, referenceWords }).toEqual({ rate: 0, referenceWords: 14 })
    expect(normalizedWords('sixty, 99% and B2')).toEqual(
      'sixty ninety nine percent and b2'.split(' '),
    )
  })

  test('one error of each kind is counted as that kind', () => {
    // the cat sat on    the mat
    // the hat sat    by  the mat today  →  cat/hat, on/by substituted, today inserted
    expect(wordErrors('the cat sat on the mat', 'the hat sat by the mat today')).toMatchObject({
      substitutions: 2,
      deletions: 0,
      insertions: 1,
      rate: 3 / 6,
    })
    expect(wordErrors('one two three four', 'two three for')).toMatchObject({
      substitutions: 1,
      deletions: 1,
      insertions: 0,
      rate: 2 / 4,
    })
  })

  test('nothing heard is all deleted, and words from silence are inserted', () => {
    expect(wordErrors('one two three', '')).toMatchObject({ deletions: 3, rate: 1 })
    expect(wordErrors('', 'one two')).toMatchObject({ insertions: 2, rate: Infinity })
    expect(wordErrors('', '')).toMatchObject({ rate: 0 })
  })

  test('several recordings weigh by their words', () => {
    const short = wordErrors('one two', 'one')
    const long = wordErrors('a b c d e f g h', 'a b c d e f g h')
    expect(totalWordErrors([short, long])).toMatchObject({
      deletions: 1,
      referenceWords: 10,
      rate: 0.1,
    })
  })
})

const turn = (speaker: string | number, startMs: number, endMs: number) => ({
  speaker,
  startMs,
  endMs,
})

describe('diarization errors', () => {
  const reference = [turn('ada', 0, 4000), turn('ben', 4000, 10_000)]

  test('the names of the speakers do not matter', () => {
    const hypothesis = [turn(7, 0, 4000), turn(3, 4000, 10_000)]
    const errors = diarizationErrors(reference, hypothesis, { collarMs: 0 })
    expect(errors).toMatchObject({ scoredMs: 10_000, rate: 0 })
    expect(errors.mapping).toEqual(
      new Map([
        [7, 'ada'],
        [3, 'ben'],
      ]),
    )
  })

  test('a change found a second late is a second of confusion', () => {
    const hypothesis = [turn(0, 0, 5000), turn(1, 5000, 10_000)]
    const exact = diarizationErrors(reference, hypothesis, { collarMs: 0 })
    expect(exact).toMatchObject({ missedMs: 0, falseAlarmMs: 0, confusedMs: 1000, rate: 0.1 })
    // Collars leave out 0–0.25, 3.75–4.25 and 9.75–10: of the late second 0.75 s remain, of 9 s.
    const loose = diarizationErrors(reference, hypothesis, { collarMs: 250 })
    expect(loose).toMatchObject({ scoredMs: 9000, confusedMs: 750, rate: 750 / 9000 })
  })

  test('speech not found is missed, and silence called speech is a false alarm', () => {
    const hypothesis = [turn(0, 500, 4000), turn(1, 4000, 9000), turn(1, 10_000, 12_000)]
    expect(diarizationErrors(reference, hypothesis, { collarMs: 0 })).toMatchObject({
      missedMs: 1500,
      falseAlarmMs: 2000,
      confusedMs: 0,
      rate: 0.35,
    })
  })

  test('where two speak at once, one label finds one and misses one', () => {
    const overlapped = [turn('ada', 0, 6000), turn('ben', 4000, 10_000)]
    const hypothesis = [turn(0, 0, 5000), turn(1, 5000, 10_000)]
    expect(diarizationErrors(overlapped, hypothesis, { collarMs: 0 })).toMatchObject({
      scoredMs: 12_000,
      missedMs: 2000,
      confusedMs: 0,
      rate: 2 / 12,
    })
  })

  test('one voice split in two is right for its larger part only', () => {
    const hypothesis = [turn(0, 0, 4000), turn(1, 4000, 8000), turn(2, 8000, 10_000)]
    const errors = diarizationErrors(reference, hypothesis, { collarMs: 0 })
    expect(errors).toMatchObject({ confusedMs: 2000, rate: 0.2 })
    expect(errors.mapping.has(2)).toBe(false)
  })

  test('turns of one speaker that touch have no collar between them', () => {
    const pieces = [turn('ada', 0, 4000), turn('ada', 4000, 8000)]
    expect(diarizationErrors(pieces, [], { collarMs: 250 }).scoredMs).toBe(7500)
  })

  test('speakers are matched for the most agreement overall, not the largest first', () => {
    const hypothesis = [turn('x', 0, 10_000), turn('x', 12_000, 21_000), turn('y', 22_000, 31_000)]
    const said = [turn('ada', 0, 10_000), turn('ben', 12_000, 21_000), turn('ada', 22_000, 31_000)]
    // Greedy would take x for ada, who agree for 10 s, and leave nobody for y.
    const { confusedMs } = diarizationErrors(said, hypothesis, { collarMs: 0 })
    expect(confusedMs).toBe(10_000)
  })
})

test('turns are read from RTTM in milliseconds', () => {
  const text =
    'SPEAKER call 1 0.300 6.165 <NA> <NA> Ada <NA> <NA>\n;; a comment\nSPEAKER call 1 7 0.5 <NA> <NA> Ben <NA> <NA>\n'
  expect(parseRttm(text)).toEqual([turn('Ada', 300, 6465), turn('Ben', 7000, 7500)])
})
