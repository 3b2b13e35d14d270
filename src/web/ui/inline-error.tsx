import { CircleAlert } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

import { sentenceOf } from '#web/api.ts'

import { Button } from './button.tsx'
import { classes } from './classes.ts'

/**
 * An error beside the thing that failed: `<InlineError>File format not supported.</InlineError>`.
 * Screen readers announce it at once. With `action` (a button or link) it stands in a tinted box.
 * `tone="warn"` is for a problem that the user can still avoid.
 */
export function InlineError({
  children,
  action,
  tone = 'danger',
  comesIntoSight = false,
  id,
  className,
}: {
  children: ReactNode
  action?: ReactNode
  tone?: 'danger' | 'warn'
  /** For one below a button or a field: it may come under a phone's keyboard, or out of the window. */
  comesIntoSight?: boolean
  id?: string | undefined
  className?: string
}) {
  return (
    <div
      role="alert"
      ref={comesIntoSight ? intoSight : undefined}
      id={id}
      className={classes(
        'flex items-start gap-2 text-small font-medium',
        tone === 'warn' ? 'text-warn' : 'text-danger',
        Boolean(action) && 'rounded-control p-3',
        Boolean(action) && (tone === 'warn' ? 'bg-warn-tint' : 'bg-danger-tint'),
        className,
      )}
    >
      <CircleAlert size={18} className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1">
        {children}
        {action ? <div className="mt-2">{action}</div> : null}
      </div>
    </div>
  )
}

const intoSight = (line: HTMLElement | null) => line?.scrollIntoView({ block: 'nearest' })

/** Says what could not be loaded, with a button that asks for it again. */
export function NotLoaded({
  isAsking,
  askAgain,
  ...error
}: Omit<ComponentProps<typeof InlineError>, 'action'> & {
  isAsking: boolean
  askAgain: () => unknown
}) {
  return (
    <InlineError
      {...error}
      action={
        <Button size="small" pending={isAsking} onClick={() => void askAgain()}>
          Try again
        </Button>
      }
    />
  )
}

/** Why something failed, in the server's words or else in these; nothing while nothing has failed. */
export function Failure({
  error,
  otherwise = 'Nothing was changed. Please try again.',
  className = 'mt-4',
  ...props
}: {
  error: unknown
  otherwise?: string
  className?: string
  comesIntoSight?: boolean
}) {
  return error ? (
    <InlineError {...props} className={className}>
      {sentenceOf(error, otherwise)}
    </InlineError>
  ) : null
}
