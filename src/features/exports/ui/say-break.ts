/** Says the result of the check of captions in words. */
import type { CaptionsChecked } from '../contract.ts'

export type RuleBreak = CaptionsChecked['places'][number]

/** "7 of 210 captions in SRT break the rules." */
export function sayCount(
  { cues, broken, shortNames }: Pick<CaptionsChecked, 'cues' | 'broken' | 'shortNames'>,
  { file, isMended }: { file: string; isMended: boolean },
): string {
  const count = (number: number) => number.toLocaleString('en-US')
  const breaks = `${count(broken)} of ${count(cues)} captions in ${file} ${broken === 1 ? 'breaks' : 'break'} the rules`
  // No word is ever left out, so speech that is too fast for long stays so.
  const why = isMended && broken > 0 ? ' still: the speech there is too fast' : ''
  const short = shortNames.length > 0 ? ` Names are shortened: ${shortNames.join(', ')}.` : ''
  return `${breaks}${why}.${short}`
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2).replace(/\.?0+$/, '')} s`

export function sayBreak({ rule, is, limit }: Pick<RuleBreak, 'rule' | 'is' | 'limit'>): string {
  switch (rule) {
    case 'line_too_long':
      return `A line of ${is} letters, where ${limit} fit.`
    case 'too_many_lines':
      return `${is} lines, where ${limit} fit.`
    case 'too_short':
      return `Shown for ${seconds(is)}, less than ${seconds(limit)}.`
    case 'too_long':
      return `Shown for ${seconds(is)}, more than ${seconds(limit)}.`
    case 'too_fast':
      return `Shown for ${seconds(is)}. Reading it takes ${seconds(limit)}.`
    case 'overlap':
      return `Still there for ${seconds(is)} when the next one comes.`
    case 'gap_too_short':
      return `${seconds(is)} before the next one, which flickers: ${seconds(limit)} at least.`
    case 'astray':
      return `${seconds(is)} away from what is said, more than ${seconds(limit)}.`
  }
}
