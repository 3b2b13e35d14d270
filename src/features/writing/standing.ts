/**
 * Whether a sentence can be read without the ones before it. The words that point back are data of each
 * language; only English shows which words are verbs.
 */
import type { Language } from './languages.ts'
import type { Sentence } from './sentences.ts'
import { singular, type Token } from './tokens.ts'

/** With less than this a sentence is not shown. */
export const LEAST_STANDING = 0.5

/** 1 stands alone; lower the more it leans on what was said before. */
export function standing({ tokens }: Sentence, text: string, language: Language): number {
  const { leans, ends, asides, views } = language.standing
  const lower = text.toLocaleLowerCase(language.code || undefined)
  let factor = pointing(tokens, lower, language)
  // "The second one stayed", "he did that", "you know".
  if (leans.test(lower)) factor *= 0.4
  // "Nobody has seen it", "more than five thousand": of what?
  if (ends.test(lower)) factor *= 0.45
  // "Let me show you", "I would rather": about the talk, and not about its subject.
  if (asides.test(lower)) factor *= 0.3
  if (views.test(lower)) factor *= 0.5
  if (language.code !== 'en') return factor
  if (!hasMainVerb(tokens, language)) factor *= 0.15
  // "Came my thesis": who or what came is missing.
  if (tokens[0]?.isVerb && tokens[0].isPast) factor *= 0.1
  return factor
}

export const isThing = ({ kind, lower }: Token, { vague }: Language): boolean =>
  (kind === 'noun' || kind === 'name' || (kind === 'other' && lower.length > 2)) &&
  !vague.has(singular(lower))

/** How much is lost by a word before the first noun that points to another one. */
export function pointing(tokens: readonly Token[], lower: string, language: Language): number {
  const { pronouns, markers, empty } = language.standing
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1]
    if (isThing(token, language)) return 1
    // "It takes two days to find": nothing is pointed to. "Take them out when it is cold to" points.
    if (pronouns.has(token.lower)) return empty.exec(lower)?.[0].startsWith(token.lower) ? 1 : 0.25
    if (!markers.has(token.lower)) continue
    const isOfNoun =
      next && (isThing(next, language) || ['noun', 'adjective', 'number'].includes(next.kind))
    return isOfNoun ? 0.75 : 0.3
  }
  return 1
}

/** A verb after one of these is no verb of a clause: "to find", "the find". */
const notBeforeVerbs = /^(?:to|an?|the|my|our|your|their|his|her|its|of|at|by|for|with|from)$/
const particles = /^(?:in|on|off|up|down|out|over|away|back|around|through|by)$/
const contracted = /(?:['’](?:s|re|m|ve|ll|d)|n['’]t)$/
/** May stand between the words of one verb: "has never been seen". */
const within = /^(?:not|never|always|also|just|only|still|already|all|both|really|even)$/

const isVerbal = ({ isVerb, lower }: Token): boolean =>
  (isVerb && !/.ing$/.test(lower)) || contracted.test(lower)

/** Whether an English sentence has more verbs than words that begin a clause beside the main one. */
function hasMainVerb(tokens: readonly Token[], language: Language): boolean {
  const { clauses } = language.standing
  let verbs = 0
  let besides = 0
  let isInVerb = false
  for (const [at, token] of tokens.entries()) {
    const { lower, isVerb } = token
    const before = tokens[at - 1]
    const next = tokens[at + 1]
    if (clauses.has(lower)) {
      isInVerb = false
      const follows = tokens.slice(at + 1, at + 6)
      // "Since Monday", "that man", "that is why".
      const isNoClause =
        !follows.some(isVerbal) ||
        (lower === 'that' &&
          ((next !== undefined && (next.kind === 'noun' || next.kind === 'adjective')) ||
            at === 0 ||
            (next?.isVerb === true && before?.kind !== 'noun')))
      if (!isNoClause) besides++
      continue
    }
    const isFinite =
      (isVerb &&
        !particles.test(lower) &&
        before?.kind !== 'number' &&
        !/.ing$/.test(lower) &&
        !notBeforeVerbs.test(before?.lower ?? '')) ||
      (token.kind === 'function' && contracted.test(lower))
    if (isFinite) {
      const isSecond = verbs > 0 && /^(?:and|or)$/.test(before?.lower ?? '')
      if (!isInVerb && !isSecond) verbs++
      isInVerb = true
    } else if (!within.test(lower)) isInVerb = false
  }
  return verbs > besides
}
