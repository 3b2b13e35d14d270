/**
 * Words to look for in transcripts, given by a language model for a question: what an answer would say
 * in place of the question's own words, in the languages that were spoken. They only decide what is
 * read: nothing of them is shown, and an answer from what they find is checked like any other.
 */
import { z } from 'zod'

import { languageName } from '#shared/format.ts'

import type { Chat } from './chat.ts'
import type { SearchOrder } from './contract.ts'
import { budgetOf, listOf, oneLine } from './llm.ts'
import { plainLine } from './plain.ts'

const ANSWER_TOKENS = 400
const MOST_WORDS = 12
const LONGEST_WORD = 40

const AskedWords = z.object({ words: z.array(z.string()) })
/** The same as weak models write it. */
const Words = z.union([
  z.object({ words: listOf(z.string()) }).transform(({ words }) => words),
  z.array(z.string()),
])

/** At most twelve words or names. @throws ChatFailed, or the signal's reason */
export async function searchWords(
  chat: Chat,
  { question, before, languages }: SearchOrder,
  { signal }: { signal: AbortSignal },
): Promise<string[]> {
  const names = languages.map((code) => languageName(code)).join(', ')
  const words = await chat.ask({
    instructions: [
      'You help to find the place in a transcript that answers a question.',
      'Think of the words that are likely to be said there: other words for the same, more special and more general ones, and what an answer would name. A question may go on from the one before it.',
      `The language of the transcript: ${names}. Write the words in it, whatever the language of the question is.`,
      'Answer with one JSON object and nothing around it: {"words": [string]}',
      'At most ten, each one word or a name, the most telling first.',
    ].join('\n'),
    prompt: [...linesBefore(before), `Question: ${oneLine(question)}`].join('\n'),
    answerTokens: budgetOf(chat.contextTokens, { answer: ANSWER_TOKENS, share: 0.25 }).answer,
    schema: AskedWords,
    read: Words,
    check: () => null,
    signal,
  })
  return [...new Set(words.map((one) => plainLine(one, LONGEST_WORD)))]
    .filter((one) => one !== '')
    .slice(0, MOST_WORDS)
}

const LONGEST_BEFORE = 400

/** The question before and its answer, as a model reads them before a question that may go on from it. */
export const linesBefore = (before: SearchOrder['before']): string[] =>
  before
    ? [
        `Question before: ${oneLine(before.question)}`,
        ...(before.answer === null
          ? []
          : [`Its answer: ${oneLine(before.answer).slice(0, LONGEST_BEFORE)}`]),
      ]
    : []
