/** Says the result of the check of captions in words. */
import type { CaptionsChecked } from '../contract.ts'

export type RuleBreak = CaptionsChecked['places'][number]

/** "All 168 fit", "3 do not fit" */
export function sayFit({ cues, broken }: Pick<CaptionsChecked, 'cues' | 'broken'>): string {
  const count = (number: number) => number.toLocaleString('en-US')
  if (broken === 0) return cues === 1 ? 'It fits' : `All ${count(cues)} fit`
  return `${count(broken)} ${broken === 1 ? 'does' : 'do'} not fit`
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
