import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'

import type { Words } from '../contract.ts'
import { mark, rangeOf, unmark } from './highlights.ts'
import type { Player } from './player/player.ts'
import { type WordPlace, placeAt, turnIndexAt } from './word-places.ts'

/** What covers the page at its top and bottom, and how near to it a word may come. */
const TOP_PX = 180
const BOTTOM_PX = 140
/** A scroll this soon after one of ours belongs to it. */
const OURS_MS = 900

/**
 * Keeps the mark on the word that is being said and, while "follow" is on, the page with it. A
 * scroll by hand while it plays switches following off.
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
    // What was out of sight had only a guessed height; now it has its own.
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
    let isFirst = true
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
      mark('now', turnList, nextWord && !isFirst ? [nextWord] : [])
      // Opening a result scrolls nowhere.
      if (!isFirst) keepInSight(nextWord, nextTurn)
      isFirst = seconds === 0
    })
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

function isInSight({ top, bottom }: DOMRect): boolean {
  return top >= TOP_PX && bottom <= window.innerHeight - BOTTOM_PX
}

function scrollTo(what: Element | Range): void {
  const { top, height } = what.getBoundingClientRect()
  const room = window.innerHeight - TOP_PX - BOTTOM_PX
  const above = TOP_PX + Math.max(0, (room - Math.min(height, room)) / 3)
  const distance = top - above
  // Gliding through hours of text takes long and arrives somewhere else: what lies between has no
  // height yet.
  const isFar = Math.abs(distance) > 1.5 * window.innerHeight
  window.scrollBy({ top: distance, behavior: isFar ? 'instant' : 'auto' })
}
