/**
 * What people who talk with each other have decided. A decision is rather left out than shown wrongly:
 * what somebody would like, asks or proposes is none. What each language says for it is in
 * languages.yaml; without words for it no decision is found.
 */
import type { WritingTurn } from './contract.ts'
import type { Language } from './languages.ts'
import type { Sentence } from './sentences.ts'
import { LEAST_STANDING } from './standing.ts'

interface Candidate {
  sentence: Sentence
  /** The sentence as it is shown. */
  text: string
  isSure: boolean
  isComplete: boolean
  standing: number
}

const FEWEST_WORDS = 4
/** A sentence with fewer words may only say that something was decided: "Then we decided that." */
const WORDS_OF_ITS_OWN = 6
/** How many sentences back "that is settled" may mean. */
const BACK = 8
const MOST = 8

/** "Agreed, no more invitations." is no whole sentence, and says all. "We take the light ones." does not. */
const isClear = (
  { sentence: { tokens }, text, standing }: Candidate,
  language: Language,
): boolean => {
  const { pronouns, markers, ends } = language.standing
  const isPointing =
    ends.test(text.toLocaleLowerCase(language.code || undefined)) ||
    tokens.some(({ lower }) => pronouns.has(lower) || markers.has(lower))
  return standing >= LEAST_STANDING || (tokens.length <= WORDS_OF_ITS_OWN && !isPointing)
}

/** In the order in which they were said. */
export function decisionsIn<One extends Candidate>(
  candidates: readonly One[],
  turns: readonly WritingTurn[],
  language: Language,
): One[] {
  const { tells, undoes, settles } = language.decisions
  const small = (text: string) => text.toLocaleLowerCase(language.code || undefined)
  const speakerOf = ({ sentence }: One) => turns[sentence.turn]?.speaker
  const isWhole = (one: One | undefined, words: number): one is One =>
    one !== undefined &&
    one.isSure &&
    one.isComplete &&
    one.sentence.tokens.length >= words &&
    !undoes.test(small(one.text))
  const found = candidates.flatMap((one, at): One[] => {
    const said = small(one.sentence.text)
    if (!tells.test(said) || undoes.test(said)) return []
    const isBare = settles.test(said)
    if (!isBare) return isWhole(one, FEWEST_WORDS) && isClear(one, language) ? [one] : []
    // "Then we decided that." What was decided comes next, or the same speaker has just said it.
    const next = candidates[at + 1]
    if (next?.sentence.turn === one.sentence.turn && isWhole(next, WORDS_OF_ITS_OWN)) return [next]
    const before = candidates
      .slice(Math.max(0, at - BACK), at)
      .filter((other) => speakerOf(other) === speakerOf(one) && isWhole(other, WORDS_OF_ITS_OWN))
    return before.slice(-1)
  })
  return [...new Set(found)].slice(0, MOST)
}
