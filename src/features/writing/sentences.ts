/**
 * Finds the sentences of a transcript. Where a recogniser writes no punctuation, full stops were
 * put at pauses, and these are often wrong: people pause for breath within a sentence, and fluent
 * speakers do not pause between two. So a sentence that a pause has cut is joined again, and one
 * that runs on is cut where a clause begins.
 */
import { isOtherLanguage } from '#shared/other-language.ts'

import type { WritingTurn } from './contract.ts'
import type { Language } from './languages.ts'
import { segmentsOf } from './segments.ts'
import { tokensOf, type Token } from './tokens.ts'

export interface Sentence {
  /** Index of its turn; a sentence never crosses turns, so its text stands there letter for letter. */
  turn: number
  start: number
  text: string
  tokens: Token[]
  startMs: number
  endMs: number
  /** It ends where a run-on was cut, in front of the next clause. */
  isCut: boolean
}

interface Span {
  start: number
  end: number
  tokens: Token[]
  isCut?: boolean
}

/** More words than this without a sentence end are a run-on; fewer when not even a comma is there. */
const LONGEST = 40
const LONGEST_UNPUNCTUATED = 28

export function findSentences(turns: readonly WritingTurn[], language: Language): Sentence[] {
  const hasCase = writesCase(turns)
  return turns.flatMap((turn, index) => {
    // Nobody said this.
    if (isOtherLanguage(turn.text)) return []
    const tokens = tokensOf(turn, language)
    // Where names are written with capitals, a word without one is no name: "the old town".
    if (hasCase) for (const token of tokens) token.isProper = false
    return joined(spansOf(turn.text, tokens, language), turn.text, language)
      .flatMap((span) => cut(span, turn.text, language))
      .map((span) => toSentence(span, turn, index))
      .filter((sentence) => sentence.tokens.length > 0)
  })
}

/**
 * Whether the recogniser writes names with capitals. It does when it writes commas, or when there
 * are a few capitals in the middle of sentences.
 */
function writesCase(turns: readonly WritingTurn[]): boolean {
  let capitals = 0
  return turns.some(({ text }) => {
    capitals += text.match(/\p{Ll} \p{Lu}\p{Ll}/gu)?.length ?? 0
    return capitals > 2 || /\p{L}, \p{L}/u.test(text)
  })
}

function spansOf(text: string, tokens: Token[], { code }: Language): Span[] {
  let next = 0
  return segmentsOf(text, code).map((segment) => {
    const end = segment.from + segment.text.length
    const from = next
    while (next < tokens.length && (tokens[next]?.start ?? end) < end) next++
    return { start: segment.from, end, tokens: tokens.slice(from, next) }
  })
}

function joined(spans: Span[], text: string, language: Language): Span[] {
  const whole: Span[] = []
  for (const span of spans) {
    const last = whole.at(-1)
    if (last && isOpen(last, text, language) && !beginsAnew(last, span, language)) {
      last.end = span.end
      last.tokens.push(...span.tokens)
    } else whole.push({ ...span })
  }
  return whole
}

/** Whether the sentence goes on after its full stop, which stands for a pause before a noun. */
function isOpen(span: Span, text: string, language: Language): boolean {
  const written = text.slice(span.start, span.end)
  if (/[!?…。！？]\s*$/u.test(written)) return false
  const last = span.tokens.at(-1)
  return last !== undefined && language.leadsOn.has(last.lower)
}

/** "They do not have to. We read it": what follows has a subject of its own, so "to" was the end. */
function beginsAnew(before: Span, { tokens: [first] }: Span, { code }: Language): boolean {
  const last = before.tokens.at(-1)
  if (code !== 'en' || last?.lower !== 'to' || !first) return false
  return /^(?:i|we|they|he|she|you|it|there)(?:$|')/.test(first.lower)
}

function cut(span: Span, text: string, language: Language): Span[] {
  const count = span.tokens.length
  const isPunctuated = /[,;:،、，；]/u.test(text.slice(span.start, span.end))
  const longest = (isPunctuated ? LONGEST : LONGEST_UNPUNCTUATED) * (language.isUnspaced ? 1.5 : 1)
  if (count <= longest) return [span]

  const starts = bestStarts(span.tokens, text, language)
  return starts.map((from, index) => {
    const to = starts[index + 1] ?? count
    return {
      start: index === 0 ? span.start : (span.tokens[from]?.start ?? span.start),
      end: to === count ? span.end : (span.tokens[to]?.start ?? span.end),
      tokens: span.tokens.slice(from, to),
      isCut: to < count,
    }
  })
}

/**
 * Finds the best cuts of a run-on sentence by dynamic programming: at words that can begin a
 * sentence, and into pieces that are neither too short nor too long.
 */
function bestStarts(tokens: readonly Token[], text: string, language: Language): number[] {
  const count = tokens.length
  const best = new Float64Array(count + 1).fill(-Infinity)
  const from = new Int32Array(count + 1)
  best[0] = 0
  const fit = tokens.map((_, index) => fitness(tokens, index, text, language))
  const verbs = [0]
  for (const { isVerb } of tokens) verbs.push((verbs.at(-1) ?? 0) + Number(isVerb))
  for (let to = 1; to <= count; to++)
    for (let start = Math.max(0, to - 45); start < to; start++) {
      const length = to - start
      const tooShort = length < 8 ? (8 - length) * 0.6 : 0
      const isVerbless = verbs[to] === verbs[start] && language.code === 'en' ? 2 : 0
      const misfit = ((length - 15) / 12) ** 2 + tooShort + isVerbless
      const score = (best[start] ?? 0) + (to < count ? (fit[to] ?? 0) : 0) - misfit
      if (score > (best[to] ?? 0)) {
        best[to] = score
        from[to] = start
      }
    }
  const starts: number[] = []
  for (let at = count; at > 0; at = from[at] ?? 0) starts.push(from[at] ?? 0)
  return starts.reverse()
}

/** How well a sentence may begin with this word. */
function fitness(
  tokens: readonly Token[],
  index: number,
  text: string,
  language: Language,
): number {
  const before = tokens[index - 1]
  const token = tokens[index]
  if (!before || !token) return 0
  let score = 0
  if (/[,;:،、，；]/u.test(text.slice(before.end, token.start))) score += 2
  const pauseMs = token.startMs - before.endMs
  if (pauseMs > 80) score += Math.min(2.5, pauseMs / 160)

  if (language.leadsOn.has(before.lower)) score -= 5
  else if (before.isJoint) score -= 4
  else if (before.isVerb) score -= before.kind === 'function' ? 3 : 1.5
  else if (before.kind === 'function') score -= 0.4
  if (isThing(token) && (isThing(before) || ['adjective', 'number'].includes(before.kind)))
    score -= 2
  // A sentence rarely begins with a verb: only orders do.
  if (token.isVerb) score -= isThing(before) && token.kind === 'verb' ? 1.2 : 2
  else if (token.isJoint && !language.determiners.has(token.lower)) score -= 0.7

  // Two clauses with nothing between them are two sentences: "forty kilos | the only problem was".
  // With "and" they may be; with "because" they are better left together.
  const isConnected = language.connectives.has(token.lower)
  if (!isConnected && beginsClause(tokens, index, language))
    return score + (isWaiting(tokens, index, language) ? -1 : 3)
  const follows = [index + 1, index + 2, index + 3].some((at) => beginsClause(tokens, at, language))
  if (language.clauseStarts.has(token.lower)) score += follows ? 1.5 : -0.5
  else if (isConnected) score -= 1.5
  return score
}

/** A subject with its verb: "I think", "there isn't", "the beans were". */
export function beginsClause(tokens: readonly Token[], index: number, language: Language): boolean {
  const token = tokens[index]
  if (!token) return false
  const isPronoun = language.clauseStarts.has(token.lower) && !language.connectives.has(token.lower)
  // Verbs are only recognised in English; elsewhere a pronoun alone counts.
  if (language.code !== 'en') return isPronoun
  if (isPronoun && (token.isVerb || tokens[index + 1]?.isVerb || tokens[index + 2]?.isVerb))
    return true
  if (!language.determiners.has(token.lower)) return false
  const after = tokens.slice(index + 1, index + 6)
  const verbAt = after.findIndex(({ isVerb, lower }) => isVerb && !lower.endsWith('ing'))
  // An article after a verb more likely begins the verb's object: "to raise the bean plants".
  return (
    verbAt > 0 &&
    !tokens[index - 1]?.isVerb &&
    after
      .slice(0, verbAt)
      .every(({ isJoint, lower }) => !isJoint && !language.connectives.has(lower))
  )
}

/** Whether a clause has just begun that still waits for its verb: "so next year | I want". */
function isWaiting(tokens: readonly Token[], index: number, language: Language): boolean {
  for (let at = index - 1; at >= Math.max(0, index - 4); at--) {
    const token = tokens[at]
    if (!token || token.isVerb) return false
    if (language.connectives.has(token.lower)) return true
  }
  return false
}

const isThing = ({ kind }: Token): boolean => kind === 'noun' || kind === 'name' || kind === 'other'

function toSentence(span: Span, turn: WritingTurn, index: number): Sentence {
  const raw = turn.text.slice(span.start, span.end)
  const text = raw.trim()
  const start = span.start + (raw.length - raw.trimStart().length)
  return {
    turn: index,
    start,
    text,
    tokens: span.tokens,
    startMs: span.tokens[0]?.startMs ?? turn.startMs,
    endMs: span.tokens.at(-1)?.endMs ?? turn.endMs,
    isCut: span.isCut ?? false,
  }
}
