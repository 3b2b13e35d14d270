import { afterEach, expect, test, vi } from 'vitest'

import { addressOf } from '#shared/call.ts'

import { exportTranscription } from '../calls.ts'
import {
  captionsQuery,
  choiceAsText,
  choiceFor,
  exportQuery,
  fileNameIn,
  keepChosen,
  keepTaken,
  lastChoice,
} from './export-choice.ts'

test('the choice of the last download comes back, and an unknown one is passed over', () => {
  const choice = {
    kind: 'docx',
    speakers: false,
    labels: true,
    timestamps: true,
    doubt: false,
    summary: true,
    chapters: true,
    lineNumbers: true,
    profile: 'bbc',
    mend: true,
    frameRate: '29.97df',
    markers: 'key_points',
    cuts: 'ignored',
  } as const
  expect(lastChoice(choiceAsText(choice))).toEqual(choice)
  expect(lastChoice(choiceAsText({ ...choice, kind: 'recording' })).kind).toBe('recording')
  const film = { ...choice, filmStart: '10:00:00:00' }
  expect(lastChoice(choiceAsText(film))).toEqual(film)
  expect(lastChoice(choiceAsText({ ...choice, filmStart: '' }))).toEqual(choice)
  expect(exportQuery(film, 'edl').filmStart).toBe('10:00:00:00')
  expect(exportQuery({ ...film, filmStart: '' }, 'edl')).not.toHaveProperty('filmStart')
  expect(lastChoice('exe speakers')).toEqual(lastChoice(null))
  expect(lastChoice(null).kind).toBe('docx')
})

afterEach(() => vi.unstubAllGlobals())

function aStorage() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
}

test('a choice stays with its recording in this window, and goes on to others when it is taken', () => {
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, aStorage())
  const captions = { ...lastChoice(null), kind: 'vtt' } as const
  keepChosen('a', captions)
  expect(choiceFor('a')).toEqual(captions)
  expect(choiceFor('b').kind).toBe('docx')
  keepTaken(captions)
  expect(choiceFor('b')).toEqual(captions)
  // What was cut of another recording is not meant.
  keepTaken({ ...captions, cuts: 'ignored' })
  expect(choiceFor('b').cuts).toBe('applied')
})

test('the call names the format and every option', () => {
  const choice = { ...lastChoice(null), doubt: false }
  expect(
    addressOf(exportTranscription, { params: { id: 'a b' }, query: exportQuery(choice, 'srt') }),
  ).toBe(
    '/api/transcriptions/a%20b/export?format=srt&speakers=false&timestamps=true&doubt=false&summary=false&chapters=true&lineNumbers=false&profile=netflix&mend=true&frameRate=25&markers=turns&cuts=applied',
  )
  // A translation is of one recording: its language is asked for, and not kept.
  expect(exportQuery(choice, 'txt', 'de').language).toBe('de')
  expect(captionsQuery(choice, 'srt', 'de').language).toBe('de')
})

test('names stand in the lines of SRT only where that is asked for, and elsewhere as before', () => {
  const asked = (change: object) =>
    (['srt', 'vtt', 'docx'] as const).map(
      (format) => exportQuery({ ...lastChoice(null), ...change }, format).speakers,
    )
  expect(asked({})).toEqual([false, true, true])
  expect(asked({ labels: true, speakers: false })).toEqual([true, false, false])
  expect(captionsQuery(lastChoice(null), 'srt')).toMatchObject({ format: 'srt', speakers: false })
  // A choice that was kept before names in SRT had a box of their own has no names there either.
  expect(lastChoice('srt speakers timestamps').labels).toBe(false)
})

test('a file keeps its name in any script', () => {
  expect(fileNameIn(`attachment; filename="_.srt"; filename*=UTF-8''%E4%BC%9A%E8%AD%B0.srt`)).toBe(
    '会議.srt',
  )
  expect(fileNameIn('attachment; filename="talk.srt"')).toBe('talk.srt')
  expect(fileNameIn(null)).toBeNull()
})
