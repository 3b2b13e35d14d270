/** How values are read: in words, as n2words writes them, and in figures, as Intl does. */
import fc from 'fast-check'
import { toCardinal as ar, toOrdinal as arTh } from 'n2words/ar-SA'
import { toCardinal as de, toOrdinal as deTh } from 'n2words/de-DE'
import { toCardinal as en, toOrdinal as enTh } from 'n2words/en-US'
import { toCardinal as es, toOrdinal as esTh } from 'n2words/es-ES'
import { toCardinal as fr, toOrdinal as frTh } from 'n2words/fr-FR'
import { toCardinal as it, toOrdinal as itTh } from 'n2words/it-IT'
import { toCardinal as ja, toOrdinal as jaTh } from 'n2words/ja-JP'
import { toCardinal as ko } from 'n2words/ko-KR'
import { toCardinal as nl, toOrdinal as nlTh } from 'n2words/nl-NL'
import { toCardinal as pt, toOrdinal as ptTh } from 'n2words/pt-PT'
import { toCardinal as ru, toOrdinal as ruTh } from 'n2words/ru-RU'
import { toCardinal as zh, toOrdinal as zhTh } from 'n2words/zh-Hans-CN'
import { expect, test } from 'vitest'

import { summaryLanguageCodes } from '#shared/business.ts'

import { SaidValues } from './same-values.ts'
import type { Value } from './value.ts'
import { valuesIn } from './values.ts'

const cardinals = { ar, de, en, es, fr, it, ja, ko, nl, pt, ru, zh }
const ordinals = { ar: arTh, de: deTh, en: enTh, es: esTh, fr: frTh, it: itTh, ja: jaTh, nl: nlTh }
const moreOrdinals = { pt: ptTh, ru: ruTh, zh: zhTh }

const readings = (text: string, language: string) =>
  valuesIn(text, language).map((value) => value.readings)

test('numbers in words are understood in every language that can be written', () => {
  const written = summaryLanguageCodes.filter((code) => code !== 'auto')
  expect(Object.keys(cardinals).sort()).toEqual(written.toSorted())
})

/** Every size is as likely as another. */
const anyNumber = fc
  .tuple(fc.integer({ min: 1, max: 13 }), fc.integer({ min: 0, max: 9_999 }), fc.boolean())
  .map(([size, some, isRound]) =>
    isRound
      ? (some % 1_000) * 10 ** (size % 10)
      : Math.trunc(some * 10 ** (size - 4)) + (some % 100),
  )

test.each(Object.entries(cardinals))('%s: a number in words is that number', (code, inWords) => {
  // A lone syllable of Korean is a number only before what it counts.
  const counted = code === 'ko' ? ' 원' : ''
  const isRead = (number: number) => {
    expect(readings(inWords(number) + counted, code)).toEqual([[number]])
  }
  for (let number = 0; number <= 120; number += 1) isRead(number)
  fc.assert(fc.property(anyNumber, isRead), { seed: 25, numRuns: 400 })
})

test.each(Object.entries({ ...ordinals, ...moreOrdinals }))(
  '%s: an ordinal in words is its number',
  (code, inWords) => {
    for (let number = 1; number < 110; number += 1) {
      // n2words writes "ventiseesimo", which nobody says.
      if (code === 'it' && number > 20 && number % 10 === 6) continue
      const [found = []] = readings(inWords(number), code)
      expect([inWords(number), found]).toEqual([inWords(number), [number]])
    }
  },
)

test.each([...Object.keys(cardinals), 'de-CH', 'en-IN', 'hi'])(
  '%s: a number in figures is that number, however it is grouped',
  (code) => {
    const format = new Intl.NumberFormat(code, { maximumFractionDigits: 2 })
    const isRead = (number: number) => {
      expect(readings(format.format(number), code)).toEqual([[number]])
    }
    fc.assert(fc.property(anyNumber, isRead), { seed: 25, numRuns: 200 })
    const hundredths = fc.integer({ min: 1, max: 99_999_999 }).map((number) => number / 100)
    fc.assert(fc.property(hundredths, isRead), { seed: 25, numRuns: 200 })
  },
)

const shown = ({ readings: all, minutes, digits, measure, isNegative, direction }: Value): string =>
  [
    isNegative ? '-' : '',
    digits ?? all.join('|'),
    minutes.map((at) => `@${Math.floor(at / 60)}:${at % 60}`).join(''),
    measure ? ` ${measure.id}` : '',
    direction ? ` ${direction}` : '',
  ].join('')

test.each([
  ['en', 'It fell by 2.5 percent to $80k.', '2.5 percent down, 80000 usd down'],
  ['en', 'Half a million people, and an hour and a half.', '500000, 1.5 hour'],
  ['en', 'At half past five, or at 5:30 pm.', '5.5@5:30@17:30, @17:30'],
  ['en', 'Five to ten percent of 3 to 5 million.', '5 percent, 10 percent, 3|3000000, 5000000'],
  ['en', 'It was -5 degrees on 5/21/2024.', '-5 degree, 21, 5, 2024|24'],
  ['en', 'Call 0171 555 0199, version 1.2.3.', '01715550199, 1.2.3'],
  ['de', 'Um halb sechs kamen fünfundzwanzig Leute.', '5.5@5:30@17:30, 25'],
  ['de', 'Zwischen fünf und zwanzig Komma fünf.', '5, 20.5@20:30'],
  ['fr', 'quatre-vingt-dix-sept virgule cinq pour cent au XXIe siècle', '97.5 percent, 21'],
  ['hi', '१२ करोड़ रुपये', '120000000 inr'],
  ['ar', '٤٢ بالمئة', '42 percent'],
  ['zh', '百分之五，三分之一，三点五十分', '5 percent, 0.333333333333333, @3:50@15:50'],
  ['ja', '1億2000万円で午後5時半', '120000000 yen, @17:30'],
  ['ko', '오만한 이사가 일을 한다', ''],
])('%s: %s holds %s', (language, text, values) => {
  expect(valuesIn(text, language).map(shown).join(', ')).toBe(values)
})

test('words that are no number are none, and the place of a value is known', () => {
  expect(valuesIn('I would like to go.', 'en')).toEqual([])
  const text = 'It weighs two hundred and five grams.'
  const [value] = valuesIn(text, 'en')
  expect(text.slice(value!.from, value!.to)).toBe('two hundred and five')
})

test.each([
  ['de', 'einundzwanzig'],
  ['de', 'und'],
  ['en', '1.000,'],
  ['en', '1 '],
  ['en', 'two hundred and '],
  ['en', 'half a '],
  ['en', 'point twenty '],
  ['en', 'rose 1 and a '],
  ['fr', 'quatre vingt '],
  ['it', 'cento'],
  ['ar', 'وخمسة '],
  ['zh', '十一分之'],
  ['ko', '만 이'],
])('%s: a long text of nothing but %s is read in its time', (language, piece) => {
  const values = valuesIn(piece.repeat(20_000), language)
  const said = new SaidValues(values)
  expect(values.slice(0, 1_000).every((value) => said.has(value) !== 'different')).toBe(true)
})
