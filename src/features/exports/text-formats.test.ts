import { expect, test } from 'vitest'

import type { Turn } from '#features/speech/contract.ts'
import { headingsOf, toPlainText } from './plain-text.ts'
import { toCsv, toJson, toMarkdown } from './text-formats.ts'

const turn = (speaker: number | null, startMs: number, text: string): Turn => ({
  speaker,
  startMs,
  endMs: startMs + 1000,
  text,
  words: [{ text, startMs, endMs: startMs + 1000, confidence: 0.98765 }],
})
const described = {
  title: 'Q3_review.mp3',
  language: 'en',
  durationMs: 71_680,
  engine: 'pocketsphinx',
}
const said = [
  turn(0, 300, 'We begin.'),
  turn(null, 61_999, 'Inaudible.'),
  turn(1, 3_723_000, '1. *Then* we <go>.'),
]

test('plain text says when, who and what', () => {
  expect(toPlainText(said, new Map([[1, 'Maria Lopez']]))).toBe(
    '[00:00:00] Speaker A\nWe begin.\n\n[00:01:01] Inaudible.\n\n[01:02:03] Maria Lopez\n1. *Then* we <go>.\n',
  )
})

test('the only voice of a recording is not named', () => {
  expect(toPlainText([turn(0, 0, 'We begin.'), turn(0, 2000, 'We end.')])).toBe(
    '[00:00:00] We begin.\n\n[00:00:02] We end.\n',
  )
  expect(toPlainText([])).toBe('')
})

test('Markdown shows what was said, whatever signs are in it', () => {
  expect(toMarkdown(said, described)).toBe(
    [
      '# Q3\\_review.mp3',
      'English · 1:11 · written by the embedded engine',
      '**Speaker A** [00:00:00]',
      'We begin.',
      '[00:01:01] Inaudible.',
      '**Speaker B** [01:02:03]',
      '1\\. \\*Then\\* we \\<go\\>.\n',
    ].join('\n\n'),
  )
})

test('JSON has seconds, words with confidence, and null for who is not known', () => {
  const json = toJson(said, described)
  expect(json.endsWith('}\n')).toBe(true)
  expect(json.trimEnd()).not.toContain('\n')
  expect(JSON.parse(json)).toEqual({
    title: 'Q3_review.mp3',
    language: 'en',
    duration: 71.68,
    engine: 'pocketsphinx',
    speakers: ['Speaker A', 'Speaker B'],
    timing: 'recognized',
    text: 'We begin. Inaudible. 1. *Then* we <go>.',
    turns: [
      {
        start: 0.3,
        end: 1.3,
        speaker: 'Speaker A',
        text: 'We begin.',
        words: [{ text: 'We begin.', start: 0.3, end: 1.3, confidence: 0.988 }],
      },
      expect.objectContaining({ start: 61.999, end: 62.999, speaker: null }),
      expect.objectContaining({ start: 3723, end: 3724, speaker: 'Speaker B' }),
    ],
  })
})

test('JSON never has more than three decimals', () => {
  const json = toJson([turn(0, 1001.0004, 'x')], { ...described, durationMs: 33_333.333 })
  expect(json).not.toMatch(/\d\.\d{4}/)
  expect(json).toContain('"start":1.001')
})

test('times and speakers can be left out, and the text stays', () => {
  const times = false
  const speakers = false
  expect(toPlainText(said, undefined, { times, speakers })).toBe(
    'We begin.\n\nInaudible.\n\n1. *Then* we <go>.\n',
  )
  expect(toPlainText(said, undefined, { times })).toMatch(/^Speaker A\nWe begin\.\n/)
  expect(toMarkdown(said, { ...described, times, speakers })).not.toMatch(/Speaker|\[00:/)
  expect(toJson(said, { ...described, speakers })).not.toContain('peaker')
})

test('sections stand ahead of the transcript, under headings of their own', () => {
  const before = [{ heading: 'Topics', lines: ['# one', 'two'], isList: true }]
  expect(toMarkdown(said, { ...described, engine: null, before })).toContain(
    'English · 1:11\n\n## Topics\n\n- \\# one\n- two\n\n## Transcript\n\n**Speaker A**',
  )
})

test('a spreadsheet gets one line for each turn, and no formula', () => {
  const formulas = ['=1+1', '＋1', '-1', '@x', 'say "no", twice\nand again']
  const csv = toCsv(formulas.map((text, index) => turn(index % 2, index * 1500, text)))
  expect(csv.split('\r\n')).toEqual([
    '\ufeffstart,end,speaker,text',
    `0,1,"Speaker A","'=1+1"`,
    `1.5,2.5,"Speaker B","'＋1"`,
    `3,4,"Speaker A","'-1"`,
    `4.5,5.5,"Speaker B","'@x"`,
    '6,7,"Speaker A","say ""no"", twice and again"',
    '',
  ])
  expect(toCsv(said, undefined, { speakers: false }).split('\r\n')[0]).toBe('\ufeffstart,end,text')
})

test('a chapter stands ahead of the turn that holds its beginning, as on the page', () => {
  const turns = [0, 60_000, 120_000].map((startMs) => ({ startMs, endMs: startMs + 50_000 }))
  const at = (...startsMs: number[]) => {
    const of = headingsOf(
      turns,
      startsMs.map((startMs) => ({ startMs })),
    )
    return turns.map((_, turn) => of(turn).map(({ startMs }) => startMs))
  }
  expect(at(0, 60_000)).toEqual([[0], [60_000], []])
  expect(at(40_000, 55_000, 109_500)).toEqual([[40_000], [55_000], [109_500]])
  expect(at(95_000, 500_000)).toEqual([[], [95_000], [500_000]])
  expect(headingsOf([], [{ startMs: 0 }])(0)).toEqual([])
})
