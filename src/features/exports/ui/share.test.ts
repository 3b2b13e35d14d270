import { beforeEach, expect, test, vi } from 'vitest'

import type { Transcription } from '#features/transcriptions/contract.ts'
import { clearToast, shownToast } from '#web/ui/toast.tsx'

import { copyOf, copyText, shareText } from './share.ts'

const copied: string[] = []
const clipboard = { writeText: async (text: string) => void copied.push(text) }
const locked = { writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }
const content = { title: 'interview.m4a', text: 'Who said what.' }

const said = () => [shownToast()].filter((toast) => toast?.open)

beforeEach(() => {
  copied.length = 0
  clearToast()
})

test('a copied text is on the clipboard and said to be there', async () => {
  vi.stubGlobal('navigator', { clipboard })
  expect(await copyText('text', 'Failed to copy transcription to clipboard')).toBe(true)
  expect(copied).toEqual(['text'])
  expect(said()).toMatchObject([{ title: 'Copied to clipboard' }])
})

test('a formatted text is copied both ways, and plainly where browsers take no other', async () => {
  const formatted = { plain: 'Ada: Hello.', html: '<p><strong>Ada:</strong> Hello.</p>' }
  const failure = 'Failed to copy transcription to clipboard'
  class Item {
    readonly kinds: Record<string, Blob>
    constructor(kinds: Record<string, Blob>) {
      this.kinds = kinds
    }
  }
  vi.stubGlobal('ClipboardItem', Item)
  const written: Item[] = []
  const write = async (items: Item[]) => void written.push(...items)
  vi.stubGlobal('navigator', { clipboard: { ...clipboard, write } })
  expect(await copyText(formatted, failure)).toBe(true)
  expect(await written[0]?.kinds['text/plain']?.text()).toBe(formatted.plain)
  expect(await written[0]?.kinds['text/html']?.text()).toBe(formatted.html)
  expect(copied).toEqual([])

  vi.stubGlobal('navigator', { clipboard: { ...clipboard, write: locked.writeText } })
  expect(await copyText(formatted, failure)).toBe(true)
  expect(copied).toEqual([formatted.plain])
  vi.stubGlobal('ClipboardItem', undefined)
  expect(await copyText(formatted, failure)).toBe(true)
  expect(copied).toEqual([formatted.plain, formatted.plain])
})

test('a text is copied whole while its words are on their way', () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  const segment = { start: 0, end: 1, speaker: 'Ada', text: 'Hello.' }
  const transcription = { speakerSegments: JSON.stringify([segment]) } as Transcription
  const words = { revision: 0, checkBelow: null, speakers: [], turns: [] }
  expect(copyOf('transcription', { transcription, words })).toMatchObject({ plain: 'Ada\nHello.' })
})

test('a clipboard that is not allowed is said in the words given', async () => {
  vi.stubGlobal('navigator', { clipboard: locked })
  expect(await copyText('text', 'Failed to copy summary to clipboard')).toBe(false)
  expect(said()).toMatchObject([
    { title: 'Failed to copy summary to clipboard', variant: 'destructive' },
  ])
})

test('what is shared goes to the share sheet of the device', async () => {
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
