/** The names of keys on screen. */
import { type KeyRow, keyTable, keysOf } from './keys.ts'

const isMac = () => /^(Mac|iP)/.test(navigator.platform)

const names: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Minus: '−',
  Equal: '=',
  BracketLeft: '[',
  BracketRight: ']',
  MediaPlayPause: 'Play/Pause',
  MediaTrackNext: 'Next track',
  MediaTrackPrevious: 'Previous track',
  MediaStop: 'Stop',
  MediaRewind: 'Rewind',
  MediaFastForward: 'Fast forward',
}
const mac: Record<string, string> = { Mod: '⌘', Meta: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' }
const others: Record<string, string> = { Mod: 'Ctrl', Meta: 'Win' }

/** `Alt+KeyK` is "Alt+K", on a Mac "⌥K". */
export function nameOfKey(chord: string): string {
  // The last part may be the plus sign itself.
  const parts = /^(.*\+)?(.+)$/.exec(chord)
  const held = (parts?.[1] ?? '').split('+').filter((part) => part !== '')
  const base = parts?.[2] ?? chord
  const key = names[base] ?? base.replace(/^(Key|Digit)(?=.$)/, '')
  const named = key.length === 1 ? key.toUpperCase() : key
  return isMac()
    ? [...held.map((part) => mac[part] ?? part), named].join('')
    : [...held.map((part) => others[part] ?? part), named].join('+')
}

export const namesOf = (row: KeyRow): string => keysOf(row).map(nameOfKey).join(', ')

/** The keys of an act by its id, such as `editing.split`; empty where it has none. */
export const keysFor = (id: string): string =>
  Object.values(keyTable)
    .flat()
    .filter((row) => row.id === id)
    .map(namesOf)
    .join()
