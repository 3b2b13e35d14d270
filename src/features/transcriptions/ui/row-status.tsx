import { Check, CircleAlert, Clock } from 'lucide-react'
import type { ReactNode } from 'react'

import { classes } from '#web/ui/classes.ts'

import { isUnconfirmed } from '../status.ts'
import { ProgressLine } from './progress-line.tsx'
import type { JobRow } from './queries.ts'

/** How far a row of the library or of the dashboard is. */
export function Status({ row }: { row: Pick<JobRow, 'status' | 'percent' | 'waiting'> }) {
  if (isUnconfirmed(row.status))
    return <StatusLine icon={<Clock size={16} />}>Waiting for your confirmation</StatusLine>
  if (row.status === 'error')
    return (
      <StatusLine className="font-[650] text-danger" icon={<CircleAlert size={16} />}>
        Failed
      </StatusLine>
    )
  if (row.status === 'completed')
    return <StatusLine icon={<Check size={16} className="text-success" />}>Completed</StatusLine>
  return (
    <div className="max-w-60">
      <ProgressLine row={row} />
    </div>
  )
}

function StatusLine({
  icon,
  className = 'text-ink-2',
  children,
}: {
  icon: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <p
      className={classes(
        'flex items-start gap-2 text-small leading-5! *:first:mt-0.5 *:first:shrink-0',
        className,
      )}
    >
      {icon}
      {children}
    </p>
  )
}
