import { describe, expect, test } from 'vitest'

import { segmentsOf } from './segments.ts'

const textsOf = (text: string, code: string) => segmentsOf(text, code).map((one) => one.text.trim())

describe('segmentsOf', () => {
  test('ends no sentence at an abbreviation', () => {
    expect(textsOf('Mr. Smith said no. He left.', 'en')).toEqual(['Mr. Smith said no.', 'He left.'])
    expect(textsOf('Frau Dr. Meier kommt. Sie bleibt.', 'de')).toHaveLength(2)
  })

  test('ends no German sentence at the dot of an ordinal', () => {
    expect(textsOf('Wir treffen uns am 12. Mai. Das passt.', 'de')).toEqual([
      'Wir treffen uns am 12. Mai.',
      'Das passt.',
    ])
    expect(textsOf('Es kostet 12. Das ist viel.', 'de')).toHaveLength(2)
    expect(textsOf('We have 12. May we go?', 'en')).toHaveLength(2)
  })

  test('leaves out nothing of a text', () => {
    const text = '  One. Two?  Three'
    expect(
      segmentsOf(text, 'en')
        .map((one) => one.text)
        .join(''),
    ).toBe(text)
    expect(segmentsOf(text, 'en').map(({ from }) => from)).toEqual([0, 7, 13])
    expect(segmentsOf('', 'en')).toEqual([])
  })
})
