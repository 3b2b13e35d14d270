import { useEffect, useReducer } from 'react'

/** Draws the component anew every so many milliseconds, for what counts by itself. */
export function useEvery(ms: number): void {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(draw, ms)
    return () => clearInterval(timer)
  }, [ms])
}
