import { useSyncExternalStore } from 'react'

export const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const
export type Theme = (typeof themes)[number]['value']

/** Asks inline/theme.js to change the theme. That script runs before the app, and without it. */
export function chooseTheme(theme: Theme): void {
  dispatchEvent(new CustomEvent('choosetheme', { detail: theme }))
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, read, () => 'system')
}

function subscribe(listener: () => void): () => void {
  addEventListener('themechange', listener)
  return () => removeEventListener('themechange', listener)
}

function read(): Theme {
  const kept = localStorage.getItem('theme')
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}
