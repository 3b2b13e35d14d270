import { expect, test } from 'vitest'

import { type DocumentOrder, type WritingTurn, documentKinds } from './contract.ts'
import { gather } from './extractive.ts'
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
  recordedAt: new Date('2026-11-20T10:00:00Z'),
  durationMs: 72_000,
  ...more,
})
const made = (kind: DocumentOrder['kind'], more: Partial<DocumentOrder> = {}) => {
  const order = orderOf(kind, more)
  return fillIn(order, gather(order.turns, 'en'))!
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

test('minutes list what somebody will do, and what is still open, with who and when', () => {
  const { content, title } = made('meeting-minutes')
  expect(title).toBe('Minutes: price')
  const [, steps = ''] = content.split('## Decisions and next steps')
  expect(steps).toContain('**Ben** (0:56): I will write the rules for recordings by Friday.')
  const [, open = ''] = content.split('## Open questions')
  expect(open).toContain('How much does the storage of the recordings cost?')
  expect(content).toMatch(/\*\*Ada\*\*: \d+% of the talking/)
})

test('an email is addressed, closed, and left to be signed', () => {
  const { content } = made('follow-up-email')
  expect(content).toMatch(/^Hello,/)
  expect(content).toContain('Nov 20, 2026')
  expect(content).toMatch(/\[Your name\]$/)
})

test('no post is longer than 280 characters', () => {
  const { content } = made('social-posts')
  const posts = content.split(/## Post \d+\n\n/).slice(1)
  expect(posts.length).toBeGreaterThanOrEqual(3)
  for (const post of posts) expect(post.trim().length).toBeLessThanOrEqual(280)
})

test('pictures are suggested where they are asked for', () => {
  expect(made('article', { withImages: true }).content).toContain('## Image suggestions')
  expect(made('article').content).not.toContain('## Image suggestions')
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
  for (const { id, maxWords } of documentKinds)
    expect(
      made(id, { turns: hour, withImages: true, durationMs: 3_600_000 }).wordCount,
    ).toBeLessThanOrEqual(maxWords)
})

test('where next to nothing was said there is no document', () => {
  const little = [{ speaker: 'Ada', startMs: 0, endMs: 900, text: 'Hello, good morning.' }]
  expect(fillIn(orderOf('article', { turns: little }), gather(little, 'en'))).toBeNull()
  expect(fillIn(orderOf('article', { turns: [] }), gather([], 'en'))).toBeNull()
})
