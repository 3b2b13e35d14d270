/**
 * Questions that were asked in a talk and answered by another. Each stands as one point with the words
 * that answer it: "What does it cost? Between nine and ten thousand euros." says all, where the answer
 * alone would say nothing.
 */
import { isGuess } from './certainty.ts'
import type { WritingTurn } from './contract.ts'
import type { Language } from './languages.ts'
import { asAlone } from './questions.ts'
import type { Sentence } from './sentences.ts'

interface Candidate {
  sentence: Sentence
  /** The sentence as it is shown. */
  text: string
  isSure: boolean
  /** Weight of each content stem. */
  terms: ReadonlyMap<string, number>
  norm: number
}

/** "No." is no answer that says something; the sentence behind it belongs to it. */
const FEWEST_WORDS = 4
const MOST_WORDS = 30

/** A question and its answer: the candidate of the answer with the words of both. */
export function answeredIn<One extends Candidate>(
  candidates: readonly One[],
  turns: readonly WritingTurn[],
  language: Language,
): { question: One; replies: One[]; point: One }[] {
  return candidates.flatMap((question, at) => {
    const { sentence, isSure } = question
    const asked = isSure ? asAlone(sentence.text, language) : null
    const [first] = candidates.slice(at + 1)
    const isOther = first && first.sentence.turn === sentence.turn + 1
    if (asked === null || !isOther || !isOfAnother(first.sentence, sentence, turns)) return []
    const replies = replyIn(candidates.slice(at + 1), language)
    const [last] = replies.slice(-1)
    const turn = turns[first.sentence.turn]
    if (!last || !turn) return []
    const { start } = first.sentence
    const text = turn.text.slice(start, last.sentence.start + last.sentence.text.length)
    const tokens = replies.flatMap((one) => one.sentence.tokens)
    const terms = new Map([question, ...replies].flatMap((one) => [...one.terms]))
    const point = {
      ...first,
      sentence: { ...first.sentence, text, tokens },
      text: [asked, ...replies.map((one) => one.text)].join(' '),
      terms,
      norm: Math.hypot(...terms.values()),
    }
    return [{ question, replies, point }]
  })
}

const isOfAnother = (a: Sentence, b: Sentence, turns: readonly WritingTurn[]): boolean =>
  turns[a.turn]?.speaker !== turns[b.turn]?.speaker

/** The first sentences of an answer, up to the first that says something; none where it says nothing. */
function replyIn<One extends Candidate>(rest: readonly One[], { asking }: Language): One[] {
  const replies: One[] = []
  let words = 0
  for (const one of rest) {
    const { sentence, text, isSure } = one
    const { tokens, isCut, turn } = sentence
    const isSaid = isSure && !isCut && !tokens.some(isGuess) && !/[?？]$/.test(text)
    if (!isSaid || asking.evades.test(text) || turn !== rest[0]?.sentence.turn) return []
    replies.push(one)
    words += tokens.length
    if (words > MOST_WORDS) return []
    if (words >= FEWEST_WORDS) return replies
  }
  return []
}
