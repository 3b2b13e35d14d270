import { expect, test, vi } from 'vitest'

import { singleKeys } from '../settings.ts'
import { giveKeys, resetKeys } from './kept-keys.ts'
import { type Pressed, editingAct, pedalAct, readingAct } from './keys.ts'

const pressed = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  code: '',
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...more,
})
const middle = { start: 3, end: 3, length: 9 }

test('single keys act, and with Ctrl or Alt they belong to the browser', () => {
  expect(readingAct(pressed(' '))).toEqual({ kind: 'toggle' })
  expect(readingAct(pressed('J'))).toEqual({ kind: 'skip', seconds: -10 })
  expect(readingAct(pressed('J', { shiftKey: true }))).toEqual({ kind: 'chapter', steps: -1 })
  expect(readingAct(pressed('3'))).toEqual({ kind: 'tab', number: 3 })
  expect(readingAct(pressed('l', { ctrlKey: true }))).toBeNull()
  expect(readingAct(pressed('h', { metaKey: true }))).toEqual({ kind: 'replace' })
  expect(readingAct(pressed('h'))).toBeNull()
  expect(readingAct(pressed('k', { altKey: true }))).toBeNull()
  expect(readingAct(pressed('y'))).toBeNull()
})

test('undo and redo are pressed as on each platform', () => {
  for (const act of [readingAct, (key: Pressed) => editingAct(key, middle)]) {
    expect(act(pressed('z', { ctrlKey: true }))).toEqual({ kind: 'undo' })
    expect(act(pressed('z', { metaKey: true }))).toEqual({ kind: 'undo' })
    expect(act(pressed('Z', { metaKey: true, shiftKey: true }))).toEqual({ kind: 'redo' })
    expect(act(pressed('y', { ctrlKey: true }))).toEqual({ kind: 'redo' })
    expect(act(pressed('y', { metaKey: true }))).toBeNull()
  }
})

test('in the editor Enter splits, Backspace joins only at the start, Escape cancels', () => {
  expect(editingAct(pressed('Enter'), middle)).toEqual({ kind: 'split' })
  expect(editingAct(pressed('Backspace'), { ...middle, start: 0, end: 0 })).toEqual({
    kind: 'merge',
  })
  expect(editingAct(pressed('Backspace'), { ...middle, start: 0, end: 4 })).toBeNull()
  expect(editingAct(pressed('Backspace'), middle)).toBeNull()
  expect(editingAct(pressed('Delete'), { ...middle, start: 9, end: 9 })).toEqual({
    kind: 'merge-next',
  })
  expect(editingAct(pressed('Delete'), middle)).toBeNull()
  expect(editingAct(pressed('Escape'), middle)).toEqual({ kind: 'cancel' })
  expect(editingAct(pressed('a'), middle)).toBeNull()
})

test('Alt is matched by the place of the key, whatever character a Mac types with it', () => {
  expect(editingAct(pressed('˚', { altKey: true, code: 'KeyK' }), middle)).toEqual({
    kind: 'toggle',
  })
  expect(editingAct(pressed('Dead', { altKey: true, code: 'KeyN' }), middle)).toEqual({
    kind: 'next-check',
  })
  expect(editingAct(pressed('Dead', { code: 'Equal' }), middle)).toBeNull()
  expect(editingAct(pressed('¡', { altKey: true, code: 'Digit1' }), middle)).toEqual({
    kind: 'speaker',
    number: 1,
  })
  expect(editingAct(pressed('F2'), middle)).toEqual({ kind: 'skip', seconds: 5 })
})

test('saving and leaving are not typed into the text', () => {
  expect(editingAct(pressed('s', { ctrlKey: true, code: 'KeyS' }), middle)).toEqual({
    kind: 'save',
  })
  expect(editingAct(pressed('Enter', { metaKey: true }), middle)).toEqual({ kind: 'done' })
  expect(editingAct(pressed('x', { ctrlKey: true, code: 'KeyX' }), middle)).toBeNull()
})

test('an act has the keys that were given to it, until they are reset', () => {
  vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined })
  giveKeys({ 'reading.toggle': ['p'], 'pedal.play': ['F7'], 'editing.back': [] })
  expect(readingAct(pressed('p'))).toEqual({ kind: 'toggle' })
  expect(readingAct(pressed('k'))).toBeNull()
  expect(pedalAct(pressed('F7'))).toEqual({ kind: 'toggle' })
  expect(editingAct(pressed('F1'), middle)).toBeNull()
  resetKeys()
  expect(readingAct(pressed('k'))).toEqual({ kind: 'toggle' })
  expect(pedalAct(pressed('F7'))).toBeNull()
})

test('a letter with Shift can have an act of its own, and is the letter alone where it has none', () => {
  vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined })
  giveKeys({ 'reading.back': ['Shift+b'], 'reading.forward': ['b'] })
  expect(readingAct(pressed('B', { shiftKey: true }))).toEqual({ kind: 'skip', seconds: -10 })
  expect(readingAct(pressed('b'))).toEqual({ kind: 'skip', seconds: 10 })
  resetKeys()
  expect(readingAct(pressed('K', { shiftKey: true }))).toEqual({ kind: 'toggle' })
  expect(readingAct(pressed('?', { shiftKey: true }))).toEqual({ kind: 'help' })
})

test('where letters are not Latin ones a key is known by its place', () => {
  expect(readingAct(pressed('л', { code: 'KeyK' }))).toEqual({ kind: 'toggle' })
  expect(editingAct(pressed('ы', { code: 'KeyS', ctrlKey: true }), middle)).toEqual({
    kind: 'save',
  })
})

test.each(['not of ours', 'null', '"k"', '{"reading.toggle":"p"}'])(
  'where another program keeps %s by the name of the keys, each act has its own',
  async (kept) => {
    vi.stubGlobal('localStorage', { getItem: () => kept })
    vi.resetModules()
    const fresh = await import('./keys.ts')
    expect(fresh.readingAct(pressed('k'))).toEqual({ kind: 'toggle' })
    vi.unstubAllGlobals()
  },
)

test('where nothing can be kept, single keys act', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('Storage is forbidden.')
    },
  })
  expect(singleKeys.isOn()).toBe(true)
  vi.unstubAllGlobals()
})
