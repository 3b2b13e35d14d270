import { formatTime } from '#shared/format.ts'

import { classes } from './classes.ts'

/** A moment or a length, in seconds: `<Timecode s={72} />` is 1:12. */
export function Timecode({ s, className }: { s: number; className?: string }) {
  return (
    <time
      dateTime={`PT${Math.max(0, Math.floor(s))}S`}
      className={classes('font-mono text-code tabular-nums', className)}
    >
      {formatTime(s)}
    </time>
  )
}
