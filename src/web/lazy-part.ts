import { type ComponentType, createElement, lazy, useState } from 'react'

import { loadPart } from './load-part.ts'

type Load<Module> = () => Promise<Module>

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

/** The code that has been fetched, by what fetched it. */
const arrived = new Map<Load<unknown>, unknown>()

async function keep<Module>(load: Load<Module>): Promise<Module> {
  const module = await load()
  arrived.set(load, module)
  return module
}

/** Fetches the code of parts before they are drawn; then they are drawn without a gap. */
export function fetchPart<Module>(load: Load<Module>): Promise<Module> {
  return loadPart(() => keep(load))
}

/**
 * A component whose code is not part of the page's first load. It is fetched as soon as the page is
 * quiet, so that it is there before it is needed, also when the connection is not.
 */
export function lazyPart<Module, Props extends object>(
  load: Load<Module>,
  pick: (module: Module) => ComponentType<Props>,
): ComponentType<Props> {
  // What cannot be had now is asked for again when it is needed, and then it says so.
  whenQuiet(() => void keep(load).catch(() => undefined))
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
