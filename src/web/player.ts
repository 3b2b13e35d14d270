/**
 * Plays one recording, in the app and on pages without it. Components subscribe to the state that
 * changes rarely: whether it plays, the speed, whether it is broken. The position changes sixty times a
 * second: code that shows it listens with `onTick` and draws by itself.
 */
export interface PlayerState {
  isPlaying: boolean
  rate: number
  skipsSilence: boolean
  /**
   * The recording could not be loaded or decoded: it was deleted, there is no connection, or this
   * browser cannot play its format.
   */
  isBroken: boolean
  /** Of a video: whether its picture is there. It may be missing while the sound plays. */
  picture: 'loading' | 'shown' | 'failed' | null
}

export interface Player {
  /** The element that shows the picture of a video, to be put into the page; null for sound. */
  screen: HTMLVideoElement | null
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
  /** Sets the stretches that "skip silence" jumps over. */
  setSilences: (silences: Stretches) => void
  /** Sets the stretches that are jumped over always. A passage that ends in one is played to its end. */
  setCuts: (cuts: Stretches) => void
  /** Tries again after a failure, also of the picture alone, from the same place. */
  reload: () => void
  /** Starts to fetch the recording; a file of this device has its address only while it is shown. */
  open: (source?: string) => void
  close: () => void
}

/** Parts of a recording, each [from, to) in seconds. */
export type Stretches = readonly (readonly [from: number, to: number])[]

export const rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const

interface Played {
  /** The source that is opened by default, and tried again. */
  source?: string
  duration: number
  /** The element that plays. It may be in the page already, with its source. */
  media: HTMLMediaElement
  rate?: number
  skipsSilence?: boolean
}

export function createPlayer({
  source = '',
  duration,
  media: first,
  rate = 1,
  skipsSilence = false,
}: Played): Player {
  let media = first
  const screen = media instanceof HTMLVideoElement ? media : null
  let state: PlayerState = {
    isPlaying: false,
    rate,
    skipsSilence,
    isBroken: false,
    picture: screen && 'loading',
  }
  let until: number | null = null
  let frame = 0
  let silences: Stretches = []
  let cuts: Stretches = []
  let leaps: Stretches = []
  // A media element ignores a new position until it knows its length; it is kept here until then.
  let wished: number | null = null
  const listeners = createListeners<void>()
  const followers = createListeners<number>()

  const change = (next: Partial<PlayerState>) => {
    state = { ...state, ...next }
    listeners.tell()
  }
  const chooseLeaps = () => {
    leaps = leapsOf([...cuts, ...(state.skipsSilence ? silences : [])])
  }
  const now = () => wished ?? media.currentTime
  const tick = () => followers.tell(now())
  const goOn = () => {
    if (until !== null && media.currentTime >= until) {
      until = null
      media.pause()
    }
    const [, end] = leapAt(leaps, media.currentTime, state.rate) ?? []
    if (end !== undefined && !(until !== null && until <= end))
      media.currentTime = Math.min(end, duration)
    tick()
  }
  const loop = () => {
    goOn()
    if (!media.paused) frame = requestAnimationFrame(loop)
  }
  const seek = (seconds: number) => {
    const place = Math.min(Math.max(0, seconds), duration)
    until = null
    if (media.readyState > 0) media.currentTime = place
    else wished = place
    tick()
  }
  const start = () => play(media)
  /** Goes on with another element, or with the same one from the beginning of its source. */
  const take = (next: HTMLMediaElement) => {
    const { isPlaying } = state
    wished = now()
    if (next !== media) {
      leave(media)
      media = next
    }
    media.src = source
    if (isPlaying) start()
  }
  const listen = (element: HTMLMediaElement) => {
    const on = (name: string, act: () => void) =>
      element.addEventListener(name, () => {
        if (element === media) act()
      })
    // Without this, voices sound higher at a higher speed.
    element.preservesPitch = true
    element.playbackRate = state.rate
    on('loadedmetadata', () => {
      media.playbackRate = state.rate
      if (wished !== null) media.currentTime = wished
      wished = null
      // A browser that knows the sound but not the pictures plays the sound, and says nothing.
      const picture = element === screen && screen.videoWidth > 0 ? 'shown' : 'failed'
      if (state.isBroken || screen) change({ isBroken: false, picture: screen && picture })
    })
    on('play', () => {
      change({ isPlaying: true })
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(loop)
    })
    // No frames are drawn of a page out of sight.
    on('timeupdate', () => document.hidden && goOn())
    on('pause', () => change({ isPlaying: false }))
    on('ended', () => change({ isPlaying: false }))
    on('seeked', tick)
    on('error', () => {
      if (!media.hasAttribute('src')) return
      wished = now()
      // The pictures may be what cannot be decoded: then the sound is played alone.
      if (element === screen) {
        const sound = new Audio()
        listen(sound)
        take(sound)
      } else change({ isBroken: true, isPlaying: false, picture: screen && 'failed' })
    })
  }
  listen(media)
  const reload = () => {
    change({ isBroken: false, picture: screen && 'loading' })
    take(screen ?? media)
  }

  return {
    screen,
    getState: () => state,
    subscribe: listeners.add,
    onTick: (listener) => {
      listener(now())
      return followers.add(listener)
    },
    now,
    toggle: () => {
      until = null
      if (media.paused) start()
      else media.pause()
    },
    pause: () => media.pause(),
    seek,
    skip: (by) => seek(now() + by),
    playFrom: (seconds, end) => {
      seek(seconds)
      until = end ?? null
      start()
    },
    setRate: (rate) => {
      media.playbackRate = rate
      change({ rate })
    },
    setSkipsSilence: (skipsSilence) => {
      change({ skipsSilence })
      chooseLeaps()
    },
    setSilences: (next) => {
      silences = next
      chooseLeaps()
    },
    setCuts: (next) => {
      cuts = next
      chooseLeaps()
    },
    reload,
    open: (from = source) => {
      media.src = from
    },
    close: () => {
      cancelAnimationFrame(frame)
      leave(media)
      screen?.remove()
    },
  }
}

function play(media: HTMLMediaElement): void {
  media.play().catch((error: unknown) => {
    // A pause or another seek interrupted the start. Real trouble is reported by `error`.
    if (error instanceof DOMException && error.name === 'NotAllowedError') media.pause()
  })
}

function leave(media: HTMLMediaElement): void {
  media.pause()
  media.removeAttribute('src')
  // Releases the connection. An element without a source reports an error, which is ignored.
  media.load()
}

function createListeners<News>() {
  const all = new Set<(news: News) => void>()
  return {
    tell: (news: News) => {
      for (const one of all) one(news)
    },
    add: (one: (news: News) => void) => {
      all.add(one)
      return () => {
        all.delete(one)
      }
    },
  }
}

/** A jump over less than this, in seconds, would be heard more than what it leaves out. */
const SHORTEST_LEAP_S = 0.05
/** The next frame may come too late: a jump begins so long before what it leaves out. */
const AHEAD_S = 0.03

/** Any stretches as what is jumped over, in order: one jump also where hardly anything is between two. */
export function leapsOf(stretches: Stretches): Stretches {
  const leaps: [number, number][] = []
  for (const [from, to] of stretches.toSorted(([a], [b]) => a - b)) {
    const last = leaps.at(-1)
    if (last && from < last[1] + SHORTEST_LEAP_S) last[1] = Math.max(last[1], to)
    else leaps.push([from, to])
  }
  return leaps
}

/** What is to be jumped over at this moment, if there is something. */
export function leapAt(leaps: Stretches, seconds: number, rate = 1): Stretches[number] | undefined {
  const leap = leaps.findLast(([from]) => from - AHEAD_S * rate <= seconds)
  return leap && seconds < leap[1] - SHORTEST_LEAP_S ? leap : undefined
}

export function changeSpeed(player: Player, steps: 1 | -1): void {
  const { rate } = player.getState()
  const next = rates[rates.findIndex((one) => one === rate) + steps]
  if (next !== undefined) player.setRate(next)
}
