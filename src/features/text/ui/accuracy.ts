/** How right a text was, in words. */
import type { Accuracy } from '../contract.ts'

/** 99.1: one digit behind the point, and 100 only for a text in which nothing was wrong. */
export function percentRight({ words, corrected }: Accuracy): string {
  const right = words === 0 ? 1 : Math.max(0, 1 - corrected / words)
  if (corrected === 0) return '100'
  return Math.min(99.9, Math.round(right * 1_000) / 10).toFixed(1)
}

/** "You corrected 12 of 1,328 words: 99.1 % were right." */
export function accuracySentence(accuracy: Accuracy): string {
  const { words, corrected } = accuracy
  const some = corrected === 0 ? 'none' : corrected.toLocaleString('en-US')
  return `You corrected ${some} of ${words.toLocaleString('en-US')} words: ${percentRight(accuracy)}% were right.`
}
