import { classes } from './classes.ts'

/** Whole numbers side by side, each with its label above it. */
export function Figures({
  figures,
  className,
}: {
  figures: readonly (readonly [what: string, amount: number])[]
  className?: string
}) {
  return (
    <dl className={classes('grid grid-cols-3', className)}>
      {figures.map(([what, amount]) => (
        <div
          key={what}
          className="flex flex-col justify-between border-rule py-4 pr-3 not-first:border-l not-first:pl-3 sm:not-first:pl-5 lg:pr-6"
        >
          <dt className="text-small text-ink-2">{what}</dt>
          <dd className="font-display text-app font-semibold tabular-nums">
            {amount.toLocaleString('en-US')}
          </dd>
        </div>
      ))}
    </dl>
  )
}
