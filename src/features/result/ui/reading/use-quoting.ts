import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

import { type Quoted, placeOfQuote } from '#features/asking/ui/quote-place.ts'

import { markAsked } from './following.ts'
import type { Letters } from './highlights.ts'
import type { Result } from '../result.ts'
import type { ShowTurn } from './use-following.ts'

/**
 * Goes to what a quote was taken from: it is played and its turn is in sight. Playing marks what is said;
 * without a recording the words of the quote are marked, until the panel is closed.
 */
export function useQuoting(
  { text: { words, places }, sound: { player }, view: { only, setOnly } }: Result,
  {
    list,
    isOpen,
    showTurn,
  }: { list: RefObject<HTMLElement | null>; isOpen: boolean; showTurn: ShowTurn },
): (quote: Quoted) => void {
  const { turns } = words
  const [gone, setGone] = useState<Letters | null>(null)
  const show = useEffectEvent((letters: Letters) => {
    showTurn(letters.turn, letters)
    return player ? undefined : markAsked(list.current, letters.turn, [letters])
  })
  useEffect(() => {
    if (!gone || !isOpen) return
    let unmark: (() => void) | undefined
    // A frame later a sheet is as low as it gets.
    const frame = requestAnimationFrame(() => {
      unmark = show(gone)
    })
    return () => {
      cancelAnimationFrame(frame)
      unmark?.()
    }
  }, [gone, isOpen])
  return (quote) => {
    const letters = placeOfQuote(quote, turns, places)
    if (!letters) return
    if (only !== null && turns[letters.turn]?.speaker !== only) setOnly(null)
    player?.playFrom(quote.at)
    setGone(letters)
  }
}
