import { beforeEach, expect, test, vi } from 'vitest'

import { copyText } from './copy-text.ts'
import { clearToast, shownToast } from './ui/toast.tsx'

const copied: string[] = []
const clipboard = { writeText: async (text: string) => void copied.push(text) }
const locked = { writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }

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

test('a clipboard that is not allowed is said in the words given', async () => {
  vi.stubGlobal('navigator', { clipboard: locked })
  expect(await copyText('text', 'Failed to copy summary to clipboard')).toBe(false)
  expect(said()).toMatchObject([
    { title: 'Failed to copy summary to clipboard', variant: 'destructive' },
  ])
})
