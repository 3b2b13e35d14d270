import { useEffect, useEffectEvent } from 'react'

import { type Pressed, type ReadingAct, readingAct } from './keys.ts'
import { actOfKey } from './single-keys.ts'

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
    const act = actOfKey(event, actOf)
    if (act && handle(act)) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
