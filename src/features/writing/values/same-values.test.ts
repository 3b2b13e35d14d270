import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

import { summaryLanguageCodes } from '#shared/business.ts'

import { numberWordsOf } from './number-words.ts'
import { compareValues } from './same-values.ts'
import { valuesIn } from './values.ts'

const read = (text: string, language: string) => ({
  values: valuesIn(text, language),
  isRead: numberWordsOf(language).isRead,
})
const compared = (said: [language: string, text: string], other: [string, string]) =>
  compareValues(read(said[1], said[0]), read(other[1], other[0]))

const Table = z
  .object({ said: z.array(z.string()) })
  .catchall(z.array(z.tuple([z.string(), z.string()])))
const file = new URL('said-values.yaml', import.meta.url)
const { said, ...others } = Table.parse(parse(readFileSync(file, 'utf8')))

test('every language that can be written is in the table', () => {
  const written = summaryLanguageCodes.filter((code) => code !== 'auto' && code !== 'en')
  expect(Object.keys(others).sort()).toEqual(written.toSorted())
})

test.each(
  Object.entries(others).flatMap(([code, pairs]) =>
    pairs.map(([right, wrong], at): [string, string, string, string] => [
      code,
      said[at] ?? '',
      right,
      wrong,
    ]),
  ),
)('%s: "%s" is "%s", and not "%s"', (code, text, right, wrong) => {
  expect(compared(['en', text], [code, right])).toBe('same')
  expect(compared([code, right], ['en', text])).toBe('same')
  expect(compared(['en', text], [code, wrong])).toBe('different')
  expect(compared([code, wrong], ['en', text])).toBe('different')
})

// Each line: a language and what was said, a language and the same in it.
const same = `
de 14 Uhr = en 2 pm
en 5:30 pm = fr 17h30
en at five = de um 17 Uhr
en quarter to six = fr six heures moins le quart
en at ten thirty = fr à dix heures trente
en ten past five = es cinco y diez
en 5 pm = zh 下午五点
en 5 pm = ru 5 часов вечера
en at midnight = de um 0 Uhr
en At 10:30 on May 21. = de Am 21. Mai um 10.30 Uhr.
zh 三点五十分 = en 3:50
en twelve thousand dollars = de 12.000 Dollar
en 12,000 = de zwölftausend
en 12,000 = ja 一万二千
en It costs 80k = de Es kostet 80.000
en $3m = de 3 Millionen Dollar
en 5 lakh rupees = de 500.000 Rupien
hi 5 लाख रुपये = en 500,000 rupees
en 1,20,000 rupees = de 120.000 Rupien
de 12'000 Franken = en 12,000 francs
en a billion people = de eine Milliarde Menschen
es dos billones = en two trillion
pt dois bilhões = en two billion
en 2 billion = zh 20亿
en 250 million = ja 2億5千万
en 15 to 20 million = zh 1500万到2000万
en $1,299.99 = de 1.299,99 $
en It costs 1,200 euros. = fr Cela coûte 1 200 euros.
en It costs 42,000 euros. = de Es kostet 42,000 Euro.
en half a million = fr un demi-million
en two and a half years = zh 两年半
en an hour and a half = de anderthalb Stunden
en an hour and a half = ar ساعة ونصف
en 1½ = de anderthalb
de fünf Komma drei Prozent = en 5.3 percent
ru две целых пять десятых = en 2.5
zh 百分之二十 = en 20 percent
en from 5 to 10 percent = de 5% bis 10%
en the 21st century = fr le XXIe siècle
en in the 1990s = de in den neunziger Jahren
en twenty nineteen = de 2019
en May 21, 2024 = de 21.05.2024
en May 21 = ja 5月21日
en 0171 555 0199 = de (0171) 5550199
en one two three four five six seven = de 1234567
en the first and the second = de der erste und der zweite
en I have a dog. = de Ich habe einen Hund.
en One should go. = de Man sollte gehen.
en You are right. = it Tu sei nel giusto.
en a new car = fr une voiture neuve
en a couple of days = de ein paar Tage
en two of them = de beide
en half of it = de die Hälfte
en thousands of people = ja 数千人
en four or five = zh 四五个
en Sunday the 3rd = ar الأحد الثالث
en the second time = es la segunda vez
en eleven = es once
en We lost 5 to 3 = de Wir haben 5:3 verloren
en It fell from 100 to 80. = de Es fiel von 100 auf 80.
en Minus five percent. = de Ein Rückgang um fünf Prozent.
en a couple hundred people = de ein paar hundert Leute
de Das kostet 3 Euro 50. = en That costs 3.50 euros.
en 8:15 in the evening = es las ocho y cuarto de la noche
en It is very important. = zh 这十分重要。
en 2 thousand 500 = de 2500
en three nurses and two doctors = de drei Pflegekräfte und zwei Ärzte
en 5 mg in the morning, 10 mg in the evening = ja 朝に5mg、夜に10mg
en On May 6, 2024 we had 30 guests. = ja 2024年5月6日に30人のお客様がいました。
en We had 30 guests on May 21. = de Am 21. Mai hatten wir 30 Gäste.
en We had 30 guests on Friday, May 21. = de Am Freitag, dem 21. Mai, hatten wir 30 Gäste.
en Two tablets, three times a day. = es Tres veces al día, dos pastillas.
en We had 30 guests on the 21st. = de Am 21. hatten wir 30 Gäste.
en We had 30 guests in 2019. = fr En 2019, nous avions 30 invités.
en We had 30 guests on May 21, 2024. = de Am 21.05.2024 hatten wir 30 Gäste.
en 30 guests came at 5 pm on May 21. = zh 5月21日下午5点来了30位客人。
fr Nous avions 30 invités le 21 mai. = es El 21 de mayo teníamos 30 invitados.
ru У нас было 30 гостей 21 мая. = it Il 21 maggio avevamo 30 ospiti.
en 2 of 3 = ja 3のうち2
en Three of the five people are here. = zh 五个人中的三个在这里。
en Three of the five people are here. = ko 다섯 명 중 세 명이 있습니다.
en Take two tablets three times a day. = de Nehmen Sie dreimal täglich zwei Tabletten.
en Take 2 tablets, 3 times a day. = zh 每天3次，每次2片。
en 5 euros for 3 people = de für 3 Personen 5 Euro
en Three, no, five, three. = de Fünf, drei.
en We sold 300 units to 12 customers. = ko 12개 고객사에 300개를 팔았습니다.
en 40 of our 60 customers said yes. = de Von unseren 60 Kunden haben 40 ja gesagt.
en Call me within 2 days if it lasts more than 3 days. = zh 如果超过3天，请在2天内给我打电话。
en 50 milligrams, not 15 = de nicht 15, sondern 50 Milligramm
en 50 milligrams, not 15 milligrams = de nicht 15 Milligramm, sondern 50 Milligramm
en I called twice, and 5 people came. = de 5 Leute kamen, und ich habe zweimal angerufen.
zh 3到5万人 = en 30,000 to 50,000 people
`
const different = `
en The dose is 0.5 milligrams. = de 5 Milligramm
en The dose is 25 milligrams. = de 2,5 Milligramm
en 3.2 million dollars = de 7,8 Millionen Dollar
en 250 thousand units = de 520 Tausend
en It costs 80k = de Es kostet 8k
en 3 million = de 3 Milliarden
en It was -5 percent, it fell. = de Es stieg um 5 Prozent.
en 50 milligrams, not 15 = de 15, nicht 50
en At 10:30 on May 21. = de Am Vormittag.
en There are some of them. = de Es sind 25.
en There are some of them. = de Es sind fünfundzwanzig.
en There are 3 of them. = de Es sind vier.
en two billion people = de zwei Billionen Menschen
en It costs 1,200 euros = de 1,2 Euro
en 1.5 = de 15
de 2.200.112 Euro = en 2,200,12 euros
en 0171 555 0199 = de 0171 5550198
en $5 = de 5 Euro
en 5 mg = de 5 g
en 50 mg = de 52 mg
en 5 weeks = de 5 Tage
en 5 miles = de 5 Kilometer
en fifty people = de fünfzig Prozent der Leute
en 5 pm = de 5 Uhr morgens
en thirteen people = zh 三十个人
en May 21 = ja 5月22日
`
const unsure = `
en 5 miles = de 8 Kilometer
en 100 degrees Fahrenheit = de 38 Grad Celsius
en 90 minutes = de eineinhalb Stunden
en two weeks = fr quinze jours
en a fortnight = de vierzehn Tage
en a hundred percent sure = de ganz sicher
en twenty of them = de einige davon
fi Se maksaa viisi euroa = en It costs 5 euros
fi 5 miljoonaa = en 5 million
en three nurses and two doctors = de zwei Pflegekräfte und drei Ärzte
en three nurses and two doctors = fr deux infirmières et trois médecins
en three nurses and two doctors = zh 两名护士和三名医生
en 3 nurses and 2 doctors = ja 看護師2人と医師3人
en 3 nurses, 2 doctors = ko 간호사 2명과 의사 3명
en 3 nurses and 2 doctors = ar 2 ممرضات و3 أطباء
en 5 mg in the morning, 10 mg in the evening = de 10 mg am Morgen, 5 mg am Abend
en 5 mg in the morning, 10 mg in the evening = es 10 mg por la mañana, 5 mg por la noche
en 5 mg in the morning, 10 mg in the evening = ja 朝に10mg、夜に5mg
de Wir öffnen um 9 Uhr und schließen um 17 Uhr. = en We open at 5 pm and close at 9 am.
fr de 1990 à 2005 = en from 2005 to 1990
en Five to ten percent. = de Zehn bis fünf Prozent.
`
const linesOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [, from = '', text = '', into = '', other = ''] =
        /^(\w\w) (.+) = (\w\w) (.+)$/.exec(line) ?? []
      return { from, text, into, other }
    })

test.each(linesOf(same))('$text → $other: the same', ({ from, text, into, other }) => {
  expect(compared([from, text], [into, other])).toBe('same')
})

test.each(linesOf(different))('$text → $other: something else', ({ from, text, into, other }) => {
  expect(compared([from, text], [into, other])).toBe('different')
})

test.each(linesOf(unsure))('$text → $other: cannot be told', ({ from, text, into, other }) => {
  expect(compared([from, text], [into, other])).toBe('unsure')
})
