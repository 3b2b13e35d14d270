import { expect, test } from 'vitest'

import { anotherTry, keptOf, reasonOf, safeOf } from './failed-words.ts'

const broken = {
  status: 'error',
  errorMessage:
    'Something broke on our side while this file was processed. Your credits were returned. Please try again.',
  errorCode: null,
  creditsReturned: 13,
  recordingKeptUntil: '2026-12-28T09:31:00Z',
  recordingDeletedAt: null,
}
const said = (job: Parameters<typeof reasonOf>[0]) => `${reasonOf(job)} ${safeOf(job)}`.trim()

test('a failure tells of its credits once, with their number', () => {
  expect(said(broken)).toBe(
    'Something broke on our side while this file was processed. Please try again. Your recording is safe, and the 13 credits were returned.',
  )
  expect(said({ ...broken, creditsReturned: 1, recordingKeptUntil: null })).toMatch(
    / The 1 credit was returned\.$/,
  )
})

test('the reason of a refusal stands word for word', () => {
  const errorMessage = 'No speech was found in this recording. Your credits were returned.'
  const refused = { ...broken, errorMessage, errorCode: 'no_speech' }
  expect(said(refused)).toBe(`${errorMessage} Your recording is safe.`)
  expect(said({ ...refused, recordingKeptUntil: null })).toBe(errorMessage)
  // What cannot be read is not said to be safe.
  expect(said({ ...refused, errorCode: 'unreadable_audio' })).toBe(errorMessage)
})

test('a failure without a reason says that it failed, and nothing of credits that did not come back', () => {
  const unknown = { ...broken, errorMessage: null, creditsReturned: null, recordingKeptUntil: null }
  expect(said(unknown)).toBe('An error occurred while processing your file.')
})

test('where another try begins is said only where it is known', () => {
  expect(anotherTry(13, 1300)).toBe('Trying again takes 13 credits and begins at 21:40.')
  for (const readTo of [null, 0]) expect(anotherTry(1, readTo)).not.toContain('begins')
})

test('a recording is kept until a day, or was deleted', () => {
  expect(keptOf(broken)).toBe('The recording is kept until Dec 28, 2026.')
  const deleted = {
    ...broken,
    recordingKeptUntil: null,
    recordingDeletedAt: '2026-12-01T12:00:00Z',
  }
  expect(keptOf(deleted)).toBe('The recording was deleted, so this cannot be tried again.')
  expect(keptOf({ ...deleted, errorCode: 'no_speech' })).toBe(
    'The recording was deleted on Dec 1, 2026.',
  )
})
