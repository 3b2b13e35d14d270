import type { ReactNode } from 'react'

import { classes } from './classes.ts'

/** A word or two about the thing it stands beside: `<Badge>Sample</Badge>`. */
export function Badge({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-block rounded-badge bg-paper-2 px-2 py-0.5 text-fine! leading-5! font-semibold text-ink-2',
        className,
      )}
    >
      {children}
    </span>
  )
}
