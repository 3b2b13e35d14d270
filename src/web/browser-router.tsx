/**
 * The addresses of the app: react-router's components over the browser's own history. Its larger
 * router, which also loads data, is left out: queries do that here. What the two hooks of that
 * router did for us is below: where a page was scrolled to, and the question before one is left.
 */
import { type ReactNode, startTransition, useEffect, useLayoutEffect, useState } from 'react'
import { createPath, type Location, type Navigator, parsePath, Router, type To } from 'react-router'

interface Place {
  location: Location
  /** Where the page is scrolled to: a place it had before, its top, or where it stands. */
  scroll: number | 'top' | 'stay'
}

/** What we note in an entry of the history. */
interface Entry {
  state: unknown
  key: string
  /** Its number in the history, so that we know which way somebody went. */
  index: number
}

const SCROLL_KEY = 'scrolled-to'
/** A page that is still growing then is one to be read from where it stands. */
const GROWTH_MS = 5000

/** Who wants to be asked before the page is left; `hold` is given what would happen then. */
type Keeper = (leave: () => void) => void
const keepers = new Set<Keeper>()

export function BrowserRouter({ children }: { children: ReactNode }) {
  const [history] = useState(browserHistory)
  const [{ location, scroll }, setPlace] = useState(history.first)
  useLayoutEffect(
    // What is on the screen stays until the code of the next page is there.
    () => history.follow((place) => startTransition(() => setPlace(place))),
    [history],
  )
  useLayoutEffect(() => scrollTo(location, scroll), [location, scroll])
  return (
    <Router location={location} navigator={history.navigator}>
      {children}
    </Router>
  )
}

/** Asks before another page takes the place of this one; another search on it takes nothing away. */
export function useQuestionOnLeaving() {
  const [onLeave, setOnLeave] = useState<(() => void) | null>(null)
  useEffect(() => {
    const keeper: Keeper = (leave) => setOnLeave(() => leave)
    keepers.add(keeper)
    return () => void keepers.delete(keeper)
  }, [])
  return {
    isAsked: onLeave !== null,
    stay: () => setOnLeave(null),
    leave: () => {
      setOnLeave(null)
      onLeave?.()
    },
  }
}

function browserHistory() {
  const scrolled = new Map<string, number>(readScrolled())
  let tell: (place: Place) => void = () => undefined
  let current = entryHere() ?? note({ state: null, key: newKey(), index: 0 })
  let location = locationHere(current)
  const first: Place = { location, scroll: scrolled.get(current.key) ?? 'top' }

  const arrive = (entry: Entry, scroll: Place['scroll']) => {
    current = entry
    location = locationHere(entry)
    tell({ location, scroll })
  }
  const leaveScroll = () => scrolled.set(current.key, window.scrollY)

  /** True when somebody has to be asked first. */
  const isHeld = (pathname: string, leave: () => void) => {
    const keeper = pathname === location.pathname ? undefined : [...keepers].at(-1)
    keeper?.(leave)
    return keeper !== undefined
  }

  const go =
    (kind: 'push' | 'replace'): Navigator['push'] =>
    (to, state, options) => {
      const href = hrefOf(to)
      const act = () => {
        leaveScroll()
        const index = current.index + (kind === 'push' ? 1 : 0)
        const entry = { state: (state as unknown) ?? null, key: newKey(), index }
        try {
          if (kind === 'push') window.history.pushState(entry, '', href)
          else window.history.replaceState(entry, '', href)
        } catch {
          // Safari allows so many a minute: then as a document of its own.
          return window.location.assign(href)
        }
        arrive(entry, options?.preventScrollReset ? 'stay' : 'top')
      }
      if (!isHeld(parsePath(href).pathname ?? location.pathname, act)) act()
    }

  /** The next step is our own: back to where the question is asked, or on when it was answered. */
  let ownStep: 'back' | 'on' | null = null
  const onPop = () => {
    const step = ownStep
    ownStep = null
    if (step === 'back') return
    const entry = entryHere()
    leaveScroll()
    // A link within the page, `#main`: the same place, to which the browser scrolls by itself. It
    // has made an entry for it, or, where it was followed twice, replaced the one it had made.
    if (!entry) {
      const steps = window.location.hash === location.hash ? 0 : 1
      return arrive(note({ ...current, index: current.index + steps }), 'stay')
    }
    const steps = entry.index - current.index
    const goOn = () => {
      ownStep = 'on'
      window.history.go(steps)
    }
    if (step === null && steps !== 0 && isHeld(window.location.pathname, goOn)) {
      ownStep = 'back'
      window.history.go(-steps)
      return
    }
    arrive(entry, scrolled.get(entry.key) ?? 'top')
  }

  const follow = (listener: (place: Place) => void) => {
    tell = listener
    const onHide = () => {
      leaveScroll()
      keepScrolled(scrolled)
      window.history.scrollRestoration = 'auto'
    }
    const onShow = () => {
      window.history.scrollRestoration = 'manual'
    }
    onShow()
    window.addEventListener('popstate', onPop)
    window.addEventListener('pagehide', onHide)
    window.addEventListener('pageshow', onShow)
    return () => {
      window.removeEventListener('popstate', onPop)
      window.removeEventListener('pagehide', onHide)
      window.removeEventListener('pageshow', onShow)
    }
  }
  const navigator: Navigator = {
    createHref: hrefOf,
    go: (steps) => window.history.go(steps),
    push: go('push'),
    replace: go('replace'),
  }
  return { first, follow, navigator }
}

const hrefOf = (to: To) => (typeof to === 'string' ? to : createPath(to))
const newKey = () => Math.random().toString(36).slice(2, 10)

function entryHere(): Entry | null {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'index' in state ? (state as Entry) : null
}

function note(entry: Entry): Entry {
  window.history.replaceState(entry, '')
  return entry
}

function locationHere({ state, key }: Entry): Location {
  const { pathname, search, hash } = window.location
  return { pathname, search, hash, state, key, mask: undefined }
}

function scrollTo({ hash }: Location, scroll: Place['scroll']): (() => void) | undefined {
  if (scroll === 'stay') return undefined
  if (scroll !== 'top') return scrollWhenGrown(scroll)
  const target = hash ? document.getElementById(decodeHash(hash)) : null
  if (target) target.scrollIntoView()
  else window.scrollTo(0, 0)
  return undefined
}

/** A page is short until what it shows has come: it is followed until the place is there. */
function scrollWhenGrown(top: number): () => void {
  const growth = new ResizeObserver(() => {
    window.scrollTo(0, top)
    if (window.scrollY >= top - 1) growth.disconnect()
  })
  growth.observe(document.body)
  const stop = () => growth.disconnect()
  const signal = AbortSignal.timeout(GROWTH_MS)
  signal.addEventListener('abort', stop)
  // Whoever moves is where they want to be.
  for (const kind of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    window.addEventListener(kind, stop, { signal, passive: true })
  window.scrollTo(0, top)
  return stop
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return '' // Not an encoded name: nothing on the page is called so.
  }
}

function readScrolled(): [string, number][] {
  try {
    return Object.entries(JSON.parse(sessionStorage.getItem(SCROLL_KEY) ?? '{}') as object)
  } catch {
    return [] // Storage is forbidden: pages open at their top.
  }
}

function keepScrolled(scrolled: ReadonlyMap<string, number>): void {
  try {
    sessionStorage.setItem(SCROLL_KEY, JSON.stringify(Object.fromEntries(scrolled)))
  } catch {
    return // As above.
  }
}
