/**
 * The meaning of keys on a result: single keys while reading, Alt and function keys while correcting,
 * and those of a foot pedal everywhere; and of two keys on the dashboard. Each act can be given other keys (see kept-keys.ts).
 */
import { givenKeys } from './kept-keys.ts'

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

/**
 * A key by its name, after what is held with it: `k`, `Alt+KeyK`, `F7`. `Mod` is Ctrl, and ⌘ on a
 * Mac. With Alt a key is named by its place, because Option types other characters on a Mac.
 */
type Chord = string

export interface KeyRow<Of = unknown> {
  id: string
  /** The words for it in the list of keys. */
  what: string
  /** The keys it has by default. */
  keys: readonly Chord[]
  act: Of
}

interface Act {
  kind: string
  seconds?: number
  steps?: 1 | -1
}
type Rows = readonly (readonly [name: string, what: string, keys: readonly Chord[], act: Act])[]

const reading = [
  ['toggle', 'Play or pause', ['Space', 'k'], { kind: 'toggle' }],
  ['back', 'Back 10 seconds', ['j'], { kind: 'skip', seconds: -READING_SKIP_S }],
  ['forward', 'Forward 10 seconds', ['l'], { kind: 'skip', seconds: READING_SKIP_S }],
  ['chapter-before', 'Chapter before', ['Shift+j'], { kind: 'chapter', steps: -1 }],
  ['chapter-after', 'Chapter after', ['Shift+l'], { kind: 'chapter', steps: 1 }],
  ['slower', 'Slower', [','], { kind: 'speed', steps: -1 }],
  ['faster', 'Faster', ['.'], { kind: 'speed', steps: 1 }],
  ['turn-before', 'Turn before', ['ArrowUp'], { kind: 'turn', steps: -1 }],
  ['turn-after', 'Turn after', ['ArrowDown'], { kind: 'turn', steps: 1 }],
  ['word-before', 'Word before, in this turn', ['ArrowLeft'], { kind: 'word', steps: -1 }],
  ['word-after', 'Word after, in this turn', ['ArrowRight'], { kind: 'word', steps: 1 }],
  ['play-turn', 'Play from this turn', ['Enter'], { kind: 'play-turn' }],
  ['edit', 'Correct this turn, or change this part of the summary', ['e'], { kind: 'edit-turn' }],
  ['undo', 'Undo the last change', ['z', 'Mod+z'], { kind: 'undo' }],
  ['redo', 'Do it again', ['Mod+Shift+z', 'Ctrl+y'], { kind: 'redo' }],
  ['rename', 'Rename the speaker of this turn', ['r'], { kind: 'rename' }],
  ['rename-recording', 'Rename the recording', ['F2'], { kind: 'rename-recording' }],
  ['quote', 'Copy the selected words as a quote', ['q'], { kind: 'quote' }],
  ['quote-link', 'Copy a link to the selected words', ['Shift+q'], { kind: 'quote-link' }],
  ['cut', 'Cut the selected words', ['x'], { kind: 'cut' }],
  ['clip', 'Make a clip of the selected words', ['c'], { kind: 'clip' }],
  ['put-back', 'Put back the selected words', ['Shift+x'], { kind: 'put-back' }],
  ['hide', 'Hide the selected words', ['b'], { kind: 'hide' }],
  [
    'selected-words',
    'What can be done with selected words',
    ['Alt+ArrowDown'],
    { kind: 'selected-words' },
  ],
  ['search', 'Search in the transcript', ['/'], { kind: 'search' }],
  ['replace', 'Find and replace', ['Mod+h'], { kind: 'replace' }],
  ['check-before', 'Word to check before', ['['], { kind: 'check', steps: -1 }],
  ['check-after', 'Word to check after', [']'], { kind: 'check', steps: 1 }],
  ['ask', 'Ask this recording', ['a'], { kind: 'ask' }],
  ['upload', 'Process a new file', ['u'], { kind: 'upload' }],
  ['help', 'This list', ['?'], { kind: 'help' }],
] as const satisfies Rows

/** While words are checked these keys come before those of reading. */
const checking = [
  ['right', 'The word is right', ['Enter'], { kind: 'right' }],
  ['correct', 'Correct the word', ['c'], { kind: 'correct' }],
  ['play', 'Play the word', ['Space'], { kind: 'play' }],
] as const satisfies Rows

const editing = [
  ['split', 'Split the turn here; save it, where words are replaced', ['Enter'], { kind: 'split' }],
  ['cancel', 'Leave without the changes', ['Escape'], { kind: 'cancel' }],
  ['done', 'Leave with the changes', ['Mod+Enter'], { kind: 'done' }],
  ['save', 'Save now', ['Mod+s'], { kind: 'save' }],
  ['toggle', 'Play or pause', ['Alt+KeyK'], { kind: 'toggle' }],
  ['back', 'Back 5 seconds', ['Alt+KeyJ', 'F1'], { kind: 'skip', seconds: -EDITING_SKIP_S }],
  ['forward', 'Forward 5 seconds', ['Alt+KeyL', 'F2'], { kind: 'skip', seconds: EDITING_SKIP_S }],
  ['slower', 'Slower', ['Alt+Minus', 'F3'], { kind: 'speed', steps: -1 }],
  ['faster', 'Faster', ['Alt+Equal', 'F4'], { kind: 'speed', steps: 1 }],
  ['replay', 'Play this turn again', ['Alt+KeyR'], { kind: 'replay' }],
  ['times', 'Change the times of the turn', ['Alt+KeyT'], { kind: 'times' }],
  ['next-check', 'Next word to check', ['Alt+KeyN'], { kind: 'next-check' }],
  ['accept', 'The word at the cursor is right', ['Alt+Enter'], { kind: 'accept' }],
  ['inaudible', 'Insert [inaudible] with the time', ['Alt+KeyI'], { kind: 'inaudible' }],
] as const satisfies Rows

/** Where a file is chosen, while no result is open. */
const dashboard = [
  ['choose', 'Choose a file', ['u'], { kind: 'choose' }],
  ['record', 'Record', ['Shift+r'], { kind: 'record' }],
] as const satisfies Rows

const pedal = [
  ['play', 'Play or pause', [], { kind: 'toggle' }],
  ['back', 'Back 5 seconds', [], { kind: 'skip', seconds: -EDITING_SKIP_S }],
  ['forward', 'Forward 5 seconds', [], { kind: 'skip', seconds: EDITING_SKIP_S }],
] as const satisfies Rows

export type ReadingAct = (typeof reading)[number][3] | { kind: 'tab'; number: number }
type CheckingAct = (typeof checking)[number][3]
export type EditingAct =
  | (typeof editing)[number][3]
  | { kind: 'merge' | 'merge-next' | 'undo' | 'redo' }
  | { kind: 'speaker'; number: number }
type DashboardAct = (typeof dashboard)[number][3]
type PedalAct = (typeof pedal)[number][3]

const rowsOf = <Row extends Rows[number]>(
  place: string,
  rows: readonly Row[],
): readonly KeyRow<Row[3]>[] =>
  rows.map(([name, what, keys, act]) => ({ id: `${place}.${name}`, what, keys, act }))

export const keyTable = {
  reading: rowsOf('reading', reading),
  checking: rowsOf('checking', checking),
  editing: rowsOf('editing', editing),
  dashboard: rowsOf('dashboard', dashboard),
  pedal: rowsOf('pedal', pedal),
}
export type KeyTableName = keyof typeof keyTable

/** The keys that an act has now. */
export const keysOf = ({ id, keys }: KeyRow): readonly Chord[] => givenKeys()[id] ?? keys

/** `Mod` as a keyboard sends it. */
export const asPressed = (chord: Chord): Chord[] =>
  chord.startsWith('Mod+') ? [chord.replace('Mod', 'Ctrl'), chord.replace('Mod', 'Meta')] : [chord]

/** A letter with Shift is the letter alone, unless it has an act of its own. */
function actOf<Of>(rows: readonly KeyRow<Of>[], chord: Chord | null): Of | null {
  const actOn = (key: Chord) =>
    rows.find((row) => keysOf(row).flatMap(asPressed).includes(key))?.act ?? null
  if (chord === null) return null
  return actOn(chord) ?? actOn(chord.replace(/^Shift\+(?=.$)/u, ''))
}

const alone = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'])

/** The key that was pressed; null while only Shift and the like are. */
export function chordOf(pressed: Pressed): Chord | null {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = pressed
  if (alone.has(key) || key === '' || key === 'Unidentified' || key === 'Process') return null
  // An accent that waits for its letter. On a Mac some letters are that with Option: N and I.
  if (key === 'Dead' && (!altKey || code === '')) return null
  const isTyped = key.length === 1
  // Where the letters are not Latin ones, a key is known by its place.
  const letter = /^Key([A-Z])$/.exec(code)?.[1] ?? key
  const typed = key === ' ' ? 'Space' : (key > '~' ? letter : key).toLowerCase()
  const base = altKey && code !== '' ? code : isTyped ? typed : key
  // With a character alone Shift is what types it, unless that is a letter.
  const isLetter = base.toUpperCase() !== base
  const isShift = shiftKey && (!isTyped || isLetter || ctrlKey || metaKey || altKey)
  const held = [ctrlKey && 'Ctrl', metaKey && 'Meta', altKey && 'Alt', isShift && 'Shift']
  return [...held.filter((name) => name !== false), base].join('+')
}

const isPlain = ({ altKey, ctrlKey, metaKey }: Pressed) => !altKey && !ctrlKey && !metaKey

/** The act of a key outside fields. Null for keys that the browser handles. */
export function readingAct(pressed: Pressed): ReadingAct | null {
  const act = actOf(keyTable.reading, chordOf(pressed))
  if (act) return act
  return isPlain(pressed) && /^[1-5]$/.test(pressed.key)
    ? { kind: 'tab', number: Number(pressed.key) }
    : null
}

export const checkingAct = (pressed: Pressed): CheckingAct | null =>
  actOf(keyTable.checking, chordOf(pressed))

export const dashboardAct = (pressed: Pressed): DashboardAct | null =>
  actOf(keyTable.dashboard, chordOf(pressed))

/** The act of a key of the pedal, in fields too. */
export const pedalAct = (pressed: Pressed): PedalAct | null =>
  actOf(keyTable.pedal, chordOf(pressed))

/**
 * The act of a key in the editor of a turn; `at` says where the cursor is and how long the text.
 * Null for plain typing.
 */
export function editingAct(
  pressed: Pressed,
  at: { start: number; end: number; length: number },
): EditingAct | null {
  const chord = chordOf(pressed)
  const act = actOf(keyTable.editing, chord)
  if (act) return act
  switch (chord ?? '') {
    case 'Ctrl+z':
    case 'Meta+z':
      return { kind: 'undo' }
    case 'Ctrl+Shift+z':
    case 'Meta+Shift+z':
    case 'Ctrl+y':
      return { kind: 'redo' }
    case 'Backspace':
      return at.end === 0 ? { kind: 'merge' } : null
    case 'Delete':
      return at.start === at.length ? { kind: 'merge-next' } : null
  }
  const digit = /^Alt\+Digit([1-9])$/.exec(chord ?? '')?.[1]
  return digit ? { kind: 'speaker', number: Number(digit) } : null
}
