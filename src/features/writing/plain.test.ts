import fc from 'fast-check'
import { expect, test } from 'vitest'

import { countWords, plainLine, plainMarkdown, plainText, withinWords } from './plain.ts'

test('addresses, pictures, links, tags and hidden characters are taken out, words stay', () => {
  expect(
    plainText(
      '<script>steal()</script>Hello ![p](http://evil/p.png) [there](javascript:alert(1)) https://evil.example/x **friend** \u202eend',
      500,
    ),
  ).toBe('Hello p there friend end')
  expect(plainLine('- a **point** with <img src=x onerror=1> in it', 100)).toBe(
    'a point with in it',
  )
})

test('Markdown keeps its headings, lists and quotes, and loses its fences', () => {
  expect(plainMarkdown('```markdown\n## Hi\n\n\n\n- one\n  - two\n---\n> said\n```')).toBe(
    '## Hi\n\n- one\n  - two\n> said',
  )
})

test('a long text ends at the end of a sentence, or of a word', () => {
  expect(plainText('One two three. Four five six seven.', 22)).toBe('One two three.')
  expect(plainLine('abcdefgh ijklmnop qrstuvwx', 20)).toBe('abcdefgh ijklmnop…')
})

test('words are counted where they are not set apart, too', () => {
  expect(countWords("It's **two** words, or five.")).toBe(5)
  expect(countWords('大桥将关闭')).toBeGreaterThan(1)
})

test('a document that is too long ends with a whole line, and never with a heading', () => {
  expect(withinWords('one two three\n\n## four\n\nfive six seven', 5)).toBe('one two three')
  expect(withinWords('one two', 10)).toBe('one two')
})

test('no tag, address or reordering is left of the text of a model', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    'script',
    'https://a.b',
    '![',
    '](',
    ')',
    'x',
    ' ',
    '\n',
    '\u202e',
    '"',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      for (const made of [plainText(pieces.join(''), 5_000), plainMarkdown(pieces.join(''))])
        expect(made).not.toMatch(/<[a-z/!]|https?:\/\/|\u202e/i)
    }),
  )
})

test('a text with endless nesting is read in no time', () => {
  const deep = `${'['.repeat(20_000)}a${'](b)'.repeat(20_000)}${'<a'.repeat(5_000)}${'hthttps://'.repeat(2_000)}`
  expect(plainMarkdown(deep)).not.toMatch(/https?:\/\/|<[a-z]|\]\(/)
})
