/** Keys that this browser's user has given to acts, in place of those they have by default. */
import { keep, kept } from '../settings.ts'

const KEPT = 'keys'

/** Keys of an act by its id, for example `reading.toggle`. */
export type Given = Readonly<Record<string, readonly string[]>>

let given: Given | null = null

export const givenKeys = (): Given => (given ??= read())

/** On localhost other programs share the storage, and may keep something else by this name. */
function read(): Given {
  try {
    const found: unknown = JSON.parse(kept(KEPT) ?? '{}')
    const isOurs =
      typeof found === 'object' && found !== null && Object.values(found).every(areKeys)
    return isOurs ? (found as Given) : {}
  } catch {
    return {}
  }
}

const areKeys = (keys: unknown): boolean =>
  Array.isArray(keys) && keys.every((key) => typeof key === 'string')

/** Keeps these keys; with `undefined` an act has its own again. */
export function giveKeys(changed: Readonly<Record<string, readonly string[] | undefined>>): void {
  // JSON leaves out acts whose keys are undefined.
  const next = JSON.stringify({ ...givenKeys(), ...changed })
  given = JSON.parse(next) as Given
  keep(KEPT, next)
}

export function resetKeys(): void {
  given = {}
  keep(KEPT, '{}')
}
