import { beforeEach, expect, test, vi } from 'vitest'

import type { Transcription } from '#features/transcriptions/contract.ts'
import { clearToast, shownToast } from '#web/ui/toast.tsx'

import { copyOf, shareText } from './share.ts'

const copied: string[] = []
const clipboard = { writeText: async (text: string) => void copied.push(text) }
const locked = { writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }
const content = { title: 'interview.m4a', text: 'Who said what.' }

const said = () => [shownToast()].filter((toast) => toast?.open)

beforeEach(() => {
  copied.length = 0
  clearToast()
})

test('a text is copied whole while its words are on their way', () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  const segment = { start: 0, end: 1, speaker: 'Ada', text: 'Hello.' }
  const transcription = { speakerSegments: JSON.stringify([segment]) } as Transcription
  const words = { revision: 0, checkBelow: null, speakers: [], turns: [] }
  expect(copyOf('transcription', { transcription, words }, undefined)).toMatchObject({
    plain: 'Ada\nHello.',
  })
})

test('a shared text goes to the share sheet of the device', async () => {
  const shared: unknown[] = []
  vi.stubGlobal('navigator', { share: async (data: unknown) => void shared.push(data) })
  await shareText(content)
  expect(shared).toEqual([content])
  expect(said()).toMatchObject([{ title: 'Shared successfully' }])
})

test('a share sheet that is closed is no failure, and nothing is said', async () => {
  const share = () => Promise.reject(new DOMException('closed', 'AbortError'))
  vi.stubGlobal('navigator', { share })
  await shareText(content)
  expect(said()).toEqual([])
})

test('a share that fails is said', async () => {
  const share = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  vi.stubGlobal('navigator', { share })
  await shareText(content)
  expect(said()).toMatchObject([{ title: 'Could not share content', variant: 'destructive' }])
})

test('where there is no share sheet the text is copied instead', async () => {
  vi.stubGlobal('navigator', { clipboard })
  await shareText(content)
  expect(copied).toEqual(['Who said what.'])
  expect(said()).toMatchObject([{ title: 'Copied to clipboard' }])

  vi.stubGlobal('navigator', { clipboard: locked })
  await shareText(content)
  expect(said()).toMatchObject([{ title: 'Could not copy to clipboard', variant: 'destructive' }])
})
