import { expect, test, vi } from 'vitest'

import { opensPalette, paletteKey } from './palette.ts'

const pressed = (more: Partial<Parameters<typeof opensPalette>[0]>) => ({
  key: 'k',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})

test('Ctrl+K and ⌘K open the palette, K alone or with more keys does not', () => {
  vi.stubGlobal('navigator', { platform: 'Linux x86_64' })
  expect(opensPalette(pressed({ ctrlKey: true }))).toBe(true)
  expect(opensPalette(pressed({ ctrlKey: true, key: 'K' }))).toBe(true)
  expect(opensPalette(pressed({ metaKey: true }))).toBe(true)
  expect(opensPalette(pressed({}))).toBe(false)
  expect(opensPalette(pressed({ ctrlKey: true, shiftKey: true }))).toBe(false)
  expect(opensPalette(pressed({ ctrlKey: true, altKey: true }))).toBe(false)
  expect(opensPalette(pressed({ ctrlKey: true, metaKey: true }))).toBe(false)
  expect(opensPalette(pressed({ ctrlKey: true, key: 'j' }))).toBe(false)
  expect(paletteKey()).toBe('Ctrl K')
})

test('on a Mac Ctrl+K stays the key that cuts the rest of a line', () => {
  vi.stubGlobal('navigator', { platform: 'MacIntel' })
  expect(opensPalette(pressed({ ctrlKey: true }))).toBe(false)
  expect(opensPalette(pressed({ metaKey: true }))).toBe(true)
  expect(paletteKey()).toBe('⌘ K')
})
