import { useMemo, useState } from 'react'

import { placeInTurn } from '#features/text/ui/word-places.ts'
import { fold } from '#shared/fold.ts'
import { type Wanted, hitsOf } from '#shared/hits.ts'

import { findWords, wantedIn } from './find-searched.ts'
import { type Hit, findIn } from './find.ts'
import type { ResultText } from '../text.ts'
import type { View } from '../view.ts'

export type Search = ReturnType<typeof useSearch>

/** How hits are found that are to be replaced; a search is more lenient. */
type FindOptions = Omit<Wanted, 'find'>

/**
 * Finds what is wanted in the turns that are shown, and goes from one hit to the next, while the field
 * for it is open.
 */
export function useSearch(
  { words: { turns }, places }: Pick<ResultText, 'words' | 'places'>,
  { beside, only, open }: Pick<View, 'beside' | 'only' | 'open'>,
) {
  const isReplacing = beside?.kind === 'replace'
  const [typed, setTyped] = useState('')
  const wanted = isReplacing || beside?.kind === 'find' ? typed : ''
  const [options, setOptions] = useState<FindOptions>({ matchCase: false, wholeWord: true })
  const [chosen, setChosen] = useState<Pick<Hit, 'turn' | 'from'> | null>(null)
  /** The hit that was gone to last; another object each time, also for the same hit. */
  const [gone, setGone] = useState<Hit | null>(null)
  /** A search in the library has led here: words are found apart from each other, as there. */
  const [isSearched, setSearched] = useState(false)
  const isWanted = wanted.trim() !== ''
  // The whole text is folded only once somebody searches.
  const folded = useMemo(
    () => (isWanted && !isReplacing ? turns.map(({ text }) => fold(text)) : []),
    [turns, isWanted, isReplacing],
  )
  const found = useMemo(() => {
    if (!isReplacing) {
      const words = isSearched ? findWords(folded, wanted) : []
      return words.length > 0 ? words : findIn(folded, wanted)
    }
    const find = hitsOf({ find: wanted, ...options })
    return turns.flatMap(({ text }, turn) =>
      find(text).map(([from, to]): Hit => ({ turn, from, to })),
    )
  }, [folded, wanted, isReplacing, options, turns, isSearched])
  const hits = useMemo(
    () => found.filter(({ turn }) => only === null || turns[turn]?.speaker === only),
    [found, only, turns],
  )
  const at = chosen === null ? null : placeOf(hits, chosen)

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
  const show = (hit: Hit) => {
    setChosen(hit)
    setGone({ ...hit })
  }
  return {
    wanted,
    /** The text of the field, which it keeps while it is closed. */
    typed,
    want: (next: string) => {
      setTyped(next)
      setChosen(null)
    },
    gone,
    /** When the hits are said, in seconds. */
    seconds,
    /** Fills in what was searched for in the library, at the turn that the search led to. */
    landOn: (turn: number, what: string) => {
      const next = wantedIn(fold(turns[turn]?.text ?? ''), what)
      if (next === '') return
      setSearched(true)
      setTyped(next)
      setChosen({ turn, from: 0 })
      open({ kind: 'find', isLed: true })
    },
    options,
    setOptions: (changed: Partial<FindOptions>) => {
      setOptions({ ...options, ...changed })
      setChosen(null)
    },
    hits,
    /** The index of the hit that is shown; null before the first. */
    at,
    show,
    move: (steps: 1 | -1) => {
      const from = at ?? (steps === 1 ? -1 : 0)
      const hit = hits[(from + steps + hits.length) % hits.length]
      if (hit) show(hit)
    },
  }
}

/** A correction may have taken the hit away: then the next one, or else the last, has its place. */
function placeOf(hits: readonly Hit[], { turn, from }: Pick<Hit, 'turn' | 'from'>): number {
  const place = hits.findIndex((hit) => hit.turn > turn || (hit.turn === turn && hit.from >= from))
  return place < 0 ? hits.length - 1 : place
}
