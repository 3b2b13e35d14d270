import { X } from 'lucide-react'
import { AlertDialog as RadixAlert, Dialog as Radix } from 'radix-ui'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

import { Button, IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { clearToastThatOnlyTells } from './toast.tsx'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  className?: string
  children: ReactNode
}

/** How many are open: a question may come up over a dialog. */
let scrims = 0

/**
 * Dims the page and, by a rule in styles.css, keeps it from scrolling. Radix's own overlay would do
 * the latter with a style element of its own, which the content security policy does not allow.
 */
export function Scrim() {
  // Read at once, before the rule in styles.css takes the scrollbar away.
  const [isBesideScrollbar] = useState(() => innerWidth > document.documentElement.clientWidth)
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    scrims += 1
    dataset['behindScrim'] = isBesideScrollbar ? 'beside-scrollbar' : ''
    clearToastThatOnlyTells()
    return () => {
      scrims -= 1
      if (scrims === 0) delete dataset['behindScrim']
    }
  }, [isBesideScrollbar])
  return (
    <div data-scrim aria-hidden="true" className="fixed inset-0 z-40 animate-fade-in bg-scrim" />
  )
}

/**
 * Radix gives Escape to the layer that opened last. That is a toast when one came up over the
 * dialog, and a toast ignores the key. So the dialog listens too, and the first press closes it.
 */
const closesOnEscape = (onOpenChange: (open: boolean) => void) => (event: KeyboardEvent) => {
  if (event.key === 'Escape' && !event.defaultPrevented) onOpenChange(false)
}

/**
 * Where the focus was when a dialog opened, to give it back when it has closed. Radix would give it to
 * a trigger of its own, and these dialogs have none. Nothing scrolls for it: somebody may be reading on.
 */
function useFocusBack() {
  const from = useRef<Element | null>(null)
  return {
    keep: () => {
      from.current = document.activeElement
    },
    giveBack: (event: Event, focusAfter?: () => void) => {
      event.preventDefault()
      // A dialog goes only when it has faded: a key may have opened a menu by then.
      if (document.activeElement?.closest('[role=menu]')) return
      if (focusAfter) focusAfter()
      else if (from.current instanceof HTMLElement) from.current.focus({ preventScroll: true })
    },
  }
}

/** 464 px in the middle; on phones a sheet at the bottom. */
const panelClasses =
  'fixed inset-x-0 bottom-0 z-50 max-h-[calc(100dvh-2rem)] overflow-y-auto rounded-t-panel border border-float-edge bg-card p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] text-ink shadow-float outline-none ' +
  'data-[state=open]:animate-rise data-[state=closed]:animate-sink sm:inset-0 sm:m-auto sm:h-fit sm:max-h-[calc(100dvh-2rem)] sm:w-[29rem] sm:rounded-panel sm:p-7'

/**
 * `<Dialog open onOpenChange title description?>` for dialogs that can be left at any time (Escape,
 * scrim, close button). Questions that must be answered are an AlertDialog.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  className,
  focusAfter,
  isHeadKept = false,
  children,
}: DialogProps & {
  /** For long ones: title and close button stay in view, and the dialog itself gets the focus. */
  isHeadKept?: boolean
  /**
   * Moves the focus after closing. By default it goes back to where it was, which fails when that
   * was an entry of a menu.
   */
  focusAfter?: (() => void) | undefined
}) {
  const focus = useFocusBack()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Scrim />
        <Radix.Content
          className={classes(
            panelClasses,
            isHeadKept && 'flex flex-col overflow-hidden!',
            className,
          )}
          onKeyDown={closesOnEscape(onOpenChange)}
          onOpenAutoFocus={(event) => {
            focus.keep()
            if (!isHeadKept) return
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          onCloseAutoFocus={(event) => focus.giveBack(event, focusAfter)}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <Radix.Title className="pr-10 font-display text-section font-semibold wrap-anywhere">
            {title}
          </Radix.Title>
          {description ? (
            <Radix.Description className="mt-2 text-ui text-ink-2">{description}</Radix.Description>
          ) : null}
          {isHeadKept ? (
            // It is as wide as the panel, so that no outline of a focused control is cut off.
            <div className="-mx-5 -mb-[max(1.25rem,env(safe-area-inset-bottom))] min-h-0 overflow-y-auto px-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] sm:-mx-7 sm:-mb-7 sm:px-7 sm:pb-7">
              {children}
            </div>
          ) : (
            children
          )}
          <Radix.Close asChild>
            <IconButton label="Close" className="absolute top-3 right-3 sm:top-5 sm:right-5">
              <X />
            </IconButton>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/**
 * A question that needs an answer: no close button, a press on the scrim does nothing, Escape calls
 * onOpenChange(false). Buttons go into `<DialogActions>`. By default the first button gets the focus,
 * and closing gives it back; `onOpenAutoFocus` and `onCloseAutoFocus` may call preventDefault and
 * focus something else.
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
}: DialogProps & {
  onOpenAutoFocus?: (event: Event) => void
  onCloseAutoFocus?: (event: Event) => void
}) {
  const focus = useFocusBack()
  return (
    <RadixAlert.Root open={open} onOpenChange={onOpenChange}>
      <RadixAlert.Portal>
        <Scrim />
        <RadixAlert.Content
          // Radix leaves this out of an alertdialog, and tools need it to see that a dialog is
          // open.
          aria-modal="true"
          className={classes(panelClasses, className)}
          onKeyDown={closesOnEscape(onOpenChange)}
          onOpenAutoFocus={(event) => {
            focus.keep()
            onOpenAutoFocus?.(event)
            if (event.defaultPrevented) return
            // Radix would look for a button of its own, and this dialog has none.
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement)
              event.currentTarget.querySelector('button')?.focus()
          }}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus?.(event)
            if (!event.defaultPrevented) focus.giveBack(event)
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <RadixAlert.Title className="font-display text-section font-semibold wrap-anywhere">
            {title}
          </RadixAlert.Title>
          {description ? (
            <RadixAlert.Description className="mt-2 text-ui text-ink-2">
              {description}
            </RadixAlert.Description>
          ) : null}
          {children}
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  )
}

/**
 * The buttons of a dialog in reading order, the main one last; on phones stacked, the main one
 * first.
 */
export function DialogActions({
  className,
  isKept = false,
  children,
}: {
  className?: string
  /** For long dialogs: the buttons stay in view while the content above them scrolls. */
  isKept?: boolean
  children: ReactNode
}) {
  return (
    <div
      data-foot
      className={classes(
        'mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end',
        isKept &&
          'sticky -bottom-5 -mx-5 -mb-5 border-t border-rule bg-card px-5 py-4 sm:-bottom-7 sm:-mx-7 sm:-mb-7 sm:px-7',
        className,
      )}
    >
      {children}
    </div>
  )
}

/**
 * An AlertDialog with two answers: one keeps things as they are, the other does what cannot be taken
 * back easily. While it is being done, the question cannot be left.
 */
export function ConfirmAlert({
  keep,
  verb,
  isPending = false,
  onKeep,
  onAct,
  open = true,
  children,
  ...dialog
}: Omit<ComponentProps<typeof AlertDialog>, 'open' | 'onOpenChange' | 'children'> & {
  open?: boolean
  /** The words on both buttons: "Keep it", "Delete". */
  keep: string
  verb: string
  isPending?: boolean
  onKeep: () => void
  onAct: () => void
  children?: ReactNode
}) {
  return (
    <AlertDialog
      {...dialog}
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen && !isPending) onKeep()
      }}
    >
      {children}
      <DialogActions className="*:w-full *:sm:w-auto">
        <Button disabled={isPending} onClick={onKeep}>
          {keep}
        </Button>
        <Button variant="danger" pending={isPending} onClick={onAct}>
          {verb}
        </Button>
      </DialogActions>
    </AlertDialog>
  )
}
