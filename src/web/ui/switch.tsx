import { type ReactNode, useId } from 'react'

import { classes } from './classes.ts'

/**
 * On or off, at once: `<Switch label="Names" checked onChange={setNames} />`. A native checkbox at the
 * end of a row of 44 px, which can be pressed anywhere. `note` says why it cannot be changed, or its
 * effect.
 */
export function Switch({
  label,
  note,
  checked,
  disabled = false,
  className,
  onChange,
}: {
  label: ReactNode
  note?: ReactNode
  checked: boolean
  disabled?: boolean
  className?: string
  onChange: (checked: boolean) => void
}) {
  const noteId = useId()
  return (
    <div className={className}>
      <label
        className={classes(
          'flex min-h-11 items-center justify-between gap-4 text-ui',
          disabled ? 'cursor-not-allowed text-ink-2' : 'cursor-pointer',
        )}
      >
        {label}
        <span className="relative inline-flex h-6 w-10 shrink-0">
          <input
            type="checkbox"
            role="switch"
            aria-checked={checked}
            checked={checked}
            disabled={disabled}
            aria-describedby={note ? noteId : undefined}
            onChange={(event) => onChange(event.target.checked)}
            className="peer absolute inset-0 cursor-pointer appearance-none rounded-full border border-line bg-card transition-colors checked:border-primary checked:bg-primary disabled:cursor-not-allowed disabled:border-rule disabled:bg-paper-2"
          />
          <span
            aria-hidden="true"
            className="pointer-events-none absolute top-1 left-1 size-4 rounded-full bg-line transition-transform peer-checked:translate-x-4 peer-checked:bg-primary-fg peer-disabled:opacity-60 forced-colors:bg-[CanvasText]"
          />
        </span>
      </label>
      {note ? (
        <p id={noteId} className="-mt-1 pb-1.5 text-small text-ink-2">
          {note}
        </p>
      ) : null}
    </div>
  )
}
