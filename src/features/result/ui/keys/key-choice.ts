/** Which keys can be given to an act, and who has them. Pure. */
import { type KeyRow, type KeyTableName, asPressed, keyTable, keysOf } from './keys.ts'

const places = Object.keys(keyTable) as KeyTableName[]
const placeOf = ({ id }: KeyRow): KeyTableName =>
  places.find((place) => id.startsWith(`${place}.`)) ?? 'reading'

/** Acts of these places can be meant by one press; a pedal's by any. */
const meets = (one: KeyTableName, other: KeyTableName) =>
  one === other || one === 'pedal' || other === 'pedal'

/** The other act that a press of this key would mean too. */
export function holderOf(chord: string, row: KeyRow): KeyRow | null {
  const pressed = asPressed(chord)
  const rows: readonly KeyRow[] = Object.values(keyTable).flat()
  const holds = (other: KeyRow) =>
    keysOf(other)
      .flatMap(asPressed)
      .some((key) => pressed.includes(key))
  return (
    rows.find(
      (other) => other.id !== row.id && meets(placeOf(row), placeOf(other)) && holds(other),
    ) ?? null
  )
}

/** The keys of an act without this one. */
export const without = (row: KeyRow, chord: string): string[] => {
  const pressed = new Set(asPressed(chord))
  return keysOf(row).filter((key) => !asPressed(key).some((each) => pressed.has(each)))
}

const command = /^(Ctrl|Meta)\+/
/** The browser and the fields of every page have these. */
const fixed = /^(Tab|Shift\+Tab|(Ctrl|Meta)\+[acvxk])$/
const fixedIn: Record<KeyTableName, RegExp> = {
  reading: /^[1-5]$/,
  checking: /^[1-5]$/,
  dashboard: /^g$/,
  editing: /^(Alt\+Digit[1-9]|(Ctrl|Meta)\+(Shift\+)?[zy])$/,
  pedal: /^([1-5]|Alt\+Digit[1-9]|(Ctrl|Meta)\+(Shift\+)?[zy])$/,
}
const types = /^(Shift\+)?(.|Space|Backspace|Delete|Home|End|PageUp|PageDown|Arrow\w+)$/u
const leaves = /^(Shift\+)?(Enter|Escape)$/

/** Why an act cannot have a key; null where it can. */
export function reasonAgainst(chord: string, row: KeyRow): string | null {
  const place = placeOf(row)
  if (fixed.test(chord) || fixedIn[place].test(chord)) return 'This key has a fixed meaning.'
  const isInFields = place === 'editing' || place === 'pedal'
  if (isInFields && !command.test(chord) && types.test(chord))
    return 'This key types text. Take an F key, a media key, or one with Ctrl or Alt.'
  if (place === 'pedal' && leaves.test(chord)) return 'This key has a fixed meaning.'
  return null
}
