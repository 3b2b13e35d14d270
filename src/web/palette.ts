import { createContext } from 'react'

/**
 * The command palette, for what stands on the pages under it: the header opens it, and the open
 * result lends it its acts. Null where there is none.
 */
export const PaletteContext = createContext<{
  /** The focus goes back to `from` when it is closed. */
  open: (from: Element | null) => void
  /** Null when the result is closed. */
  lend: (transcript: OpenTranscript | null) => void
} | null>(null)

export type TextPart = 'transcription' | 'summary'

/** What can be done with the result that is open on the page. */
export interface OpenTranscript {
  id: string
  durationS: number
  /** What has a text that can be copied, downloaded and shared. */
  parts: readonly TextPart[]
  tabs: readonly { label: string; open: () => void }[]
  /** The player stands there, and the turn is in sight. */
  jumpTo: (seconds: number) => void
  copy: (part: TextPart) => void
  download: (part: TextPart) => void
  share: (part: TextPart) => void
}

/** There commands are given with ⌘, and Ctrl+K takes away the rest of a line that is being typed. */
const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform)

export const paletteKey = () => (isApple() ? '⌘ K' : 'Ctrl K')

export function opensPalette({
  key,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): boolean {
  if (altKey || shiftKey || key.toLowerCase() !== 'k') return false
  return metaKey !== ctrlKey && (metaKey || !isApple())
}
