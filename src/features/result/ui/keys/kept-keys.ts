/** Keys that this browser's user has given to acts, in place of those they have by default. */
const KEPT = 'keys'

/** Keys of an act by its id, for example `reading.toggle`. */
export type Given = Readonly<Record<string, readonly string[]>>

let given: Given | null = null
const listeners = new Set<() => void>()

export function givenKeys(): Given {
  given ??= read()
  return given
}

function read(): Given {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    return Object.fromEntries(
      Object.entries(kept).filter(
        ([, keys]) =>
          Array.isArray(keys) && keys.every((key) => typeof key === 'string' && key !== ''),
      ),
    )
  } catch {
    return {} // Nothing is kept, or nothing that this version can read.
  }
}

/** Keeps these keys; with `undefined` an act has its own again. */
export function giveKeys(changed: Readonly<Record<string, readonly string[] | undefined>>): void {
  const next: Record<string, readonly string[]> = {}
  for (const [id, keys] of Object.entries({ ...givenKeys(), ...changed })) if (keys) next[id] = keys
  given = next
  localStorage.setItem(KEPT, JSON.stringify(next))
  for (const listener of listeners) listener()
}

export function resetKeys(): void {
  given = {}
  localStorage.removeItem(KEPT)
  for (const listener of listeners) listener()
}

export function onKeysGiven(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
