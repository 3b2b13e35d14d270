import { expect } from 'vitest'

import type { Db } from '#server/db.ts'
import { test } from '#test/database.ts'
import { aTranscription, aUser } from '#test/factories.ts'

import { find } from './finding.ts'

const MINUTE = 60_000

/** An hour and more of talk, in which every turn has words of its own. */
async function aLongTalk(db: Db, others: object = {}) {
  const { id: userId } = await aUser(db)
  const turns = Array.from({ length: 400 }, (_, at) => ({
    speaker: at % 2,
    text: `Matter ${at} is ${'sent to the office and back again '.repeat(4)}today.`,
  }))
  const { id } = await aTranscription(db, { userId, turns, sure: () => 0.9, ...others })
  return { userId, id }
}

const ask = (
  db: Db,
  owned: { userId: string; id: string },
  question: string,
  words: readonly string[] = [],
) => find(db, { ...owned, question, most: 5, isForModel: true, words })

const lettersOf = (passages: readonly { text: string }[]) =>
  passages.reduce((sum, { text }) => sum + text.length, 0)

test('of a long recording without a word of the question a model reads places all over it', async ({
  db,
}) => {
  const owned = await aLongTalk(db)
  const { around, isAll } = await ask(db, owned, 'Worum geht es?')
  const [first, ...minutes] = around
    .map(({ startMs }) => startMs / MINUTE)
    .toSorted((a, b) => a - b)
  const gaps = minutes.map((at, index) => at - (minutes[index - 1] ?? first ?? 0))
  expect(isAll).toBe(false)
  expect(Math.max(...gaps)).toBeLessThan(12)
  expect(first).toBeLessThan(8)
  expect(minutes.at(-1)).toBeGreaterThan(64)
  expect(lettersOf(around)).toBeGreaterThan(10_000)
  expect(lettersOf(around)).toBeLessThan(14_000)
})

test('key points and chapters are read before other places', async ({ db }) => {
  const keyPoints = [31, 52].map((minute) => ({
    text: 'A point.',
    quote: null,
    startMs: minute * MINUTE,
  }))
  const owned = await aLongTalk(db, { keyPoints })
  const { around } = await ask(db, owned, 'Worum geht es?')
  // About 900 letters are read from each: six turns.
  const minutes = around.slice(0, 12).map(({ startMs }) => Math.floor(startMs / MINUTE))
  for (const at of minutes) expect([30, 31, 32, 51, 52, 53]).toContain(at)
  expect(minutes).toEqual(expect.arrayContaining([31, 52]))
})

test('what a model would look for is found beside what is asked for in words', async ({ db }) => {
  const owned = await aLongTalk(db)
  const [first, second] = (await ask(db, owned, 'Was ist mit 217?', ['Matter', '309'])).passages
  expect(first?.text).toContain('Matter 217 ')
  expect(second?.text).toContain('Matter 309 ')
})

test('a key point that speaks of the question leads to where it was said', async ({ db }) => {
  const point = (text: string, minute: number) => ({
    text,
    quote: null,
    startMs: minute * MINUTE,
  })
  const keyPoints = [point('Die Post kommt zu spät.', 12), point('Die Fähre ist zu teuer.', 47)]
  const owned = await aLongTalk(db, { keyPoints })
  const { around } = await ask(db, owned, 'Wie teuer ist die Fähre?')
  expect(Math.floor(around[0]!.startMs / MINUTE)).toBe(46)
})

test('a question about a part of a recording is read there first', async ({ db }) => {
  const owned = await aLongTalk(db)
  const { around } = await ask(db, owned, 'What came in the last five minutes?')
  const end = 400 * 31 * 400
  for (const { startMs } of around.slice(0, 5)) expect(startMs).toBeGreaterThan(end - 6 * MINUTE)
  const { passages } = await ask(db, owned, 'What was sent at the beginning?')
  expect(passages[0]?.startMs).toBeLessThan(11 * MINUTE)
})

test('the mark that stands for another language answers nothing', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const turns = [
    { speaker: 0, text: 'Which language is it?' },
    { speaker: 1, text: '[another language]' },
  ]
  const { id } = await aTranscription(db, { userId, turns })
  const { passages } = await ask(db, { userId, id }, 'Which language?')
  expect(passages.map(({ text }) => text)).toEqual(['Which language is it?'])
  const question = {
    userId,
    id: null,
    question: 'Which language?',
    words: [],
    most: 5,
    isForModel: false,
  }
  const found = await find(db, question)
  expect(found.passages.map(({ text }) => text)).not.toContain('[another language]')
})

test.for([
  ['en', 'MP3', 'He kept the song as an MP3.', 'Three of us went there.'],
  ['en', '7:45', 'It leaves at quarter to eight.', 'It leaves at half past eight.'],
  ['en', '19:30', 'It leaves at half past seven.', 'It leaves at half past six.'],
  ['de', '7:30', 'Der Zug fährt um halb acht ab.', 'Der Bus fährt um halb sieben ab.'],
  ['en', 'Who has 100 million?', 'They own a hundred million.', 'They own a hundred dollars.'],
  ['en', '100 million', 'It cost 100 million.', 'It cost 20 million.'],
  ['de', '1,5 Millionen', 'Es waren 1,5 Millionen Euro.', 'Es waren 2,5 Millionen Euro.'],
  ['de', '1,5 Millionen', 'Es waren anderthalb Millionen.', 'Es waren zwei Millionen.'],
  ['en', '2,000', 'It was 2 000 dollars.', 'It was 3 000 dollars.'],
  ['en', 'two thousand', 'It was 2,000 dollars.', 'It was 3,000 dollars.'],
  ['de', '25', 'Wir brauchen fünfundzwanzig Stühle.', 'Wir brauchen zweiundfünfzig Tische.'],
  ['de', '2000', 'Es waren zweitausend Euro.', 'Es waren dreitausend Euro.'],
  ['it', '25', 'Servono venticinque sedie.', 'Servono cinquantadue tavoli.'],
  ['fr', '75', 'Il y a soixante-quinze chaises.', 'Il y a soixante-dix tables.'],
  ['en', 'CEO', 'The C.E.O. was against it.', 'The C.F.O. was against it.'],
  ['en', 'U.S.', 'The U.S. office is closed.', 'One of us was against it.'],
  ['en', 'USA', 'The U.S. office is closed.', 'One of us was against it.'],
] as const)(
  'in a library, in %s, “%s” finds “%s” and not “%s”',
  async ([language, question, sentence, other], { db }) => {
    const { id: userId } = await aUser(db)
    const texts = [other, ...Array.from({ length: 8 }, () => '…'), sentence]
    const turns = texts.map((text, at) => ({ speaker: at % 2, text }))
    await aTranscription(db, { userId, language, turns })
    const asked = { userId, id: null, question, most: 3, isForModel: false, words: [] }
    expect((await find(db, asked)).passages.map(({ text }) => text)).toEqual([sentence])
  },
)

test.for([
  ['7:30', 'de', 'Der Zug fährt um halb acht ab.'],
  ['100 million', 'de', 'Es kostet hundert Millionen.'],
  ['1.500', 'de', 'Es waren 1.500 Euro.'],
  ['1.500', 'de', 'Es waren eintausendfünfhundert Euro.'],
  ['25 euros', 'en', 'We need twenty-five euros for that.'],
  ['100 million', 'en', 'They own a hundred million.'],
] as const)(
  'in a library that is mostly English, “%s” is found as people say it in %s',
  async ([question, language, sentence], { db }) => {
    const { id: userId } = await aUser(db)
    const english = ['It leaves at six.', 'It cost 20 pounds.', 'There were 12 of them.']
    for (const text of english)
      await aTranscription(db, { userId, language: 'en', turns: [{ speaker: 0, text }] })
    await aTranscription(db, { userId, language, turns: [{ speaker: 0, text: sentence }] })
    const asked = { userId, id: null, question, most: 3, isForModel: false, words: [] }
    expect((await find(db, asked)).passages.map(({ text }) => text)).toEqual([sentence])
  },
)
