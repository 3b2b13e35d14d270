import { useEffect, useEffectEvent } from 'react'

/** Calls back whenever this window comes to the front again. */
export function useOnFocus(callback: () => void): void {
  const onFocus = useEffectEvent(callback)
  useEffect(() => {
    const listen = () => onFocus()
    window.addEventListener('focus', listen)
    return () => window.removeEventListener('focus', listen)
  }, [])
}
