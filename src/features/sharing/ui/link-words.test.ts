import { expect, test } from 'vitest'

import { choiceOf, includesOf } from '../status.ts'
import { endOf, partsOf, seenAndEnd, usualChoice } from './link-words.ts'

const now = new Date(2026, 10, 22, 14, 30)
const at = (day: number, hour: number, minute: number) =>
  new Date(2026, 10, day, hour, minute).toISOString()

test('how often a link was seen, when last, and when it ends', () => {
  const seen = { openings: 4, lastOpenedAt: at(22, 9, 12), endsAt: at(29, 9, 0) }
  expect(seenAndEnd(seen, now)).toEqual(['Seen 4 times, last today at 9:12', 'ends Nov 29, 2026'])
  expect(seenAndEnd({ ...seen, openings: 1, lastOpenedAt: at(21, 9, 2) }, now)).toEqual([
    'Seen once, yesterday at 9:02',
    'ends Nov 29, 2026',
  ])
  expect(seenAndEnd({ ...seen, openings: 1_234, lastOpenedAt: at(2, 9, 2) }, now)).toEqual([
    'Seen 1,234 times, last on Nov 2, 2026',
    'ends Nov 29, 2026',
  ])
  expect(seenAndEnd({ openings: 0, lastOpenedAt: null, endsAt: null }, now)).toEqual([
    'Not seen yet',
    'no end',
  ])
})

test('an end is shown as chosen while choosing it again would change nothing', () => {
  expect(endOf(null)).toBe('never')
  expect(endOf(at(29, 14, 31), now.getTime())).toBe('7')
  expect(endOf(at(23, 14, 0), now.getTime())).toBe('1')
  expect(endOf(at(27, 14, 0), now.getTime())).toBeNull()
})

test('a choice comes back as it was', () => {
  expect(includesOf(usualChoice)).toEqual(['recording', 'summary', 'names'])
  for (const played of ['picture', 'sound', 'none'] as const) {
    const choice = { played, summary: played === 'none', names: true, captions: played === 'none' }
    expect(choiceOf(includesOf(choice))).toEqual(choice)
  }
})

test('the parts of a link are told as they are now, not as they were chosen', () => {
  const all = { includes: includesOf(usualChoice), summaryLeftOut: false, render: null }
  expect(partsOf(all, true)).toBe('Transcript, recording, summary, names')
  expect(partsOf(all, false)).toBe('Transcript, summary, names')
  const left = { summaryLeftOut: true, render: null }
  expect(partsOf({ ...left, includes: ['sound', 'summary'] }, true)).toBe('Transcript, sound only')
  expect(partsOf({ ...left, includes: [] }, true)).toBe('Transcript')
  const render = { id: '', format: 'mp3' } as const
  expect(partsOf({ ...left, render, includes: ['captions'] }, true)).toBe('Cut file, MP3, captions')
})
