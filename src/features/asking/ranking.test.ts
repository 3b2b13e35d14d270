/** The same thing in another notation than the one in which it was said. */
import { expect, test } from 'vitest'

import { type Said, placesFor } from './ranking.ts'

const turn = (text: string): Said => ({ stretch: '', recording: '', speaker: null, text })
const filler = Array.from({ length: 8 }, (_, at) =>
  turn(
    `Then somebody spoke for a while of the weather over the hills and of the ${at} birds there.`,
  ),
)
/** Each stands far from the next, so that none is found beside it. */
const apart = (sentences: readonly string[]): Said[] =>
  sentences.flatMap((sentence) => [turn(sentence), ...filler])

const fair = 'The fair opens on the 14th of May in the old harbour.'
const flight = 'The flight leaves at half past seven.'
const office = 'The U.S. office and the C.E.O. were against it.'
const chairs = 'We need twenty five chairs for the hall.'
const others = [
  'The other fair opens on the 14th of March in the old town.',
  'The train leaves at half past eight.',
  'One of us may be against it.',
  'There were fifty two tables.',
]

test.each([
  ['May 14', fair],
  ['14 May', fair],
  ['fourteenth of May', fair],
  ['What opens on May 14?', fair],
  ['7:30', flight],
  ['What leaves at 19:30?', flight],
  ['CEO', office],
  ['Who is the CEO?', office],
  ['C.E.O.', office],
  ['USA', office],
  ['25', chairs],
  ['twenty-five', chairs],
  ['25 chairs', chairs],
])('“%s” finds “%s”', (question, sentence) => {
  const said = apart([...others, fair, flight, office, chairs])
  const [first] = placesFor(question, said, { language: 'en', most: 3 })
  expect(first && said[first.turn]?.text).toBe(sentence)
  expect(first?.marks).not.toEqual([])
})

test.each([
  ['Wer kommt um 7:30 Uhr?', 'Der Zug fährt um halb acht ab.', 'Der Bus fährt um halb sieben ab.'],
  ['25', 'Wir brauchen fünfundzwanzig Stühle.', 'Wir brauchen zweiundfünfzig Tische.'],
  ['14. Mai', 'Am vierzehnten Mai ist die Messe.', 'Am dreizehnten Mai ist der Umzug.'],
])('in German, “%s” finds “%s” and not “%s”', (question, sentence, other) => {
  const found = placesFor(question, apart([other, sentence]), { language: 'de', most: 3 })
  expect(found.map((place) => apart([other, sentence])[place.turn]?.text)).toContain(sentence)
  expect(found.map((place) => apart([other, sentence])[place.turn]?.text)).not.toContain(other)
})

const parts = [
  'He kept the song as an MP3 on his phone.',
  'They bought a 5G router for the cellar.',
  'In Q3 the shop was closed.',
  'The 3D printer is out of ink.',
  'Print it on A4 paper.',
]
const numbers = ['Three of us went there.', 'We need five chairs.', 'Four birds sat there.']

test.each([
  ['MP3', 'MP3'],
  ['Who bought 5G?', '5G'],
  ['Q3', 'Q3'],
  ['Who has ink for 3D?', '3D'],
  ['A4', 'A4'],
])('the number inside a word is no value: “%s” finds “%s” alone', (question, word) => {
  const said = apart([...numbers, ...parts])
  const found = placesFor(question, said, { language: 'en', most: 3 })
  expect(found.map((place) => said[place.turn]?.text)).toEqual([
    parts.find((sentence) => sentence.includes(word)),
  ])
})

test.each([
  ['9', 'They fly an MP9.', 'There are nine of them.'],
  ['May 14th', 'The fair opens on May 13th.', 'It closes on the 14th of May.'],
  ['17:00', 'The ferry leaves at 6pm.', 'The bus leaves at 5pm.'],
  ['2,000', 'It was 3 000 dollars.', 'It was 2 000 dollars.'],
  ['14 days ago', 'The 18th of December was a Thursday.', 'I saw it 14 days ago.'],
])('“%s” is not in “%s”, but in “%s”', (question, other, sentence) => {
  const said = apart([other, sentence])
  const found = placesFor(question, said, { language: 'en', most: 3 })
  expect(found.map((place) => said[place.turn]?.text)).toEqual([sentence])
})

test('a number without its month comes after the day that is asked for, however short its sentence', () => {
  const day = 'On the fourteenth of May there was a fair in the old harbour, which everybody liked.'
  const said = apart(['Fourteen came.', day])
  const found = placesFor('What happened on May 14?', said, { language: 'en', most: 3 })
  expect(found.map((place) => said[place.turn]?.text)).toEqual([day, 'Fourteen came.'])
})
