import { expect, test } from 'vitest'

import { placesOf } from '#features/text/ui/word-places.ts'
import { packWords } from '#features/text/packed-words.ts'

import { proposalsIn } from './proposals.ts'

/** Turns whose words take 300 ms each, 100 ms apart; `[2]` is a pause of two seconds more. */
function aText(...lines: string[]) {
  let ms = 0
  const turns = lines.map((line) => {
    let text = ''
    const words = line.split(' ').flatMap((written) => {
      const [, pause] = /^\[([\d.]+)\]$/.exec(written) ?? []
      if (pause) {
        ms += Number(pause) * 1000
        return []
      }
      if (text !== '') text += ' '
      const from = text.length
      text += written
      const to = from + written.replace(/[^\p{L}\p{M}\p{N}]+$/u, '').length
      const startMs = ms
      ms += 400
      return { from, to, startMs, endMs: startMs + 300, confidence: null }
    })
    const start = (words[0]?.startMs ?? 0) / 1000
    return { text, start, words: packWords(words, start * 1000) }
  })
  return { turns, places: placesOf(turns) }
}

function found(language: string | null, ...lines: string[]) {
  const text = aText(...lines)
  return proposalsIn(text, { language, list: [], keptPauseMs: 500 }).map((each) =>
    each.kind === 'pause'
      ? `pause ${each.endMs - each.startMs}`
      : `${each.kind} ${each.words
          .map(({ turn, from, to }) => text.turns[turn]?.text.slice(from, to))
          .join(' ')}`,
  )
}

test('hesitations are found in the language that is spoken, and answers are none', () => {
  expect(found('en', 'Right, um, everybody is here. Uh, mhm, ah yes.')).toEqual(['um um', 'um Uh'])
  expect(found('de', 'Das ist, äh, um acht Uhr.')).toEqual(['um äh'])
  expect(found('fr', 'Euh, il vient.')).toEqual(['um Euh'])
  expect(found(null, 'Um, äh, euh.')).toEqual([])
})

test('a phrase that says nothing is one only where commas set it off', () => {
  expect(found('en', 'Well, I mean, four hundred. You know, it broke.')).toEqual([
    'um I mean',
    'um You know',
  ])
  expect(found('en', 'I mean it. Do you know her? It is a kind of paper.')).toEqual([])
})

test('of words that are said twice the first are proposed', () => {
  expect(found('en', 'The last the last two boxes. I, I would go.')).toEqual([
    'repeat The last',
    'repeat I',
  ])
  expect(found('en', 'I, um, I would go.')).toEqual(['repeat I', 'um um'])
  expect(found('en', 'We thi- think so.')).toEqual(['repeat thi'])
  expect(found('nl', 'Ik heb, ik heb het.')).toEqual(['repeat Ik heb'])
})

test.each(['.', '?', '!', '…', '."', '।', '؟', '。'])(
  'a word that ends a sentence with %s is not proposed, and the same word after it is',
  (mark) => {
    expect(found('en', `Neither did I${mark} I${mark} I${mark} I thought so.`)).toEqual([
      'repeat I',
      'repeat I',
    ])
    expect(found('en', `Neither did I${mark} I thought so.`)).toEqual([])
    expect(found('en', `You know${mark} I know${mark} I thought so.`)).toEqual([])
  },
)

test('a whole sentence that is said twice is proposed once', () => {
  expect(found('en', 'Well. I know. I know. I thought so.')).toEqual(['repeat I know'])
  expect(found('en', 'A bill of Dr. Lund of Dr. Lund came.')).toEqual(['repeat of Dr Lund'])
})

test('what is said twice on purpose stays', () => {
  expect(found('en', 'It was very very long, no, no, really really. Call 20 20 now.')).toEqual([])
  expect(found('en', 'Very very very very good. What he had had was 5 mm, in the ER.')).toEqual([])
  expect(found('en', 'I would. [2] I would.', 'It is.', 'It is.')).toEqual(['pause 1600'])
})

test('a long pause is made shorter, and a short one stays', () => {
  expect(found('en', 'One. [1.3] Two. [1.5] Three.')).toEqual(['pause 1100'])
  const text = aText('One. [1.6] Two.')
  const [pause] = proposalsIn(text, { language: 'en', list: [], keptPauseMs: 500 })
  expect(pause).toMatchObject({ kind: 'pause', startMs: 550, endMs: 1750 })
})

test('what is cut already is not proposed', () => {
  const text = aText('Um, we uh begin.')
  const list = [{ startMs: 0, endMs: 350 }]
  const kept = proposalsIn(text, { language: 'en', list, keptPauseMs: 500 })
  expect(kept.map(({ startMs }) => startMs)).toEqual([800])
})
