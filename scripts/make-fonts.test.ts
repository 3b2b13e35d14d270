import { readFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { TEXT, TIMES } from './make-fonts.ts'

test.each([
  ['heading', TEXT],
  ['statement', TEXT],
  ['text', TEXT],
  ['times', TIMES],
])('the range of %s in the style sheet is what its font was cut to', async (name, text) => {
  const css = await readFile(new URL('../src/web/styles.css', import.meta.url), 'utf8')
  const face = new RegExp(`fonts/${name}\\.woff2[^}]*unicode-range:([^;]*);`).exec(css)?.[1] ?? ''
  const ranges = [...face.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)].flatMap(
    ([, from = '', to = from]) => {
      const first = parseInt(from, 16)
      return Array.from({ length: parseInt(to, 16) - first + 1 }, (_, index) => first + index)
    },
  )
  expect(String.fromCodePoint(...ranges)).toBe([...new Set(text)].toSorted().join(''))
})
