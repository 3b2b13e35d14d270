import { type ComponentType, type ReactNode, Suspense, lazy } from 'react'

import { loadAgain } from './load-again.ts'

/**
 * A part of a screen that is opened later, and comes later: it is asked for when it is first drawn, so
 * that the screen is there before it. Until then something else may stand in its place.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  before?: (props: Props) => ReactNode,
): (props: Props) => ReactNode {
  const Part = lazy(async () => ({
    default: await load().catch(loadAgain),
  })) as ComponentType<Props>
  return function Later(props) {
    return (
      <Suspense fallback={before?.(props)}>
        <Part {...props} />
      </Suspense>
    )
  }
}
