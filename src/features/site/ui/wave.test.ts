import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'

import { Wave } from './wave.tsx'

test('every stroke of a wave has a length: of others WebKit draws the round end flat', () => {
  const wave = { id: 'a', heights: [0, 0.5, 1], playedTo: 0.5, className: '' }
  const drawn = renderToString(createElement(Wave, wave))
  const strokes = Array.from(drawn.matchAll(/ d="([^"]*)"/g), ([, d = '']) => d)
  expect(strokes).toHaveLength(4)
  for (const stroke of strokes) expect(stroke).not.toMatch(/[hvl]\s*0(?![.\d])/)
})
