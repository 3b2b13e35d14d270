import type { Player } from '#web/player.ts'

import { pauseOnTyping } from '../settings.ts'

/** How long nothing must be typed before the player goes on. */
const IDLE_MS = 1_500
/** How far before the place where it stopped it goes on. */
const BACK_S = 1

/** Runs while the recording waits. One for the page: whoever splits a turn types on in another. */
let waiting: ReturnType<typeof setTimeout> | null = null

/** The recording waits while something is typed, where the user has asked for it. */
export function waitWhileTyping(player: Player): void {
  if (!pauseOnTyping.isOn()) return
  if (!player.getState().isPlaying && waiting === null) return
  player.pause()
  if (waiting !== null) clearTimeout(waiting)
  waiting = setTimeout(() => {
    waiting = null
    // The user may have started it meanwhile.
    if (!player.getState().isPlaying) player.playFrom(player.now() - BACK_S)
  }, IDLE_MS)
}
