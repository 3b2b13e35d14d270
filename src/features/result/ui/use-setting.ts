import { useState, useSyncExternalStore } from 'react'

import { type Setting, onSet } from './settings.ts'

export const useSetting = ({ isOn }: Setting): boolean => useSyncExternalStore(onSet, isOn)

/** A note that can be hidden for good. */
export function useHidden(key: string): [isHidden: boolean, hide: () => void] {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(key) !== null)
  return [
    isHidden,
    () => {
      localStorage.setItem(key, '')
      setHidden(true)
    },
  ]
}
