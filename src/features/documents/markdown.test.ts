import fc from 'fast-check'
import { expect, test } from 'vitest'

import { requestsFor } from './google-docs.ts'
import { blocksOf, textOf, toText } from './markdown.ts'

const example = `## Decisions

- **Ada** (0:14): We extend the ferry.
  - until midnight
1. first
2. second

> “Said so” — Ada

Best regards
[Your name]`

test('headings, lists, quotes, bold and line breaks are told apart', () => {
  expect(blocksOf(example).map(({ kind, spans }) => [kind, textOf(spans)])).toEqual([
    ['heading', 'Decisions'],
    ['item', 'Ada (0:14): We extend the ferry.'],
    ['item', 'until midnight'],
    ['item', 'first'],
    ['item', 'second'],
    ['quote', '“Said so” — Ada'],
    ['paragraph', 'Best regards\n[Your name]'],
  ])
  expect(blocksOf(example)[1]?.spans[0]).toEqual({ text: 'Ada', isBold: true })
  expect(blocksOf(example)[2]).toMatchObject({ depth: 1, number: null })
  expect(blocksOf(example)[4]).toMatchObject({ number: 2 })
})

test('as plain text nothing is left of the marks', () => {
  expect(toText(example)).toBe(
    'Decisions\n\n- Ada (0:14): We extend the ferry.\n  - until midnight\n1. first\n2. second\n\n“Said so” — Ada\n\nBest regards\n[Your name]',
  )
})

test('no word of a text is lost, and no HTML is made of it', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z<>&"]{1,8}$/), { minLength: 1 }), (words) => {
      const text = toText(words.join('\n\n'))
      // A line of its own may begin with the sign of a quote, which is no letter.
      for (const word of words) expect(text).toContain(word.replace(/^>/, ''))
    }),
  )
})

test('a Google document gets its text at once, then looks that stand where the text does', () => {
  const requests = requestsFor('Minutes', blocksOf(example)) as Record<string, never>[]
  const { text } = (requests[0] as unknown as { insertText: { text: string } }).insertText
  const at = ({ startIndex, endIndex }: { startIndex: number; endIndex: number }) =>
    text.slice(startIndex - 1, endIndex - 1)
  const looks = requests.slice(1).map((request) => {
    const [kind = ''] = Object.keys(request)
    const values = request[kind] as unknown as { range: { startIndex: number; endIndex: number } }
    return [kind, at(values.range)]
  })
  expect(looks).toEqual([
    ['updateParagraphStyle', 'Minutes\n'],
    ['updateParagraphStyle', 'Decisions\n'],
    ['updateTextStyle', 'Ada'],
    ['updateParagraphStyle', '“Said so” — Ada\n'],
    // From the end, because making a list takes tabs away.
    ['createParagraphBullets', 'first\nsecond\n'],
    ['createParagraphBullets', 'Ada (0:14): We extend the ferry.\n\tuntil midnight\n'],
  ])
})
