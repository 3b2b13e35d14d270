import { useSyncExternalStore } from 'react'

/** Whether a media query holds: `useMedia('(max-width: 639px)')`. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (tell) => {
      const media = matchMedia(query)
      media.addEventListener('change', tell)
      return () => media.removeEventListener('change', tell)
    },
    () => matchMedia(query).matches,
    () => false,
  )
}
