import { expect, test } from 'vitest'

import { ExportQuery } from './contract.ts'
import { lookOf } from './file-of.ts'
import type { Source } from './source.ts'

test('a look has 2,048 letters at most, wherever its last line ends', async () => {
  const asked = ExportQuery.parse({ format: 'txt', doubt: 'false' })
  for (let letters = 1; letters <= 60; letters += 1) {
    const text = 'word '.repeat(8)
    const said = Array.from({ length: 60 }, (_, at) => {
      const own = at === 0 ? 'x'.repeat(letters) : text
      return { speaker: 0, startMs: at * 1000, endMs: at * 1000 + 900, words: [], text: own }
    })
    const source: Source = {
      originalName: 'talk.mp3',
      createdAt: new Date('2026-11-20T23:30:00Z'),
      recordedAt: null,
      language: 'en',
      translation: null,
      durationMs: 60_000,
      engine: null,
      spoken: said,
      said,
      names: new Map(),
      chapters: [],
      summary: {
        heading: 'Summary',
        summary: null,
        keyPoints: [],
        keyPointTimes: [],
        actionItems: [],
        topics: [],
        summaryNote: null,
      },
    }
    const look = await lookOf(source, asked)
    expect('text' in look && look.text.length).toBeLessThanOrEqual(2_048)
    expect(look.isWhole).toBe(false)
  }
})
