/**
 * The recording that is being made on this page. It is held above the screens, which come and go while
 * it goes on.
 */
import { useSyncExternalStore } from 'react'

import type { Session } from './state.ts'

let session: Session = { kind: 'idle' }
let panelsInView = 0
const listeners = new Set<() => void>()
const change = () => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The page's bar at the bottom gives way to the recorder (see styles.css). */
const tellPage = () => document.documentElement.toggleAttribute('data-recorder', panelsInView > 0)

export const live = {
  session: () => session,
  subscribe,
  set: (next: Session) => {
    session = next
    change()
  },
  /** The panel stands on the screen, so that nothing else need say how the recording is. */
  show: () => {
    panelsInView += 1
    tellPage()
    change()
    return () => {
      panelsInView -= 1
      tellPage()
      change()
    }
  },
}

export const useSession = (): Session => useSyncExternalStore(subscribe, live.session)

export const useIsInView = (): boolean => useSyncExternalStore(subscribe, () => panelsInView > 0)
