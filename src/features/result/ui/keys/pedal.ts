import { useEffect, useEffectEvent, useRef } from 'react'

import type { Player } from '#web/player.ts'

import { pedalHolds } from '../settings.ts'
import { pedalAct } from './keys.ts'

/**
 * Keys of a foot pedal, which a browser takes for a keyboard. They act everywhere, in fields too,
 * and before anything else that knows the same key.
 */
export function Pedal({ player }: { player: Player | null }): null {
  /** The play key that is held down. */
  const held = useRef<string | null>(null)
  const press = useEffectEvent((event: KeyboardEvent) => {
    const act = pedalAct(event)
    // The list of keys may be waiting for this very key, to give it to another act.
    if (!act || !player || document.querySelector('[data-takes-key]')) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (act.kind === 'skip') return player.skip(act.seconds)
    if (event.repeat) return
    if (!pedalHolds.isOn()) return player.toggle()
    held.current = event.code || event.key
    if (!player.getState().isPlaying) player.toggle()
  })
  const release = useEffectEvent((event: KeyboardEvent) => {
    if (held.current === null || held.current !== (event.code || event.key)) return
    held.current = null
    player?.pause()
  })
  useEffect(() => {
    const down = (event: KeyboardEvent) => press(event)
    const up = (event: KeyboardEvent) => release(event)
    window.addEventListener('keydown', down, { capture: true })
    window.addEventListener('keyup', up, { capture: true })
    return () => {
      window.removeEventListener('keydown', down, { capture: true })
      window.removeEventListener('keyup', up, { capture: true })
    }
  }, [])
  return null
}
