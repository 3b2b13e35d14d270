import { type ComponentType, createElement, lazy } from 'react'

import { loadPart } from './load-part.ts'

/** After the page is there and has nothing else to do; at the latest then. */
const QUIET_MS = 3000

function whenQuiet(act: () => void): void {
  if (typeof window === 'undefined') return
  const wait = () =>
    'requestIdleCallback' in window
      ? requestIdleCallback(act, { timeout: QUIET_MS })
      : setTimeout(act, QUIET_MS)
  if (document.readyState === 'complete') wait()
  else window.addEventListener('load', wait, { once: true })
}

/**
 * A component whose code is not part of the page's first load. It is fetched as soon as the page is
 * quiet, so that it is there before it is needed, also when the connection is not.
 */
export function lazyPart<Module, Props extends object>(
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType<Props>,
): ComponentType<Props> {
  // What cannot be had now is asked for again when it is needed, and then it says so.
  whenQuiet(() => void load().catch(() => undefined))
  const Part = lazy(async () => ({ default: pick(await loadPart(load)) }))
  return function LazyPart(props: Props) {
    return createElement(Part as unknown as ComponentType<Props>, props)
  }
}
