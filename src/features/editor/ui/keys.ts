/** What keys mean on a result: single keys while reading, Alt and function keys while correcting. */

export type ReadingAct =
  | { kind: 'toggle' }
  | { kind: 'skip'; seconds: number }
  | { kind: 'speed'; steps: 1 | -1 }
  | { kind: 'turn'; steps: 1 | -1 }
  | { kind: 'play-turn' }
  | { kind: 'edit-turn' }
  | { kind: 'search' }
  | { kind: 'replace' }
  | { kind: 'check'; steps: 1 | -1 }
  | { kind: 'rename' }
  | { kind: 'tab'; number: number }
  | { kind: 'upload' }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'help' }

/** While words are checked these keys come before those of reading. */
export type CheckingAct = { kind: 'right' } | { kind: 'correct' } | { kind: 'play' }

export type EditingAct =
  | { kind: 'cancel' }
  | { kind: 'done' }
  | { kind: 'save' }
  | { kind: 'split' }
  | { kind: 'merge' }
  | { kind: 'toggle' }
  | { kind: 'skip'; seconds: number }
  | { kind: 'speed'; steps: 1 | -1 }
  | { kind: 'replay' }
  | { kind: 'speaker'; number: number }
  | { kind: 'next-check' }
  | { kind: 'accept' }
  | { kind: 'inaudible' }
  | { kind: 'undo' }
  | { kind: 'redo' }

export interface Pressed {
  key: string
  code: string
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
}

const READING_SKIP_S = 10
const EDITING_SKIP_S = 5

const readingActs: Record<string, ReadingAct> = {
  ' ': { kind: 'toggle' },
  k: { kind: 'toggle' },
  j: { kind: 'skip', seconds: -READING_SKIP_S },
  l: { kind: 'skip', seconds: READING_SKIP_S },
  ',': { kind: 'speed', steps: -1 },
  '.': { kind: 'speed', steps: 1 },
  ArrowUp: { kind: 'turn', steps: -1 },
  ArrowDown: { kind: 'turn', steps: 1 },
  Enter: { kind: 'play-turn' },
  e: { kind: 'edit-turn' },
  '/': { kind: 'search' },
  '[': { kind: 'check', steps: -1 },
  ']': { kind: 'check', steps: 1 },
  r: { kind: 'rename' },
  u: { kind: 'upload' },
  z: { kind: 'undo' },
  '?': { kind: 'help' },
}

/** What Ctrl (on a Mac ⌘) and a letter do, in and out of a turn. */
function commandAct({ key, shiftKey, ctrlKey }: Pressed): { kind: 'undo' | 'redo' } | null {
  const letter = key.toLowerCase()
  if (letter === 'z') return { kind: shiftKey ? 'redo' : 'undo' }
  return letter === 'y' && ctrlKey ? { kind: 'redo' } : null
}

/** What a single key does outside fields, or Ctrl and one. Null for keys that the browser handles. */
export function readingAct(pressed: Pressed): ReadingAct | null {
  const { key, altKey, ctrlKey, metaKey } = pressed
  if (ctrlKey !== metaKey && !altKey)
    return key.toLowerCase() === 'h' ? { kind: 'replace' } : commandAct(pressed)
  if (altKey || ctrlKey || metaKey) return null
  if (/^[1-5]$/.test(key)) return { kind: 'tab', number: Number(key) }
  return readingActs[key.length === 1 ? key.toLowerCase() : key] ?? null
}

const checkingActs: Record<string, CheckingAct> = {
  Enter: { kind: 'right' },
  c: { kind: 'correct' },
  ' ': { kind: 'play' },
}

export function checkingAct({ key, altKey, ctrlKey, metaKey }: Pressed): CheckingAct | null {
  if (altKey || ctrlKey || metaKey) return null
  return checkingActs[key.length === 1 ? key.toLowerCase() : key] ?? null
}

/**
 * Keys are named by their place on the keyboard, because Option types other characters on a Mac.
 */
const withAlt: Record<string, EditingAct> = {
  KeyK: { kind: 'toggle' },
  KeyJ: { kind: 'skip', seconds: -EDITING_SKIP_S },
  KeyL: { kind: 'skip', seconds: EDITING_SKIP_S },
  Minus: { kind: 'speed', steps: -1 },
  Equal: { kind: 'speed', steps: 1 },
  KeyR: { kind: 'replay' },
  KeyN: { kind: 'next-check' },
  Enter: { kind: 'accept' },
  KeyI: { kind: 'inaudible' },
}
const functionKeys: Record<string, EditingAct> = {
  F1: { kind: 'skip', seconds: -EDITING_SKIP_S },
  F2: { kind: 'skip', seconds: EDITING_SKIP_S },
  F3: { kind: 'speed', steps: -1 },
  F4: { kind: 'speed', steps: 1 },
}

/** What a key does in the editor of a turn; `at` is the cursor's place. Null for plain typing. */
export function editingAct(
  pressed: Pressed,
  at: { start: number; end: number },
): EditingAct | null {
  const { key, code, altKey, ctrlKey, metaKey, shiftKey } = pressed
  const isCommand = ctrlKey || metaKey
  if (isCommand && code === 'KeyS' && !altKey) return { kind: 'save' }
  if (isCommand && key === 'Enter') return { kind: 'done' }
  if (isCommand) return altKey ? null : commandAct(pressed)
  if (altKey) {
    const digit = /^Digit([1-9])$/.exec(code)?.[1]
    return digit ? { kind: 'speaker', number: Number(digit) } : (withAlt[code] ?? null)
  }
  if (key === 'Escape') return { kind: 'cancel' }
  if (key === 'Enter') return shiftKey ? null : { kind: 'split' }
  if (key === 'Backspace' && at.start === 0 && at.end === 0) return { kind: 'merge' }
  return functionKeys[key] ?? null
}

const SWITCH_KEY = 'single-key-shortcuts'

/** Single keys can be switched off: speech input would press them by accident. */
export const singleKeys = {
  areOn: () => localStorage.getItem(SWITCH_KEY) !== 'off',
  set: (on: boolean) => localStorage.setItem(SWITCH_KEY, on ? 'on' : 'off'),
}

/** What the sheet behind `?` lists. */
export const readingKeys: readonly (readonly [keys: string, what: string])[] = [
  ['Space, K', 'Play or pause'],
  ['J, L', 'Back or forward 10 seconds'],
  [', .', 'Slower or faster'],
  ['↑ ↓', 'Turn before or after'],
  ['Enter', 'Play from this turn'],
  ['E', 'Correct this turn'],
  ['Z, Ctrl+Z, ⌘Z', 'Undo the last change'],
  ['Ctrl+Shift+Z, Ctrl+Y, ⇧⌘Z', 'Do it again'],
  ['R', 'Rename the speaker of this turn'],
  ['/', 'Search in the transcript'],
  ['Ctrl+H, ⌘H', 'Find and replace'],
  ['[ ]', 'Word to check before or after'],
  ['1–5', 'Open a tab'],
  ['U', 'Process a new file'],
  ['Ctrl+K, ⌘K', 'Search and commands'],
  ['?', 'This list'],
]

export const checkingKeys: readonly (readonly [keys: string, what: string])[] = [
  ['Enter', 'The word is right'],
  ['C', 'Correct the word'],
  ['Space', 'Play the word'],
  ['[ ]', 'Word before or after'],
  ['Esc', 'Close the words to check'],
]

export const editingKeys: readonly (readonly [keys: string, what: string])[] = [
  ['Enter', 'Split the turn here'],
  ['Backspace at the start', 'Join with the turn before'],
  ['Esc', 'Leave without the changes'],
  ['Ctrl+Enter', 'Leave with the changes'],
  ['Ctrl+S', 'Save now'],
  ['Alt+K', 'Play or pause'],
  ['Alt+J, Alt+L or F1, F2', 'Back or forward 5 seconds'],
  ['Alt+−, Alt+= or F3, F4', 'Slower or faster'],
  ['Alt+R', 'Play this turn again'],
  ['Alt+1 … Alt+9', 'Give the turn to speaker 1 … 9'],
  ['Alt+N', 'Next word to check'],
  ['Alt+Enter', 'The word at the cursor is right'],
  ['Alt+I', 'Insert [inaudible] with the time'],
]
