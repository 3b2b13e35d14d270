import { type KeyboardEvent, useId, useRef, useState } from 'react'

/**
 * Moves through the options of a listbox while the focus stays in the field above it: arrows point
 * at an option, Enter runs it. The first one is pointed at until another one is. It is written here
 * because cmdk tells a screen reader of the first option only after an arrow, lets Enter on the close
 * button run an option, and takes Home and End from the field.
 */
export function usePointer<Option extends { id: string }>(
  options: readonly Option[],
  run: (option: Option) => void,
) {
  const [pointed, setPointed] = useState<string | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const listId = useId()
  const idOf = ({ id }: Option) => `${listId} ${id}`.replaceAll(' ', '-')
  const active = options.find(({ id }) => id === pointed) ?? options[0]
  const move = (steps: 1 | -1) => {
    const place = options.findIndex(({ id }) => id === active?.id)
    const next = options.at((place + steps) % options.length)
    if (!next) return
    setPointed(next.id)
    // Scrolls to the very top at the first option, so that the name of its group is visible too.
    if (next.id === options[0]?.id) list.current?.scrollTo(0, 0)
    else document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') {
      if (active) run(active)
    } else return
    event.preventDefault()
  }
  const reset = () => {
    setPointed(null)
    list.current?.scrollTo(0, 0)
  }
  return { list, listId, idOf, active, point: setPointed, onKeyDown, reset }
}
