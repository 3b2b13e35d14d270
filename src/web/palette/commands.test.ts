import { expect, test } from 'vitest'

import { searches } from '#test/searches.ts'
import { publicPaths } from '#web/paths.ts'

import { pagesFor, ranked, secondsIn } from './commands.ts'

test('a time is read with and without hours', () => {
  expect(secondsIn('12:30')).toBe(750)
  expect(secondsIn(' 0:00 ')).toBe(0)
  expect(secondsIn('1:02:03')).toBe(3723)
  expect(secondsIn('01:02:03')).toBe(3723)
  expect(secondsIn('90:00')).toBe(5400)
})

test('a text that is no time, or only half of one, gives none', () => {
  const others = [
    '',
    '12',
    '12:',
    '12:3',
    '12:60',
    '1:60:00',
    '1:2:3:4',
    '-1:00',
    '12:30 pm',
    ':30',
  ]
  for (const other of others) expect(secondsIn(other), other).toBeNull()
})

const named = (...labels: string[]) => labels.map((label) => ({ label }))
const labelsOf = (items: readonly { label: string }[]) => items.map(({ label }) => label)

test('an empty query leaves everything in its order', () => {
  expect(labelsOf(ranked(' ', named('Zoo', 'Ant', 'Bee')))).toEqual(['Zoo', 'Ant', 'Bee'])
})

test('the whole name comes before its beginning, a word before letters inside one', () => {
  const items = named('prelaunch.mp3', 'the launch.mp3', 'Launch party.mp3', 'launch', 'lunch.mp3')
  expect(labelsOf(ranked('launch', items))).toEqual([
    'launch',
    'Launch party.mp3',
    'the launch.mp3',
    'prelaunch.mp3',
  ])
})

test('every word of the query counts, in any order, without case and accents', () => {
  const items = named('2026-11-18 Planning with Zoë.mp4', 'Planning alone.mp4')
  expect(labelsOf(ranked('zoe plan', items))).toEqual(['2026-11-18 Planning with Zoë.mp4'])
  expect(ranked('مقابلة', named('تسجيل مقابلة.m4a'))).toHaveLength(1)
})

test('a page is also found by its other words, after pages with the word in their name', () => {
  const items = [{ label: 'Contact', words: 'support' }, { label: 'Support hours' }]
  expect(labelsOf(ranked('supp', items))).toEqual(['Support hours', 'Contact'])
  expect(ranked('upport', [{ label: 'Contact', words: 'support' }])).toEqual([])
})

test('the highest plan is not offered another one; everything else is the same', () => {
  const lower = labelsOf(pagesFor({ canUpgrade: true }))
  const highest = labelsOf(pagesFor({ canUpgrade: false }))
  expect(lower.filter((label) => !highest.includes(label))).toEqual(['Upgrade Plan'])
  expect(highest.filter((label) => !lower.includes(label))).toEqual([])
  expect(highest.slice(0, 3)).toEqual(['Library', 'New', 'Record'])
})

test('only an operator is led to the pages of operators', () => {
  const operators = labelsOf(pagesFor({ canUpgrade: false, isOperator: true }))
  const others = labelsOf(pagesFor({ canUpgrade: false }))
  expect(operators.filter((label) => !others.includes(label))).toEqual([
    'Operations',
    'Log of operations',
  ])
})

test('pages that are documents of their own are loaded as such, and no others', () => {
  for (const { path, isDocument = false } of pagesFor({ canUpgrade: true }))
    expect(isDocument, path).toBe(publicPaths().includes(path))
})

test.each(searches)('in "$text", "$wanted" finds $found', ({ text, wanted, found }) => {
  expect(ranked(wanted, named(text))).toHaveLength(found.length > 0 ? 1 : 0)
})
