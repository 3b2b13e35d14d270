/** The words that stand around a moment of the text. Pure. */
import type { WordTurn } from '../contract.ts'
import type { WordPlace } from './word-places.ts'

/** How many words on each side tell a reader where it is. */
const WORDS = 6

/** The text before and after a stretch of the recording, in the turn that is said there. */
export function textAround(
  { turns, places }: { turns: readonly WordTurn[]; places: readonly WordPlace[] },
  { start, end }: { start: number; end: number },
): { before: string; after: string } {
  const [fromMs, toMs] = [start * 1_000, end * 1_000]
  const middleOf = ({ startMs, endMs }: WordPlace) => (startMs + endMs) / 2
  const next = places.findIndex((place) => middleOf(place) >= fromMs)
  const at = places[next] ?? places.at(-1)
  const turn = at && turns[at.turn]
  if (!at || !turn) return { before: '', after: '' }
  const inTurn = places.filter((place) => place.turn === at.turn)
  const left = inTurn.filter((place) => middleOf(place) < fromMs)
  const right = inTurn.filter((place) => middleOf(place) > toMs)
  const text = (some: readonly WordPlace[]) => turn.text.slice(some[0]?.from, some.at(-1)?.to)
  return {
    before:
      left.length === 0 ? '' : `${left.length > WORDS ? '… ' : ''}${text(left.slice(-WORDS))}`,
    after:
      right.length === 0 ? '' : `${text(right.slice(0, WORDS))}${right.length > WORDS ? ' …' : ''}`,
  }
}
