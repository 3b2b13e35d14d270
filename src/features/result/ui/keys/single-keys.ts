/** Which keys are heard outside of fields, in the app and on shared pages. */
import { isTypedInto } from '#web/typed-into.ts'

import { singleKeys } from '../settings.ts'
import type { Pressed } from './keys.ts'

/** Whether a dialog or a menu is open. */
export const isCovered = () => document.querySelector('[data-scrim], [role=menu]') !== null

/** Whether a key belongs to a field, a dialog or a menu, or presses what has the focus. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null
  if (isCovered()) return true
  if (isTypedInto(target) || target?.closest('select')) return true
  // Among fields somebody may think that one has the focus: what they type must not act on the text.
  if (/^\p{L}$/u.test(event.key) && target?.closest('[data-fields]')) return true
  const isPress = event.key === ' ' || event.key === 'Enter'
  const isArrow = event.key.startsWith('Arrow')
  if (isPress) return target?.closest('a, button, summary, [role=tab], input') !== null
  return isArrow && target?.closest('[role=tab], input, [role=radiogroup]') !== null
}

/** The act that a key asks for; null where the key belongs to something else, or has no act. */
export function actOfKey<Act extends { kind: string }>(
  event: KeyboardEvent,
  actOf: (pressed: Pressed) => Act | null,
): Act | null {
  if (event.defaultPrevented || event.repeat) return null
  const act = actOf(event)
  if (!act) return null
  const isSingle = !event.ctrlKey && !event.metaKey && !event.altKey
  // Find and replace opens while somebody types too.
  if (act.kind === 'replace' && !isSingle ? isCovered() : isTaken(event)) return null
  // Speech input presses single keys by accident. The key for help always works, because the help
  // has the switch that turns keys on again.
  if (isSingle && act.kind !== 'help' && !singleKeys.isOn()) return null
  return act
}
