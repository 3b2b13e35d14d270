import { expect, test } from 'vitest'

import { hiderOf, titleWithoutNames } from './hidden-names.ts'

const names = new Map([
  [0, 'Ada Lovett'],
  [1, 'Ben Okafor'],
])
const hide = (text: string, named = names) => hiderOf([text], named)?.(text) ?? null

test('whole names and parts of them become letters', () => {
  expect(hide('Ben Okafor tells Ada about Okafor’s tapes. Ada asks Ben.')).toBe(
    'Speaker B tells Speaker A about Speaker B’s tapes. Speaker A asks Speaker B.',
  )
  expect(hide('Nobody is named here.')).toBe('Nobody is named here.')
})

test.for([
  ['a name that is bent', 'The Okafors came.'],
  ['a name that is written small', 'it was okafor who said so'],
  ['a name that is cut short', 'Lovet and Okafo agreed.'],
])('a text is not shown where a name may be left in it: %s', ([, text]) => {
  expect(hide(text!)).toBeNull()
})

test('a name that two share, or that is an everyday word, is not taken out by halves', () => {
  const family = new Map([
    [0, 'Ada Lovett'],
    [1, 'Tom Lovett'],
  ])
  expect(hide('Ada Lovett met Tom Lovett.', family)).toBe('Speaker A met Speaker B.')
  expect(hide('Lovett laughed.', family)).toBeNull()
  expect(hide('Will says that he will come.', new Map([[0, 'Will']]))).toBeNull()
})

test('a text in another script than the name is not shown: it may hold the name', () => {
  expect(hide('Бен Окафор хранит плёнки.')).toBeNull()
  expect(hide('李雷讲了他的磁带。', new Map([[0, '李雷']]))).toBe('Speaker A讲了他的磁带。')
})

test('signs in a name are taken as they are, and accents tell no other name', () => {
  expect(hide('Jean-Luc O’Hara (host) spoke.', new Map([[0, 'Jean-Luc O’Hara (host)']]))).toBe(
    'Speaker A spoke.',
  )
  expect(hide('Jose spoke.', new Map([[0, 'José García']]))).toBeNull()
  expect(hide('José spoke.', new Map([[0, 'José García'.normalize('NFD')]]))).toBe(
    'Speaker A spoke.',
  )
})

test('a title loses its names, or says nothing', () => {
  expect(titleWithoutNames('Interview with Ben Okafor.mp3', names)).toBe(
    'Interview with Speaker B.mp3',
  )
  expect(titleWithoutNames('okafor-final.mp3', names)).toBe('Recording')
})
