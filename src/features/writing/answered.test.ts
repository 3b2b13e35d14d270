import { expect, test } from 'vitest'

import { extract } from './extractive.ts'

/** A line for each turn; the host and a guest take turns. */
const turnsOf = (lines: readonly string[]) =>
  lines.map((text, at) => ({
    speaker: at % 2 === 0 ? 'Host' : 'Guest',
    startMs: at * 9_000,
    endMs: at * 9_000 + 8_000,
    text,
  }))

const pointsOf = (lines: readonly string[], language: string) =>
  extract({ turns: turnsOf(lines), language }).keyPoints

const interviews = {
  en: [
    'Welcome to the programme about old crafts in the valley.',
    'I am glad to be here.',
    'What does it cost to have an old church organ cleaned?',
    'Between nine and twelve thousand euros. Most of it is for the scaffold.',
    'And do you like that?',
    'I like it when the pipes shine in the morning light.',
    'Who pays for the pipes of a village church?',
    'I do not know. Perhaps the bishop.',
    'How many people still repair organs in the valley?',
    'Three. There is my brother, my neighbour and me.',
  ],
  de: [
    'Willkommen zu unserer Sendung über altes Handwerk im Tal.',
    'Ich freue mich sehr, hier zu sein.',
    'Was kostet die Reinigung einer alten Orgel in der Dorfkirche?',
    'Zwischen neun und zwölftausend Euro, und das meiste davon ist für das Gerüst.',
    'Und gefällt dir das?',
    'Die Pfeifen glänzen danach im Licht der Morgensonne.',
    'Wer bezahlt die Pfeifen einer Orgel in der Kirche?',
    'Keine Ahnung, vielleicht der Bischof selbst oder sein Vertreter.',
  ],
  es: [
    'Bienvenidos al programa sobre los oficios antiguos del valle.',
    'Me alegro mucho de estar con la gente del valle.',
    '¿Cuánto cuesta limpiar un órgano antiguo de una iglesia?',
    'Entre nueve y doce mil euros, y casi todo es para el andamio.',
    '¿Y eso te gusta?',
    'Los tubos brillan después con la luz de la mañana.',
    '¿Quién paga los tubos del órgano de una iglesia pequeña?',
    'Ni idea, quizás el obispo o alguien del pueblo vecino.',
  ],
  fr: [
    'Bienvenue dans notre émission sur les métiers anciens de la vallée.',
    'Merci beaucoup de votre invitation dans la vallée.',
    'Combien coûte le nettoyage d’un vieil orgue dans une église ?',
    'Entre neuf et douze mille euros, et presque tout est pour l’échafaudage.',
    'Et ça te plaît ?',
    'Les tuyaux brillent ensuite dans la lumière du matin.',
    'Combien de tuyaux manquent à l’orgue de la cathédrale ?',
    'Aucune idée, il faut peut-être demander au chantre ou à son frère.',
  ],
}

test.each(Object.entries(interviews))(
  'a question and its answer stand as one point in %s, with the place of the answer',
  (code, lines) => {
    const points = pointsOf(lines, code)
    const pair = points.find(({ text }) => text.startsWith(lines[2]!))
    const [answer = ''] = /^[^.]+\./.exec(lines[3]!) ?? []
    expect(pair).toEqual({
      text: `${lines[2]} ${answer}`,
      turns: [3],
      quote: answer,
      startMs: 27_000,
    })
    // It stands in the list once, and an answer that says nothing does not.
    expect(points.filter(({ text }) => text.includes(answer))).toHaveLength(1)
    expect(points.map(({ text }) => text).join(' ')).not.toContain(lines[6])
  },
)

test('an answer of one word is shown with the sentence behind it', () => {
  const point = pointsOf(interviews.en, 'en').find(({ text }) => text.startsWith('How many people'))
  expect(point?.quote).toBe('Three. There is my brother, my neighbour and me.')
})

test('a question that another one follows, or answers, is not shown', () => {
  const lines = [
    ...interviews.en.slice(0, 2),
    'How deep is the old quarry behind the church? Have you been there?',
    'Nobody has measured the depth of the quarry since the war.',
    'How long is the road from the quarry to the church?',
    'Which of the two roads do you mean, the upper one?',
    'The long one along the river.',
    'The road along the river is four miles long.',
  ]
  const shown = pointsOf(lines, 'en').map(({ text }) => text)
  expect(shown.filter((text) => text.includes('?'))).toEqual([])
})
