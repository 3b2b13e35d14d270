import { placeInLine } from './place.ts'
import { activityOf } from './progress.ts'
import type { JobRow } from './queries.ts'

/** "Transcribing · 62%" over its bar, whose tip is the playhead; only its place for what waits. */
export function ProgressLine({ row }: { row: Pick<JobRow, 'status' | 'percent' | 'waiting'> }) {
  const place = placeInLine(row)
  if (place !== null)
    return <p className="text-small leading-5.5! text-ink-2 tabular-nums">{place}</p>
  return (
    <div className="text-small">
      <p className="tabular-nums">
        {activityOf(row.status)} · {row.percent}%
      </p>
      <div aria-hidden="true" className="relative mt-1.5 h-1 rounded-full bg-rule">
        <div
          className="h-full rounded-full bg-ink transition-[width] duration-[1200ms]"
          style={{ width: `${row.percent}%` }}
        />
        <div
          className="absolute -inset-y-1 w-0.5 animate-breathe bg-playhead transition-[left] duration-[1200ms]"
          style={{ left: `${row.percent}%` }}
        />
      </div>
    </div>
  )
}
