import { expect, test } from 'vitest'

import { MAX_UPLOAD_BYTES } from '#shared/business.ts'

import {
  type Line,
  beyond,
  hasOtherPrice,
  lineOf,
  lineOfArrived,
  priceOf,
  sumOf,
  verdictOf,
} from './lines.ts'

const aFile = (name: string, size = 1000) => {
  const file = new File(['a'], name, { lastModified: 1 })
  Object.defineProperty(file, 'size', { value: size })
  return file
}
const read = (line: Line, seconds: number | null): Line => ({ ...line, seconds })

test('the bill is the sum of its rows, by the server’s own rule, without refused files', () => {
  const lines = [
    read(lineOf(aFile('a.m4a')), 2470),
    read(lineOf(aFile('b.wav')), 108),
    lineOfArrived({
      id: 'c',
      originalName: 'c.mp3',
      duration: 390,
      creditsRequired: 2,
      recordedAt: null,
    }),
    lineOf(aFile('camera.mp4', 327_575_142)),
    lineOf(aFile('notes.txt')),
  ]
  expect(lines.map(priceOf)).toEqual([13, 1, 2, null, null])
  const sum = sumOf(lines)
  expect(sum).toEqual({ chosen: 3, refused: 2, credits: 16 })
  expect(verdictOf(sum, 16)).toBe('3 can be transcribed, 2 cannot')
  expect(lines[3]!.refusal).toBe('312.4 MB. File size must be less than 100MB.')
  expect(lineOf(aFile('a.wav', MAX_UPLOAD_BYTES)).refusal).toBeNull()
})

test('a document of each file is in the sum, but for one that arrived with its own', () => {
  const arrived = { originalName: 'c.mp3', duration: 390, levels: null, recordedAt: null }
  const lines = [
    read(lineOf(aFile('a.m4a')), 60),
    lineOfArrived({ id: 'b', ...arrived, creditsRequired: 2 }),
    lineOfArrived({ id: 'c', ...arrived, creditsRequired: 3 }),
    lineOf(aFile('notes.txt')),
  ]
  expect(sumOf(lines, { withDocument: true }).credits).toBe(8)
  expect(beyond(lines, 7, { withDocument: true }).map(({ key }) => key)).toEqual(['c'])
})

test('what is there already is in no sum until it is asked for again', () => {
  const same = { id: 'x', createdAt: '2026-11-20T09:00:00Z', hasSameBytes: true }
  const had = { ...read(lineOf(aFile('a.m4a')), 2470), same }
  const other = read(lineOf(aFile('b.wav')), 108)
  expect(sumOf([had, other])).toEqual({ chosen: 1, refused: 0, credits: 1 })
  expect(sumOf([{ ...had, isAgain: true }, other])).toEqual({ chosen: 2, refused: 0, credits: 14 })
})

test('the price of a file that this browser cannot measure is known when it has arrived', () => {
  const line = { ...lineOf(aFile('a.opus')), seconds: null }
  expect(priceOf(line)).toBeNull()
  expect(
    priceOf({ ...line, arrived: { id: 'x', credits: 3, levels: null, recordedAt: null } }),
  ).toBe(3)
})

test('another price than the one that was shown is said with the one before', () => {
  const line = {
    ...read(lineOf(aFile('a.m4a')), 2470),
    arrived: { id: 'x', credits: 14, levels: null, recordedAt: null },
  }
  expect(hasOtherPrice(line)).toEqual({ before: 13 })
  expect(priceOf(line)).toBe(14)
  expect(
    hasOtherPrice({ ...line, arrived: { id: 'x', credits: 13, levels: null, recordedAt: null } }),
  ).toBeNull()
})

test('files that the credits cover are kept in their order, and the missing credits are told', () => {
  const lines = [60, 1800, 60, 60, 1800].map((seconds, at) =>
    read(lineOf(aFile(`${at}.m4a`)), seconds),
  )
  expect(lines.map(priceOf)).toEqual([1, 10, 1, 1, 10])
  const keptOf = (available: number) => {
    const gone = beyond(lines, available)
    return lines.filter((line) => !gone.includes(line)).map(({ name }) => name[0])
  }
  expect(keptOf(2)).toEqual(['0', '2'])
  expect(keptOf(12)).toEqual(['0', '1', '2'])
  expect(keptOf(0)).toEqual([])
  expect(keptOf(23)).toHaveLength(5)
  expect(verdictOf(sumOf(lines), 18)).toBe('All can be transcribed with 5 more credits')
  expect(verdictOf(sumOf(lines), 22)).toBe('All can be transcribed with 1 more credit')
  expect(verdictOf(sumOf(lines), 23)).toBe('All can be transcribed')
})
