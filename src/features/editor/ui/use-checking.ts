import { useState } from 'react'

import type { Reader } from './reader.ts'
import type { ShowTurn } from './use-following.ts'

/** This much of the recording is played before and after the word. */
const AROUND_S = 1.2

export type Checking = ReturnType<typeof useChecking>

/** Goes through the words in doubt, one after the other. */
export function useChecking(
  { words: { turns }, toCheck: queue, player, edits }: Reader,
  { showTurn }: { showTurn: ShowTurn },
) {
  const [chosen, setChosen] = useState<number | null>(null)
  // The queue gets shorter with every word that is checked.
  const at = chosen === null ? null : Math.min(chosen, queue.length - 1)
  const word = at === null ? undefined : queue[at]
  const goTo = (place: number) => {
    const next = queue.length === 0 ? 0 : (place + queue.length) % queue.length
    setChosen(next)
    const found = queue[next]
    if (found) showTurn(found.turn, found)
  }
  return {
    queue,
    /** Null while nobody checks; -1 when all words are checked. */
    at,
    /** The word that is being checked. */
    word,
    open: () => goTo(0),
    move: (steps: 1 | -1) => goTo(at === null ? 0 : at + steps),
    play:
      player && word
        ? () => player.playFrom(word.startMs / 1000 - AROUND_S, word.endMs / 1000 + AROUND_S)
        : null,
    accept: () => {
      const turn = word && turns[word.turn]
      if (!turn || at === null) return
      void edits?.accept(turn, [word.index])
      // The next word takes the place of this one in the queue.
      const next = queue[at + 1]
      if (next) showTurn(next.turn, next)
      else setChosen(Math.max(0, queue.length - 2))
    },
    close: () => setChosen(null),
  }
}
