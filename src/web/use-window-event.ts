import { useEffect, useEffectEvent } from 'react'

/** Hears one kind of event everywhere on the page: `useWindowEvent('keydown', (event) => …)`. */
export function useWindowEvent<Kind extends keyof WindowEventMap>(
  kind: Kind,
  hear: (event: WindowEventMap[Kind]) => void,
): void {
  const onEvent = useEffectEvent(hear)
  useEffect(() => {
    const listen = (event: WindowEventMap[Kind]) => onEvent(event)
    window.addEventListener(kind, listen)
    return () => window.removeEventListener(kind, listen)
  }, [kind])
}
