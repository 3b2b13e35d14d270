/** Which format honours which option: what the screens and the API's text say is what files do. */
import { createHash } from 'node:crypto'

import { expect, onTestFinished, vi } from 'vitest'

import * as cuts from '#features/cuts/cuts.ts'
import { aTranscription, aTranslation, aUser, anActionItem } from '#test/factories.ts'
import { test } from '#test/database.ts'

import { ExportQuery, type ExportOptions } from './contract.ts'
import { exportFile } from './exports.ts'
import { type ExportOption, exportOptions, formatGroups, formatNames, honours } from './formats.ts'

/** For each option, what is asked for in the place of the usual. */
const otherwise: { [Option in ExportOption]: Pick<ExportOptions, Option> } = {
  speakers: { speakers: false },
  timestamps: { timestamps: false },
  doubt: { doubt: false },
  lineNumbers: { lineNumbers: true },
  summary: { summary: true },
  chapters: { chapters: false },
  language: { language: 'de' },
  profile: { profile: 'bbc' },
  mend: { mend: true },
  frameRate: { frameRate: '24' },
  filmStart: { filmStart: '10:00:00:00' },
  markers: { markers: 'key_points' },
  cuts: { cuts: 'ignored' },
}

const turns = ['Ada', 'Ben', 'Ada'].map((name, index) => ({
  speaker: index % 2,
  text: `${name} says that the harbour bridge was built in the summer of the long rain. `
    .repeat(4)
    .trim(),
}))

test('a file changes with each option that its format declares, and with no other', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, {
    userId,
    turns,
    summary: 'They speak of a bridge.',
    keyPoints: [{ text: 'It was built in the rain', startMs: 2_000, quote: null }],
    actionItems: [anActionItem({ who: 'Ada' })],
    chapters: {
      by: 'own',
      list: [0, 20_000, 40_000].map((startMs) => ({ title: `From ${startMs}`, startMs })),
    },
  })
  const texts = turns.map((_, index) => `Die Brücke wurde im Sommer gebaut, sagt Nummer ${index}.`)
  await aTranslation(db, { userId, transcriptionId: id, language: 'de', texts })
  const cut = [{ start: 0.35, end: 0.75 }]
  await cuts.change(db, { userId, id, cut, restore: [] })
  // Word files and PDFs say when they were made.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date() })
  onTestFinished(() => void vi.useRealTimers())
  const hashOf = async (asked: ExportOptions) => {
    const { content } = await exportFile({ db }, { userId, id, ...asked })
    return createHash('sha256').update(content).digest('hex')
  }
  const changed: Partial<Record<string, ExportOption[]>> = {}
  for (const format of formatNames) {
    // Where a film begins at a frame, the rate counts in captions too.
    const usual = ExportQuery.parse({ format, filmStart: '01:00:00:12' })
    const before = await hashOf(usual)
    expect([format, await hashOf(usual)]).toEqual([format, before])
    changed[format] = []
    for (const option of exportOptions)
      if ((await hashOf({ ...usual, ...otherwise[option] })) !== before)
        changed[format].push(option)
  }
  const declared = formatNames.map((format) => [
    format,
    exportOptions.filter((option) => honours(format, option)),
  ])
  expect(changed).toEqual(Object.fromEntries(declared))
})

test('each format is a kind of one row of the menu', () => {
  expect(Object.values(formatGroups).flat().toSorted()).toEqual(formatNames.toSorted())
})

test('the API says of each option which formats honour it', () => {
  for (const option of exportOptions) {
    const named = ExportQuery.shape[option].description?.match(/For ([^.]*)\.$/)?.[1]
    expect([option, named?.split(/, | and /)]).toEqual([
      option,
      formatNames.filter((format) => honours(format, option)),
    ])
  }
})
