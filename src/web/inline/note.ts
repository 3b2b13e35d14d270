import { recall, remember } from '../tab-memory.ts'

const KEY = 'quoth-note'

/** Leaves a message that the next page shows, if it is a page without the app. */
export const noteForNextPage = (words: string): void => remember(KEY, words)

/** Takes the message that the page before left, so that it is shown once. */
export function takeNote(): string | null {
  const words = recall(KEY)
  remember(KEY, null)
  return words
}
