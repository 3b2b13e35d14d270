import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useRef } from 'react'

import { IconButton } from './button.tsx'

/**
 * Moves one of a list up and down, and says to screen readers where it is then. A browser takes the focus
 * from what is moved in its page: the button that was pressed has it again, or at an end the other one.
 */
export function MoveButtons({
  place,
  count,
  onMove,
}: {
  /** From 0. */
  place: number
  count: number
  onMove: (to: number) => void
}) {
  const buttons = useRef<HTMLSpanElement>(null)
  const moved = useRef<{ by: 'up' | 'down'; to: number } | null>(null)
  useEffect(() => {
    if (moved.current?.to !== place) return
    const both = [...(buttons.current?.querySelectorAll('button') ?? [])]
    const [pressed, other] = moved.current.by === 'up' ? both : both.toReversed()
    moved.current = null
    ;(pressed?.disabled ? other : pressed)?.focus()
  }, [place])
  const move = (by: 'up' | 'down', to: number) => {
    moved.current = { by, to }
    onMove(to)
  }
  if (count < 2) return null
  return (
    <span ref={buttons} className="flex">
      <IconButton
        label="Move up"
        className={plain}
        disabled={place === 0}
        onClick={() => move('up', place - 1)}
      >
        <ArrowUp />
      </IconButton>
      <IconButton
        label="Move down"
        className={plain}
        disabled={place === count - 1}
        onClick={() => move('down', place + 1)}
      >
        <ArrowDown />
      </IconButton>
      <span role="status" className="sr-only">
        {place + 1} of {count}
      </span>
    </span>
  )
}

const plain = 'disabled:border-transparent disabled:bg-transparent'
