/** The player of a result, for as long as a component shows it. */
import { useEffect, useMemo, useSyncExternalStore } from 'react'

import { type Player, type PlayerState, createPlayer, rates } from '#web/player.ts'

const RATE_KEY = 'playback-rate'
const SILENCE_KEY = 'playback-skips-silence'

/** A player with the settings that this browser keeps for all recordings. */
function keptPlayer({
  source,
  duration,
  hasPicture,
}: {
  source: string
  duration: number
  hasPicture: boolean
}): Player {
  const media = document.createElement(hasPicture ? 'video' : 'audio')
  // Phones would play it on a screen of their own.
  media.setAttribute('playsinline', '')
  media.preload = 'metadata'
  const player = createPlayer({
    source,
    duration,
    media,
    rate: keptRate(),
    skipsSilence: localStorage.getItem(SILENCE_KEY) === 'yes',
  })
  player.subscribe(() => {
    const { rate, skipsSilence } = player.getState()
    localStorage.setItem(RATE_KEY, String(rate))
    localStorage.setItem(SILENCE_KEY, skipsSilence ? 'yes' : 'no')
  })
  return player
}

function keptRate(): number {
  const kept = Number(localStorage.getItem(RATE_KEY))
  return rates.find((rate) => rate === kept) ?? 1
}

/** The players on the screen, by their source, and how many components have each. */
const shared = new Map<string, { player: Player; users: number }>()

/**
 * The player of one recording; null where the recording is gone. It ends with its last component: a
 * result that takes the place of its running job plays on.
 */
export function usePlayer(
  source: string | null,
  { duration, hasPicture }: { duration: number; hasPicture: boolean },
): Player | null {
  const player = useMemo(
    () =>
      source === null
        ? null
        : (shared.get(source)?.player ?? keptPlayer({ source, duration, hasPicture })),
    [source, duration, hasPicture],
  )
  useEffect(() => {
    if (player === null || source === null) return
    const known = shared.get(source)
    const use = known?.player === player ? known : { player, users: 0 }
    if (use !== known) {
      shared.set(source, use)
      player.open()
    }
    use.users += 1
    return () => {
      // The component that takes over is drawn in the same step.
      setTimeout(() => {
        use.users -= 1
        if (use.users > 0) return
        if (shared.get(source) === use) shared.delete(source)
        player.close()
      })
    }
  }, [player, source])
  return player
}

export function usePlayerState(player: Player): PlayerState {
  return useSyncExternalStore(player.subscribe, player.getState)
}
