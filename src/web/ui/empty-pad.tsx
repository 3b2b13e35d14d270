import type { ReactNode } from 'react'

import { classes } from './classes.ts'

/**
 * An empty list, drawn as a ruled pad: one sentence on what will be here, and one thing to do.
 * `<EmptyPad text="Nothing here yet." action={<Button>…</Button>}>more lines</EmptyPad>`.
 * Everything on it keeps to its 32 px lines.
 */
export function EmptyPad({
  text,
  action,
  className,
  children,
}: {
  text: ReactNode
  action?: ReactNode
  className?: string
  children?: ReactNode
}) {
  return (
    <div
      className={classes(
        // Rules every 32 px, and the playhead as the margin line.
        'ruled-pad relative border-t border-rule py-8 pl-9 text-body leading-8! sm:pl-16',
        'before:absolute before:inset-y-0 before:left-3 before:z-[1] before:w-[2.5px] before:bg-playhead sm:before:left-9',
        className,
      )}
    >
      <p className="font-semibold text-body leading-8!">{text}</p>
      {children}
      {action ? (
        // 96 px are three rows. The button stands in the middle one, and its background hides the
        // lines.
        <div className="mt-8 -mb-8 flex min-h-24 items-center">
          <div className="max-w-full rounded-control bg-paper">{action}</div>
        </div>
      ) : null}
    </div>
  )
}
