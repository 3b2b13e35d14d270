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
/** A tooltip opens at once when another one was open this shortly before. */
const SKIP_DELAY_MS = 300
let lastClosedAt = Number.NEGATIVE_INFINITY

type Described = ReactElement<{ 'aria-describedby'?: string | undefined }>

/**
 * `<Tooltip text="Buy credits"><a …/></Tooltip>`. Extra help only: the element needs a name of its
 * own. It appears after 700 ms, closes with Escape, and stays while the pointer is on it. It is
 * written here because the usual library for it weighs a tenth of a page.
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
