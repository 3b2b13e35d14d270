import { useEffect, useEffectEvent } from 'react'

import { type Pressed, type ReadingAct, readingAct } from './keys.ts'
import { actOfKey } from './single-keys.ts'

/**
 * A function for each kind of act that is handled here; null where it cannot be done now. It answers
 * false where it has found nothing to do, and the key is left to others.
 */
type Handlers<Act extends { kind: string }> = {
  [Kind in Act['kind']]?: ((act: Extract<Act, { kind: Kind }>) => unknown) | null
}

export const useReadingKeys = (handlers: Handlers<ReadingAct>): void =>
  useSingleKeys(readingAct, handlers)

/** As `useReadingKeys`, with other keys. The keys of what was drawn inside act first. */
export function useSingleKeys<Act extends { kind: string }>(
  actOf: (pressed: Pressed) => Act | null,
  handlers: Handlers<Act>,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const act = actOfKey(event, actOf)
    if (!act) return
    const handle = handlers[act.kind as Act['kind']] as ((act: Act) => unknown) | null | undefined
    if (handle && handle(act) !== false) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
