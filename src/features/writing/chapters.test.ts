import { expect, test } from 'vitest'

import { chapterTexts, foundAmong } from '#test/chapter-texts.ts'

import { findChapters } from './chapters.ts'
import type { WritingTurn } from './contract.ts'
import { extractive } from './writing.ts'

const texts = chapterTexts()

test('of 24 chapters that were set by hand, at least 17 are found within ten seconds', () => {
  const marks = texts.flatMap(({ marksMs }) => marksMs)
  const found = texts.flatMap(({ turns, language, marksMs }) =>
    foundAmong(
      marksMs,
      findChapters({ turns, language })
        .slice(1)
        .map(({ startMs }) => startMs),
    ),
  )
  expect(marks).toHaveLength(24)
  expect(found.length).toBeGreaterThanOrEqual(17)
})

test.for(texts)('$name: a list of 3 to 12, a minute apart, called after what is said', (text) => {
  const { turns, language } = text
  const chapters = findChapters({ turns, language })
  expect(chapters.length).toBeGreaterThanOrEqual(3)
  expect(chapters.length).toBeLessThanOrEqual(12)
  expect(chapters[0]!.startMs).toBe(0)
  const ends = [...chapters.slice(1).map(({ startMs }) => startMs), turns.at(-1)!.endMs]
  for (const [at, { startMs }] of chapters.entries())
    expect(ends[at]! - startMs).toBeGreaterThanOrEqual(60_000)
  const titles = chapters.map(({ title }) => title.toLowerCase())
  expect(new Set(titles).size).toBe(titles.length)
  for (const [at, title] of titles.entries()) {
    const said = turns
      .filter(({ startMs, endMs }) => endMs > chapters[at]!.startMs && startMs < ends[at]!)
      .map((turn) => turn.text.toLowerCase())
    expect(title.split(' ').length).toBeLessThanOrEqual(5)
    expect(said.some((line) => line.includes(title))).toBe(true)
  }
})

/** Talk about one thing after the other, a turn of twelve seconds for each sentence. */
const talkOf = (subjects: readonly (readonly string[])[], turnsEach: number): WritingTurn[] =>
  subjects
    .flatMap((sentences) =>
      Array.from({ length: turnsEach }, (_, at) => sentences[at % sentences.length] ?? ''),
    )
    .map((text, at) => ({
      speaker: at % 2 === 0 ? 'Speaker A' : 'Speaker B',
      startMs: at * 12_000,
      endMs: at * 12_000 + 11_000,
      text,
    }))

const subjects = {
  zh: [
    ['我们先讨论地铁的票价。', '地铁票价去年涨了两次。', '票价太高，乘客就坐公交车。'],
    ['学校的食堂换了厨师。', '孩子们喜欢食堂的面条。', '厨师每天买新鲜的蔬菜。'],
    ['河边的公园正在种树。', '种树的工人说公园需要水。', '公园里的树都是银杏。'],
  ],
  ja: [
    [
      '電車の運賃について話しましょう。',
      '運賃は去年も上がりました。',
      '電車の運賃が高いと困ります。',
    ],
    ['学校の給食が変わりました。', '子どもは給食のカレーが好きです。', '給食の野菜は新鮮です。'],
    [
      '川の公園で植樹をしています。',
      '植樹の職人は公園に水が必要だと言います。',
      '公園の植樹は春に終わります。',
    ],
  ],
  ru: [
    ['Сначала обсудим тарифы метро.', 'Тарифы метро выросли дважды.', 'Метро дороже автобуса.'],
    ['Школьная столовая сменила повара.', 'Дети любят столовую.', 'Повар покупает овощи.'],
    ['В парке сажают деревья.', 'Деревья парка требуют воды.', 'Парк закроют весной.'],
  ],
} as const

test.for(Object.entries(subjects))(
  'what is talked about is told apart in %s too',
  ([language, said]) => {
    const chapters = findChapters({ turns: talkOf(said, 18), language })
    const starts = chapters.map(({ startMs }) => startMs)
    expect(foundAmong([18 * 12_000, 36 * 12_000], starts)).toHaveLength(2)
  },
)

test('a recording shorter than ten minutes, or one that is all guesses, has no chapters', () => {
  const [text] = texts
  const short = text!.turns.filter(({ endMs }) => endMs < 9.9 * 60_000)
  expect(findChapters({ turns: short, language: 'en' })).toEqual([])
  const guessed = text!.turns.map((turn) => ({
    ...turn,
    words: turn.text.split(' ').map((word) => ({
      text: word,
      startMs: turn.startMs,
      endMs: turn.endMs,
      confidence: 0.3,
    })),
  }))
  expect(findChapters({ turns: guessed, language: 'en' })).toEqual([])
  expect(findChapters({ turns: [], language: null })).toEqual([])
})

test('no chapter is called after a word that the recogniser has guessed', () => {
  const { turns, language } = texts.find(({ name }) => name === 'interview')!
  const [, second] = findChapters({ turns, language })
  const doubted = second!.title.toLowerCase().split(' ')
  const unsure = turns.map((turn) => ({
    ...turn,
    words: turn.text.split(' ').map((word, at, all) => ({
      text: word,
      startMs: turn.startMs + ((turn.endMs - turn.startMs) * at) / all.length,
      endMs: turn.startMs + ((turn.endMs - turn.startMs) * (at + 1)) / all.length,
      confidence: doubted.some((stem) => word.toLowerCase().includes(stem)) ? 0.2 : 0.95,
    })),
  }))
  const titles = findChapters({ turns: unsure, language }).map(({ title }) => title.toLowerCase())
  expect(titles.length).toBeGreaterThanOrEqual(3)
  for (const word of doubted) expect(titles.join(' ')).not.toContain(word)
})

test('a summary of a long recording has the same chapters', async () => {
  const { turns, language } = texts.find(({ name }) => name === 'meeting')!
  const order = { turns, language, requestedLanguage: 'auto' }
  const { chapters } = await extractive.summarize(order, { signal: AbortSignal.timeout(60_000) })
  expect(chapters).toEqual({ by: 'words', list: findChapters({ turns, language }) })
})
