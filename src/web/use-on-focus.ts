import { useWindowEvent } from './use-window-event.ts'

/** Calls back whenever this window comes to the front again. */
export const useOnFocus = (callback: () => void): void => useWindowEvent('focus', callback)
