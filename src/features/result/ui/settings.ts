/** Settings that this browser keeps for all recordings. */
export function kept(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null // Storage can be forbidden to a shared page.
  }
}

const listeners = new Set<() => void>()

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Forbidden, or full: the choice is for this page alone.
  }
  for (const listener of listeners) listener()
}

/** Calls whenever one of these settings is changed, or the keys. */
export function onSet(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export type Setting = ReturnType<typeof setting>

const setting = (key: string, byDefault: 'on' | 'off') => ({
  isOn: () => (kept(key) ?? byDefault) !== 'off',
  set: (on: boolean) => keep(key, on ? 'on' : 'off'),
})

/** Single keys can be switched off: speech input would press them by accident. */
export const singleKeys = setting('single-key-shortcuts', 'on')
/** The recording waits while something is typed into a turn. */
export const pauseOnTyping = setting('pause-on-typing', 'off')
/** The play key of a pedal plays as long as it is held. */
export const pedalHolds = setting('pedal-holds', 'off')
/** While the recording plays, the page goes along with what is said. */
export const follows = setting('follows-playhead', 'on')
/** Each turn has its time, not only those where somebody else begins to speak. */
export const timesAtEachTurn = setting('times-at-each-turn', 'on')
/** On paper the summary stands before the text. */
export const printsSummary = setting('prints-summary', 'on')
/** Words in doubt are underlined. */
export const underlines = setting('underlines', 'on')
/** Each word to check is played by itself. */
export const playsEach = setting('plays-each-word', 'on')
/** A picture has its words as captions. */
export const captions = setting('captions', 'on')
