import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'

import type { Words } from '../contract.ts'
import { mark, rangeOf, unmark } from './highlights.ts'
import type { Player } from './player/player.ts'
import { type WordPlace, placeAt, turnIndexAt } from './word-places.ts'

/** A word is out of sight when it is nearer than this to the top or the bottom of the window. */
const TOP_PX = 180
const BOTTOM_PX = 140
const pagePx = (name: string) =>
  Number.parseFloat(document.documentElement.style.getPropertyValue(name)) || 0
/** A picture covers so much more of the top (see player/picture.tsx). */
const topPx = () => TOP_PX + pagePx('--picture-height')
/** A sheet covers so much more of the bottom (see side-panel.tsx). */
const sheetPx = () => pagePx('--sheet-height')
/** Scroll events this soon after our own scroll are taken for a part of it. */
const OURS_MS = 900

/**
 * Marks the word that is being said. While "follow" is on, it also scrolls the page to that word. A
 * user who scrolls while the recording plays switches "follow" off.
 */
export function useFollowing({
  list,
  player,
  turns,
  places,
}: {
  list: RefObject<HTMLElement | null>
  player: Player | null
  turns: Words['turns']
  places: readonly WordPlace[]
}): { isFollowing: boolean; setFollowing: (on: boolean) => void; showTurn: ShowTurn } {
  const [isFollowing, setFollowing] = useState(true)
  const byUs = useRef(0)

  const showTurn: ShowTurn = (turn, letters) => {
    const element = turnElement(list.current, turn)
    if (!element) return
    byUs.current = performance.now()
    const range = letters && rangeOf(list.current, { turn, ...letters })
    scrollTo(range ?? element)
    // Turns that were out of sight had an assumed height; by the next frame they have the real one.
    requestAnimationFrame(() => {
      const place = (range ?? element).getBoundingClientRect()
      if (isInSight(place)) return
      byUs.current = performance.now()
      scrollTo(range ?? element)
    })
  }

  const keepInSight = useEffectEvent((place: WordPlace | undefined, turn: number) => {
    if (!isFollowing) return
    const range = place && rangeOf(list.current, place)
    const element = range ?? turnElement(list.current, turn)
    if (element && !isInSight(element.getBoundingClientRect())) showTurn(turn, place)
  })

  useEffect(() => {
    const turnList = list.current
    if (!player || !turnList) return
    let word: WordPlace | undefined
    let turn = -2
    let isListening = false
    const stop = player.onTick((seconds) => {
      const nextWord = placeAt(places, seconds * 1000)
      const nextTurn = nextWord?.turn ?? turnIndexAt(turns, seconds)
      if (nextWord === word && nextTurn === turn) return
      if (nextTurn !== turn) {
        turnElement(turnList, turn)?.removeAttribute('data-now')
        if (nextTurn >= 0) turnElement(turnList, nextTurn)?.setAttribute('data-now', '')
      }
      word = nextWord
      turn = nextTurn
      // Before somebody plays or presses a word, none is meant. It may be the very first one.
      mark('now', turnList, nextWord && (isListening || seconds > 0) ? [nextWord] : [])
      // A result that is opened does not scroll, nor one whose words have changed.
      if (isListening && seconds > 0) keepInSight(nextWord, nextTurn)
    })
    isListening = true
    return () => {
      stop()
      unmark('now')
      turnElement(turnList, turn)?.removeAttribute('data-now')
    }
  }, [player, places, turns, list])

  const onScroll = useEffectEvent(() => {
    const isOurs = performance.now() - byUs.current < OURS_MS
    if (!isOurs && isFollowing && player?.getState().isPlaying) setFollowing(false)
  })
  useEffect(() => {
    const listen = () => onScroll()
    window.addEventListener('scroll', listen, { passive: true })
    return () => window.removeEventListener('scroll', listen)
  }, [])

  return { isFollowing, setFollowing, showTurn }
}

export type ShowTurn = (turn: number, letters?: { from: number; to: number }) => void

export const turnElement = (list: HTMLElement | null, turn: number): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-turn="${turn}"]`) ?? null

export function isInSight({ top, bottom }: DOMRect): boolean {
  return top >= topPx() && bottom <= window.innerHeight - BOTTOM_PX - sheetPx()
}

function scrollTo(what: Element | Range): void {
  const { top, height } = what.getBoundingClientRect()
  const room = Math.max(0, window.innerHeight - topPx() - BOTTOM_PX - sheetPx())
  const above = topPx() + Math.max(0, (room - Math.min(height, room)) / 3)
  const distance = top - above
  // A smooth scroll through hours of text takes long, and ends in the wrong place because the turns
  // on the way have no real height yet.
  const isFar = Math.abs(distance) > 1.5 * window.innerHeight
  window.scrollBy({ top: distance, behavior: isFar ? 'instant' : 'auto' })
}
