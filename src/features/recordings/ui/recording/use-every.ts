import { useEffect, useReducer } from 'react'

/** Draws the component again every `ms` milliseconds, for a clock that runs. */
export function useEvery(ms: number): void {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(draw, ms)
    return () => clearInterval(timer)
  }, [ms])
}
