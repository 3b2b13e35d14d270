import { CircleAlert, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'

import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { closeToast, type Shown } from './toast.tsx'

const DURATION_MS = 5000
const SWIPE_PX = 50

/** The toasts themselves. F8 moves the focus to them. */
export function ToastView({ toasts }: { toasts: readonly Shown[] }) {
  return (
    <Radix.Provider duration={DURATION_MS} swipeDirection="right" swipeThreshold={SWIPE_PX}>
      {toasts.map((one) => (
        <Radix.Root
          key={one.id}
          open={one.open}
          {...(one.durationMs ? { duration: one.durationMs } : {})}
          onOpenChange={(open) => {
            if (!open) closeToast(one.id)
          }}
          className={classes(
            'relative flex items-start gap-3 rounded-panel border bg-card p-4 pr-12 text-ink shadow-float',
            one.variant === 'destructive' ? 'border-danger' : 'border-rule',
            'data-[state=open]:animate-rise data-[state=closed]:animate-fade-out',
            'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=end]:animate-toast-away',
          )}
        >
          {one.variant === 'destructive' ? (
            <CircleAlert size={20} className="mt-px shrink-0 text-danger" />
          ) : null}
          <div className="min-w-0 flex-1">
            <Radix.Title className="text-ui font-semibold">{one.title}</Radix.Title>
            {one.description ? (
              <Radix.Description className="mt-0.5 text-small text-ink-2">
                {one.description}
              </Radix.Description>
            ) : null}
            {one.action ? (
              <Radix.Action asChild altText={one.action.label}>
                <button
                  type="button"
                  onClick={one.action.onPress}
                  className="mt-2 text-small font-semibold text-link"
                >
                  {one.action.label}
                </button>
              </Radix.Action>
            ) : null}
          </div>
          <Radix.Close asChild>
            <IconButton label="Close" className="absolute top-2 right-2 size-8!">
              <X />
            </IconButton>
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport
        // Dialogs hide the rest of the page from screen readers, except what has this attribute.
        // Each toast is announced by an element of its own.
        aria-live="off"
        hotkey={['F8']}
        className="print:hidden fixed inset-x-0 top-0 z-[60] m-0 flex list-none flex-col p-4 sm:inset-x-auto sm:top-auto sm:right-0 sm:bottom-(--player-height,0px) sm:w-full sm:max-w-[420px]"
      />
    </Radix.Provider>
  )
}
