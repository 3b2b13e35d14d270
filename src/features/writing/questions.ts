/**
 * Questions that were asked in a recording and that a reader who has heard nothing of it can ask again.
 * A language has them whose sheet says how its questions begin.
 */
import type { Language } from './languages.ts'
import { segmentsOf } from './segments.ts'

const FEWEST_WORDS = 5
const MOST_WORDS = 16

/** The question without its opening words; null where it means nothing alone. */
export function asAlone(sentence: string, language: Language): string | null {
  const { opening, code, asking } = language
  let text = sentence.trim().replace(/\s+/g, ' ')
  for (let round = 0; round < 3; round++) text = text.replace(opening, '')
  const lower = text.toLocaleLowerCase(code || undefined)
  const words: string[] = lower.match(/[\p{L}\p{N}]+(?:[-'’][\p{L}\p{N}]+)*/gu) ?? []
  if (!/[?？]$/.test(text) || words.length < FEWEST_WORDS || words.length > MOST_WORDS) return null
  if (!asking.begins.test(lower) || asking.hollow.test(lower)) return null
  if (asking.pointing.test(lower.replace(asking.telling, ' '))) return null
  const isNaming = (word: string, at: number) =>
    at > 0 && word.length > 2 && !language.stopWords.has(word) && !language.vague.has(word)
  const named = words.filter(isNaming)
  const isOfThing = named.some((word) =>
    language.determiners.has(words[words.indexOf(word) - 1] ?? ''),
  )
  if (named.length < 2 && !isOfThing) return null
  return text.charAt(0).toLocaleUpperCase(code || undefined) + text.slice(1)
}

/** An answer has this many words. */
const LEAST_ANSWER = 8

interface Turn {
  text: string
  /** The text of the next turn. */
  next: string | null
}

/** The questions of a turn that can be asked again, and were answered. */
export function askedIn({ text, next }: Turn, language: Language): string[] {
  return segmentsOf(text, language.code).flatMap(({ text: segment, from }) => {
    const rest = text.slice(from + segment.length).trim()
    const isAnswered = isAnswer(rest) || isAnswer(next ?? '')
    const question = isAnswered ? asAlone(segment, language) : null
    return question === null ? [] : [question]
  })
}

/** Whether so much is said that it may be an answer. */
export const isAnswer = (text: string): boolean =>
  text.split(/\s+/).length >= LEAST_ANSWER && !/[?？]$/.test(text)
