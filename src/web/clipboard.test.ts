import { afterEach, expect, test, vi } from 'vitest'

import { copyToClipboard, copyWhenMade } from './clipboard.ts'

afterEach(() => vi.unstubAllGlobals())

/** A browser's clipboard: its content, and the browser's permissions. */
function aClipboard({ waits, allows }: { waits: boolean; allows: boolean }) {
  const held = { text: '' }
  const taken = async (text: string) => {
    if (!allows) throw new Error('forbidden')
    held.text = text
  }
  const clipboard = {
    write: async ([item]: { texts: { 'text/plain': Promise<Blob> } }[]) => {
      if (!waits) throw new Error('takes no promises')
      await taken(await (await item!.texts['text/plain']).text())
    },
    writeText: taken,
  }
  vi.stubGlobal('navigator', { clipboard })
  vi.stubGlobal('ClipboardItem', function ClipboardItem(texts: Record<string, Promise<Blob>>) {
    return { texts }
  })
  return held
}

test.each([true, false])(
  'a text that is still being made is copied, browser waits: %s',
  async (waits) => {
    const held = aClipboard({ waits, allows: true })
    expect(await copyWhenMade(Promise.resolve('an address'))).toBe(true)
    expect(held.text).toBe('an address')
  },
)

test('nothing is said to be copied where it is forbidden, or nothing was made', async () => {
  const held = aClipboard({ waits: true, allows: false })
  expect(await copyWhenMade(Promise.resolve('an address'))).toBe(false)
  expect(await copyWhenMade(Promise.reject(new Error('not made')))).toBe(false)
  expect(held.text).toBe('')
})

test.each([true, false])(
  'a page without https copies as a key does, allowed: %s',
  async (allows) => {
    const held = new Map<string, string>()
    const page = new EventTarget()
    const execCommand = () => {
      const clipboardData = { setData: (type: string, text: string) => held.set(type, text) }
      return allows && page.dispatchEvent(Object.assign(new Event('copy'), { clipboardData }))
    }
    vi.stubGlobal('navigator', {})
    vi.stubGlobal('document', Object.assign(page, { execCommand }))
    const copying = copyToClipboard({ plain: 'Ada: Yes.', html: '<b>Ada:</b> Yes.' })
    if (!allows) return expect(copying).rejects.toThrow('lets the page copy nothing')
    await copying
    expect(Object.fromEntries(held)).toEqual({
      'text/plain': 'Ada: Yes.',
      'text/html': '<b>Ada:</b> Yes.',
    })
  },
)
