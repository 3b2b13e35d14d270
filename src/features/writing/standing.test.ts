import { expect, test } from 'vitest'

import { extract } from './extractive.ts'
import { languageOf } from './languages.ts'
import { readable } from './readable.ts'
import { findSentences } from './sentences.ts'
import { LEAST_STANDING, standing } from './standing.ts'

const turnOf = (text: string) => ({ speaker: 'Ada', startMs: 0, endMs: 9_000, text })

const isAlone = (text: string, code: string): boolean => {
  const language = languageOf(code)
  return findSentences([turnOf(text)], language).every(
    (sentence) => standing(sentence, readable(sentence, language), language) >= LEAST_STANDING,
  )
}

const alone = {
  en: [
    'The bakery opens at four, and the first loaves are ready at six.',
    'It takes two days to dry the clay before the first firing.',
    'This oven burns nothing but apple wood from the valley.',
    'When the river rises, the lower mill has to stop within an hour.',
    'The bridge was built in nineteen sixty two.',
    'If the kiln is too hot, the glaze runs down and sticks to the shelf.',
    'Nobody in the village remembers that the school had a second floor.',
    'A hundred people came to the opening, and they stayed until midnight.',
    'My neighbour, who repairs clocks, has a key to the tower.',
    'Because the road was closed, the flour came by boat.',
  ],
  de: [
    'Die Bäckerei öffnet um vier, und die ersten Brote sind um sechs fertig.',
    'Wenn der Fluss steigt, muss die Mühle halten, weil sie sonst bricht.',
    'Dieser Ofen brennt nur mit Apfelholz aus dem Tal.',
  ],
  es: ['La panadería abre a las cuatro, y el primer pan sale a las seis.'],
  fr: ['Il faut deux jours pour sécher la terre avant la première cuisson.'],
}

const leaning = {
  en: [
    'They wanted thirty percent before the fifteenth of May.',
    'And it came out of a church hall with a fish inside.',
    'The second one stayed for an hour with his camera.',
    'The old one raised its price in February by five percent.',
    'The action alone has more than five thousand.',
    'Because the felt sets, and because nobody hears the difference.',
    'Nobody in the whole village has ever seen it.',
    'Came my ninety page senior thesis about the harbour.',
    'Let me show you the creeks on the next picture.',
    'The firm did that with every customer last year.',
    'Two boards of oak behind the stairs of the mill.',
    'The miller, who was told by the council.',
    'The clay is sort of a secret of the potter.',
    'I would take them out before winter, because it is cold when they have to go up the hill.',
    'One is the old mill in the valley, and the other is the barn behind the church.',
    'The rent is low and the wiring is, how do I say it, ancient and dangerous.',
    'Before we start, the potter is ill and will not come.',
  ],
  de: [
    'Sie wollten dreißig Prozent vor dem ersten Mai.',
    'Davon hat die Stadt im Winter nichts gewusst.',
    'Weil der Filz sich setzt und niemand den Unterschied hört.',
  ],
  es: ['Eso cuesta mil euros en la tienda del pueblo.'],
  fr: ['Elle a vendu le four avant la fin de l’hiver.'],
}

test.each(Object.entries(alone))('what can be read alone stands alone in %s', (code, sentences) => {
  expect(sentences.filter((text) => !isAlone(text, code))).toEqual([])
})

test.each(Object.entries(leaning))(
  'what leans on what was said before does not in %s',
  (code, all) => {
    expect(all.filter((text) => isAlone(text, code))).toEqual([])
  },
)

test('in a language whose words for it are not known every sentence stands alone', () => {
  expect(isAlone('Он сказал это в пятницу на собрании.', 'ru')).toBe(true)
})

test('a sentence that leans on another is neither in the summary nor a key point', () => {
  const said = `${alone.en.join(' ')} ${leaning.en.join(' ')}`
  const { text, keyPoints } = extract({ turns: [turnOf(said)], language: 'en' })
  const shown = [text, ...keyPoints.map((point) => point.text)].join(' ')
  expect(shown).not.toBe(' ')
  expect(leaning.en.filter((one) => shown.includes(one))).toEqual([])
})

test('a sentence of several has a capital behind each stop', () => {
  const language = languageOf('en')
  const [sentence] = findSentences([turnOf('I closed the shop.')], language)
  const text = 'I closed the shop. we went home, to Mr. allan and approx. three guests'
  expect(readable({ ...sentence!, text, tokens: [] }, language)).toBe(
    'I closed the shop. We went home, to Mr. allan and approx. three guests.',
  )
})
