import type { ComponentProps, ReactNode } from 'react'

import { classes } from './classes.ts'

/**
 * A native checkbox of 22 px with its label: `<Checkbox checked onChange>Generate Document</Checkbox>`.
 * With `isMixed` it stands for several things, of which some are on.
 */
export function Checkbox({
  children,
  className,
  isMixed = false,
  ...input
}: { children: ReactNode; isMixed?: boolean } & Omit<ComponentProps<'input'>, 'type' | 'ref'>) {
  return (
    <label
      className={classes(
        'inline-flex min-h-9 cursor-pointer items-center gap-3 pointer-coarse:min-h-11',
        className,
      )}
    >
      <span className="relative inline-grid size-[22px] shrink-0 place-items-center">
        <input
          {...input}
          ref={(box) => {
            if (box) box.indeterminate = isMixed
          }}
          type="checkbox"
          className="peer absolute inset-0 cursor-pointer appearance-none rounded-badge border border-line bg-card checked:border-primary checked:bg-primary indeterminate:border-primary indeterminate:bg-primary disabled:cursor-not-allowed disabled:opacity-50"
        />
        <svg
          viewBox="0 0 16 16"
          aria-hidden="true"
          className="pointer-events-none relative hidden size-4 fill-none stroke-primary-fg peer-checked:block peer-indeterminate:block forced-colors:stroke-[CanvasText]"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <path d={isMixed ? 'M4 8h8' : 'M3.5 8.5 6.5 11.5 12.5 5'} />
        </svg>
      </span>
      <span>{children}</span>
    </label>
  )
}
