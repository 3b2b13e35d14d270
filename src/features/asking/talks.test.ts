/**
 * Thirty questions about made-up talks and the sample: whether a search finds the right moment, and
 * whether a model that lies gets anything past the checks.
 */
import { expect } from 'vitest'

import { test } from '#test/asking.ts'
import { aUser } from '#test/factories.ts'
import { isLong, times } from '#test/long.ts'
import { joinedQuestions, joinedTalk } from '#test/talks/joined.ts'
import { talkQuestions } from '#test/talks/questions.ts'
import { type Talk, readTalk, sampleTalk, storeTalk } from '#test/talks/talks.ts'

import * as asking from './asking.ts'
import type { Quote } from './contract.ts'

const signal = new AbortController().signal
const talkOf = (name: (typeof talkQuestions)[number][0]): Talk =>
  name === 'sample' ? sampleTalk() : readTalk(name)

/** When the words that a moment begins with were said, in seconds. */
function momentIn({ turns }: Talk, begins: string): number {
  const turn = turns.find(({ text }) => text.includes(begins))
  if (!turn) throw new Error(`nobody says: ${begins}`)
  const before = turn.text.slice(0, turn.text.indexOf(begins)).split(' ').length - 1
  return turn.words[before]!.startMs / 1000
}

/** As near as a listener forgives. */
const NEAR_SECONDS = 15

test('without a model the right moment is among the first three passages for 24 of 30 questions', async ({
  talks: { userId, id },
  deps,
}) => {
  expect(talkQuestions).toHaveLength(30)
  const missed: string[] = []
  const first: string[] = []
  for (const [name, question, begins] of talkQuestions) {
    const asked = { userId, id: id(name), question }
    const { answer } = await asking.ask(deps(null), asked, { signal })
    expect(answer).toMatchObject({ kind: 'passages', note: 'no-model', text: null })
    expect(answer.quotes.length).toBeLessThanOrEqual(5)
    const moment = momentIn(talkOf(name), begins)
    const isRight = ({ at }: Quote) => Math.abs(at - moment) <= NEAR_SECONDS
    if (answer.quotes.slice(0, 1).some(isRight)) first.push(question)
    if (!answer.quotes.slice(0, 3).some(isRight))
      missed.push(`${question} → ${answer.quotes.map(({ text }) => text.slice(0, 60)).join(' | ')}`)
  }
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(6)
  expect(first.length).toBeGreaterThanOrEqual(15)
})

if (isLong)
  test('in a library of all the talks it is among the eight passages for 22 of 30', async ({
    talks: { userId, id },
    deps,
  }) => {
    const missed: string[] = []
    for (const [name, question, begins] of talkQuestions) {
      const { answer } = await asking.ask(deps(null), { userId, id: null, question }, { signal })
      expect(answer.quotes.length).toBeLessThanOrEqual(8)
      const moment = momentIn(talkOf(name), begins)
      const isRight = ({ at, transcriptionId }: Quote) =>
        transcriptionId === id(name) && Math.abs(at - moment) <= NEAR_SECONDS
      if (!answer.quotes.some(isRight)) missed.push(question)
    }
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(8)
  })

test('of long recordings a model gets the passage that answers for 22 of 25 questions', async ({
  db,
  deps,
  chat,
}) => {
  expect(joinedQuestions).toHaveLength(30)
  const { id: userId } = await aUser(db)
  const idOf = {
    twenty: await storeTalk(db, userId, joinedTalk('twenty')),
    forty: await storeTalk(db, userId, joinedTalk('forty')),
  }
  const room = deps('nothing-said', { asksPerDay: 1_000 })
  const missed: string[] = []
  for (const { of, question, words, moment, before } of joinedQuestions) {
    const writer = { ...room.writer, searchWords: async () => words.split(' ') }
    if (before)
      await asking.ask(room, { userId, id: idOf[of], question: before.question }, { signal })
    const asked = { userId, id: idOf[of], question }
    const { answer } = await asking.ask({ ...room, writer }, asked, { signal })
    // It has not read all, so it does not say that nobody said it.
    expect(answer).toMatchObject({ kind: 'not-said', note: null })
    const { prompt } = chat.asked.findLast(({ model }) => model === room.model)!
    expect(prompt.length).toBeLessThan(25_000)
    if (before) expect(prompt).toContain(`Question before: ${before.question}`)
    if (moment !== null && !prompt.includes(moment)) missed.push(question)
  }
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(3)
})

test.for(['obedient', 'half-true', 'liar', 'hostile'] as const)(
  'of the answers of a model that is %s no quote is shown that was not said',
  async (behaviour, { talks: { userId, id }, deps }) => {
    const room = deps(behaviour, { asksPerDay: 1_000 })
    const untrue: string[] = []
    let answers = 0
    const asked = talkQuestions.filter((_, at) => at % times(3, 1) === 0)
    for (const [name, question] of asked) {
      const told: Quote[] = []
      const { answer } = await asking.ask(
        room,
        { userId, id: id(name), question },
        { signal, tell: (event) => event.kind === 'quote' && told.push(event.quote) },
      )
      if (answer.kind === 'answer') answers += 1
      const { turns } = talkOf(name)
      for (const { text, at } of [...answer.quotes, ...told]) {
        const turn = turns.find((one) => one.text.includes(text))
        const isThere = turn && at * 1000 >= turn.startMs && at * 1000 < turn.endMs
        if (!isThere || text.trim() === '') untrue.push(`${question} → ${text}`)
      }
      const shown = `${answer.text} ${answer.notSaid}`
      expect(shown).not.toMatch(/rich|Oakes|48,000|cancelled|<|http|paid for/)
    }
    expect(untrue).toEqual([])
    if (['obedient', 'half-true'].includes(behaviour))
      expect(answers).toBeGreaterThanOrEqual((asked.length * 5) / 6)
    if (behaviour === 'liar') expect(answers).toBe(0)
  },
)
