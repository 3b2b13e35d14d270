import { describe, expect, test } from 'vitest'

import { noteWithModel, summaryAsText } from './summary-text.ts'

const nothing = {
  summary: null,
  keyPoints: [],
  keyPointTimes: [],
  actionItems: [],
  topics: [],
  summaryNote: null,
}

describe('a summary as text', () => {
  test('has the summary, key points with their place, topics, and how it was made', () => {
    expect(
      summaryAsText({
        summary: 'The team looks back.\n',
        keyPoints: ['Retention recovered.', 'One link was broken.'],
        keyPointTimes: [14.2, null],
        actionItems: [],
        topics: ['Retention'],
        summaryNote: 'Sentences taken from this transcript.',
      }),
    ).toBe(
      'The team looks back.\n\nKey points\n- Retention recovered. (0:14)\n- One link was broken.\n\nTopics covered\n- Retention\n\nSentences taken from this transcript.',
    )
  })

  test.each([
    [
      'Sentences taken from this transcript. No language model is set up on this server.',
      'Sentences taken from this transcript.',
    ],
    [
      'Sentences taken from this transcript, in its own language (English). The language model of this server gave no usable answer, so it could not be written in German.',
      'Sentences taken from this transcript, in its own language (English).',
    ],
    ['Written by a model.', 'Written by a model.'],
  ])('says how it was made, and not what the server lacks: %s', (summaryNote, said) => {
    expect(summaryAsText({ ...nothing, summary: 'All is well.', summaryNote })).toBe(
      `All is well.\n\n${said}`,
    )
  })

  test('says that its owner has changed it', () => {
    const written = { ...nothing, summary: 'All is well.', summaryNote: 'Written by a model.' }
    expect(summaryAsText({ ...written, summaryChanged: ['summary'] })).toBe(
      'All is well.\n\nWritten by a model. Changed since.',
    )
  })

  test('is empty when nothing was summarized, whatever is said about how', () => {
    expect(summaryAsText(nothing)).toBe('')
    expect(summaryAsText({ ...nothing, summaryNote: 'Made by nobody.' })).toBe('')
  })
})

test('once there is a language model, the note says that there was none', () => {
  const note =
    'Sentences taken from this transcript, in its own language (English). No language model is set up on this server, so it could not be written in German.'
  expect(noteWithModel(note)).toBe(
    'Sentences taken from this transcript, in its own language (English). Written without a language model.',
  )
})
