import { expect, test } from 'vitest'

import { extract } from './extractive.ts'

/** A line for each turn; two people take turns. */
const turnsOf = (lines: readonly string[]) =>
  lines.map((text, at) => ({
    speaker: at % 2 === 0 ? 'Ada' : 'Ben',
    startMs: at * 9_000,
    endMs: at * 9_000 + 8_000,
    text,
  }))

const decisionsOf = (lines: readonly string[], language = 'en') => {
  const { decisions, keyPoints } = extract({ turns: turnsOf(lines), language })
  const points = keyPoints.map(({ quote }) => quote)
  expect(points.filter((quote) => decisions.includes(quote ?? ''))).toEqual(decisions)
  return decisions
}

const meeting = [
  'The landlord wants to know by Tuesday whether we keep the cellar.',
  'Should we not keep the cellar for the bicycles of the visitors?',
  'I think we should give the cellar back, because the stairs are too steep.',
  'Last year we decided to paint the cellar, and nobody did it.',
  'Good, then we decided that. The cellar goes back to the landlord in March.',
  'The board has agreed to the new lamps for the stairs.',
  'We will not decide the colour of the lamps today.',
  'We will not ask the visitors for more money this winter.',
  'Agreed, no more letters.',
  'We will take the light ones.',
  'The gate stays open until ten on Fridays, as the neighbours asked.',
  'Perhaps we will open the gate on Sundays too.',
  'Okay, that is settled.',
  'If we agreed on the paint, the roof would still leak in the autumn.',
  'Then we could have the roof done by a firm from the next town.',
]

test('a decision is what was agreed, and nothing that was proposed, asked, put off or told of last year', () => {
  expect(decisionsOf(meeting)).toEqual([
    'The cellar goes back to the landlord in March.',
    'The board has agreed to the new lamps for the stairs.',
    'We will not ask the visitors for more money this winter.',
    'Agreed, no more letters.',
    'The gate stays open until ten on Fridays, as the neighbours asked.',
  ])
})

test('"that is settled" means what the same person has just said', () => {
  const lines = meeting.slice(0, 4)
  const settled = ['The gate stays open until ten on all Fridays.', 'Fine.', 'That is settled.']
  expect(decisionsOf([...lines, ...settled, 'Good.'])).toEqual([settled[0]])
})

test('decisions are found in German and Spanish, and in no language without words for them', () => {
  const german = [
    'Der Vermieter will bis Dienstag wissen, ob wir den Keller behalten.',
    'Sollten wir den Keller nicht für die Fahrräder behalten?',
    'Wir haben beschlossen, dass der Keller im März zurückgegeben wird.',
    'Letztes Jahr haben wir beschlossen, den Keller zu streichen.',
    'Die Lampen im Treppenhaus sind seit dem Herbst kaputt.',
    'Vielleicht haben wir uns auf die falsche Firma geeinigt.',
    'Die Nachbarn wollen das Tor bis zehn Uhr offen haben.',
    'Das Tor quietscht seit dem Sommer.',
  ]
  expect(decisionsOf(german, 'de')).toEqual([german[2]])
  const spanish = [
    'El dueño quiere saber antes del martes si dejamos el sótano.',
    'Creo que decidimos que no, pero no hay acta.',
    'Hemos decidido que el sótano se devuelve en marzo.',
    'Las lámparas de la escalera están rotas desde el otoño.',
    'Los vecinos quieren la puerta abierta hasta las diez.',
    'La puerta hace ruido desde el verano.',
    'El tejado gotea sobre las bicicletas de los visitantes.',
    'La empresa del pueblo vecino cobra demasiado por el tejado.',
  ]
  expect(decisionsOf(spanish, 'es')).toEqual([spanish[2]])
  expect(decisionsOf(meeting, 'fi')).toEqual([])
})
