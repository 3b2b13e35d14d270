/**
 * Whether what a model wrote may be shown: accepted, or why not. A weak model repeats itself, its
 * instructions or an example, and believes that it wrote in a language that it does not know. All
 * of it has the right form, so form proves nothing.
 *
 * Promise: what a model writes is shown only if it passed here and in claims.ts; a document that
 * did not costs nothing (documents/documents.ts, decision 051).
 */
import { isWrittenIn } from './languages.ts'
import { plainMarkdown } from './plain.ts'
import { fold, wordsIn } from './proof.ts'

export type Flaw =
  /** There is nothing in it but markup. */
  | 'empty'
  /** What stands in the form that was asked for: "string". */
  | 'placeholder'
  /** Most of it is said twice or more. */
  | 'repeats'
  /** It holds what the model was told, or the mark around the data. */
  | 'prompt'
  /** A page of HTML, which is what a broken proxy answers. */
  | 'markup'
  | 'language'
  /** Half of it or more is names, numbers and quotes that nobody said. */
  | 'invented'
  /** It is too long or too short. */
  | 'bounds'
  /** Of numbered turns one is missing, there twice, or out of order. */
  | 'numbering'

/** What an answer is held against. */
export interface PromptFacts {
  instructions: string
  /** What stands around the data. */
  mark: string
  /** ISO 639-1 of what was to be written. */
  written: string
  /** What the user asked for in words of their own: it may be said again, and not be all there is. */
  own?: string
}

/** This many words in a row that stand in the instructions too were copied from them. */
const RUN = 8
const MOST_LETTERS = 60_000

/** What is wrong with a text and the short ones that belong to it; null where nothing is. */
export function flawIn([text = '', ...points]: readonly string[], asked: PromptFacts): Flaw | null {
  const main = text.slice(0, MOST_LETTERS)
  const others = points.join('\n').slice(0, MOST_LETTERS)
  const all = `${main}\n${others}`
  if (/^\s*(?:```\w*\s*)?<(?:!doctype|html|head|body)\b/i.test(main)) return 'markup'
  if (hasPrompt(all, asked)) return 'prompt'
  const said = plainMarkdown(main)
  if (fold(said).letters === '') return 'empty'
  if (isPlaceholder(said)) return 'placeholder'
  if ([said, ...points].some(repeats)) return 'repeats'
  const isIn = (part: string) => isWrittenIn(withoutQuotes(part), asked.written)
  return isIn(said) && isIn(others) ? null : 'language'
}

export function hasPrompt(text: string, { instructions, mark, own = '' }: PromptFacts): boolean {
  if (/<<<|>>>/.test(text) || text.includes(mark.split(' ').at(-1) ?? mark)) return true
  // A turn as it stood in the question.
  if (/^\[\d+\] \d+:\d\d /m.test(text)) return true
  const theirs = new Set(runs(wordsIn(own), RUN))
  const told = new Set(runs(wordsIn(instructions), RUN))
  if (runs(wordsIn(text), RUN).some((run) => told.has(run) && !theirs.has(run))) return true
  // Headings are what the user asked for; a text that is not more than that says nothing.
  const said = runs(wordsIn(text.replace(/^\s*#.*$/gm, '')), RUN)
  return said.filter((run) => theirs.has(run)).length > said.length / 2
}

const placeholder =
  /^(?:string|text|summary|title|content|na|none|null|undefined|todo|placeholder|example|(?:your|the)?(?:summary|title|text|content)(?:goes)?here|loremipsum.*)$/

/** Whether it only says what ought to stand there. */
export const isPlaceholder = (text: string): boolean =>
  /^\[[^\]]*\]$/.test(text.trim()) || placeholder.test(fold(text).letters)

const FEWEST_SENTENCES = 3
const PHRASE = 4
const FEWEST_PHRASES = 20

/** Whether most sentences, or most phrases, are there again. */
export function repeats(text: string): boolean {
  const sentences = text
    .split(/\n|(?<=[.!?…。！？؟])\s*/u)
    .map((sentence) => fold(sentence).letters)
    .filter(Boolean)
  if (sentences.length >= FEWEST_SENTENCES && newIn(sentences) <= 0.5) return true
  const phrases = runs(wordsIn(text), PHRASE)
  return phrases.length >= FEWEST_PHRASES && newIn(phrases) < 0.5
}

/** Share of what was not there before. */
const newIn = (all: readonly string[]): number => new Set(all).size / all.length

const runs = (words: readonly string[], length: number): string[] =>
  words.slice(length - 1).map((_, at) => words.slice(at, at + length).join(' '))

/** What others said stays in their language. */
const withoutQuotes = (text: string): string =>
  text.replace(/^\s*>.*$/gm, '').replace(/["“„«][^"“”„«»\n]*["”“»]/g, '')
