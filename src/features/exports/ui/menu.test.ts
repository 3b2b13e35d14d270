import { expect, test } from 'vitest'

import { formatNames } from '../formats.ts'
import { type Known, chosenOf, endingsOf, filmOf, menuOf } from './menu.ts'

const memo: Known = {
  originalName: 'memo.m4a',
  hasText: true,
  hasChapters: false,
  hasRecording: true,
  isFilm: false,
  isPictureKept: false,
  isDoubtKnown: true,
  hasCuts: false,
}
const film = { ...memo, originalName: 'film.mp4', isFilm: true, isPictureKept: true }
const menuIn = (known: Known) =>
  menuOf(known).map(({ name, kinds }) => `${name}: ${kinds.join(' ')}`)

test('a voice memo has no row for film, and one without chapters none for them', () => {
  expect(menuIn(memo)).toEqual([
    'Word: docx',
    'PDF: pdf',
    'Text: txt',
    'Captions: srt vtt',
    'Markdown: md html',
    'Data: json csv',
    'Research: analysis',
    'Sound: recording',
  ])
})

test('a film with chapters and cuts has every format, and is itself taken away as a film', () => {
  const whole = { ...film, hasChapters: true, hasCuts: true }
  const menu = menuOf(whole)
  const all = menu.flatMap(({ kinds }) => kinds)
  expect(all.toSorted()).toEqual([...formatNames, 'recording', 'm4a', 'mp3'].toSorted())
  expect(menuIn(whole).slice(-4)).toEqual([
    'Chapters: youtube chapters podcast podlove mp4chaps',
    'Sound: m4a mp3',
    'Film: recording edl xml',
    'Cut: cutlist otio',
  ])
})

test('without a text there is only the sound, and without a recording none', () => {
  expect(menuIn({ ...memo, hasText: false, hasChapters: null })).toEqual(['Sound: recording'])
  expect(menuIn({ ...film, hasText: false })).toEqual(['Film: recording'])
  expect(menuIn({ ...memo, hasRecording: false })).not.toContain('Sound: recording')
  expect(menuIn({ ...memo, hasText: false, hasRecording: false })).toEqual([])
})

test('a kind that this recording has not gives way to the first that it has', () => {
  expect(chosenOf(menuOf(memo), 'edl')?.kind).toBe('docx')
  expect(chosenOf(menuOf(memo), 'vtt')).toMatchObject({ row: { name: 'Captions' }, kind: 'vtt' })
  expect(chosenOf([], 'vtt')).toBeNull()
})

test('a film whose recording is deleted is known by its name', () => {
  const gone = { picture: null, recordingKeptUntil: null }
  expect(filmOf({ ...gone, originalName: 'Take 2.MOV' })).toEqual({
    isFilm: true,
    isPictureKept: false,
    film: null,
  })
  expect(filmOf({ ...gone, originalName: 'memo.m4a' }).isFilm).toBe(false)
  const kept = { recordingKeptUntil: '2026-12-01T00:00:00Z', originalName: 'talk.mp4' }
  // An MP4 may hold sound alone.
  expect(filmOf({ ...kept, picture: null }).isFilm).toBe(false)
  expect(filmOf({ ...kept, picture: 'left_out' })).toMatchObject({
    isFilm: true,
    isPictureKept: false,
  })
  const film = { timecode: '10:00:00:00', frameRate: null }
  expect(filmOf({ ...kept, picture: null, filmStart: film })).toMatchObject({ isFilm: true, film })
})

test('a row names the endings of its files once', () => {
  const endings = (known: Known) =>
    Object.fromEntries(menuOf(known).map((row) => [row.name, endingsOf(row, known.originalName)]))
  expect(endings({ ...film, hasChapters: true, hasCuts: true })).toMatchObject({
    Captions: '.srt, .vtt',
    Research: '.txt',
    Chapters: '.txt, .vtt, .json, .psc',
    Film: '.mp4, .edl, .xml',
    Cut: '.edl, .otio',
  })
  expect(endings(memo)).toMatchObject({ Sound: '.m4a' })
})
