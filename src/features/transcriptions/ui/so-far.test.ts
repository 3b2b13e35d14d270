import { expect, test } from 'vitest'

import { type Read, type ReadTurn, added, isBeingWritten, named } from './so-far.ts'

const turn = (start: number, end: number, text: string, speaker: number | null = 0): ReadTurn => ({
  start,
  end,
  speaker,
  text,
})
const read = (turns: ReadTurn[]): Read => ({
  next: 1,
  readTo: 10,
  isToldApart: false,
  isHeldBack: false,
  turns,
})
const more = (turns: ReadTurn[], from = 1) => ({
  from,
  next: 2,
  readTo: 20,
  isToldApart: true,
  isHeldBack: false,
  turns,
})
const texts = ({ turns }: Pick<Read, 'turns'>) => turns.map(({ text }) => text)

test('new turns are put at the end, and a turn that was cut goes on', () => {
  const before = read([turn(0, 4, 'One.'), turn(5, 9.5, 'Two and')])
  const after = added(before, more([turn(10, 11, 'a half.'), turn(12, 14, 'Three.')]))
  expect(texts(after)).toEqual(['One.', 'Two and a half.', 'Three.'])
  expect(after).toMatchObject({ next: 2, readTo: 20, turns: [before.turns[0], { end: 11 }, {}] })
})

test.each([
  ['another speaker', turn(10, 11, 'No.', 1)],
  ['a pause', turn(10.6, 11, 'No.')],
  ['a turn that would be too long', turn(10, 18, 'No.')],
])('a turn does not go on with %s', (_, next) => {
  expect(texts(added(read([turn(5, 9.5, 'So')]), more([next])))).toEqual(['So', 'No.'])
})

test('a text that begins again takes the place of the one that was there', () => {
  expect(texts(added(read([turn(0, 4, 'Heard wrong.')]), more([turn(0, 4, 'Right.')], 0)))).toEqual(
    ['Right.'],
  )
})

test('turns that were read before voices were told apart get their speakers and stay as they are', () => {
  const before = read([
    turn(0, 10, 'Ada alone.', null),
    turn(10, 20, 'Both of them.', null),
    turn(20, 30, 'Ben, nearly.', null),
  ])
  const all = {
    turns: [
      turn(0, 6, ''),
      turn(6, 15, ''),
      turn(15, 20, '', 1),
      turn(20, 29, '', 1),
      turn(29, 30, ''),
    ],
  }
  const after = named(before, all)
  expect(after.turns.map(({ speaker }) => speaker)).toEqual([0, null, 1])
  expect(texts(after)).toEqual(texts(before))
})

test('more is written until the summary is', () => {
  expect(['processing chunk 2/5', 'summarizing'].map(isBeingWritten)).toEqual([true, false])
})
