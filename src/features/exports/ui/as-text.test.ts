import { describe, expect, test } from 'vitest'

import { toPlainText } from '../plain-text.ts'
import { resultsAsText, transcriptAsText } from './as-text.ts'
import { keptTextChoice } from './text-choice.ts'

const turn = (speaker: number | null, start: number, text: string) => ({
  id: String(start),
  position: start,
  revision: 0,
  speaker,
  start,
  end: start + 1,
  text,
  isEdited: false,
  words: [],
})
const spoken = {
  speakers: [
    { speaker: 0, label: 'Speaker A', name: 'Ada <3', talkTime: 2 },
    { speaker: 1, label: 'Speaker B', name: null, talkTime: 1 },
  ],
  turns: [turn(0, 0, 'Welcome back. '), turn(1, 14, ''), turn(1, 74, 'By saying yes & no.')],
}

describe('a copied text', () => {
  test('says who spoke, and when where that is wanted', () => {
    const { plain, html } = transcriptAsText(spoken, { names: true, times: false })
    expect(plain).toBe('Ada <3\nWelcome back.\n\nSpeaker B\nBy saying yes & no.')
    expect(html).toBe(
      '<p dir="auto"><strong>Ada &lt;3</strong><br>Welcome back.</p>\n<p dir="auto"><strong>Speaker B</strong><br>By saying yes &amp; no.</p>',
    )
    expect(transcriptAsText(spoken, { names: true, times: true }).plain).toBe(
      '[00:00:00] Ada <3\nWelcome back.\n\n[00:01:14] Speaker B\nBy saying yes & no.',
    )
    const said = spoken.turns
      .filter(({ text }) => text !== '')
      .map((one) => ({ ...one, startMs: one.start * 1000, endMs: one.end * 1000 }))
    for (const names of [true, false])
      for (const times of [true, false])
        expect(`${transcriptAsText(spoken, { names, times }).plain}\n`).toBe(
          toPlainText(said, new Map([[0, 'Ada <3']]), { speakers: names, times }),
        )
    expect(transcriptAsText(spoken, { names: false, times: false }).plain).toBe(
      'Welcome back.\n\nBy saying yes & no.',
    )
  })

  test('names nobody where voices were not told apart', () => {
    const apart = { speakers: [], turns: [turn(null, 0, 'Hello there.')] }
    const { plain } = transcriptAsText(apart, { names: true, times: false })
    expect(plain).toBe('Hello there.')
  })

  test('has names and no times until somebody chooses otherwise', () => {
    expect(keptTextChoice(null)).toEqual({ names: true, times: false })
    expect(keptTextChoice('times')).toEqual({ names: false, times: true })
    expect(keptTextChoice('')).toEqual({ names: false, times: false })
  })
})

test('a shared text has the name and the text, and the summary when there is one', () => {
  const result = {
    originalName: 'a.mp3',
    summary: null,
    keyPoints: [],
    keyPointTimes: [],
    actionItems: [],
    topics: [],
    summaryNote: null,
  }
  const choice = { names: true, times: false }
  const text = 'Ada <3\nWelcome back.\n\nSpeaker B\nBy saying yes & no.'
  expect(resultsAsText(result, spoken, choice)).toBe(`a.mp3\n\n${text}`)
  expect(resultsAsText({ ...result, summary: 'A greeting.' }, spoken, choice)).toBe(
    `a.mp3\n\n${text}\n\nA greeting.`,
  )
})
