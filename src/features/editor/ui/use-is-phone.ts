import { useSyncExternalStore } from 'react'

const narrow = () => window.matchMedia('(width < 40rem)')

function subscribe(listener: () => void): () => void {
  const query = narrow()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Where a popover becomes a sheet. Asked by script only where the two are different elements. */
export const useIsPhone = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => narrow().matches,
    () => false,
  )
