import { expect, onTestFinished, test, vi } from 'vitest'

import { leftBy } from './left.ts'
import { noOptions } from './options.ts'

test('nobody goes on with a file that somebody else has begun to send in the same browser', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const file = new File(['abc'], 'board.wav', { lastModified: 1 })
  const { name, size, lastModified } = file
  const options = { ...noOptions, language: 'de' }
  const begun = { id: 'one', name, size, lastModified, options }
  leftBy('ada').keep({ ...begun, summaryLanguage: 'en', document: null })
  expect(leftBy('ada').of(file)).toMatchObject({ id: 'one', options })
  expect(leftBy('ben').of(file)).toBeNull()
  expect(leftBy('ben').read()).toEqual([])
})
