import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { classes } from './classes.ts'

const DELAY_MS = 700
/** A tooltip opens at once when another one was open this shortly before. */
const SKIP_DELAY_MS = 300
const EDGE_PX = 8

interface Tip {
  of: HTMLElement
  text: string
  /** Shown for the focus, so that it must not be in the way of the pointer. */
  isByKey?: boolean
}

/** `data-tip`, which adds to a name, or else the name of a button that shows an icon only. */
function tipOf(target: EventTarget | null): Tip | null {
  const of = target instanceof Element && target.closest<HTMLElement>('button, a')
  if (!of || of.getAttribute('aria-expanded') === 'true') return null
  const { tip = of.textContent.trim() === '' ? of.ariaLabel : null } = of.dataset
  return tip ? { of, text: tip } : null
}

/**
 * The tooltips of the whole app, once in its root: one listener, for a text has thousands of buttons.
 * One appears after 700 ms or with the focus of a key, closes with Escape, stays while the pointer is
 * on it, and goes with its button. It is written here because the usual library puts a component
 * around each button: 2,000 turns would take a second longer to appear.
 */
export function Tooltips() {
  const [tip, setTip] = useState<Tip | null>(null)
  const near = useRef<Element | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const closedAt = useRef(Number.NEGATIVE_INFINITY)
  const show = (next: Tip, ms: number) => {
    near.current = next.of
    clearTimeout(timer.current)
    timer.current = setTimeout(() => next.of.isConnected && setTip(next), ms)
  }
  const close = () => {
    near.current = null
    clearTimeout(timer.current)
    if (tip) closedAt.current = performance.now()
    setTip(null)
  }
  const on = useEffectEvent((event: Event) => {
    const { type, target } = event
    if (type === 'focusin') {
      const next = tipOf(target)
      if (next?.of.matches(':focus-visible')) show({ ...next, isByKey: true }, 0)
      else close()
    } else if (type !== 'pointerover' || !(event instanceof PointerEvent)) {
      close()
      // What was pressed says nothing more until the pointer comes back to it.
      if (type === 'pointerdown') near.current = tipOf(target)?.of ?? null
    } else if (event.pointerType !== 'touch') {
      const next = tipOf(target)
      if (next && next.of === near.current) return
      if (target instanceof Element && target.closest('[role=tooltip]')) return
      const isSoon = tip !== null || performance.now() - closedAt.current < SKIP_DELAY_MS
      close()
      if (next) show(next, isSoon ? 0 : DELAY_MS)
    }
  })
  useEffect(() => {
    const listen = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key === 'Escape') on(event)
    }
    const types = ['pointerover', 'pointerdown', 'focusin', 'focusout', 'keydown', 'scroll']
    for (const type of types) document.addEventListener(type, listen, true)
    return () => {
      clearTimeout(timer.current)
      for (const type of types) document.removeEventListener(type, listen, true)
    }
  }, [])
  return tip ? <TooltipBubble key={tip.text} {...tip} onGone={close} /> : null
}

/** In the layer above all others: over dialogs, and over a picture on the whole screen. */
function TooltipBubble({ of, text, isByKey = false, onGone }: Tip & { onGone: () => void }) {
  const place = (element: HTMLElement | null) => {
    if (!element) return undefined
    element.showPopover()
    const { left, width, top, bottom } = of.getBoundingClientRect()
    const { offsetWidth, offsetHeight } = element
    const middle = left + width / 2 - offsetWidth / 2
    const most = window.innerWidth - EDGE_PX - offsetWidth
    const isBelow = bottom + offsetHeight < window.innerHeight
    element.style.left = `${Math.max(EDGE_PX, Math.min(middle, most))}px`
    element.style.top = `${isBelow ? bottom : top - offsetHeight}px`
    // No event of the pointer tells that the button was removed or hidden.
    const watch = new ResizeObserver(() => {
      if (of.getClientRects().length === 0) onGone()
    })
    watch.observe(of)
    return () => watch.disconnect()
  }
  return (
    <div
      ref={place}
      role="tooltip"
      popover="manual"
      className={classes(
        'fixed m-0 border-0 bg-transparent py-1.5',
        isByKey && 'pointer-events-none',
      )}
    >
      <span className="block animate-fade-in rounded-control bg-ink px-2.5 py-1.5 text-fine whitespace-nowrap text-paper">
        {text}
      </span>
    </div>
  )
}
