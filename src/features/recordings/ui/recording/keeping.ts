/**
 * Keeps the pieces of a recording while it is made. Each piece goes to the shelf as it comes; one that
 * could not be put there is tried again with the next. All are also in memory until the recording has
 * become a file.
 */
import { type Piece, begin, keep } from './shelf.ts'
import type { Event, KeptRecording } from './state.ts'

const LEVELS_A_SECOND = 2

export function keeping(
  kept: KeptRecording,
  earlier: readonly Piece[],
  say: (event: Event) => void,
) {
  const pieces = [...earlier]
  const levels = earlier.flatMap((piece) => piece.levels)
  let levelsKept = levels.length
  let row = kept
  let keptRow: KeptRecording | null = null
  const unkept: Piece[] = []
  let isKept = false
  let keepingNow = Promise.resolve()
  const keepAll = async () => {
    try {
      if (row !== keptRow) await begin(row)
      keptRow = row
      for (let piece = unkept[0]; piece; piece = unkept[0]) {
        await keep(piece)
        unkept.shift()
      }
      isKept = true
      say({ kind: 'saved' })
    } catch (error) {
      isKept = false
      const isFull = error instanceof DOMException && error.name === 'QuotaExceededError'
      say({ kind: 'unsaved', isFull })
    }
  }
  const save = () => (keepingNow = keepingNow.then(keepAll))

  return {
    pieces,
    /** How loud it was, twice a second. */
    levels,
    /** What is known of the recording. */
    row: () => row,
    know(next: KeptRecording) {
      if (next === row) return
      row = next
      void save()
    },
    add(more: Pick<Piece, 'piece' | 'stretch' | 'recordedMs'>) {
      const number = (pieces.at(-1)?.number ?? 0) + 1
      const piece = { ...more, id: kept.id, number, levels: levels.slice(levelsKept) }
      levelsKept = levels.length
      pieces.push(piece)
      unkept.push(piece)
      void save()
    },
    note(recordedMs: number, level: number) {
      const place = Math.floor((recordedMs / 1000) * LEVELS_A_SECOND)
      while (levels.length <= place) levels.push(0)
      levels[place] = Math.max(levels[place] ?? 0, Math.min(1, level))
    },
    save,
    /** All of it, as far as the last try went. */
    isKept: () => isKept,
  }
}
