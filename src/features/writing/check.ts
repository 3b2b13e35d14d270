/**
 * Whether the text of a model may be shown: accepted, or the reason why not. A weak model repeats
 * itself, its instructions or an example, and believes that it wrote in a language that it does not
 * know. All of it has the right form, so form proves nothing.
 *
 * Promise: the text of a model is shown only if it passed here and in claims.ts; a document that
 * did not costs nothing (documents/documents.ts, decision 051).
 */
import { isWrittenIn } from './languages.ts'
import { plainMarkdown } from './plain.ts'
import { fold, wordsIn } from './proof.ts'

export type Flaw =
  /** There is nothing in it but markup. */
  | 'empty'
  /** It holds the words of the form itself: "string". */
  | 'placeholder'
  /** Most of it is said twice or more. */
  | 'repeats'
  /** It holds the model's instructions, or the mark around the data. */
  | 'prompt'
  /** A page of HTML, as a broken proxy answers. */
  | 'markup'
  | 'language'
  /** Half of it or more is names, numbers and quotes that nobody said. */
  | 'invented'
  /** It is too long or too short. */
  | 'bounds'
  /** A numbered turn is missing, there twice, or out of order. */
  | 'numbering'

/** The facts that an answer is compared with. */
export interface PromptFacts {
  instructions: string
  /** The mark around the data. */
  mark: string
  /** The language that was to be written, as ISO 639-1. */
  written: string
  /**
   * The user's own words for the document. They may be repeated, but a document of nothing else is
   * refused.
   */
  own?: string
}

/** This many words in a row that stand in the instructions too were copied from them. */
const RUN = 8
const MOST_LETTERS = 60_000

/** The fault of a text and the short ones that belong to it; null where there is none. */
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
  // The user asked for the headings. A text of headings alone says nothing.
  const said = runs(wordsIn(text.replace(/^\s*#.*$/gm, '')), RUN)
  return said.filter((run) => theirs.has(run)).length > said.length / 2
}

const placeholder =
  /^(?:string|text|summary|title|content|na|none|null|undefined|todo|placeholder|example|(?:your|the)?(?:summary|title|text|content)(?:goes)?here|loremipsum.*)$/

/** Whether it only describes the text that ought to stand there. */
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

/** The share of words that were not there before. */
const newIn = (all: readonly string[]): number => new Set(all).size / all.length

const runs = (words: readonly string[], length: number): string[] =>
  words.slice(length - 1).map((_, at) => words.slice(at, at + length).join(' '))

/** A text without its quotes, which stay in the language of their speakers. */
const withoutQuotes = (text: string): string =>
  text.replace(/^\s*>.*$/gm, '').replace(/["“„«][^"“”„«»\n]*["”“»]/g, '')
