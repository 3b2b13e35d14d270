import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'

import { paths } from '#web/paths.ts'

import { classes } from './classes.ts'

/** 'N credits', 0 when missing, as wide as most balances are; leads to where credits are bought. */
export function CreditPill({
  credits = 0,
  className,
}: {
  credits?: number | undefined
  className?: string
}) {
  const shown = useCountUp(credits)
  return (
    <Link
      to={paths.subscribe}
      data-tip="Buy credits"
      className={classes(
        'flex h-11 items-center justify-end md:min-w-23 text-ui font-semibold text-ink no-underline tabular-nums hover:underline',
        className,
      )}
    >
      {creditWords(shown)}
      <span className="sr-only">, buy credits</span>
    </Link>
  )
}

export const creditWords = (credits: number): string => `${credits.toLocaleString('en-US')} credits`

const COUNT_MS = 600

/** Counts a risen balance up to its new value, or shows it at once where motion is unwelcome. */
function useCountUp(target: number): number {
  const [shown, setShown] = useState(target)
  const last = useRef(target)
  useEffect(() => {
    const from = last.current
    last.current = target
    const isStill = target <= from || matchMedia('(prefers-reduced-motion: reduce)').matches
    const startedAt = performance.now()
    let frame = 0
    const step = (now: number) => {
      const part = isStill ? 1 : Math.min(1, Math.max(0, now - startedAt) / COUNT_MS)
      setShown(Math.round(from + (target - from) * part))
      if (part < 1) frame = requestAnimationFrame(step)
    }
    step(startedAt)
    return () => cancelAnimationFrame(frame)
  }, [target])
  return shown
}
