import { type ComponentType, type ReactNode, Suspense, lazy } from 'react'

import { loadAgain } from './load-again.ts'

/**
 * A part of a screen that is opened later, and comes later: it is asked for when it is first drawn, so
 * that the screen is there before it. Until then something else may stand in its place. `load` asks for
 * it ahead of that.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  before?: (props: Props) => ReactNode,
): ((props: Props) => ReactNode) & { load: () => void } {
  const Part = lazy(async () => ({
    default: await load().catch(loadAgain),
  })) as ComponentType<Props>
  const Later = (props: Props) => (
    <Suspense fallback={before?.(props)}>
      <Part {...props} />
    </Suspense>
  )
  // One that cannot be loaded ahead is asked for again when it is drawn.
  return Object.assign(Later, { load: () => void load().catch(() => undefined) })
}
