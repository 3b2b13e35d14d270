/**
 * Whether an engine that knows one language has heard another. It does not say so: it writes fluent
 * sentences of its own language that nobody said. But it is unsure of nearly all of their words, and
 * it often falls into the same phrases again and again. Somebody who mumbles makes it unsure too, and
 * then no phrase comes twice; a song repeats its phrases, and it is sure of them. So both must be true,
 * unless it is less sure than it ever is of English; next to nothing but one phrase needs less doubt.
 *
 * Measured with Moonshine v2 tiny: probability (geometric mean) and share of different groups of three
 * words. Six other languages: at most 0.56, and at most 0.71; three by a speech synthesiser: 0.30 and
 * 0.85, 0.18 and 0.87, 0.70 and 0.17; Dutch, Swedish and German by another one: 0.21, 0.18 and 0.21, and
 * no phrase twice. The hardest English, meetings with a distant microphone: at least 0.66, with noise
 * over it 0.65, and at least 0.96.
 */
import type { Word } from './engine.ts'

/** Below it no phrase need come twice. */
const NEVER_SO_UNSURE = 0.45
const LEAST_SURE = 0.64
const LEAST_DIFFERENT = 0.9
/** The same where one phrase is nearly all there is. */
const LEAST_SURE_OF_ONE_PHRASE = 0.75
const ONE_PHRASE = 0.3
/** Of fewer words nothing can be said. */
const FEWEST_WORDS = 30
/** A probability of 0 alone would make the mean 0. */
const SMALLEST = 1e-3

export function isOtherLanguage(words: readonly Word[]): boolean {
  const sure = words.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]))
  if (words.length < FEWEST_WORDS || sure.length < words.length) return false
  const logs = sure.map((probability) => Math.log(Math.max(SMALLEST, probability)))
  const mean = Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length)
  const different = differentShare(words)
  return (
    mean < NEVER_SO_UNSURE ||
    (mean < LEAST_SURE && different < LEAST_DIFFERENT) ||
    (mean < LEAST_SURE_OF_ONE_PHRASE && different < ONE_PHRASE)
  )
}

/** Of all groups of three words in a row, how many are different. */
function differentShare(words: readonly Word[]): number {
  const said = words.map(({ text }) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}']+/gu, ''))
  const groups = said.slice(2).map((word, index) => `${said[index]} ${said[index + 1]} ${word}`)
  return new Set(groups).size / groups.length
}
