import { expect, test } from 'vitest'

import { summaryLanguageCodes } from '#shared/business.ts'

import { type DocumentOrder, type WritingTurn, documentKinds } from './contract.ts'
import { gather } from './extractive.ts'
import { phraseLanguages, phrasesOf } from './phrases.ts'
import { countWords } from './plain.ts'
import { fillIn } from './templates.ts'

const said: [speaker: string, text: string][] = [
  ['Ada', 'Last month we decided to raise the price, and this morning three people asked me why.'],
  ['Ben', 'I was at that meeting, and I remember everything except the reason for the price.'],
  ['Ada', 'Did anybody write it down?'],
  ['Ben', 'I made some notes on paper, and then I left the paper on the train to Leeds.'],
  ['Ada', 'A piece of paper is not enough for a company of forty people.'],
  ['Ben', 'We should record every meeting and keep the text, so that everybody can find it later.'],
  ['Ada', 'We have to ask people before we record a meeting.'],
  ['Ben', 'I will write the rules for recordings by Friday.'],
  ['Ada', 'How much does the storage of the recordings cost?'],
]
const turns: WritingTurn[] = said.map(([speaker, text], index) => ({
  speaker,
  startMs: index * 8_000,
  endMs: index * 8_000 + 7_000,
  text,
}))
const aboutRecordings = [
  'The recordings of the last quarter fill one disk, and the storage in Leeds is full.',
  'For the next quarter the recordings need another disk of the same size, and somebody to label them.',
].map((text, at) => ({
  speaker: 'Ada',
  startMs: 72_000 + at * 8_000,
  endMs: 79_000 + at * 8_000,
  text,
}))

const orderOf = (
  kind: DocumentOrder['kind'],
  more: Partial<DocumentOrder> = {},
): DocumentOrder => ({
  kind,
  withImages: false,
  turns,
  language: 'en',
  requestedLanguage: 'en',
  name: 'price.m4a',
  recordedOn: '2026-11-20',
  durationMs: 72_000,
  ...more,
})
const made = (kind: DocumentOrder['kind'], more: Partial<DocumentOrder> = {}) => {
  const order = orderOf(kind, more)
  return fillIn(order, gather({ turns: order.turns, language: 'en' }))!
}

test.each(documentKinds.map((kind) => [kind.id, kind.maxWords] as const))(
  '%s: names, times and sentences as they were said, within its bounds',
  (kind, maxWords) => {
    const { content, wordCount, title } = made(kind)
    expect(wordCount).toBe(countWords(content))
    expect(wordCount).toBeLessThanOrEqual(maxWords)
    expect(wordCount).toBeGreaterThan(30)
    expect(title).not.toBe('')
    expect(content).not.toContain('undefined')
    const spoken = turns.map(({ text }) => text.toLowerCase()).join(' ')
    const quotes = [...content.matchAll(/“([^”]+)”/g)].map(([, quote = '']) => quote.toLowerCase())
    for (const quote of quotes) expect(spoken).toContain(quote.replace(/…$/, ''))
  },
)

test('no section has half a question, a day in the place of a figure, or a fragment that stands out', () => {
  const talk: [string, string][] = [
    ...said,
    ['Ada', 'What the storage of the recordings is.'],
    ['Ben', 'The meeting about the price of the recordings is on Monday.'],
    ['Ada', 'The notes of the meeting cost us forty pounds in the end.'],
    ['Ben', 'Because of the price and the paper of the meeting and the'],
  ]
  const spoken = talk.map(([speaker, text], index) => ({
    speaker,
    startMs: index * 8_000,
    endMs: index * 8_000 + 7_000,
    text,
  }))
  const { content: minutes } = made('meeting-minutes', { turns: spoken })
  expect(minutes).toContain('How much does the storage of the recordings cost?')
  expect(minutes.split('## Open questions')[1]).not.toContain('recordings is.')
  const { content: brief } = made('marketing-brief', { turns: spoken })
  const [, numbers = ''] = brief.split('## Facts and numbers')
  expect(numbers.split('##')[0]).toContain('forty people')
  expect(numbers.split('##')[0]).not.toContain('on Monday')
  for (const kind of ['article', 'social-posts', 'key-insights'] as const)
    expect(made(kind, { turns: spoken }).content).not.toMatch(/[*“][^*”]*meeting and the/)
})

/** A conversation, half of it pieces of sentences about its main topic. */
const brokenTalk: [speaker: string, text: string][] = said.flatMap(([speaker, text], index) => [
  [speaker, text],
  [speaker, `Because of the price, the paper and the meeting number ${index} of the.`],
  [speaker, `The notes of the recordings for the meeting on Monday ${index} and the.`],
])

test.each(documentKinds.map(({ id }) => id))(
  '%s: of a talk, it has whole sentences alone, and no section that is empty',
  (kind) => {
    const spoken = brokenTalk.map(([speaker, text], index) => ({
      speaker,
      startMs: index * 8_000,
      endMs: index * 8_000 + 7_000,
      text,
    }))
    const { content } = made(kind, { turns: spoken, withImages: true })
    expect(content).not.toMatch(/(?:of|and) the(?:[.”*]|$)/m)
    expect(content).not.toMatch(/^#+ .*\n+(?=#|$(?!\n))/m)
    expect(content).not.toMatch(/:\n\n(?:##|Please)/)
    expect(content).not.toContain('## In short')
  },
)

test.each(documentKinds.map(({ id }) => id))(
  '%s: of one voice, it has whole sentences alone too',
  (kind) => {
    const alone = brokenTalk.map(([, text], index) => ({
      speaker: 'Ada',
      startMs: index * 8_000,
      endMs: index * 8_000 + 7_000,
      text,
    }))
    const { content } = made(kind, { turns: alone, withImages: true })
    expect(content).not.toMatch(/(?:of|and) the(?:[.”*]|$)/m)
  },
)

test('a mail about nothing but next steps has them under the words that lead to them', () => {
  const steps = said.map(([speaker], index) => ({
    speaker,
    startMs: index * 8_000,
    endMs: index * 8_000 + 7_000,
    text: `I will send the notes of meeting number ${index + 20} to the office by Friday.`,
  }))
  const { content } = made('follow-up-email', { turns: steps })
  expect(content).toMatch(/as they were said:\n\n- \*\*/)
})

test('headings without a sentence are no document', () => {
  const fragments = said.map(([, text], index) => ({
    speaker: null,
    startMs: index * 8_000,
    endMs: index * 8_000 + 7_000,
    text: text.replace(/[.?]$/, ' of the'),
  }))
  const order = orderOf('social-posts', { turns: fragments })
  expect(fillIn(order, gather({ turns: fragments, language: 'en' }))).toBeNull()
})

test.each(documentKinds.map(({ id }) => id))(
  '%s: each sentence stands in it once, of a talk and of one voice',
  (kind) => {
    for (const name of ['Ben', 'Ada']) {
      const talk = [...turns, ...aboutRecordings].map((turn) =>
        turn.speaker === 'Ben' ? { ...turn, speaker: name } : turn,
      )
      const { content } = made(kind, { turns: talk })
      const twice = talk
        .map(({ text }) => text.replace(/\.$/, ''))
        .filter((text) => content.split(text).length > 2)
      expect(twice).toEqual([])
    }
  },
)

test('minutes list what was decided and promised under that heading, and no wishes', () => {
  const { content } = made('meeting-minutes', {
    turns: [
      ...turns,
      ...['We will not ask the customers for more money this year.', 'Good.'].map((text, at) => ({
        speaker: at === 0 ? 'Ada' : 'Ben',
        startMs: 72_000 + at * 8_000,
        endMs: 79_000 + at * 8_000,
        text,
      })),
    ],
  })
  const [, steps = ''] = content.split('## Decisions and next steps')
  expect(steps.split('##')[0]?.trim()).toBe(
    '- **Ben** (0:56): I will write the rules for recordings by Friday.\n' +
      '- **Ada** (1:12): We will not ask the customers for more money this year.',
  )
})

test('minutes say by when a task is to be done where only its promise says so', () => {
  const asked = [
    ['Ada', 'Ben, can you make a list of the oldest recordings?'],
    ['Ben', "Yes, I'll make the list by Thursday."],
  ] as const
  const { content } = made('meeting-minutes', {
    turns: [
      ...turns,
      ...asked.map(([speaker, text], at) => ({
        speaker,
        startMs: 72_000 + at * 8_000,
        endMs: 79_000 + at * 8_000,
        text,
      })),
    ],
  })
  expect(content).toContain(
    '- **Ben** (1:12): Ben, can you make a list of the oldest recordings? (by Thursday)',
  )
})

test('a question that was answered, or that points back, is not an open one', () => {
  const { content } = made('meeting-minutes', { turns: [...turns, ...aboutRecordings] })
  expect(content).not.toContain('## Open questions')
  expect(made('meeting-minutes').content).not.toContain('Did anybody write it down?')
})

test('minutes list tasks and open questions, with people and days', () => {
  const { content, title } = made('meeting-minutes')
  expect(title).toBe('Minutes: price')
  const [, steps = ''] = content.split('## Decisions and next steps')
  expect(steps).toContain('**Ben** (0:56): I will write the rules for recordings by Friday.')
  const [, open = ''] = content.split('## Open questions')
  expect(open).toContain('How much does the storage of the recordings cost?')
  expect(content).toMatch(/\*\*Ada\*\*: \d+% of the talking/)
})

test('show notes say what it is about, and have its moments in order, with times', () => {
  const { content, title } = made('show-notes')
  expect(title).toMatch(/^Show notes: /)
  expect(content).toMatch(/^\*\*.+\*\*$/m)
  const [, rest = ''] = content.split('## What was said')
  const times = [...(rest.split('##')[0] ?? '').matchAll(/\((\d+):(\d\d)\)/g)].map(
    ([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds),
  )
  expect(times.length).toBeGreaterThan(2)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

test('an email is addressed, closed, and left to be signed', () => {
  const { content } = made('follow-up-email')
  expect(content).toMatch(/^Hello,/)
  expect(content).toContain('the conversation on Nov 20, 2026.')
  expect(content).toMatch(/\[Your name\]$/)
})

test('a document of a recording whose day nobody knows names none', () => {
  const { content } = made('follow-up-email', { recordedOn: undefined })
  expect(content).toContain('thank you for the conversation. ')
  expect(content).not.toContain('2026')
  expect(made('meeting-minutes', { recordedOn: undefined }).content).not.toContain('2026')
})

test('no post is longer than 280 characters', () => {
  const { content } = made('social-posts')
  const posts = content.split(/## Post \d+\n\n/).slice(1)
  expect(posts.length).toBeGreaterThanOrEqual(3)
  for (const post of posts) expect(post.trim().length).toBeLessThanOrEqual(280)
})

test('pictures are suggested where they are asked for', () => {
  const more = { turns: [...turns, ...aboutRecordings] }
  expect(made('article', { ...more, withImages: true }).content).toContain('## Image suggestions')
  expect(made('article', more).content).not.toContain('## Image suggestions')
})

test('one speaker is not named on every line', () => {
  const alone = turns.map((turn) => ({ ...turn, speaker: 'Ada' }))
  expect(made('structured-notes', { turns: alone }).content).not.toContain('**Ada** (')
})

test('an hour of speech makes no longer document than its type allows', () => {
  const hour = Array.from({ length: 40 }, (_, round) =>
    turns.map((turn) => ({
      ...turn,
      startMs: turn.startMs + round * 90_000,
      endMs: turn.endMs + round * 90_000,
      text: turn.text.replace('price', `price of part ${round}`),
    })),
  ).flat()
  const material = gather({ turns: hour, language: 'en' })
  const contents = documentKinds.map(({ id, maxWords }) => {
    const order = orderOf(id, { turns: hour, withImages: true, durationMs: 3_600_000 })
    const { content, wordCount } = fillIn(order, material)!
    expect(wordCount).toBeLessThanOrEqual(maxWords)
    return content
  })
  // The sentences are cut, never the signature.
  expect(contents.filter((content) => content.includes('[Your name]'))).toHaveLength(1)
})

test('where next to nothing was said there is no document', () => {
  const little = [{ speaker: 'Ada', startMs: 0, endMs: 900, text: 'Hello, good morning.' }]
  expect(
    fillIn(orderOf('article', { turns: little }), gather({ turns: little, language: 'en' })),
  ).toBeNull()
  expect(
    fillIn(orderOf('article', { turns: [] }), gather({ turns: [], language: 'en' })),
  ).toBeNull()
})

const spokenLanguages = summaryLanguageCodes.filter((code) => code !== 'auto')
const bridge: Partial<Record<string, string>> = {
  de: 'Die Brücke wird bis Oktober repariert und bleibt geschlossen. Die Fähre fährt alle zehn Minuten, weil die Brücke geschlossen ist. Wir werden die Kosten der Reparatur bis Freitag prüfen. Wie viel kostet die Fähre?',
  fr: 'Le pont reste fermé jusqu’en octobre parce qu’on le répare. Le bac passe toutes les dix minutes tant que le pont est fermé. Nous devons vérifier le prix du bac avant vendredi. Combien coûte le bac en octobre ?',
  ja: '橋は十月まで修理のため閉鎖されます。橋が閉まっている間、渡し船は十分ごとに出ます。金曜日までに修理の費用を確認することに決定します。渡し船の料金はいくらですか。',
}

test.each(spokenLanguages)('every title, heading and line of a document stands in %s', (code) => {
  expect(phraseLanguages).toContain(code)
  const own = Object.values(phrasesOf(code))
  expect(own.filter((text) => text.trim() === '')).toEqual([])
  if (code === 'en') return
  // "Notes" and "Questions" are French words too. Any other English heading was not translated.
  const english = new Set(Object.values(phrasesOf('en')))
  expect(own.filter((text) => english.has(text)).length).toBeLessThanOrEqual(3)
  const script: Partial<Record<string, RegExp>> = {
    ar: /\p{Script=Arabic}/u,
    ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
    ko: /\p{Script=Hangul}/u,
    ru: /\p{Script=Cyrillic}/u,
    zh: /\p{Script=Han}/u,
  }
  expect(own.filter((text) => !(script[code] ?? /\p{Script=Latin}/u).test(text))).toEqual([])
})

test.each(documentKinds.map(({ id }) => id))(
  '%s: German speech has German words around it',
  (id) => {
    const text = bridge['de'] ?? ''
    const spoken = [
      { speaker: 'Ada', startMs: 0, endMs: 40_000, text },
      {
        speaker: 'Ben',
        startMs: 40_000,
        endMs: 60_000,
        text: 'Die Reparatur der Brücke dauert sechs Monate länger als geplant.',
      },
    ]
    const order = orderOf(id, { turns: spoken, language: 'de' })
    const { title, content } = fillIn(order, gather({ turns: spoken, language: 'de' }))!
    expect(`${title}\n${content}`).not.toMatch(
      /\b(?:the|what|who|said|spoke|open|next|questions?|subjects?|numbers|notes|post|from)\b/i,
    )
  },
)

test.each(['fr', 'ja'])('minutes of speech in %s have their headings in it', (code) => {
  const spoken = [{ speaker: 'Ada', startMs: 0, endMs: 40_000, text: bridge[code] ?? '' }]
  const order = orderOf('meeting-minutes', { turns: spoken, language: code })
  const { content } = fillIn(order, gather({ turns: spoken, language: code }))!
  const phrases = phrasesOf(code)
  for (const name of ['whoSpoke', 'inShort', 'openQuestions'] as const)
    expect(content).toContain(`## ${phrases[name]}`)
})

test('a document in a language without phrases of its own has English ones', () => {
  expect(phrasesOf('fi')).toBe(phrasesOf('en'))
})
