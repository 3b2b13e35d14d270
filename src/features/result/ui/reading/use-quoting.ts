import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

import { type Quoted, placeOfQuote } from '#features/asking/ui/quote-place.ts'

import { mark, unmark, type Letters } from './highlights.ts'
import { turnElement } from './following.ts'
import type { Reader } from '../reader.ts'
import type { ShowTurn } from './use-following.ts'

/**
 * Goes to what a quote was taken from: it is played and its turn is in sight. Playing marks what is said;
 * without a recording the words of the quote are marked, until the panel is closed.
 */
export function useQuoting(
  { words: { turns }, places, player, only, setOnly }: Reader,
  {
    list,
    isOpen,
    showTurn,
  }: { list: RefObject<HTMLElement | null>; isOpen: boolean; showTurn: ShowTurn },
): (quote: Quoted) => void {
  const [gone, setGone] = useState<Letters | null>(null)
  const show = useEffectEvent((letters: Letters) => {
    showTurn(letters.turn, letters)
    if (player) return
    mark('asked', list.current, [letters])
    turnElement(list.current, letters.turn)?.setAttribute('data-asked', '')
  })
  useEffect(() => {
    if (!gone || !isOpen) return
    const element = list.current
    // A frame later a sheet is as low as it gets.
    const frame = requestAnimationFrame(() => show(gone))
    return () => {
      cancelAnimationFrame(frame)
      unmark('asked')
      turnElement(element, gone.turn)?.removeAttribute('data-asked')
    }
  }, [gone, isOpen, list])
  return (quote) => {
    const letters = placeOfQuote(quote, turns, places)
    if (!letters) return
    if (only !== null && turns[letters.turn]?.speaker !== only) setOnly(null)
    player?.playFrom(quote.at)
    setGone(letters)
  }
}
