/** Remembers in this browser how far checking came, and says how long it takes. */

/** Reads an entry that only this file writes; null where there is none. */
const read = (key: string) => JSON.parse(localStorage.getItem(key) ?? 'null')

/** How far somebody came with one recording. */
export interface Progress {
  /** The word that was shown last, and where it is said. */
  word: string
  atMs: number
  /** Words that are done. */
  right: number
  corrected: number
}

const progressKey = (transcriptionId: string) => `checking:${transcriptionId}`
export const noProgress: Progress = { word: '', atMs: 0, right: 0, corrected: 0 }

export function progressOf(transcriptionId: string): Progress {
  return { ...noProgress, ...read(progressKey(transcriptionId)) }
}

export function keepProgress(transcriptionId: string, progress: Progress | null): void {
  if (progress) localStorage.setItem(progressKey(transcriptionId), JSON.stringify(progress))
  else localStorage.removeItem(progressKey(transcriptionId))
}

/** How long a word takes: it is heard, and most are right. */
const SECONDS_EACH = 6

/** "about 4 min"; from two hours on in hours, because nobody counts in minutes then. */
export function timeFor(items: number): string {
  const seconds = items * SECONDS_EACH
  if (seconds < 45) return 'less than a minute'
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes < 120 ? `about ${minutes} min` : `about ${Math.round(minutes / 60)} h`
}
