import { expect, test } from 'vitest'

import { fontPackages, writings } from '#test/writings.ts'

import { type ClipContents, drawingOf } from './clip-drawing.ts'

const sound = { durationMs: 4_000, heights: [0.1, 0.5, 0.2] }
const wordsOf = (text: string) =>
  text
    .split(' ')
    .map((word, at) => ({ text: word, speaker: 0, startMs: 300 * at, endMs: 300 * at + 300 }))
const contents = (text: string, more: Partial<ClipContents> = {}): ClipContents => ({
  shape: 'upright',
  captions: 'words',
  words: wordsOf(text),
  names: new Map([[0, 'Ada Lovett']]),
  title: 'Interview',
  isFilm: false,
  ...more,
})

interface Event {
  layer: number
  colour: string
  lines: string
}
/** What is drawn, in order. */
async function drawn(text: string, more: Partial<ClipContents> = {}): Promise<Event[]> {
  const { script } = await drawingOf(contents(text, more), sound)
  return script
    .split('\n')
    .filter((line) => line.startsWith('Dialogue:'))
    .map((line) => {
      const [, layer, colour, lines = ''] = /^Dialogue: (\d).*\\1c&H(\w+)&.*}(.*)$/.exec(line) ?? []
      return { layer: Number(layer), colour: String(colour), lines }
    })
}
/** From left to right and from top to bottom, in pixels. */
function extentOf({ lines }: Event) {
  const numbers = [...lines.matchAll(/-?\d+/g)].map(([number]) => Number(number) / 8)
  const [xs, ys] = [0, 1].map((side) => numbers.filter((_, at) => at % 2 === side))
  return {
    left: Math.min(...xs!),
    right: Math.max(...xs!),
    top: Math.min(...ys!),
    foot: Math.max(...ys!),
  }
}

const MARKER = '70EDF4'
const INK = 'EBF0EA'

test('the marker lies around the word that is said, one word after the other', async () => {
  const events = await drawn('I can do six at once')
  const marks = events.filter(({ colour }) => colour === MARKER)
  const words = events.filter(({ layer }) => layer === 4)
  expect([marks.length, words.length]).toEqual([6, 6])
  for (const [at, mark] of marks.entries()) {
    const [around, word] = [extentOf(mark), extentOf(words[at]!)]
    expect(around.left).toBeLessThan(word.left)
    expect(around.right).toBeGreaterThan(word.right)
    expect(around.top).toBeLessThan(word.top)
    expect(around.foot).toBeGreaterThan(word.foot)
  }
})

test('plain captions have no marker, and a clip without captions no words', async () => {
  const plain = await drawn('I can do six at once', { captions: 'lines' })
  expect(plain.some(({ colour }) => colour === MARKER)).toBe(false)
  const none = await drawn('I can do six at once', { captions: 'none', names: new Map() })
  const ink = (events: readonly Event[]) => events.filter(({ colour }) => colour === INK).length
  expect([ink(plain), ink(none)]).toEqual([1, 0])
})

test('nothing that is drawn leaves the picture', async () => {
  const wide = 'WWWWWWWWWWWWWWWWWWWWWW MMMMMMMMMMMMMMMMMMMMMM'
  for (const [shape, width, height] of [
    ['upright', 1080, 1920],
    ['square', 1080, 1080],
    ['wide', 1920, 1080],
  ] as const)
    for (const isFilm of [true, false])
      for (const event of await drawn(wide, { shape, isFilm, title: wide.repeat(3) })) {
        const { left, right, top, foot } = extentOf(event)
        expect(left).toBeGreaterThanOrEqual(0)
        expect(right).toBeLessThanOrEqual(width)
        expect(top).toBeGreaterThanOrEqual(0)
        expect(foot).toBeLessThanOrEqual(height)
      }
})

test('a name that is too long is cut', async () => {
  const names = new Map([[0, 'A very long name of somebody with many names '.repeat(4)]])
  for (const isFilm of [true, false])
    for (const event of await drawn('Yes', { names, isFilm }))
      expect(extentOf(event).right).toBeLessThanOrEqual(1080)
})

test('what is read from the right begins at the right', async () => {
  const [first, second] = (await drawn('مرحبا بكم')).filter(({ layer }) => layer === 4)
  expect(extentOf(first!).left).toBeGreaterThan(extentOf(second!).right)
})

test.each(fontPackages.filter((name) => name in writings))(
  'words are drawn in the letters of %s',
  async (name) => {
    const [word] = (await drawn((writings[name] ?? '').slice(0, 12))).filter(
      ({ layer }) => layer === 2,
    )
    expect(word?.lines.length).toBeGreaterThan(40)
  },
)
