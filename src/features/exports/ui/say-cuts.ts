/** What the cuts of a recording make of a file, in words. */
import type { Cuts } from '#features/cuts/contract.ts'
import { counted, formatTime } from '#shared/format.ts'

/** "2 cuts are applied: 9:55 is left." `chapters`: those that are cut as a whole. */
export function sayCuts(
  { cuts, remaining }: Pick<Cuts, 'cuts' | 'remaining'>,
  chapters: readonly string[] = [],
): string {
  const are = cuts.length === 1 ? 'is' : 'are'
  const applied = `${counted(cuts.length, 'cut')} ${are} applied: ${formatTime(remaining)} is left.`
  if (chapters.length === 0) return applied
  const names = new Intl.ListFormat('en').format(chapters.map((title) => `“${title}”`))
  const word = chapters.length === 1 ? 'Chapter' : 'Chapters'
  return `${applied} ${word} left out: ${names}.`
}
