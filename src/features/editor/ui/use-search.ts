import { useEffect, useEffectEvent, useMemo, useState } from 'react'

import { fold } from '#shared/fold.ts'

import { findIn } from './find.ts'
import type { Reader } from './reader.ts'
import type { ShowTurn } from './use-following.ts'
import { placeInTurn } from './word-places.ts'

export type Search = ReturnType<typeof useSearch>

/** Finds what is wanted in the turns that are shown, and goes from one hit to the next. */
export function useSearch(
  { words: { turns }, places, only }: Reader,
  {
    showTurn,
    onMarks,
  }: {
    showTurn: ShowTurn
    /** Takes the seconds at which the hits are said. */
    onMarks: (seconds: readonly number[]) => void
  },
) {
  const [wanted, setWanted] = useState('')
  const [chosen, setChosen] = useState<number | null>(null)
  const isWanted = wanted.trim() !== ''
  // The whole text is folded only once somebody searches.
  const folded = useMemo(
    () => (isWanted ? turns.map(({ text }) => fold(text)) : []),
    [turns, isWanted],
  )
  const hits = useMemo(
    () =>
      findIn(folded, wanted).filter(({ turn }) => only === null || turns[turn]?.speaker === only),
    [folded, wanted, only, turns],
  )
  // A correction may have taken hits away.
  const at = chosen === null ? null : Math.min(chosen, hits.length - 1)

  const seconds = useMemo(
    () => [
      ...new Set(
        hits.map(({ turn, from }) => {
          const place = placeInTurn(places, turn, from)
          return place ? place.startMs / 1000 : (turns[turn]?.start ?? 0)
        }),
      ),
    ],
    [hits, places, turns],
  )
  const tell = useEffectEvent(onMarks)
  useEffect(() => {
    tell(seconds)
    return () => tell([])
  }, [seconds])

  return {
    wanted,
    want: (next: string) => {
      setWanted(next)
      setChosen(null)
    },
    hits,
    /** The index of the hit that is shown; null before the first. */
    at,
    move: (steps: 1 | -1) => {
      const from = at ?? (steps === 1 ? -1 : 0)
      const next = (from + steps + hits.length) % hits.length
      const hit = hits[next]
      if (!hit) return
      setChosen(next)
      showTurn(hit.turn, hit)
    },
  }
}
