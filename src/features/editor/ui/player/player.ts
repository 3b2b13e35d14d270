/**
 * Plays one recording. Components subscribe to a state with what changes rarely: whether it plays,
 * the speed, whether it is broken. The position changes sixty times a second: for that, code
 * listens with `onTick` and draws without React.
 */
import { useEffect, useMemo, useSyncExternalStore } from 'react'

export interface PlayerState {
  isPlaying: boolean
  rate: number
  skipsSilence: boolean
  /**
   * The recording could not be loaded or decoded: it was deleted, there is no connection, or this
   * browser cannot play its format.
   */
  isBroken: boolean
}

export interface Player {
  getState: () => PlayerState
  subscribe: (listener: () => void) => () => void
  /** Called whenever the place changes: on every frame while it plays, and after every jump. */
  onTick: (listener: (seconds: number) => void) => () => void
  now: () => number
  toggle: () => void
  pause: () => void
  seek: (seconds: number) => void
  skip: (seconds: number) => void
  /** Plays from here; with `until` it stops there by itself. */
  playFrom: (seconds: number, until?: number) => void
  setRate: (rate: number) => void
  setSkipsSilence: (skips: boolean) => void
  /**
   * Sets the stretches that "skip silence" jumps over, [from, to) in seconds, in order.
   */
  setSilences: (silences: readonly (readonly [number, number])[]) => void
  /** Tries again after a failure, from the same place. */
  reload: () => void
  /** Starts to fetch the recording. */
  open: () => void
  close: () => void
}

export const rates = [0.75, 1, 1.25, 1.5, 1.75, 2] as const

const RATE_KEY = 'playback-rate'
const SILENCE_KEY = 'playback-skips-silence'

function createPlayer({ source, duration }: { source: string; duration: number }): Player {
  const audio = new Audio()
  audio.preload = 'metadata'
  // Without this, voices sound higher at a higher speed.
  audio.preservesPitch = true

  let state: PlayerState = {
    isPlaying: false,
    rate: keptRate(),
    skipsSilence: localStorage.getItem(SILENCE_KEY) === 'yes',
    isBroken: false,
  }
  let until: number | null = null
  let frame = 0
  let silences: readonly (readonly [number, number])[] = []
  // An audio element ignores a new position until it knows its length; it is kept here until then.
  let wished: number | null = null
  const listeners = new Set<() => void>()
  const followers = new Set<(seconds: number) => void>()

  const change = (next: Partial<PlayerState>) => {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  const now = () => wished ?? audio.currentTime
  const tick = () => {
    const seconds = now()
    for (const follower of followers) follower(seconds)
  }
  const loop = () => {
    if (until !== null && audio.currentTime >= until) {
      until = null
      audio.pause()
    }
    if (state.skipsSilence) {
      const gap = silenceAt(silences, audio.currentTime)
      if (gap) audio.currentTime = gap[1]
    }
    tick()
    if (!audio.paused) frame = requestAnimationFrame(loop)
  }
  const seek = (seconds: number) => {
    const place = Math.min(Math.max(0, seconds), duration)
    until = null
    if (audio.readyState > 0) audio.currentTime = place
    else wished = place
    tick()
  }
  const start = () => {
    audio.play().catch((error: unknown) => {
      // A pause or another seek interrupted the start. Real trouble is reported by `error`.
      if (error instanceof DOMException && error.name === 'NotAllowedError') audio.pause()
    })
  }

  audio.playbackRate = state.rate
  audio.addEventListener('loadedmetadata', () => {
    audio.playbackRate = state.rate
    if (wished !== null) audio.currentTime = wished
    wished = null
    if (state.isBroken) change({ isBroken: false })
  })
  audio.addEventListener('play', () => {
    change({ isPlaying: true })
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(loop)
  })
  audio.addEventListener('pause', () => change({ isPlaying: false }))
  audio.addEventListener('ended', () => change({ isPlaying: false }))
  audio.addEventListener('seeked', tick)
  audio.addEventListener('error', () => {
    if (!audio.hasAttribute('src')) return
    wished = now()
    change({ isBroken: true, isPlaying: false })
  })

  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onTick: (listener) => {
      followers.add(listener)
      listener(now())
      return () => followers.delete(listener)
    },
    now,
    toggle: () => {
      until = null
      if (audio.paused) start()
      else audio.pause()
    },
    pause: () => audio.pause(),
    seek,
    skip: (by) => seek(now() + by),
    playFrom: (seconds, end) => {
      seek(seconds)
      until = end ?? null
      start()
    },
    setRate: (rate) => {
      audio.playbackRate = rate
      localStorage.setItem(RATE_KEY, String(rate))
      change({ rate })
    },
    setSkipsSilence: (skipsSilence) => {
      localStorage.setItem(SILENCE_KEY, skipsSilence ? 'yes' : 'no')
      change({ skipsSilence })
    },
    setSilences: (next) => {
      silences = next
    },
    reload: () => {
      wished = now()
      change({ isBroken: false })
      audio.load()
    },
    open: () => {
      audio.src = source
    },
    close: () => {
      cancelAnimationFrame(frame)
      audio.pause()
      audio.removeAttribute('src')
      // Releases the connection. An element without a source reports an error, which is ignored.
      audio.load()
    },
  }
}

function keptRate(): number {
  const kept = Number(localStorage.getItem(RATE_KEY))
  return rates.find((rate) => rate === kept) ?? 1
}

/** The silence that is being played, if there is one. */
export function silenceAt(
  silences: readonly (readonly [number, number])[],
  seconds: number,
): readonly [number, number] | undefined {
  let low = 0
  let high = silences.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((silences[middle]?.[0] ?? 0) <= seconds) low = middle + 1
    else high = middle
  }
  const gap = silences[low - 1]
  return gap && seconds < gap[1] - 0.05 ? gap : undefined
}

/** The players on the screen, by their source, and how many components have each. */
const shared = new Map<string, { player: Player; users: number }>()

/**
 * The player of one recording; null where the recording is gone. It ends with its last component: a
 * result that takes the place of its running job plays on.
 */
export function usePlayer(source: string | null, duration: number): Player | null {
  const player = useMemo(
    () =>
      source === null ? null : (shared.get(source)?.player ?? createPlayer({ source, duration })),
    [source, duration],
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

export function changeSpeed(player: Player, steps: 1 | -1): void {
  const { rate } = player.getState()
  const next = rates[rates.findIndex((one) => one === rate) + steps]
  if (next !== undefined) player.setRate(next)
}
