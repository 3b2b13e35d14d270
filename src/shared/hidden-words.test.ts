import { describe, expect, test } from 'vitest'

import { BAR, hiderOf, hideInJson, hideInName, hidingOf } from './hidden-words.ts'

const hide = (words: string | string[], text: string) => hiderOf([words].flat()).hide(text)

describe('a name is hidden', () => {
  test.each([
    ['Hale', 'We met Hale, HALE and hale.', `We met ${BAR}, ${BAR} and ${BAR}.`],
    ['Hale', 'Hale’s boat, Hales, the Hales’ house', `${BAR} boat, ${BAR}, the ${BAR} house`],
    ['James', 'James’ and James’s', `${BAR} and ${BAR}`],
    ['José Núñez', 'jose nunez and JOSÉ NÚÑEZ', `${BAR} and ${BAR}`],
    ['Jose Nunez', 'José Núñez', BAR],
    ['Margaret Hale', 'Margaret-Hale, margaret_hale, MargaretHale', `${BAR}, ${BAR}, ${BAR}`],
    ['Margaret Hale', 'to Margaret.\n\nHale was', `to ${BAR} was`],
    ['Anne-Marie', 'Anne Marie, Annemarie and Anne‑Marie', `${BAR}, ${BAR} and ${BAR}`],
    ['O’Neil', "O'Neil, ONeil and O`Neil", `${BAR}, ${BAR} and ${BAR}`],
    ['Strauß', 'Strauss, STRAUSS', `${BAR}, ${BAR}`],
    ['Margaret Hale', 'margaret.hale@example.com', `${BAR}@example.com`],
    ['田中', '田中さんは東京です。', `${BAR}さんは東京です。`],
    ['Hale', 'Haleさんは', `${BAR}さんは`],
    ['สมชาย', 'คุณสมชายมา', `คุณ${BAR}มา`],
    ['김민수', '김민수가 왔다', `${BAR}가 왔다`],
    ['משה', 'ומשה הלך', `ו${BAR} הלך`],
    ['Маргарита', 'Маргарита и МАРГАРИТА', `${BAR} и ${BAR}`],
  ])('%s in “%s”', (words, text, expected) => {
    expect(hide(words, text)).toBe(expected)
  })
})

test.each([
  ['Hale', 'We inhale, exhale, and see the whale; Haley is another.'],
  ['Al', 'Also als, ale and pal.'],
  ['An Na', 'An apple for Nan.'],
  ['Marie', 'Anne-marieke'],
  ['42', '142, 420, 4,2000'],
  ['김민수', '박김민수'],
])('%s is not found where it is a part of another word: “%s”', (words, text) => {
  expect(hide(words, text)).toBe(text)
})

describe('a number is hidden', () => {
  test.each([
    ['555 0199', 'Call 5550199, 555-0199 or (555) 01 99.', `Call ${BAR}, ${BAR} or (${BAR}.`],
    ['5550199', 'five five five oh one ninety-nine', BAR],
    ['42', 'forty two, forty-two and 42', `${BAR}, ${BAR} and ${BAR}`],
    ['forty-two', 'bus 42', `bus ${BAR}`],
    ['12', 'twelve o’clock, not a dozen', `${BAR} o’clock, not a dozen`],
  ])('%s in “%s”', (words, text, expected) => {
    expect(hide(words, text)).toBe(expected)
  })
})

test('the longest of several names is hidden, as one bar', () => {
  expect(hide(['Hale', 'Margaret', 'Margaret Hale'], 'Margaret Hale and Margaret')).toBe(
    `${BAR} and ${BAR}`,
  )
})

test('in the name of a file a capital begins a word', () => {
  const name = hiderOf(['Margaret Hale'])
  expect(hideInName('talkMargaretHale2.m4a', name)).toBe(`talk ${BAR} 2.m4a`)
  expect(hideInName('margaret_hale-2.m4a', name)).toBe(`${BAR}-2.m4a`)
  expect(hideInName('inhale.m4a', hiderOf(['Hale']))).toBe('inhale.m4a')
})

test('in JSON all words are hidden, and no keys, ids, times and kinds', () => {
  const kept = { Hale: ['Hale', 1, null, { type: 'hale', at: '2026-11-29' }] }
  expect(JSON.parse(hideInJson(JSON.stringify(kept), hiderOf(['Hale', '2026']).hide))).toEqual({
    Hale: [BAR, 1, null, { type: 'hale', at: '2026-11-29' }],
  })
  expect(hideInJson('{"a": "Hale', hiderOf(['Hale']).hide)).toBe(`{"a": "${BAR}`)
})

test('a text in another language or writing may hold a name in another form', () => {
  const about = { userId: '', transcriptionId: '', mark: BAR, language: 'en' }
  const { isUnsure } = hidingOf(['Margaret'], about)
  expect(isUnsure('Then she said yes.', 'en')).toBe(false)
  expect(isUnsure('Sitten hän sanoi kyllä.', 'fi')).toBe(true)
  expect(isUnsure('Маргарет сказала', null)).toBe(true)
  expect(hidingOf(['555 0199'], about).isUnsure('Маргарет сказала', 'ru')).toBe(false)
})

test('what was hidden stays as it is', () => {
  const { hide: again } = hiderOf(['Hale'])
  expect(again(again('to Hale'))).toBe(`to ${BAR}`)
})
