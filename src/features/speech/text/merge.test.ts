import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { SpeakerTurn } from '../contract.ts'
import type { Word } from '../engines/engine.ts'
import { inTurns, merge } from './merge.ts'

const word = (text: string, startMs: number, endMs: number): Word => ({
  text,
  startMs,
  endMs,
  confidence: 0.9,
})
const turn = (speaker: number, startMs: number, endMs: number) => ({ speaker, startMs, endMs })
const whole = [{ startMs: 0, endMs: 1_000_000 }]
const said = (words: Word[], speakers: SpeakerTurn[], regions = whole) =>
  merge({ words, speakers, regions, hasPunctuation: false }).map(
    ({ speaker, text }) => `${speaker}: ${text}`,
  )

test('each word goes to the speaker whose turn it overlaps most', () => {
  const words = [word('good', 0, 400), word('morning', 400, 900), word('hello', 950, 1400)]
  expect(said(words, [turn(0, 0, 880), turn(1, 880, 1500)])).toEqual([
    '0: Good morning.',
    '1: Hello.',
  ])
})

test('who begins and ends while somebody goes on takes nothing of what that one says next', () => {
  const words = [word('we', 0, 900), word('all', 1500, 2300), word('went', 3000, 3300)]
  const turns = [turn(0, 0, 4000), turn(1, 1600, 2200), turn(2, 3700, 6000)]
  expect(said(words, turns)).toEqual(['0: We all went.'])
})

test('a word outside all turns goes to a near one, else to whoever spoke before', () => {
  const words = [word('yes', 0, 300), word('sure', 1600, 1900), word('maybe', 5000, 5300)]
  expect(said(words, [turn(0, 0, 400), turn(1, 2200, 2600)])).toEqual([
    '0: Yes.',
    '1: Sure.',
    '1: Maybe.',
  ])
})

test('without speakers there is one voice that nobody could tell apart', () => {
  expect(said([word('hello', 0, 300)], [])).toEqual(['null: Hello.'])
})

test('words of a script without spaces are put together without any', () => {
  const words = ['今日', 'は', '良い', 'AI', 'です'].map((text, index) =>
    word(text, index * 300, index * 300 + 250),
  )
  const turns = merge({ words, speakers: [], regions: whole, hasPunctuation: true })
  expect(turns.map(({ text }) => text)).toEqual(['今日は良い AI です'])
})

test('a single word inside the speech of another is a slip of the diarization', () => {
  const words = [word('this', 0, 200), word('is', 200, 400), word('fine', 400, 600)]
  const speakers = [turn(0, 0, 200), turn(1, 200, 400), turn(0, 400, 600)]
  expect(said(words, speakers)).toEqual(['0: This is fine.'])
})

test('a single word between pauses is a reply', () => {
  const words = [word('ready', 0, 400), word('yes', 700, 900), word('good', 1200, 1500)]
  const speakers = [turn(0, 0, 450), turn(1, 650, 950), turn(0, 1150, 1500)]
  const regions = [
    { startMs: 0, endMs: 420 },
    { startMs: 680, endMs: 920 },
    { startMs: 1180, endMs: 1500 },
  ]
  expect(said(words, speakers, regions)).toEqual(['0: Ready.', '1: Yes.', '0: Good.'])
})

test('a change of speaker moves to a pause close by', () => {
  const words = [
    word('are', 0, 200),
    word('you', 200, 400),
    word('there', 400, 700),
    word('yes', 950, 1100),
    word('i', 1100, 1200),
    word('am', 1200, 1400),
  ]
  // The diarization is one word late.
  expect(said(words, [turn(0, 0, 1100), turn(1, 1100, 1400)])).toEqual([
    '0: Are you there.',
    '1: Yes I am.',
  ])
})

test('a pause of more than a second begins a new turn', () => {
  const words = [word('first', 0, 300), word('second', 1301, 1600), word('third', 2600, 2900)]
  expect(said(words, [turn(0, 0, 2900)])).toEqual(['0: First.', '0: Second third.'])
})

test('a long turn is cut at the longest pause between its sentences', () => {
  const words = Array.from({ length: 60 }, (_, index) => {
    const startMs = index * 250 + (index >= 35 ? 700 : 0) + (index >= 10 ? 500 : 0)
    return word('tree', startMs, startMs + 250)
  })
  const turns = merge({
    words,
    speakers: [turn(0, 0, 20_000)],
    regions: whole,
    hasPunctuation: false,
  })
  expect(turns.map(({ words }) => words.length)).toEqual([35, 25])
  expect(turns[0]!.text.endsWith('.')).toBe(true)
})

test('punctuation of an engine that has it is left alone', () => {
  const words = [word('Hello,', 0, 300), word('iPhone', 300, 600), word('users!', 1000, 1300)]
  const [only] = merge({ words, speakers: [], regions: whole, hasPunctuation: true })
  expect(only?.text).toBe('Hello, iPhone users!')
})

test('no word is lost, doubled or moved, no turn has two speakers, and voices count from 0', () => {
  const someWords = fc
    .array(
      fc.record({
        pause: fc.integer({ min: 0, max: 3000 }),
        length: fc.integer({ min: 0, max: 900 }),
      }),
      {
        maxLength: 80,
      },
    )
    .map((parts) => {
      let at = 0
      return parts.map(({ pause, length }, index) => {
        const startMs = at + pause
        at = startMs + length
        return word(`w${index}`, startMs, at)
      })
    })
  const someTurns = fc
    .array(
      fc.record({
        gap: fc.integer({ min: 0, max: 2000 }),
        length: fc.integer({ min: 1, max: 8000 }),
        speaker: fc.nat(3),
      }),
      { maxLength: 30 },
    )
    .map((parts) => {
      let at = 0
      return parts.map(({ gap, length, speaker }) => {
        const startMs = at + gap
        at = startMs + length
        return turn(speaker, startMs, at)
      })
    })
  fc.assert(
    fc.property(someWords, someTurns, (words, speakers) => {
      const turns = merge({ words, speakers, regions: whole, hasPunctuation: false })
      const letters = (text: string) => text.toLowerCase().replace('.', '')
      expect(
        turns.flatMap((one) => one.words.map((w) => ({ ...w, text: letters(w.text) }))),
      ).toEqual(words)
      for (const one of turns) {
        expect(one.text).toBe(one.words.map(({ text }) => text).join(' '))
        expect(one.startMs).toBe(one.words[0]!.startMs)
        expect(one.endMs).toBe(Math.max(...one.words.map(({ endMs }) => endMs)))
      }

      // Voices are numbered by first speech, without gaps, and stay the voices that they were.
      const voices = inTurns({ words, speakers, regions: whole, hasPunctuation: false })
      const heard = [...new Set(voices.flatMap(({ speaker }) => speaker ?? []))]
      expect(heard).toEqual(heard.map((_, index) => index))
      const pairs = new Set(voices.map(({ speaker }, at) => `${speaker} ${turns[at]?.speaker}`))
      expect(pairs.size).toBe(new Set(turns.map(({ speaker }) => speaker)).size)
      expect(voices.map(({ text }) => text)).toEqual(turns.map(({ text }) => text))
    }),
  )
})

/** Words of 300 ms each, `|` where the voice changes, `_` for a second of silence. */
function written(text: string) {
  const words: Word[] = []
  const speakers: SpeakerTurn[] = []
  let [atMs, speaker] = [0, 0]
  for (const part of text.split(' ')) {
    if (part === '_') atMs += 1000
    else if (part === '|') speaker = 1 - speaker
    else {
      words.push(word(part, atMs, atMs + 280))
      speakers.push(turn(speaker, atMs, atMs + 280))
      atMs += 300
    }
  }
  return merge({ words, speakers, regions: whole, hasPunctuation: true }).map(
    ({ speaker: by, text: read }) => `${by}: ${read}`,
  )
}

test.each([
  [
    'moves forward to the end of the sentence',
    'A thin stripe runs down the | middle. Had he married again?',
    ['0: A thin stripe runs down the middle.', '1: Had he married again?'],
  ],
  [
    'moves back to the end of the sentence',
    'He told us so. Had he | married again that year?',
    ['0: He told us so.', '1: Had he married again that year?'],
  ],
  [
    'stays where both say much of a sentence',
    'I always thought we should go | and then you never did it at all.',
    ['0: I always thought we should go', '1: and then you never did it at all.'],
  ],
  [
    'stays where somebody is interrupted and there is silence',
    'I think _ | okay so what do we do about that?',
    ['0: I think.', '1: Okay so what do we do about that?'],
  ],
])('a change of voice %s', (_, text, turns) => {
  expect(written(text)).toEqual(turns)
})

test('one voice gets no single word in the middle of the sentence of another', () => {
  expect(written('He said that he had done it | himself. | And then we went home.')).toEqual([
    '0: He said that he had done it himself. And then we went home.',
  ])
  expect(written('Are you coming with us? | Yes. | Good, then let us go.')).toEqual([
    '0: Are you coming with us?',
    '1: Yes.',
    '0: Good, then let us go.',
  ])
})

test('a paragraph begins at the end of a sentence, or after a very long pause', () => {
  expect(written('So what I meant _ was this. _ And that.')).toEqual([
    '0: So what I meant was this.',
    '0: And that.',
  ])
  expect(written('So what I meant _ _ _ _ was this.')).toEqual([
    '0: So what I meant',
    '0: was this.',
  ])
  expect(written('I met Dr. _ Smith here.')).toEqual(['0: I met Dr. Smith here.'])
})

test('in place of what was said in another language stands one mark for each voice', () => {
  const other = (startMs: number): Word => ({
    ...word('made', startMs, startMs + 900),
    isOther: true,
  })
  const words = [
    word('Good', 0, 400),
    word('morning.', 400, 900),
    ...[1000, 2000, 6000, 7000].map(other),
    ...[9000, 10_000].map(other),
    word('so', 11_000, 11_400),
    word('now.', 11_400, 12_000),
  ]
  const speakers = [turn(0, 0, 8000), turn(1, 8500, 12_500)]
  const turns = inTurns({ words, speakers, regions: whole, hasPunctuation: true })
  expect(turns.map(({ speaker, startMs, endMs, text }) => [speaker, startMs, endMs, text])).toEqual(
    [
      [0, 0, 900, 'Good morning.'],
      [0, 1000, 7900, '[another language]'],
      [1, 9000, 10_900, '[another language]'],
      [1, 11_000, 12_000, 'So now.'],
    ],
  )
  // Captions show it for a moment, and nobody is asked whether it is right.
  expect(turns[1]?.words).toEqual([
    { text: '[another', startMs: 1000, endMs: 2500, confidence: null },
    { text: 'language]', startMs: 2500, endMs: 4000, confidence: null },
  ])
})

test('where the voice changes at a pause, a sentence ends and another begins', () => {
  const spoken = (pauseMs: number, texts: readonly string[]) => {
    const words = texts.map((text, index) => {
      const startMs = index * 400 + (index >= 5 ? pauseMs : 0)
      return word(text, startMs, startMs + 390)
    })
    const speakers = [turn(0, 0, 2000), turn(1, 2000 + pauseMs, 9000)]
    return merge({ words, speakers, regions: whole, hasPunctuation: true }).map(({ text }) => text)
  }
  const asked = ['I', 'think', 'that', 'is', 'right,', 'so', 'then', 'let', 'us', 'go.']
  expect(spoken(600, asked)).toEqual(['I think that is right.', 'So then let us go.'])
  expect(spoken(0, asked)).toEqual(['I think that is right,', 'so then let us go.'])
  const dated = ['I', 'think', 'it', 'is', 'an', 'iPhone', 'of', 'the', '20th', 'May.']
  expect(spoken(600, dated)).toEqual(['I think it is an.', 'iPhone of the 20th May.'])
  const inGreek = [
    'Τι',
    'κάνεις',
    'σήμερα',
    'εσύ,',
    'φίλε;',
    'καλά,',
    'είμαι',
    'πολύ',
    'καλά',
    'εγώ.',
  ]
  expect(spoken(600, inGreek)).toEqual([
    'Τι κάνεις σήμερα εσύ, φίλε;',
    'Καλά, είμαι πολύ καλά εγώ.',
  ])
  const unmarked = ['今日', 'は', '良い', '天気', 'です', 'はい', 'そう', 'です', 'ね', 'ええ']
  expect(spoken(600, unmarked)).toEqual(['今日は良い天気です', 'はいそうですねええ'])
})
