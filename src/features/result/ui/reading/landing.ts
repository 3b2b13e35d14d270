/** Where a text is when it is opened: at a moment, at a passage, or where it was read while it was written. */
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'

import { placeAt, turnIndexAt } from '#features/text/ui/word-places.ts'
import type { WordTurn } from '#features/text/contract.ts'
import { turnFrom } from '#shared/turn-from.ts'

import type { Search } from '../find/use-search.ts'
import type { Result } from '../result.ts'
import type { ResultText } from '../text.ts'
import { isPartlyInSight, turnElement } from './following.ts'
import { mark, unmark } from './highlights.ts'
import { lettersSaid } from './selected-words.ts'
import type { Following, ShowTurn } from './use-following.ts'

/** Where on the screen something is that was said at this second. */
export interface ScrollAnchor {
  seconds: number
  top: number
}

/** The first turn in sight; null at the top of the page. */
export function placeInSight(turns: readonly WordTurn[]): ScrollAnchor | null {
  if (window.scrollY === 0) return null
  for (const element of document.querySelectorAll<HTMLElement>('[data-turn]')) {
    const box = element.getBoundingClientRect()
    const turn = turns[Number(element.dataset['turn'])]
    if (turn && isPartlyInSight(box)) return { seconds: turn.start, top: box.top }
  }
  return null
}

/**
 * A link with a moment (`?at=`) opens there: the turn in sight, the player at the word, and what was
 * searched for (`&q=`) marked.
 */
export function useLanding({
  at,
  searched,
  isBack,
  jump,
  onJumped,
  result: { text, sound },
  search,
  showTurn,
}: {
  at: number | null
  searched: string
  isBack: boolean
  jump: number | null
  onJumped: () => void
  result: Result
  search: Search
  showTurn: ShowTurn
}): void {
  const { words, places } = text
  const { player } = sound
  // Waits a frame, because the browser restores the old scroll position first.
  const show = (...what: Parameters<ShowTurn>) => requestAnimationFrame(() => showTurn(...what))
  const arrive = useEffectEvent((seconds: number, wanted: string) => {
    player?.seek(seconds)
    const turn = Math.max(0, turnIndexAt(words.turns, seconds))
    show(turn)
    // Without it the moment is reached, and nothing is marked.
    if (wanted !== '') search.landOn(turn, wanted)
  })
  // Only a link that is new leads anywhere once the text has been left for another tab.
  const [known] = useState(isBack ? at : null)
  useEffect(() => {
    if (at !== null && at !== known) arrive(at, searched)
  }, [at, known, searched])
  const jumpThere = useEffectEvent((seconds: number) => {
    const turn = turnFrom(words.turns, seconds)
    const word = placeAt(places, seconds * 1000)
    // A chapter stands above the turn in which it begins: far above its first word, where that is long.
    show(turn, word?.turn === turn && word.index > 0 ? word : undefined)
    onJumped()
  })
  useEffect(() => {
    if (jump !== null) jumpThere(jump)
  }, [jump])
}

/** Marks the passage that the address names. */
export function usePassage(
  { words: { turns }, places }: ResultText,
  { at, to, list }: { at: number | null; to: number | null; list: RefObject<HTMLElement | null> },
): void {
  const show = useEffectEvent((start: number, end: number) =>
    mark('asked', list.current, lettersSaid({ turns, places }, { start, end })),
  )
  useEffect(() => {
    if (at === null || to === null) return
    const frame = requestAnimationFrame(() => show(at, to))
    return () => {
      cancelAnimationFrame(frame)
      unmark('asked')
    }
  }, [at, to])
}

/**
 * Scrolls, before anything is drawn, so that the turn that was being read is where it was. It stays
 * there when another one is being played.
 */
export function useStaying(
  stay: ScrollAnchor | null,
  {
    list,
    turns,
    following,
  }: {
    list: RefObject<HTMLElement | null>
    turns: readonly WordTurn[]
    following: Following
  },
): void {
  const scroll = useEffectEvent((place: ScrollAnchor) => {
    const turn = turnElement(list.current, Math.max(0, turnIndexAt(turns, place.seconds)))
    if (!turn) return
    following.leave()
    const settle = () => {
      const top = turn.getBoundingClientRect().top - place.top
      if (top !== 0) window.scrollBy({ top, behavior: 'instant' })
    }
    settle()
    // Turns above it that were never in sight had an assumed height until now.
    requestAnimationFrame(settle)
  })
  useLayoutEffect(() => {
    if (stay) scroll(stay)
  }, [stay])
}
