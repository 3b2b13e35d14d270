import { expect, test } from 'vitest'

import { silentLog } from '#server/log.ts'
import { chapterTexts } from '#test/chapter-texts.ts'
import { injections } from '#test/injections.ts'
import { keepWritingThread } from '#test/kept-thread.ts'
import { aChatServer, aModelSaying, modelAt, turnsOf } from '#test/models.ts'

import { findChapters } from './chapters.ts'
import { pauseOf } from './chat.ts'
import { documentKinds, type DocumentOrder } from './contract.ts'
import { countWords } from './plain.ts'
import { WRITTEN_BY_AI, chooseWriter } from './writing.ts'

const { chat, aModel } = await aChatServer()
keepWritingThread()

const turns = turnsOf(
  'The harbour bridge will be closed for repairs until October.',
  'The ferry runs every ten minutes while the bridge is closed.',
  'We have decided to extend the ferry until midnight on Fridays.',
)
const order = { turns, language: 'en', requestedLanguage: 'en' }
const signal = new AbortController().signal

test('a summary by a model names its language, its writer and the speakers', async () => {
  const { writer, asked } = aModel('obedient', { apiKey: 'key' })
  const summary = await writer.summarize(order, { signal })
  expect(summary).toMatchObject({ engine: 'llm', language: 'en', note: WRITTEN_BY_AI })
  expect(summary.text).toContain('Ada Lovett begins')
  expect(summary.topics).toEqual(['harbour bridge', 'ferry'])
  expect(asked()).toHaveLength(1)
  expect(asked()[0]?.authorization).toBe('Bearer key')
})

test('a key point carries its turn, the words as they stand there, and their time', async () => {
  const { writer } = aModel('obedient')
  const { keyPoints } = await writer.summarize(order, { signal })
  expect(keyPoints).toHaveLength(3)
  for (const { turns: sources, quote, startMs } of keyPoints) {
    const turn = turns[sources[0]!]!
    expect(turn.text).toContain(quote)
    expect(startMs).toBeGreaterThanOrEqual(turn.startMs)
    expect(startMs).toBeLessThan(turn.endMs)
  }
})

test('a point whose quote was never said is kept without a source', async () => {
  const { writer } = aModel('liar')
  const { keyPoints } = await writer.summarize(order, { signal })
  expect(keyPoints.length).toBeGreaterThan(0)
  for (const point of keyPoints)
    expect(point).toMatchObject({ quote: null, turns: [], startMs: null })
})

test('the summary is asked for in the language that was chosen', async () => {
  const { writer, asked } = aModel('obedient')
  const summary = await writer.summarize({ ...order, requestedLanguage: 'ja' }, { signal })
  expect(summary.language).toBe('ja')
  expect(asked()[0]?.instructions).toContain('Write in Japanese')
  await writer.summarize({ ...order, language: 'de', requestedLanguage: 'auto' }, { signal })
  expect(asked()[1]?.instructions).toContain('Write in German')
})

test('a long transcript is read in parts, and every turn is read once', async () => {
  const long = turnsOf(
    ...Array.from(
      { length: 300 },
      (_, index) => `Point number ${index} is about the quay at berth ${index}.`,
    ),
  )
  const { writer, asked } = aModel('obedient', { contextTokens: 4_000 })
  const summary = await writer.summarize({ ...order, turns: long }, { signal })
  const parts = asked().filter(({ instructions }) => instructions.includes('part '))
  expect(parts.length).toBeGreaterThan(2)
  const read = parts.flatMap(({ prompt }) =>
    [...prompt.matchAll(/^\[(\d+)\]/gm)].map(([, n]) => Number(n)),
  )
  expect(read).toEqual(long.map((_, index) => index))
  expect(asked().at(-1)?.instructions).toContain('notes on the parts')
  // After the notes were combined, quotes still stand in the turns that they name.
  expect(summary.keyPoints.length).toBeGreaterThan(0)
  for (const { turns: sources, quote } of summary.keyPoints)
    expect(long[sources[0]!]!.text).toContain(quote)
})

test('a server that reads less than it was thought to is asked in smaller parts', async () => {
  const long = turnsOf(
    ...Array.from(
      { length: 150 },
      (_, index) => `Point number ${index} is about the quay at berth ${index}.`,
    ),
  )
  const { writer } = aModel('short-memory', { contextTokens: 100_000 })
  expect((await writer.summarize({ ...order, turns: long }, { signal })).engine).toBe('llm')
})

test('a server that knows no structured output is asked in plain words', async () => {
  const { writer, asked } = aModel('no-schema')
  expect((await writer.summarize(order, { signal })).engine).toBe('llm')
  const before = asked().length
  await writer.summarize(order, { signal })
  // The way that the server does not understand is not tried again.
  expect(asked()).toHaveLength(before + 1)
})

test.each(['busy-once', 'invalid-once'] as const)(
  'what goes wrong once (%s) is asked again',
  async (behaviour) => {
    const { writer, asked } = aModel(behaviour)
    expect((await writer.summarize(order, { signal })).engine).toBe('llm')
    expect(asked()).toHaveLength(2)
  },
)

const useless = [
  'slow',
  'down',
  'hang-up',
  'busy',
  'invalid',
  'empty',
  'huge',
  'endless',
  'endless-whole',
  'elsewhere',
  'unknown-key',
  'one-sentence',
] as const

test.each(useless)(
  'a model that is of no use (%s) leaves sentences of the transcript, and a plain note',
  async (behaviour) => {
    const { writer } = aModel(behaviour, { timeoutMs: 300 })
    // Not as English, whose tagger each thread would load.
    const wanted = { ...order, language: 'de', requestedLanguage: 'de' }
    const summary = await writer.summarize(wanted, { signal })
    expect(summary.engine).toBe('extractive')
    expect(summary.note).toBe(
      'Sentences taken from this transcript. The language model of this server gave no usable answer.',
    )
    for (const { turns: sources, quote } of summary.keyPoints)
      expect(turns[sources[0]!]!.text).toContain(quote)
    expect(chat.trapped).toEqual([])
  },
  20_000,
)

test('the text of a model that writes without end is cut to what a page holds', async () => {
  const { writer } = aModel('boundless')
  const { text, keyPoints, topics } = await writer.summarize(order, { signal })
  expect(text.length).toBeLessThanOrEqual(3_000)
  expect([keyPoints.length, topics.length]).toEqual([10, 10])
  for (const point of keyPoints) expect(point.text.length).toBeLessThanOrEqual(400)
  for (const topic of topics) expect(topic.length).toBeLessThanOrEqual(61)
})

test('without a server that answers, the summary is made of the transcript', async () => {
  const llm = modelAt('http://127.0.0.1:9/v1', 'obedient', { timeoutMs: 500 })
  const writer = chooseWriter({ summarizer: 'llm', llm }, silentLog)
  const summary = await writer.summarize({ ...order, requestedLanguage: 'de' }, { signal })
  expect(summary.engine).toBe('extractive')
  expect(summary.note).toContain('so it could not be written in German')
}, 20_000)

test.each([
  ['2', 2_000],
  ['20', 20_000],
  ['3600', 20_000],
  ['Fri, 20 Nov 2026 10:00:00 GMT', 2_000],
  [undefined, 2_000],
])('a model that asks for a pause of %s gets %i ms', (retryAfter, ms) => {
  expect(pauseOf(retryAfter)).toBe(ms)
})

test('aborting ends the question with the reason that was given', async () => {
  const { writer, asked } = aModel('slow', { timeoutMs: 60_000 })
  const stop = new AbortController()
  const summary = writer.summarize(order, { signal: stop.signal })
  const reason = new Error('The server is stopping.')
  await expect.poll(asked).toHaveLength(1)
  stop.abort(reason)
  await expect(summary).rejects.toBe(reason)
  // Long before the model's own time is over.
}, 10_000)

test('a summarizer set to extractive asks no model', async () => {
  const { settings, asked } = aModel('obedient')
  const writer = chooseWriter({ summarizer: 'extractive', llm: settings }, silentLog)
  expect(writer.name).toBe('extractive')
  expect((await writer.summarize(order, { signal })).engine).toBe('extractive')
  expect(asked()).toEqual([])
})

test('no text of a transcript gets outside its marks, and a model is given no tools', async () => {
  const { writer, asked } = aModel('obedient')
  expect(injections).toHaveLength(40)
  for (const half of [injections.slice(0, 20), injections.slice(20)])
    await writer.summarize({ ...order, turns: turnsOf(turns[0]!.text, ...half) }, { signal })
  expect(asked()).toHaveLength(2)
  for (const { instructions, prompt, fields } of asked()) {
    const lines = prompt.split('\n')
    const [, mark = ''] = /^<<< (.+)$/.exec(lines[0]!) ?? []
    expect(mark).toMatch(/^transcript [0-9a-f]{16}$/)
    expect(lines.at(-1)).toBe(`${mark} >>>`)
    // Everything that was said stands behind the number of its turn.
    expect(lines).toHaveLength(1 + 21 + 1)
    for (const line of lines.slice(1, -1))
      expect(line).toMatch(/^\[\d+\] \d+:\d\d (Ada Lovett|Ben Okafor): /)
    expect(instructions).not.toContain('Ada Lovett')
    expect(fields).not.toContain('tools')
  }
  expect(new Set(asked().map(({ prompt }) => prompt.split('\n')[0])).size).toBe(2)
})

test('the text of a hostile model is plain text, without addresses, and proves nothing', async () => {
  const { writer } = aModel('hostile')
  for (const injection of injections) {
    const said = turnsOf('The harbour bridge will be closed for repairs.', injection)
    const summary = await writer.summarize({ ...order, turns: said }, { signal })
    const all = JSON.stringify([
      summary.text,
      summary.keyPoints.map(({ text }) => text),
      summary.topics,
    ])
    expect(all).not.toMatch(/https?:|javascript:|<[a-z/]|!\[|\]\(|onerror|\u202e/i)
    expect(summary.keyPoints[0]).toMatchObject({ quote: null })
    expect(summary.keyPoints[1]).toMatchObject({ quote: 'The harbour bridge will be closed' })
  }
  expect(chat.trapped).toEqual([])
})

const words = Array.from(
  { length: 60 },
  (_, index) =>
    `In month ${index} the harbour office counted ${index * 3} ferries and repaired ${index} berths.`,
)
const documentOrder = (kind: DocumentOrder['kind']): DocumentOrder => ({
  ...order,
  turns: turnsOf(...words),
  kind,
  withImages: true,
  name: 'harbour.m4a',
  recordedOn: '2026-11-20',
  durationMs: 360_000,
})

test.each(documentKinds.map(({ id }) => id))('a model writes a document: %s', async (kind) => {
  const { compose, asked } = aModel('obedient')
  const document = await compose(documentOrder(kind))
  expect(document).toMatchObject({ engine: 'llm', title: 'What was said', note: WRITTEN_BY_AI })
  const { minWords, maxWords } = documentKinds.find(({ id }) => id === kind)!
  expect(document!.wordCount).toBe(countWords(document!.content))
  expect(document!.wordCount).toBeGreaterThanOrEqual(minWords)
  expect(document!.wordCount).toBeLessThanOrEqual(maxWords)
  expect(asked()[0]?.instructions).toContain(`and ${maxWords} words`)
})

test('a document of a hostile model holds no markup but ours, no address and no false quote', async () => {
  const { compose } = aModel('hostile')
  const document = await compose(documentOrder('article'))
  expect(document?.engine).toBe('llm')
  expect(`${document!.title}\n${document!.content}`).not.toMatch(
    /https?:|<[a-z/]|!\[|\]\(|nobody has ever said/i,
  )
  expect(chat.trapped).toEqual([])
})

test('without a usable answer a document is put together from the transcript', async () => {
  const { compose } = aModel('down')
  const document = await compose(documentOrder('meeting-minutes'))
  expect(document?.engine).toBe('extractive')
  expect(document?.note).toContain('gave no usable answer')
}, 20_000)

test('a recording that says too little makes no document, and no model is asked to invent one', async () => {
  const { compose, asked } = aModel('obedient')
  const little = { ...documentOrder('article'), turns: turnsOf('Hello.', 'Hi there.') }
  expect(await compose(little)).toBeNull()
  expect(asked()).toEqual([])
})

const talk = chapterTexts().find(({ name }) => name === 'interview')!
const long = { turns: talk.turns, language: 'en', requestedLanguage: 'en' }

test('a model names chapters, with the turns where they begin', async () => {
  const { writer, asked } = aModel('obedient', { contextTokens: 32_000 })
  const { chapters } = await writer.summarize(long, { signal })
  expect(asked()).toHaveLength(1)
  expect(chapters?.by).toBe('model')
  expect(chapters?.list).toHaveLength(4)
  expect(chapters?.list[0]).toEqual({ title: 'Thank you for having', startMs: 0 })
  const starts = long.turns.map(({ startMs }) => startMs)
  for (const { startMs } of chapters!.list.slice(1)) expect(starts).toContain(startMs)
})

test('each part of a transcript that is read in parts has its chapters', async () => {
  const { writer, asked } = aModel('obedient', { contextTokens: 3_500 })
  const { chapters } = await writer.summarize(long, { signal })
  const parts = asked().filter(({ instructions }) => /part \d+ of the/.test(instructions))
  expect(parts.length).toBeGreaterThan(2)
  expect(parts.every(({ instructions }) => instructions.includes('- chapters:'))).toBe(true)
  expect(chapters?.by).toBe('model')
  const starts = chapters!.list.map(({ startMs }) => startMs)
  expect(starts.length).toBeLessThanOrEqual(12)
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  for (const [at, startMs] of starts.slice(1).entries())
    expect(startMs - starts[at]!).toBeGreaterThanOrEqual(60_000)
  expect(starts.at(-1)).toBeGreaterThan(long.turns.at(-1)!.endMs / 2)
})

test.for([
  ['lists without end', 'endless-tasks', 32_000],
  ['has little room', 'obedient', 2_500],
] as const)(
  'a model that %s is asked for a summary alone',
  async ([, behaviour, contextTokens]) => {
    const { writer, asked } = aModel(behaviour, { contextTokens })
    const summary = await writer.summarize(long, { signal })
    expect(summary).toMatchObject({ engine: 'llm', actionItems: [] })
    expect(summary.chapters).toEqual({ by: 'words', list: findChapters(long) })
    expect(asked().at(-1)?.instructions).not.toMatch(/- chapters:|- actionItems:/)
  },
)

test('a document that is made of notes is asked for no chapters', async () => {
  const { compose, asked } = aModel('obedient', { contextTokens: 3_500 })
  const facts = { name: 'talk.mp3', recordedOn: '1970-01-01', durationMs: 900_000 }
  const wanted = { kind: 'meeting-minutes', withImages: false, ...facts } as const
  await compose({ ...long, ...wanted })
  expect(asked().length).toBeGreaterThan(2)
  for (const { instructions } of asked()) expect(instructions).not.toContain('- chapters:')
})

test('a short recording is not asked for chapters', async () => {
  const { writer, asked } = aModel('obedient')
  const summary = await writer.summarize(order, { signal })
  expect(summary.chapters).toBeNull()
  expect(asked()[0]?.instructions).not.toContain('chapters')
})

test.for([
  'chapters-backwards',
  'chapters-elsewhere',
  'chapters-empty',
  'chapters-foreign',
  'chapters-alike',
  'chapters-leaking',
  'chapters-unsaid',
  'chapters-malformed',
] as const)('%s: the summary stands, with the chapters that its words tell', async (behaviour) => {
  const { writer, asked } = aModel(behaviour, { contextTokens: 32_000 })
  const summary = await writer.summarize(long, { signal })
  expect(summary).toMatchObject({ engine: 'llm', note: WRITTEN_BY_AI })
  expect(summary.chapters).toEqual({ by: 'words', list: findChapters(long) })
  expect(asked()).toHaveLength(1)
})

const promised = turnsOf(
  'I will send the list of the ferries to Margaret by Friday.',
  'Then I will ask the harbour for the keys of the bridge.',
  'The bridge is closed until October, and the ferry runs every ten minutes.',
)

test('only those action items of a model are shown that were said, each with its quote', async () => {
  const { writer } = aModel('tasks')
  const recordedOn = '2026-11-22'
  const asked = { turns: promised, language: 'en', requestedLanguage: 'en', recordedOn }
  const { engine, actionItems } = await writer.summarize(asked, { signal })
  expect(engine).toBe('llm')
  expect(actionItems).toEqual([
    {
      text: 'I will send the list of the ferries to Margaret by Friday.',
      who: 'Ada Lovett',
      due: 'by Friday',
      dueDate: '2026-11-27',
      quote: 'I will send the list of',
      startMs: 0,
      isSentence: false,
    },
    {
      text: 'Then I will ask the harbour for the keys of the bridge.',
      who: null,
      due: null,
      dueDate: null,
      quote: 'Then I will ask the harbour for the keys of the bridge',
      startMs: 6_000,
      isSentence: false,
    },
  ])
})

test('action items of a long recording are those of its parts, and no notes are asked for any', async () => {
  const { writer, asked } = aModel('tasks', { contextTokens: 3_000 })
  const others = Array.from(
    { length: 60 },
    (_, n) => `The ferry number ${n} ${'was late '.repeat(20)}.`,
  )
  const turns = turnsOf(...others.slice(0, 30), promised[0]!.text, ...others.slice(30))
  await writer.summarize({ turns, language: 'en', requestedLanguage: 'en' }, { signal })
  const [parts, notes] = [false, true].map((isNotes) =>
    asked().filter(({ prompt }) => prompt.startsWith('<<< notes') === isNotes),
  )
  expect(parts!.length).toBeGreaterThan(1)
  expect(parts!.every(({ instructions }) => instructions.includes('actionItems'))).toBe(true)
  expect(notes!.length).toBeGreaterThan(0)
  expect(notes!.some(({ instructions }) => instructions.includes('actionItems'))).toBe(false)
})

test('a model that lists tasks without end still writes its summary', async () => {
  const { writer, asked } = aModel('endless-tasks')
  const summary = await writer.summarize(order, { signal })
  expect(summary).toMatchObject({ engine: 'llm', actionItems: [] })
  expect(asked().at(-1)?.instructions).not.toContain('actionItems')
})

const loan = turnsOf(
  'I am against a new loan for the ferry, and Ben has the plan of the harbour.',
  'Then we should sell the old ferry. Can you call the harbour by Friday?',
  'Yes, I will call the harbour by Friday.',
)
const ofLoan = { turns: loan, language: 'en', requestedLanguage: 'en' }
const summaryText = 'Ada and Ben talk about a loan for the ferry and about the harbour.'

test('a true quote is no proof of a point that says something else', async () => {
  const points = [
    { text: 'Ada does not want a new loan.', turns: [0], quote: 'I am against a new loan' },
    { text: 'Ada wants a new loan.', turns: [0], quote: 'I am against a new loan' },
    { text: 'It was decided to sell the old ferry.', turns: [1], quote: 'we should sell the old' },
    { text: 'Ben will call the harbour by Friday.', turns: [2], quote: 'I will call the harbour' },
  ]
  const writer = await aModelSaying({ summary: summaryText, keyPoints: points, topics: [] })
  const { keyPoints } = await writer.summarize(ofLoan, { signal })
  expect(keyPoints.map(({ quote }) => quote)).toEqual(['I am against a new loan', null, null, null])
})

test('a task is shown only where it was promised or asked for, with an owner who is known', async () => {
  const actionItems = [
    { text: 'Get a new loan', who: 'Ada', due: null, turn: 0, quote: 'I am against a new loan' },
    { text: 'Sell the old ferry', who: null, due: null, turn: 1, quote: 'we should sell the old' },
    {
      text: 'Call the harbour',
      who: 'Ben Okafor',
      due: 'by Friday',
      turn: 2,
      quote: 'I will call the harbour',
    },
  ]
  const writer = await aModelSaying({
    summary: summaryText,
    keyPoints: [],
    topics: [],
    actionItems,
  })
  const summary = await writer.summarize(ofLoan, { signal })
  expect(summary.actionItems?.map(({ text, who }) => [text, who])).toEqual([
    ['Call the harbour', 'Ada Lovett'],
  ])
})

test('a topic that nobody spoke of is left out', async () => {
  const topics = ['New loan', 'Bankruptcy', 'Harbour plans', 'Rebecca']
  const writer = await aModelSaying({ summary: summaryText, keyPoints: [], topics })
  expect((await writer.summarize(ofLoan, { signal })).topics).toEqual(['New loan', 'Harbour plans'])
})

test('a quote in a document has the speaker who said it, and stands under no line that it does not prove', async () => {
  const writer = await aModelSaying(
    [
      '# The loan',
      '- Ada wants a new loan.',
      '> “I am against a new loan for the ferry” — Ada Lovett',
      '',
      '- Ada does not want a new loan.',
      '> “I am against a new loan for the ferry” — Ben Okafor',
      '',
      'About the harbour it was said:',
      '> “Ben has the plan of the harbour”',
      '',
      '1. **Ada does not want a new loan.** This matters to all.',
      '> “I am against a new loan for the ferry”',
    ].join('\n'),
  )
  const facts = { name: 'loan.m4a', durationMs: 18_000, withImages: false } as const
  const written = await writer.compose({ ...ofLoan, ...facts, kind: 'meeting-minutes' }, { signal })
  expect(written.kind === 'written' && written.document.content).toBe(
    [
      '- Ada wants a new loan.',
      '',
      '- Ada does not want a new loan.',
      '> “I am against a new loan for the ferry” — Ada Lovett',
      '',
      'About the harbour it was said:',
      '> “Ben has the plan of the harbour”',
      '',
      '1. **Ada does not want a new loan.** This matters to all.',
      '> “I am against a new loan for the ferry”',
    ].join('\n'),
  )
})
