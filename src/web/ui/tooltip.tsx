import {
  type ReactElement,
  type ReactNode,
  cloneElement,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'

const DELAY_MS = 700
/** Within so long after another tooltip the next one comes at once. */
const SKIP_DELAY_MS = 300
let lastClosedAt = Number.NEGATIVE_INFINITY

type Described = ReactElement<{ 'aria-describedby'?: string | undefined }>

/**
 * `<Tooltip text="Buy credits"><a …/></Tooltip>`; extra help only, the element has its own name. It
 * waits 700 ms, goes with Escape, and may be pointed at. Written here because the usual library for it
 * weighs a tenth of the page.
 */
export function Tooltip({ text, children }: { text: ReactNode; children: Described }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const openAfter = (ms: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(true), ms)
  }
  const close = () => {
    clearTimeout(timer.current)
    if (isOpen) lastClosedAt = performance.now()
    setOpen(false)
  }
  return (
    <span
      role="none"
      className="relative inline-flex"
      onPointerEnter={(event) => {
        if (event.pointerType === 'touch') return
        openAfter(performance.now() - lastClosedAt < SKIP_DELAY_MS ? 0 : DELAY_MS)
      }}
      onPointerLeave={close}
      onPointerDown={close}
      onFocus={(event) => {
        if (event.target.matches(':focus-visible')) openAfter(0)
      }}
      onBlur={close}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      {cloneElement(children, { 'aria-describedby': isOpen ? id : undefined })}
      {isOpen ? (
        <span
          id={id}
          role="tooltip"
          className="absolute top-full left-1/2 z-50 -translate-x-1/2 pt-1.5"
        >
          <span className="block animate-fade-in rounded-control bg-ink px-2.5 py-1.5 text-fine whitespace-nowrap text-paper">
            {text}
          </span>
        </span>
      ) : null}
    </span>
  )
}
