import { type ReactNode, Suspense } from 'react'

import { lazyPart } from '../lazy-part.ts'
import { classes } from './classes.ts'

const load = () => import('./dialog-parts.tsx')
const OpenDialog = lazyPart(load, ({ OpenDialog }) => OpenDialog)
const OpenAlertDialog = lazyPart(load, ({ OpenAlertDialog }) => OpenAlertDialog)

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  className?: string
  children: ReactNode
}

export interface OpenDialogProps extends DialogProps {
  /** Where the focus goes; by default to what had it before, which a menu's entry no longer can. */
  focusAfter?: () => void
}

export interface AlertDialogProps extends DialogProps {
  onOpenAutoFocus?: (event: Event) => void
  onCloseAutoFocus?: (event: Event) => void
}

/**
 * `<Dialog open onOpenChange title description?>` for what can be left at any time (Escape, scrim,
 * close button). Questions that must be answered are an AlertDialog. The code of dialogs is fetched
 * when the page is quiet, or with the first that opens.
 */
export function Dialog(dialog: OpenDialogProps) {
  return (
    <Suspense>
      <OpenDialog {...dialog} />
    </Suspense>
  )
}

/**
 * A question that needs an answer: no close button, a press on the scrim does nothing, Escape calls
 * onOpenChange(false). Buttons go into `<DialogActions>`. `onOpenAutoFocus` may move the first focus
 * (call preventDefault, then focus); by default it is the first button. `onCloseAutoFocus` may keep the focus
 * from going back to where it came from.
 */
export function AlertDialog(dialog: AlertDialogProps) {
  return (
    <Suspense>
      <OpenAlertDialog {...dialog} />
    </Suspense>
  )
}

/** The buttons of a dialog in reading order, the main one last; on phones stacked, the main one first. */
export function DialogActions({
  className,
  children,
}: {
  className?: string
  children: ReactNode
}) {
  return (
    <div
      className={classes('mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end', className)}
    >
      {children}
    </div>
  )
}
