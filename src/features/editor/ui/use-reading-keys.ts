import { useEffect, useEffectEvent } from 'react'

import { type Pressed, type ReadingAct, readingAct, singleKeys } from './keys.ts'

/** Whether a dialog or a menu is open. */
const isCovered = () => document.querySelector('[data-scrim], [role=menu]') !== null

/** Whether a key belongs to a field, a dialog or a menu, or presses what has the focus. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null
  if (isCovered()) return true
  if (target?.closest('input:not([type=range]), textarea, select, [contenteditable]')) return true
  const isPress = event.key === ' ' || event.key === 'Enter'
  const isArrow = event.key.startsWith('Arrow')
  if (isPress) return target?.closest('a, button, summary, [role=tab], input') !== null
  return isArrow && target?.closest('[role=tab], input, [role=radiogroup]') !== null
}

/** Calls `handle` with what a single key means while reading. It answers whether it did something. */
export function useReadingKeys(handle: (act: ReadingAct) => boolean): void {
  useSingleKeys(readingAct, handle)
}

/** As `useReadingKeys`, with other keys. The keys of what was drawn inside act first. */
export function useSingleKeys<Act extends { kind: string }>(
  actOf: (pressed: Pressed) => Act | null,
  handle: (act: Act) => boolean,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat) return
    const act = actOf(event)
    if (!act) return
    const isSingle = !event.ctrlKey && !event.metaKey && !event.altKey
    // Find and replace opens while somebody types too.
    if (act.kind === 'replace' && !isSingle ? isCovered() : isTaken(event)) return
    // Speech input presses single keys by accident. The key for help always works, because the help
    // has the switch that turns keys on again.
    if (isSingle && act.kind !== 'help' && !singleKeys.isOn()) return
    if (handle(act)) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
