import { type ComponentType, createElement, lazy, useState } from 'react'

import { loadPart } from './load-part.ts'

type Load<Module> = () => Promise<Module>

/** The browser calls us when it is idle, or this long after the page has loaded. */
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

/** The modules that have arrived, by the function that fetched each. */
const arrived = new Map<Load<unknown>, unknown>()

async function keep<Module>(load: Load<Module>): Promise<Module> {
  const module = await load()
  arrived.set(load, module)
  return module
}

/** Fetches the code of a part. A part that is drawn after this is drawn without a gap. */
export function fetchPart<Module>(load: Load<Module>): Promise<Module> {
  return loadPart(() => keep(load))
}

/**
 * Fetches code when the page is idle, so that it is there before it is needed, even if the connection
 * is lost by then.
 */
export function fetchWhenQuiet<Module>(load: Load<Module>): void {
  // A failure is ignored here: the code is fetched again when it is needed, and a failure shown
  // then.
  whenQuiet(() => void keep(load).catch(() => undefined))
}

/**
 * A component whose code is not part of the page's first load. It is
 * fetched when the page is idle.
 */
export function lazyPart<Module, Props extends object>(
  load: Load<Module>,
  pick: (module: Module) => ComponentType<Props>,
): ComponentType<Props> {
  fetchWhenQuiet(load)
  const Late = lazy(async () => ({ default: pick(await fetchPart(load)) }))
  return function LazyPart(props: Props) {
    // React shows the fallback of a lazy component for a moment even when its code is there.
    const [Part] = useState(() => {
      const module = arrived.get(load) as Module | undefined
      return module === undefined ? (Late as unknown as ComponentType<Props>) : pick(module)
    })
    return createElement(Part, props)
  }
}
