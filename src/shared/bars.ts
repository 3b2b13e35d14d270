/**
 * Where bars stand in a text. Those of words that are hidden for good stand in the text itself; those of
 * words that are hidden for others lie over it, and come with a veil: see veil.ts. Pure.
 */

/** It is as long for every name. */
export const BAR = '█████'

/** [from, to) in the text as it is kept. */
export interface Barred {
  from: number
  to: number
  mark: string
  /** The text has the bar itself: nobody knows the words. */
  isForGood: boolean
}

/** What is hidden for others in a recording. */
export interface Veil {
  isEmpty: boolean
  /** In order and apart. */
  barsIn(text: string): Barred[]
  /** For others. */
  hide(text: string): string
  /** For who hears it. */
  say(text: string): string
  /** Whether a text about the recording may hold the words in a form that is not looked for. */
  isUnsure(text: string, language: string | null): boolean
}

const everyBar = new RegExp(BAR, 'g')

export function forGoodIn(text: string): Barred[] {
  if (!text.includes(BAR)) return []
  return [...text.matchAll(everyBar)].map(({ index }) => ({
    from: index,
    to: index + BAR.length,
    mark: BAR,
    isForGood: true,
  }))
}

export const SAID = 'redacted'

export const noVeil: Veil = {
  isEmpty: true,
  barsIn: forGoodIn,
  hide: (text) => text,
  say: (text) => text.replaceAll(BAR, SAID),
  isUnsure: () => false,
}
