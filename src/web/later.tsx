import { type ComponentType, type ReactNode, Suspense, lazy, useEffect } from 'react'

import { loadAgain } from './load-again.ts'
import { toastFailure } from './ui/toast.tsx'

/**
 * A part of a screen that is opened later, and comes later: it is asked for when it is first drawn, so
 * that the screen is there before it. Until then something else may stand in its place. `load` asks for
 * it ahead of that. Where it cannot be loaded, its place stays as it was and a toast says so: the page
 * around it may hold what is saved nowhere else.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  before?: (props: Props) => ReactNode,
): ((props: Props) => ReactNode) & { load: () => void } {
  const Missed = (props: Props) => {
    useEffect(() => toastFailure('Not loaded', NOT_LOADED), [])
    return before?.(props)
  }
  const Part = lazy(async () => ({
    default: await load()
      .catch(loadAgain)
      .catch(() => Missed),
  })) as ComponentType<Props>
  const Later = (props: Props) => (
    <Suspense fallback={before?.(props)}>
      <Part {...props} />
    </Suspense>
  )
  // One that cannot be loaded ahead is asked for again when it is drawn.
  return Object.assign(Later, { load: () => void load().catch(() => undefined) })
}

const NOT_LOADED = 'This part of the page did not come. Load the page again when you are connected.'

/** In milliseconds: by then the screen is there, and nobody has opened anything yet. */
const AHEAD_MS = 1_000

/** Loads what will be needed. Answers what takes it back. */
export function afterTheScreen(load: () => void): () => void {
  const timer = setTimeout(load, AHEAD_MS)
  return () => clearTimeout(timer)
}

/** The same where there are keys only: who has none can wait for a press to be answered. */
export const whenThereAreKeys = (load: () => void): (() => void) | undefined =>
  matchMedia('(pointer: fine)').matches ? afterTheScreen(load) : undefined

/** What keys open is there before they are pressed: one types into it at once. */
export function useLoadedForKeys(parts: readonly { load: () => void }[]): void {
  useEffect(
    () =>
      whenThereAreKeys(() => {
        for (const part of parts) part.load()
      }),
    [parts],
  )
}
