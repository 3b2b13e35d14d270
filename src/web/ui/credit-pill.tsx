import { Link } from 'react-router'

import { paths } from '#web/paths.ts'

import { buttonClasses } from './button.tsx'
import { classes } from './classes.ts'
import { Tooltip } from './tooltip.tsx'

/** 'N credits', 0 when missing; leads to where credits are bought. */
export function CreditPill({
  credits = 0,
  className,
}: {
  credits?: number | undefined
  className?: string
}) {
  return (
    <Tooltip text="Buy credits">
      <Link
        to={paths.subscribe}
        className={classes(buttonClasses({ size: 'small' }), 'tabular-nums', className)}
      >
        {creditWords(credits)}
      </Link>
    </Tooltip>
  )
}

export const creditWords = (credits: number): string => `${credits.toLocaleString('en-US')} credits`
