import { CircleAlert, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { useRef } from 'react'

import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { type ToastState, closeToast } from './toast.tsx'

const DURATION_MS = 5000
const SWIPE_PX = 50

/**
 * Each toast has a provider of its own. Radix stops a provider's clock while the pointer or the
 * focus is in it, and does not start it again when the toast closes meanwhile: the next toast of
 * that provider would stay.
 */
export function ToastBox({
  id,
  open,
  title,
  description,
  variant,
  action,
  durationMs,
}: ToastState) {
  const box = useRef<HTMLDivElement>(null)
  const from = useRef<EventTarget | null>(null)

  function close(): void {
    if (box.current?.contains(document.activeElement)) giveFocusBack(from.current)
    closeToast(id)
  }

  return (
    <Radix.Provider
      duration={durationMs ?? DURATION_MS}
      swipeDirection="right"
      swipeThreshold={SWIPE_PX}
    >
      <div
        ref={box}
        onFocus={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) from.current = relatedTarget
        }}
      >
        <Radix.Root
          open={open}
          onOpenChange={(isOpen) => {
            if (!isOpen) close()
          }}
          className={classes(
            'relative flex items-start gap-3 rounded-panel border bg-card p-4 pr-13 text-ink shadow-float',
            variant === 'destructive' ? 'border-danger' : 'border-rule',
            'data-[state=open]:animate-rise data-[state=closed]:animate-fade-out',
            'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=end]:animate-toast-away',
          )}
        >
          {variant === 'destructive' ? (
            <CircleAlert size={20} className="mt-px shrink-0 text-danger" />
          ) : null}
          <div className="min-w-0 flex-1">
            <Radix.Title className="text-ui font-semibold">{title}</Radix.Title>
            {description ? (
              <Radix.Description className="mt-0.5 text-small text-ink-2">
                {description}
              </Radix.Description>
            ) : null}
            {action ? (
              <Radix.Action asChild altText={action.label}>
                <button
                  type="button"
                  onClick={action.onPress}
                  className="-mb-3 -ml-2 min-h-11 px-2 text-small font-semibold text-link"
                >
                  {action.label}
                </button>
              </Radix.Action>
            ) : null}
          </div>
          <Radix.Close asChild>
            <IconButton label="Close" className="absolute top-1 right-1">
              <X />
            </IconButton>
          </Radix.Close>
        </Radix.Root>
        <Radix.Viewport
          ref={standAboveFeet}
          // Dialogs hide the rest of the page from screen readers, except what has this attribute.
          // Each toast is announced by an element of its own.
          aria-live="off"
          hotkey={['F8']}
          className="print:hidden fixed inset-x-0 bottom-(--foot,0px) z-[60] m-0 flex list-none flex-col p-4 sm:left-auto sm:w-full sm:max-w-[420px]"
        />
      </div>
    </Radix.Provider>
  )
}

/** Where the focus was before it came to the toast, unless that is gone. */
function giveFocusBack(from: EventTarget | null): void {
  if (from instanceof HTMLElement && from.isConnected) from.focus()
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

/**
 * What stands at the bottom of the window and is pressed there has `data-foot`: a toast that would cover
 * it stands above it, whatever is opened meanwhile. While a dialog is open, that is the dialog's own.
 */
function standAboveFeet(viewport: HTMLElement | null): (() => void) | undefined {
  if (!viewport) return undefined
  let frame = 0
  const stand = () => {
    const dialogs = document.querySelectorAll('[data-scrim] ~ [data-state=open]')
    const feet = ([...dialogs].at(-1) ?? document).querySelectorAll('[data-foot]')
    const { left, right } = viewport.getBoundingClientRect()
    // A keyboard of the screen covers the rest.
    const bottom = visualViewport
      ? Math.min(visualViewport.height + visualViewport.offsetTop, innerHeight)
      : innerHeight
    const height = viewport.offsetHeight
    const standing = [...feet]
      .map((foot) => foot.getBoundingClientRect())
      .filter((foot) => foot.height > 0 && foot.left < right && foot.right > left)
      .toSorted((a, b) => b.bottom - a.bottom)
    // From the lowest up, as each lifts the toast. It stays in the window.
    const ground = standing.reduce(
      (line, foot) =>
        foot.top < line && foot.bottom > line - height && foot.top >= height ? foot.top : line,
      bottom,
    )
    viewport.style.setProperty('--foot', `${innerHeight - ground}px`)
  }
  const standSoon = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(stand)
  }
  stand()
  const observer = new MutationObserver(standSoon)
  observer.observe(document.body, { childList: true, subtree: true })
  const ending = new AbortController()
  const { signal } = ending
  document.addEventListener('animationend', standSoon, { signal })
  addEventListener('resize', standSoon, { signal })
  visualViewport?.addEventListener('resize', standSoon, { signal })
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    ending.abort()
  }
}
