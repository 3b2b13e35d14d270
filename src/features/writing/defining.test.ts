import { expect, test } from 'vitest'

import { gather } from './extractive.ts'

/** Sentences about one thing, and pairs of which the first says what it is or what follows. */
const talks = {
  en: {
    others: [
      'The kiln heats the lime from the quarry for a night and a day.',
      'The lime from the quarry reaches the kiln with the last lorry.',
      'The workers break the lime in the kiln with an iron rod.',
    ],
    pairs: [
      [
        'A kiln is an oven that burns the quarry stone.',
        'A kiln and an oven burn the quarry stone.',
      ],
      ['This stone of the quarry is called marl.', 'This stone of the quarry is with marl.'],
      [
        'To sum up, the kiln burns the quarry stone.',
        'To the full, the kiln burns the quarry stone.',
      ],
      ['We call the quarry stone in the kiln marl.', 'We haul the quarry stone in the kiln marl.'],
    ],
  },
  de: {
    others: [
      'Der Brennofen erhitzt den Kalk aus dem Steinbruch eine Nacht und einen Tag.',
      'Der Kalk aus dem Steinbruch erreicht den Brennofen mit der letzten Fuhre.',
      'Die Arbeiter brechen den Kalk im Brennofen mit einer Stange aus Eisen.',
    ],
    pairs: [
      [
        'Ein Brennofen ist ein Bau, der den Kalk aus dem Steinbruch brennt.',
        'Ein Brennofen und ein Bau, sie brennen den Kalk aus dem Steinbruch.',
      ],
      [
        'Den Kalk aus dem Steinbruch nennt man Branntkalk.',
        'Den Kalk aus dem Steinbruch brennt man Branntkalk.',
      ],
      [
        'Zusammengefasst brennt der Brennofen den Kalk.',
        'Zwischendurch brennt der Brennofen den Kalk.',
      ],
    ],
  },
  es: {
    others: [
      'El horno calienta la cal de la cantera durante una noche y un día.',
      'La cal de la cantera llega al horno con el camión de la tarde.',
      'Los obreros rompen la cal del horno con una barra de hierro.',
    ],
    pairs: [
      [
        'Un horno es una torre que quema la piedra de la cantera.',
        'Un horno y una torre queman la piedra de la cantera.',
      ],
      ['La piedra de la cantera se llama marga.', 'La piedra de la cantera se quema marga.'],
    ],
  },
  fr: {
    others: [
      'Le four chauffe la chaux de la carrière pendant une nuit et un jour.',
      'La chaux de la carrière arrive au four avec le camion du soir.',
      'Les ouvriers cassent la chaux du four avec une barre de fer.',
    ],
    pairs: [
      [
        'Un four est une tour qui brûle la pierre de la carrière.',
        'Un four et une tour brûlent la pierre de la carrière.',
      ],
      ['La pierre de la carrière s’appelle marne.', 'La pierre de la carrière se brûle marne.'],
    ],
  },
}

const cases = Object.entries(talks).flatMap(([code, { others, pairs }]) =>
  pairs.map(([said = '', plain = '']) => ({ code, said, plain, others })),
)

test.each(cases)('in $code “$said” weighs more than “$plain”', ({ code, said, plain, others }) => {
  const scoreOf = (sentence: string) => {
    const text = [...others, sentence].join(' ')
    const turns = [{ speaker: null, startMs: 0, endMs: 40_000, text }]
    const found = gather({ turns, language: code }).said.find((one) => one.text === sentence)
    return found?.score ?? 0
  }
  expect(scoreOf(said)).toBeGreaterThan(scoreOf(plain))
})
