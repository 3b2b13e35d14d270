import { AlertDialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

import { classes } from './classes.ts'
import { panelClasses, Scrim } from './dialog.tsx'

/**
 * A question that needs an answer: no close button, a press on the scrim does nothing, Escape calls
 * onOpenChange(false). Buttons go into `<DialogActions>` of dialog.tsx. `onOpenAutoFocus` may move the first focus
 * (call preventDefault, then focus); by default it is the first button. `onCloseAutoFocus` may keep the focus
 * from going back to where it came from.
 */
export function AlertDialog({
  open,
  onOpenChange,
  onOpenAutoFocus,
  onCloseAutoFocus,
  title,
  description,
  className,
  children,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  onOpenAutoFocus?: (event: Event) => void
  onCloseAutoFocus?: (event: Event) => void
  title: ReactNode
  description?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Scrim />
        <Radix.Content
          // Said in words too: tools that look for an open dialog do not count an alertdialog as one.
          aria-modal="true"
          className={classes(panelClasses, className)}
          {...(onOpenAutoFocus ? { onOpenAutoFocus } : {})}
          {...(onCloseAutoFocus ? { onCloseAutoFocus } : {})}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <Radix.Title className="font-display text-section font-semibold">{title}</Radix.Title>
          {description ? (
            <Radix.Description className="mt-2 text-ui text-ink-2">{description}</Radix.Description>
          ) : null}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
