import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

import { classes } from './classes.ts'

/**
 * An error that stays where the act was: `<InlineError>File format not supported.</InlineError>`.
 * Spoken at once. With `action` (a button or link) it stands in a tinted box. `tone="warn"` for what
 * is not lost yet.
 */
export function InlineError({
  children,
  action,
  tone = 'danger',
  id,
  className,
}: {
  children: ReactNode
  action?: ReactNode
  tone?: 'danger' | 'warn'
  id?: string
  className?: string
}) {
  return (
    <div
      role="alert"
      id={id}
      className={classes(
        'flex items-start gap-2 text-small font-medium',
        tone === 'warn' ? 'text-warn' : 'text-danger',
        Boolean(action) && 'rounded-control p-3',
        Boolean(action) && (tone === 'warn' ? 'bg-warn-tint' : 'bg-danger-tint'),
        className,
      )}
    >
      <CircleAlert aria-hidden="true" size={18} strokeWidth={1.75} className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1">
        {children}
        {action ? <div className="mt-2">{action}</div> : null}
      </div>
    </div>
  )
}
