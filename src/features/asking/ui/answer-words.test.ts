import { expect, test } from 'vitest'

import type { Answer, Quote } from '../contract.ts'
import { announced, answerAsText, whoAnswers } from './answer-words.ts'

const binder: Quote = {
  transcriptionId: '1',
  turnId: '2',
  name: 'field-notes-12.m4a',
  at: 72.4,
  speaker: 'Ben Okafor',
  speakerNumber: 1,
  text: 'The binder goes sticky.',
  marks: [],
  isInDoubt: false,
}
const pass: Quote = { ...binder, at: 3_676, speaker: null, text: 'We get one good pass.' }
const answer = (fields: Partial<Answer>): Answer => ({
  id: '3',
  question: 'Why does he bake the tapes?',
  kind: 'answer',
  text: 'Because the binder goes sticky.',
  notSaid: null,
  quotes: [binder, pass],
  note: null,
  createdAt: '2026-11-20T14:30:00Z',
  ...fields,
})

test('an answer is copied with what was said for it, by whom and when', () => {
  const text = answerAsText(answer({ notSaid: 'what it cost' }), { withNames: false })
  expect(text).toBe(`Why does he bake the tapes?

Because the binder goes sticky.

“The binder goes sticky.” (Ben Okafor, 1:12)

“We get one good pass.” (1:01:16)

Not found: what it cost.`)
})

test('of many recordings each quote is copied with the name of its own', () => {
  const found = answer({ kind: 'passages', text: null, quotes: [binder], note: 'no-model' })
  expect(answerAsText(found, { withNames: true })).toBe(`Why does he bake the tapes?

Passages that speak of this:

“The binder goes sticky.” (Ben Okafor, field-notes-12.m4a, 1:12)`)
})

test('a screen reader is told what was found, and what was not', () => {
  const say = (fields: Partial<Answer>) => announced(answer(fields))
  expect(say({})).toBe('Because the binder goes sticky. 2 quotes.')
  expect(say({ quotes: [] })).toBe('Because the binder goes sticky. No source found.')
  const notSaid = { kind: 'not-said', text: null } as const
  expect(say({ ...notSaid, quotes: [] })).toBe(
    'The model found no answer in the parts that it read.',
  )
  expect(say({ ...notSaid, quotes: [pass], note: 'read-all' })).toBe(
    'The model found no answer in all that was said. Nearest to the question: 1 quote.',
  )
  const passages = { kind: 'passages', text: null } as const
  expect(say({ ...passages, note: 'no-model' })).toBe('2 passages that speak of this.')
  expect(say({ ...passages, note: 'no-answer', quotes: [binder] })).toBe(
    'No answer this time, and the question was not counted. 1 passage that speaks of this.',
  )
  expect(say({ ...passages, note: 'no-model', quotes: [] })).toBe(
    'Nothing was found that speaks of this. Other words may find it.',
  )
})

test('the line under the field says who answers, how often still, and from when on again', () => {
  const line = (hasModel: boolean, left: number | null) =>
    whoAnswers(
      { hasModel, left, perDay: hasModel ? 40 : null },
      { source: 'this transcript' },
      new Date(2026, 10, 20),
    )
  expect(line(true, 18)).toBe(
    'Written by AI from this transcript alone. 18 of 40 questions left today.',
  )
  expect(line(true, 0)).toMatch(
    /^40 questions a day\. The next ones at \d+:\d\d; until then you see what was said about it\.$/,
  )
  expect(line(false, null)).toBe(
    'This server has no language model, so it shows what was said about it.',
  )
})
