import { expect, test } from 'vitest'

import { actionsHeading, actionsNote, taskLine } from './action-text.ts'

const item = { text: 'send the list', who: 'Ada', due: null, dueDate: null, at: 41, isDone: false }

test.each([
  [item, '- [ ] Ada: send the list (0:41)'],
  [{ ...item, due: 'by Friday' }, '- [ ] Ada: send the list (by Friday, 0:41)'],
  [
    { ...item, due: 'by Friday', dueDate: '2026-11-27' },
    '- [ ] Ada: send the list (by Friday, Nov 27, 2026, 0:41)',
  ],
  [
    { ...item, text: 'I’ll send it by Friday.', due: 'by Friday' },
    '- [ ] Ada: I’ll send it by Friday. (0:41)',
  ],
  [{ ...item, who: null, at: null, isDone: true }, '- [x] send the list'],
])('a task in a list: %j', (task, line) => {
  expect(taskLine(task)).toBe(line)
})

test('sentences are called what they are, and what a model or a person wrote is not', () => {
  const sentence = { isSentence: true, isOwn: false }
  expect(actionsHeading([sentence])).toBe(
    'Action items: sentences that promise or ask for something',
  )
  expect(actionsNote([sentence, { isSentence: false, isOwn: true }])).toBe(
    'Sentences that promise or ask for something.',
  )
  expect(actionsHeading([{ isSentence: false, isOwn: false }])).toBe('Action items')
  expect(actionsNote([{ isSentence: false, isOwn: true }])).toBeNull()
})
