/**
 * The sentences of a text in a language. Unicode's rules end one at each full stop before a capital;
 * here "Dr. Meier" and "12. Mai" stay whole.
 */
import type { Span } from './clauses.ts'
import { languageOf } from './languages.ts'

const segmenters = new Map<string, Intl.Segmenter>()

/** Together they are the whole text: each has the white space that follows it. */
export function segmentsOf(text: string, code: string): Span[] {
  const segmenter =
    segmenters.get(code) ?? new Intl.Segmenter(code || undefined, { granularity: 'sentence' })
  segmenters.set(code, segmenter)
  const spans: Span[] = []
  for (const { segment, index } of segmenter.segment(text)) {
    const last = spans.at(-1)
    if (last && goesOn(last.text, segment, code)) last.text += segment
    else spans.push({ text: segment, from: index })
  }
  return spans
}

function goesOn(before: string, after: string, code: string): boolean {
  const { abbreviations, functionWords } = languageOf(code)
  if (abbreviations.test(before)) return true
  const [next = ''] = /^\p{L}+/u.exec(after) ?? []
  return code === 'de' && ordinal.test(before) && !functionWords.has(next.toLowerCase())
}

/** "12.", a day or the number of a king. */
const ordinal = /(?:^|\s)\p{Nd}{1,2}\.\s*$/u
