import { useEffect, useEffectEvent } from 'react'

import { type ReadingAct, readingAct, singleKeys } from './keys.ts'

/** Keys in a field, a dialog or a menu are not ours; Space and Enter belong to what is focused. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null
  if (document.querySelector('[data-scrim], [role=menu]')) return true
  if (target?.closest('input:not([type=range]), textarea, select, [contenteditable]')) return true
  const isPress = event.key === ' ' || event.key === 'Enter'
  const isArrow = event.key.startsWith('Arrow')
  if (isPress) return target?.closest('a, button, summary, [role=tab], input') !== null
  return isArrow && target?.closest('[role=tab], input, [role=radiogroup]') !== null
}

/** Calls with what a single key means; the handler says whether it did something with it. */
export function useReadingKeys(handle: (act: ReadingAct) => boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat) return
    const act = readingAct(event)
    if (!act || isTaken(event)) return
    // The list of keys itself can always be asked for: it is where they are switched on again.
    if (!singleKeys.areOn() && act.kind !== 'help') return
    if (handle(act)) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
