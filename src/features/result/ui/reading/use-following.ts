import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'

import type { Words } from '#features/text/contract.ts'
import { type WordPlace, placeAt, turnIndexAt } from '#features/text/ui/word-places.ts'
import type { Player } from '#web/player.ts'

import { follows } from '../settings.ts'
import { useSetting } from '../use-setting.ts'
import { follow, headOf, isInSight, isPartlyInSight, scrollTo, turnElement } from './following.ts'
import { rangeOf } from './highlights.ts'

/** Scroll events this soon after our own scroll are taken for a part of it. */
const OURS_MS = 900

/**
 * While "follow" is on, the page goes along with the word that is being said. It lets go of a user who
 * scrolls or jumps elsewhere while the recording plays, and comes back by itself: with the turn that
 * is being said in sight again, or when what has led away is closed. While a turn is corrected it waits.
 */
export function useFollowing({
  list,
  player,
  turns,
  places,
  isHeld,
}: {
  list: RefObject<HTMLElement | null>
  player: Player | null
  turns: Words['turns']
  places: readonly WordPlace[]
  /** A turn is being corrected. */
  isHeld: boolean
}): Following {
  const isOn = useSetting(follows)
  /** Somebody reads elsewhere, for a while. */
  const [isAway, drawAway] = useState(false)
  /** The same before it is drawn: the next word may be said in between. */
  const away = useRef(false)
  const setAway = (next: boolean) => {
    away.current = next
    drawAway(next)
  }
  /** The turn that is being said is out of sight. */
  const [isOut, setOut] = useState(false)
  const byUs = useRef(0)

  const showTurn: ShowTurn = (turn, letters) => {
    const element = turnElement(list.current, turn)
    if (!element) return
    const began = performance.now()
    byUs.current = began
    const range = letters && rangeOf(list.current, { turn, ...letters })
    const what = range ?? headOf(element)
    scrollTo(what)
    // Turns that were out of sight had an assumed height; by the next frame they have the real one.
    requestAnimationFrame(() => {
      // Something else may have been gone to since.
      if (byUs.current !== began || isInSight(what.getBoundingClientRect())) return
      byUs.current = performance.now()
      scrollTo(what)
    })
  }

  const look = () => {
    const now = list.current?.querySelector('[data-now]')
    const isSeen = !now || isPartlyInSight(now.getBoundingClientRect())
    setOut(!isSeen && (player?.now() ?? 0) > 0)
    if (isSeen) setAway(false)
  }
  const onMove = useEffectEvent((turn: number, place: WordPlace | undefined) => {
    if (isHeld) return
    if (isOn && !away.current) {
      const range = place && rangeOf(list.current, place)
      const element = range ?? turnElement(list.current, turn)
      if (element && !isInSight(element.getBoundingClientRect())) showTurn(turn, place)
    } else look()
  })

  useEffect(() => {
    const turnList = list.current
    if (!player || !turnList) return
    return follow(turnList, player, { turns, places, onMove: (...moved) => onMove(...moved) })
  }, [player, places, turns, list])

  const onScroll = useEffectEvent(() => {
    const isOurs = performance.now() - byUs.current < OURS_MS
    if (!isOurs && player?.getState().isPlaying) setAway(true)
    look()
  })
  useEffect(() => {
    const listen = () => onScroll()
    window.addEventListener('scroll', listen, { passive: true })
    return () => window.removeEventListener('scroll', listen)
  }, [])

  return {
    showTurn,
    leave: () => {
      if (player?.getState().isPlaying) setAway(true)
    },
    comeBack: () => setAway(false),
    goTo: (seconds) => {
      if (isHeld) return
      setAway(false)
      const place = placeAt(places, seconds * 1000)
      const turn = place?.turn ?? turnIndexAt(turns, seconds)
      const element = (place && rangeOf(list.current, place)) ?? turnElement(list.current, turn)
      if (element && !isInSight(element.getBoundingClientRect())) showTurn(turn, place)
    },
    isLost: !isHeld && isOut && (isAway || !isOn),
  }
}

export interface Following {
  showTurn: ShowTurn
  /** Somebody goes elsewhere in the text, and is not to be scrolled back from there. */
  leave: () => void
  comeBack: () => void
  /** Shows what is said at this second, and goes along from there. */
  goTo: (seconds: number) => void
  /** The words being said are out of sight, and do not come into it by themselves. */
  isLost: boolean
}

export type ShowTurn = (turn: number, letters?: { from: number; to: number }) => void
