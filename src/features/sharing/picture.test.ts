import { expect, test } from 'vitest'

import { fontPackages, writings } from '#test/writings.ts'

import { drawingsOf } from './picture.ts'

async function titleOf(title: string) {
  const [svg = ''] = await drawingsOf({ title, said: [], names: new Map(), durationMs: 60_000 })
  const starts = [...svg.matchAll(/<g [^>]*translate\(([\d.]+) \d+\)/g)]
  return {
    shapes: [...svg.matchAll(/ d="([^"]+)"/g)].map(([, shape]) => shape),
    from: starts.map(([, x]) => Math.round(Number(x))),
  }
}

test('titles are drawn in every writing, from the side they are read from', async () => {
  expect(await titleOf('Hello')).toMatchObject({ shapes: { length: 5 }, from: [80] })
  expect((await titleOf('你好')).shapes).toHaveLength(2)
  expect((await titleOf('안녕')).shapes).toHaveLength(2)
  const [hebrew = 0] = (await titleOf('שלום')).from
  expect(hebrew).toBeGreaterThan(900)
  // The same letter has one shape at the beginning of an Arabic word, others in it and at its end.
  expect(new Set((await titleOf('سسس')).shapes).size).toBe(3)
  const [latin = 0, arabic = 0] = (await titleOf('سلام abc')).from
  expect(latin).toBeLessThan(arabic)
  // No font has it.
  expect((await titleOf('🥰')).shapes).toEqual([])
})

test.for(fontPackages)('a title is drawn in the letters of %s', async (name) => {
  const { shapes } = await titleOf(writings[name]!)
  expect(shapes.filter((shape) => shape !== '').length).toBeGreaterThan(2)
})
