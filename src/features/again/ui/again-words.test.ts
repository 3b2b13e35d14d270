import { describe, expect, test } from 'vitest'

import type { LostCorrection } from '#features/text/contract.ts'
import { type Carried, allIn, foundBefore, leadOf, titleOf } from './again-words.ts'

const lost = (number: number, decision: LostCorrection['decision'] = 'open') =>
  ({
    kind: 'text',
    number,
    decision,
    speaker: 0,
    start: 1,
    end: 2,
    was: '',
    mine: 'a',
    now: 'b',
  }) as const
const name = { kind: 'name', number: 9, decision: 'open', speaker: 2, name: 'Ben Okafor' } as const

describe('what the panel says', () => {
  test('counts what is open in its title, and what had no place in its text', () => {
    const carried: Carried = { placed: 12, questions: [lost(1), lost(2)] }
    expect(titleOf(carried)).toBe('2 corrections need you')
    expect(leadOf(carried)).toBe(
      'The new text is here, and 12 of your 14 corrections are in it. These two could not be placed, because the words around them have changed.',
    )
    const decided: Carried = { placed: 12, questions: [lost(1, 'put'), lost(2)] }
    expect(titleOf(decided)).toBe('1 correction needs you')
    expect(leadOf(decided)).toBe(leadOf(carried))
  })

  test('says of a single correction that it has no place', () => {
    expect(leadOf({ placed: 0, questions: [lost(1)] })).toBe(
      'The new text is here. This one could not be placed, because the words around it have changed.',
    )
  })

  test('ends with all corrections placed, or asks only for a name', () => {
    expect(titleOf({ placed: 1, questions: [lost(1, 'left')] })).toBe('All corrections are placed.')
    expect(titleOf({ placed: 3, questions: [name] })).toBe('1 speaker needs you')
    expect(leadOf({ placed: 3, questions: [name] })).toBe(
      'One voice sounds like somebody who had a name before.',
    )
    const answered = { ...name, decision: 'left' } as const
    expect(titleOf({ placed: 3, questions: [answered] })).toBe('Nothing is left to decide.')
  })

  test('counts one as one', () => {
    expect(allIn(1)).toBe('Your correction is in it')
    expect([0, 1, 2].map(foundBefore)).toEqual([
      undefined,
      'Last time 1 was found.',
      'Last time 2 were found.',
    ])
  })
})
