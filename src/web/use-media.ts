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

/** As the variant `tall` of styles.css: what sticks to the top leaves room to read. */
export const TALL = '(height >= 30rem)'
