import { expect, test } from 'vitest'

import { recordedHere } from './recorded.ts'
import { setOrigin } from './recording/origin.ts'

const startedAt = new Date('2026-11-26T09:30:00Z')
const fileOf = () => new File(['abc'], 'talk.webm', { lastModified: startedAt.getTime() })

test('a recording from the microphone is sent with the moment at which it began', () => {
  const origin = { recordingId: 'one', seconds: 4, part: 1, parts: 1 }
  expect(recordedHere(setOrigin(fileOf(), origin)).recordedAt).toBe(startedAt.toISOString())
})

test('of a file only the time zone of the device is known', () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  expect(recordedHere(fileOf())).toEqual({ timeZone })
})
