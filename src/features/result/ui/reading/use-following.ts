import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'

import type { Words } from '#features/text/contract.ts'
import type { WordPlace } from '#features/text/ui/word-places.ts'
import type { Player } from '#web/player.ts'

import { follow, headOf, isInSight, scrollTo, turnElement } from './following.ts'
import { rangeOf } from './highlights.ts'

/** Scroll events this soon after our own scroll are taken for a part of it. */
const OURS_MS = 900

/**
 * While "follow" is on, the page scrolls to the word that is being said. A user who scrolls while the
 * recording plays switches "follow" off.
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
    const what = range ?? headOf(element)
    scrollTo(what)
    // Turns that were out of sight had an assumed height; by the next frame they have the real one.
    requestAnimationFrame(() => {
      if (isInSight(what.getBoundingClientRect())) return
      byUs.current = performance.now()
      scrollTo(what)
    })
  }

  const keepInSight = useEffectEvent((turn: number, place: WordPlace | undefined) => {
    if (!isFollowing) return
    const range = place && rangeOf(list.current, place)
    const element = range ?? turnElement(list.current, turn)
    if (element && !isInSight(element.getBoundingClientRect())) showTurn(turn, place)
  })

  useEffect(() => {
    const turnList = list.current
    if (!player || !turnList) return
    return follow(turnList, player, { turns, places, onMove: (...moved) => keepInSight(...moved) })
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
