import { expect, test } from 'vitest'

import { claimsOf } from './claims.ts'
import { proverOf } from './proof.ts'

/** A sentence that names a turn at this time of a recording. */
function claimsAt(startMs: number, text: string, language = 'en') {
  const turns = [{ speaker: 'Ada', startMs, endMs: startMs + 5_000, text }]
  return claimsOf({ turns, spoken: language, written: language }, proverOf(turns))
}

test.each([
  ['The ferry leaves at 12:47.', false],
  ['There were 47 boats in the harbour.', true],
  ['There were 12 boats in the harbour.', true],
])('a time of the recording is no number that was said: %s', (sentence, isInvented) => {
  // The turn begins at 12:47.
  const claims = claimsAt(767_000, 'There were 3 boats in the harbour, and the ferry.')
  expect(claims.hold(sentence)).toBe(!isInvented)
})

test.each([
  ['We meet at 10:45.', true],
  ['We meet at 10.45.', true],
  ['We meet at 10 45.', true],
  ['They ordered 45 boats.', false],
  ['We close at 19:00.', true],
  ['We close at 19 for the night.', true],
])('of a clock time that was said, its parts prove nothing: %s', (sentence, holds) => {
  const claims = claimsAt(0, 'We meet at 10:45 in the harbour office, and close at 19:00.')
  expect(claims.hold(sentence)).toBe(holds)
})

test.each([
  ['fr', 'Nous fermons à 14:30.', 'Le bureau ferme à 14 h 30.', true],
  ['fr', 'Nous fermons à 14:30.', 'Le bureau a 30 chaises.', false],
  ['de', 'Wir schließen um 14:30 Uhr.', 'Geschlossen wird um 14 Uhr 30.', true],
  ['ja', '事務所は14:30に閉まります。', '事務所は14時30分に閉まる。', true],
])('%s: a clock time may be written in other ways', (language, said, sentence, holds) => {
  expect(claimsAt(0, said, language).hold(sentence)).toBe(holds)
})

const meeting =
  'The budget grew from twelve thousand to fifteen thousand dollars. Fifty people came, at half past five. ' +
  'The dose is 2.5 milligrams, and prices fell by 5 percent in nineteen eighty-four.'

test.each([
  ['The budget grew to $15,000.', true],
  ['The budget is between 12k and 15k.', true],
  ['There were 50 people.', true],
  ['They met at 5:30 pm.', true],
  ['The dose is two and a half milligrams.', true],
  ['Prices dropped 5% in 1984.', true],
  ['There were two decisions and three questions.', true],
  ['The first thing they did was to meet.', true],
  ['The budget grew to twenty million.', false],
  ['The budget grew by 5 million.', false],
  ['Fifty percent of the people came.', false],
  ['There were five hundred people.', false],
  ['They met at half past six.', false],
  ['The dose is 25 milligrams.', false],
  ['The dose is 2.5 grams.', false],
  ['Prices rose by five percent.', false],
  ['It was in 1948.', false],
])('a value holds where it was said, in any words: %s', (sentence, holds) => {
  expect(claimsAt(0, meeting).hold(sentence)).toBe(holds)
})

test.each([
  ['de', 'Es kamen fünfundzwanzig Leute, das war 2019.', 'Es kamen 25 Leute.', true],
  ['de', 'Es kamen 25 Leute.', 'Fünfundzwanzig Leute kamen.', true],
  ['de', 'Es kamen fünfundzwanzig Leute.', 'Zweiundfünfzig Leute kamen.', false],
  ['de', 'Es kostet zwölftausend Euro.', 'Die Kosten liegen bei 12.000 Euro.', true],
  ['de', 'Es kostet zwölftausend Euro.', 'Die Kosten liegen bei zwölf Millionen Euro.', false],
  ['fr', 'Il y avait quatre-vingt-dix-sept personnes.', 'Il y avait 97 personnes.', true],
  ['fr', 'Il y avait quatre-vingt-dix-sept personnes.', 'Il y avait 87 personnes.', false],
  ['ja', '二十五万人が来ました。', '25万人が来た。', true],
  ['ja', '二十五万人が来ました。', '25人が来た。', false],
  // The parts of a clock time prove nothing; those of what may be two numbers do.
  ['en', 'We meet at ten past eleven.', 'They ordered 11 boats.', false],
  ['en', 'On line 20 45 people waited.', 'There were 45 people.', true],
])('%s: numbers in words are understood: %s – %s', (language, said, sentence, holds) => {
  expect(claimsAt(0, said, language).hold(sentence)).toBe(holds)
})

test.each([
  ['Das Budget stieg auf fünfzehntausend Dollar.', true],
  ['Die Dosis beträgt 2,5 Milligramm.', true],
  ['Sie trafen sich um halb sechs.', true],
  ['Das Budget stieg auf fünfzehn Millionen Dollar.', false],
  ['Die Dosis beträgt 25 Milligramm.', false],
  ['Sie trafen sich um halb fünf.', false],
])('a value holds in another language than was spoken: %s', (sentence, holds) => {
  const turns = [{ speaker: 'Ada', startMs: 0, endMs: 5_000, text: meeting }]
  const claims = claimsOf({ turns, spoken: 'en', written: 'de' }, proverOf(turns))
  expect(claims.hold(sentence)).toBe(holds)
})

test.each([
  ['en', 'Rebecca will mend the pump.', false],
  ['en', 'The pump is mended by Rebecca.', false],
  ['en', 'Madrid has a pump.', false],
  ['en', 'Carla will mend the pump in Porto.', true],
  ['en', 'Printing and mending cost nothing.', true],
  ['de', 'Die Pumpe repariert Rebecca.', false],
  ['de', 'Die Reparatur der Wasserpumpe übernimmt Carla.', true],
  ['fr', 'Rebecca réparera la pompe.', false],
  ['fr', 'Carla réparera la pompe à Porto.', true],
])(
  '%s: a name that nobody said does not hold, wherever it stands: %s',
  (language, sentence, holds) => {
    const said = 'Carla wird in Porto die Pumpe, la pompe, the pump reparieren, mend, réparer.'
    expect(claimsAt(0, said, language).hold(sentence)).toBe(holds)
  },
)

test.each([
  ['en', 'We meet on Monday in March.', 'They meet on Monday.', true],
  ['en', 'We meet on Monday in March.', 'They meet on Tuesday.', false],
  ['en', 'We meet on Monday in March.', 'They meet in April.', false],
  ['en', 'We meet on Monday in March.', 'May we meet on Monday?', true],
  ['en', 'We meet on 3/4.', 'They meet in April.', true],
  ['fr', 'On se voit lundi.', 'Ils se voient mardi.', false],
  ['ja', '月曜日に会います。', '火曜日に会う。', false],
  ['ja', '三月に会います。', '3月に会う。', true],
  // Its days have several forms, which are not read.
  ['ru', 'Встречаемся в среду.', 'Встреча в четверг.', true],
])('%s: a day that nobody named does not hold: %s – %s', (language, said, sentence, holds) => {
  expect(claimsAt(0, said, language).hold(sentence)).toBe(holds)
})

test('a true sentence does not prove the one beside it', () => {
  const text = 'We take the fridge from the pharmacy, and we keep the vaccination day on Saturday.'
  const turns = [
    { speaker: 'Felix', startMs: 0, endMs: 4_000, text: 'I will write to the landlord.' },
    { speaker: 'Dana', startMs: 5_000, endMs: 9_000, text },
  ]
  const prover = proverOf(turns)
  const claims = claimsOf({ turns, spoken: 'en', written: 'en' }, prover)
  const source = prover.find('We take the fridge from the pharmacy', [])
  if (!source) throw new Error('The quote was not found.')
  const isTrue = 'They take the fridge from the pharmacy.'
  expect(claims.proves(source, isTrue, [1])).toBe(true)
  expect(claims.proves(source, `Dana writes to the landlord. ${isTrue}`, [1])).toBe(false)
})

test('a sentence is left out whole, with the abbreviation in it', () => {
  const claims = claimsAt(0, 'The ferry leaves at noon.')
  expect(claims.held('The ferry leaves. Mr. Rebecca pays for it.').text).toBe('The ferry leaves.')
})
