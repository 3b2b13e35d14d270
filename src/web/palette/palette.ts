import { type ReactNode, createContext, useContext, useEffect } from 'react'

import type { Findable } from './commands.ts'

/** Opens the palette, and tells it which result is open; null on pages without a palette. */
export const PaletteContext = createContext<{
  /** The focus goes back to `from` when it is closed. */
  open: (from: Element | null) => void
  /** Null when the result is closed. */
  lend: (transcript: OpenTranscript | null) => void
  /** Shows the list of keys. */
  showKeys: () => void
} | null>(null)

/** The result that is open on the page, and what can be done with it. */
export interface OpenTranscript {
  id: string
  durationS: number
  /** By their beginning, in seconds. */
  chapters: readonly { title: string; start: number }[]
  /** Moves the player to this second, and scrolls to the turn. */
  jumpTo: (seconds: number) => void
  /** By the words that their buttons have. */
  acts: readonly (Findable & { icon: ReactNode; run: () => void })[]
  /** Shows the list of keys. */
  showKeys: () => void
}

/** Gives the palette the actions of the open result, for as long as it is open. */
export function useLendToPalette(transcript: OpenTranscript): void {
  const lend = useContext(PaletteContext)?.lend
  useEffect(() => {
    lend?.(transcript)
    return () => lend?.(null)
  })
}

/** Apple's systems use ⌘ for commands: Ctrl+K deletes the rest of a line there. */
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
