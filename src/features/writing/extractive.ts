/**
 * A summary made of the transcript's own sentences. A sentence scores high when it has the words
 * that are typical of the recording (TF-ISF), when many others are similar (TextRank, Mihalcea &
 * Tarau 2004), when it announces a decision, a reason or a number, when it says what a thing is, and
 * when it can be read alone. Then sentences are picked one by one, each the best that does not repeat
 * the ones before (MMR, Carbonell & Goldstein 1998). They are shown in the order in which they were
 * said.
 *
 * Only sentences whose words the recogniser was sure of are shown, so that no guess is read as a
 * fact. Where no such sentence is left, or most of the recording is a guess, there is no text;
 * `doubt` then has the facts that are still certain, such as who spoke most.
 *
 * Only whole sentences are shown. A few sentences of a conversation, or of words that are often
 * misheard, are no summary: they are called sentences, and have no guess in them. Among them are
 * questions that were answered, each with its answer (answered.ts).
 *
 * `extract`, `chapters` and `gather` are run by writing.ts in a thread.
 */
import { bareWords } from '#shared/written.ts'

import { answeredIn } from './answered.ts'
import { type Belief, believe, type Doubt, doubtOf, isGuess, isTooUncertain } from './certainty.ts'
import { chaptersIn, findChapters } from './chapters.ts'
import { commitmentsIn } from './commitments.ts'
import type {
  ActionItem,
  Chapter,
  Chapters,
  KeyPoint,
  SummaryKind,
  WritingTurn,
} from './contract.ts'
import { decisionsIn } from './decisions.ts'
import { languageOf, type Language } from './languages.ts'
import { beginsClause, findSentences, type Sentence } from './sentences.ts'
import { findTopics } from './terms.ts'
import { asAlone, isAnswer } from './questions.ts'
import { readable } from './readable.ts'
import { LEAST_STANDING, standing } from './standing.ts'
import type { Token } from './tokens.ts'
import { figureWords } from './values/number-words.ts'

export interface Extract {
  /** Empty where there is a doubt. */
  text: string
  keyPoints: KeyPoint[]
  /** The quotes of those key points that tell a decision. */
  decisions: string[]
  topics: string[]
  actionItems: ActionItem[]
  kind: SummaryKind
  /**
   * The certain facts about a recording whose words are not certain; null where the words can be
   * believed.
   */
  doubt: Doubt | null
  /** Share of the words that are guesses, 0 to 1. */
  guessed: number
}

interface Candidate {
  sentence: Sentence
  /** Place among all sentences, from 0 to 1. */
  position: number
  text: string
  /** Weight of each content stem. */
  terms: ReadonlyMap<string, number>
  norm: number
  /** 0 to 1, the best sentence is 1. */
  score: number
  /** The recogniser was sure enough of its words. */
  isSure: boolean
  /** A whole sentence: it has a verb, and nothing is missing at its beginning or end. */
  isFull: boolean
  /** It ends as it was said, too, and no word in it is a guess. */
  isComplete: boolean
  /** How well it is understood without the sentences before it: see standing.ts. */
  standing: number
}

/** The graph of sentences grows with their square, so of long recordings only the best take part. */
const GRAPH_LIMIT = 400

/** A transcript, and its language as ISO 639-1. */
interface Spoken {
  turns: readonly WritingTurn[]
  language: string
  recordedOn?: string | undefined
}

export function extract({
  turns,
  language: code,
  recordedOn,
}: Spoken): Extract & { chapters: Chapters | null } {
  const language = languageOf(code)
  const sentences = findSentences(turns, language)
  const belief = believe(sentences, turns)
  const candidates = rank(sentences, language, belief)
  return {
    ...extractFrom({ turns, recordedOn, language, sentences, belief, candidates }),
    chapters: foundIn(chaptersIn({ turns, language, sentences, belief })),
  }
}

/** The same chapters for a summary that was made otherwise. */
export const chapters = (spoken: Spoken): Chapters | null => foundIn(findChapters(spoken))

const foundIn = (list: Chapter[]): Chapters | null =>
  list.length === 0 ? null : { by: 'words', list }

interface Ranked {
  turns: readonly WritingTurn[]
  recordedOn: string | undefined
  language: Language
  sentences: readonly Sentence[]
  belief: Belief
  candidates: readonly Candidate[]
}

function extractFrom(ranked: Ranked): Extract {
  const { turns, language, sentences, belief, candidates } = ranked
  const words = sentences.reduce((sum, { tokens }) => sum + tokens.length, 0)
  const kind = isTalk(turns) || isPoor(belief) ? 'sentences' : 'summary'
  const isFit = (one: Candidate) => (kind === 'summary' ? one.isFull : one.isComplete)
  const sure = candidates.filter((one) => one.isSure && !one.sentence.tokens.some(isGuess))
  const tasks = commitmentsIn(withoutRepeats(candidates.filter(isClear)), { ...ranked, sure })
  const isPromised = ({ sentence, text }: Candidate) =>
    tasks.some((task) => task.quote === sentence.text || task.text.includes(text))
  const decided = isTalk(turns)
    ? withoutRepeats(decisionsIn(candidates, turns, language))
        .filter((one) => !isPromised(one))
        .sort(inOrder)
    : []
  const worthy = withoutRepeats(
    candidates.filter(
      (one) =>
        one.isSure &&
        isFit(one) &&
        isAlone(one) &&
        one.score > 0 &&
        !isPromised(one) &&
        !decided.includes(one),
    ),
  )
  // Sentences of a talk do not belong together as a paragraph does: they are a list.
  const summary = kind === 'summary' ? pick(worthy, summarySize(words)) : []
  const size = keyPointSize(words) + (kind === 'summary' ? 0 : 1) - decided.length
  const isTold = (one: Candidate) => isPromised(one) || decided.includes(one)
  const answered = isTalk(turns) ? bestAnswered(ranked, { most: size / 2, isTold }) : []
  const inAnswers = new Set(answered.flatMap(({ replies }) => replies))
  const pairs = answered.map(({ point }) => point)
  const others = worthy.filter((one) => !summary.includes(one) && !inAnswers.has(one))
  const isEnough = kind === 'summary' && (words < BRIEF || others.length < FEWEST_POINTS)
  const shown = [...summary, ...decided, ...pairs]
  const found = isEnough ? [] : fromEverywhere(others, { size: size - pairs.length, shown })
  const points = [...decided, ...pairs, ...found].sort(inOrder)
  const scores = new Map(candidates.map(({ sentence, score }) => [sentence, score]))
  const sureWords = sentences
    .filter(belief.isSure)
    .reduce((sum, { tokens }) => sum + tokens.length, 0)
  // Where less than half of the words are sure, a sure sentence does not stand for the recording.
  const scraps = kind === 'summary' && sureWords >= words / 2 ? fallback(candidates, words) : ''
  const text = summary.length > 0 ? paragraph(summary, language) : scraps
  // A recording with sure words may have no text because little was said: then nothing is in doubt.
  const isUnsaid = text === '' && points.length === 0 && sureWords < words / 2
  const isDoubtful = words > 0 && (isUnsaid || isTooUncertain(belief))
  return {
    text: isDoubtful ? '' : text,
    keyPoints: points.map(keyPoint),
    decisions: isDoubtful ? [] : decided.map(({ sentence }) => sentence.text),
    topics: findTopics(sentences, language, {
      scores,
      belief,
      speakers: turns.map(({ speaker }) => speaker),
    }),
    actionItems: isDoubtful ? [] : tasks,
    kind: isDoubtful ? 'summary' : kind,
    doubt: isDoubtful ? doubtOf(turns, words) : null,
    guessed: belief.guessed,
  }
}

/** The questions that say most, with their answers, and none about the same as another. */
function bestAnswered(
  { candidates, turns, language }: Ranked,
  { most, isTold }: { most: number; isTold: (one: Candidate) => boolean },
) {
  const weight = ({ terms }: Candidate) => [...terms.values()].reduce((sum, one) => sum + one, 0)
  const found = answeredIn(candidates, turns, language)
    .filter(({ replies }) => !replies.some(isTold))
    .sort((a, b) => weight(b.question) - weight(a.question))
  const chosen: typeof found = []
  for (const one of found)
    if (
      chosen.length < Math.floor(most) &&
      chosen.every((other) => !isLike(one.point, other.point))
    )
      chosen.push(one)
  return chosen
}

const isLike = (a: Candidate, b: Candidate): boolean => similarity(a, b) >= LIKE

/** With fewer words, or fewer sentences that are left, a summary needs no key points beside it. */
const BRIEF = 120
const FEWEST_POINTS = 3

const isAlone = ({ standing: own }: Candidate): boolean => own >= LEAST_STANDING

const isClear = ({ isSure, isComplete }: Candidate): boolean => isSure && isComplete

/** A talk has at least this many changes of speaker, and nobody says more than this share of it. */
const FEWEST_CHANGES = 6
const MOST_OF_ONE = 0.8

/** Whether people talk with each other: a lecture with a question at its end is not that. */
function isTalk(turns: readonly WritingTurn[]): boolean {
  const letters = new Map<string, number>()
  for (const { speaker, text } of turns)
    if (speaker !== null) letters.set(speaker, (letters.get(speaker) ?? 0) + text.length)
  const all = [...letters.values()].reduce((sum, count) => sum + count, 0)
  const changes = turns.filter(({ speaker }, at) => at > 0 && speaker !== turns[at - 1]?.speaker)
  return changes.length >= FEWEST_CHANGES && Math.max(0, ...letters.values()) < MOST_OF_ONE * all
}

/** With one word in ten a guess, the words around them are often wrong too. */
const isPoor = ({ guessed, mean }: Belief): boolean => guessed >= 0.1 || mean < 0.85

/** A sentence that begins or ends worse than this is thought to be a piece of one. */
const LEAST_WHOLE = 0.5

/** How many sentences to pick: at least `least`, then more until they have the wanted words. */
interface Size {
  least: number
  most: number
  words: number
}

/** The summary grows with the recording: one or two sentences for a note, seven for a day. */
function summarySize(words: number): Size {
  const steps = [30, 150, 400, 1200, 3000, 8000]
  const least = 1 + steps.filter((step) => words >= step).length
  return { least, most: Math.min(7, words < 60 ? 2 : least + 1), words: Math.min(150, 0.2 * words) }
}

function keyPointSize(words: number): number {
  const steps = [150, 400, 1200, 4000]
  return 3 + steps.filter((step) => words >= step).length
}

function rank(sentences: readonly Sentence[], language: Language, belief: Belief): Candidate[] {
  const weights = weigh(sentences)
  const last = Math.max(1, sentences.length - 1)
  const candidates = sentences.map((sentence, index): Candidate => {
    const terms = new Map<string, number>()
    for (const token of sentence.tokens) {
      const weight = weights.get(token.stem)
      if (weight !== undefined && token.kind !== 'function')
        terms.set(token.stem, weight * token.certainty)
    }
    const norm = Math.hypot(...terms.values())
    const text = readable(sentence, language)
    const isSure = belief.isSure(sentence)
    const isWhole = edges({ sentence, text }, language) >= LEAST_WHOLE
    const isFull = isWhole && hasVerb(sentence, language) && hasEnd(sentence, language)
    const isComplete = isFull && !sentence.isCut && !sentence.tokens.some(isGuess)
    const position = index / last
    const is = { isSure, isFull, isComplete, standing: standing(sentence, text, language) }
    return { sentence, position, text, terms, norm, score: 0, ...is }
  })
  // The one of two similar sentences with fewer expected mistakes scores higher.
  const qualities = new Map(
    candidates.map((one) => [one, quality(one, language) * belief.of(one.sentence) ** 2]),
  )
  const salience = scaled(candidates, ({ terms }) => {
    const sum = [...terms.values()].reduce((total, weight) => total + weight, 0)
    return sum / Math.sqrt(terms.size + 8)
  })
  const early = (one: Candidate) => (salience.get(one) ?? 0) * (qualities.get(one) ?? 0)
  const nodes = candidates
    .filter((one) => early(one) > 0)
    .sort((a, b) => early(b) - early(a))
    .slice(0, GRAPH_LIMIT)
  const centrality = textRank(nodes)
  for (const one of candidates) {
    const { sentence, position, text } = one
    const defined = language.defines.test(text) ? 0.7 : 0
    const cue = Math.min(1, 0.6 * (text.match(language.cues)?.length ?? 0) + defined)
    const figures = sentence.tokens.some(({ kind }) => kind === 'number' || kind === 'name') ? 1 : 0
    const edge = position < 0.12 || position > 0.88 ? 1 : 0
    const merit =
      0.4 * (salience.get(one) ?? 0) +
      0.3 * (centrality.get(one) ?? 0) +
      0.2 * cue +
      0.06 * figures +
      0.04 * edge
    one.score = merit * (qualities.get(one) ?? 0)
  }
  const best = Math.max(...candidates.map(({ score }) => score), Number.MIN_VALUE)
  for (const one of candidates) one.score /= best
  return candidates
}

/**
 * How much a word says about the recording. Words that are said often, in several places, and name
 * a thing count most. A word that is said once is likely misheard or unimportant.
 */
function weigh(sentences: readonly Sentence[]): Map<string, number> {
  const counts = new Map<string, { count: number; sentences: number; isThing: boolean }>()
  for (const { tokens } of sentences) {
    const here = new Set<string>()
    for (const { stem, kind, certainty } of tokens) {
      if (kind === 'function') continue
      const known = counts.get(stem) ?? { count: 0, sentences: 0, isThing: false }
      known.count += certainty
      if (!here.has(stem)) known.sentences++
      known.isThing ||= kind === 'noun' || kind === 'name' || kind === 'other'
      here.add(stem)
      counts.set(stem, known)
    }
  }
  const total = sentences.length
  return new Map(
    Array.from(counts, ([stem, known]) => {
      const rarity = Math.log(1 + total / known.sentences)
      const repeated = known.sentences > 1 ? 1 : 0.45
      const weight = Math.log(1 + known.count) * Math.sqrt(rarity) * repeated
      return [stem, known.isThing ? weight : weight * 0.6]
    }),
  )
}

/** Values from 0 to 1, where 1 is the largest. */
function scaled(
  candidates: readonly Candidate[],
  value: (one: Candidate) => number,
): Map<Candidate, number> {
  const values = candidates.map(value)
  const largest = values.reduce((most, next) => Math.max(most, next), 0) || 1
  return new Map(candidates.map((one, index) => [one, (values[index] ?? 0) / largest]))
}

function textRank(nodes: readonly Candidate[]): Map<Candidate, number> {
  const count = nodes.length
  const edges = new Float32Array(count * count)
  const sums = new Float64Array(count)
  for (const [i, a] of nodes.entries())
    for (let j = i + 1; j < count; j++) {
      const b = nodes[j]
      const weight = b ? similarity(a, b) : 0
      // Sentences that are nearly the same would only raise each other.
      if (weight < 0.05 || weight > 0.95) continue
      edges[i * count + j] = weight
      edges[j * count + i] = weight
      sums[i] = (sums[i] ?? 0) + weight
      sums[j] = (sums[j] ?? 0) + weight
    }
  let ranks = new Float64Array(count).fill(1)
  for (let round = 0; round < 30; round++) {
    const next = new Float64Array(count).fill(0.15)
    for (let from = 0; from < count; from++) {
      const share = (0.85 * (ranks[from] ?? 0)) / (sums[from] || 1)
      for (let to = 0; to < count; to++) {
        const weight = edges[from * count + to] ?? 0
        if (weight > 0) next[to] = (next[to] ?? 0) + share * weight
      }
    }
    ranks = next
  }
  const places = new Map(nodes.map((one, index) => [one, ranks[index] ?? 0]))
  return scaled(nodes, (one) => places.get(one) ?? 0)
}

function similarity(a: Candidate, b: Candidate): number {
  if (a.norm === 0 || b.norm === 0) return 0
  const [small, large] = a.terms.size <= b.terms.size ? [a, b] : [b, a]
  let dot = 0
  for (const [stem, weight] of small.terms) dot += weight * (large.terms.get(stem) ?? 0)
  return dot / (a.norm * b.norm)
}

/** How well a sentence reads alone: 0 is never shown, 1 has nothing against it. */
function quality(candidate: Candidate, language: Language): number {
  const { sentence, text, terms } = candidate
  const { tokens } = sentence
  const count = tokens.length
  if (count < 5 || terms.size < 2) return 0

  let factor = edges(candidate, language) * candidate.standing
  // Up to 8 words say little, and more than 30 are too long for one point.
  if (count < 9) factor *= 0.1 + 0.1 * (count - 2)
  if (count > 30) factor *= Math.max(0.45, 1 - (count - 30) * 0.03)

  const bare = text.toLocaleLowerCase(language.code)
  if (/[?？]$/.test(text) || language.questions.test(bare)) factor *= 0.25
  // "Everybody, welcome back": a greeting or thanks is one wherever it stands.
  if (language.courtesies.test(bare)) factor *= 0.25

  if (terms.size / count < 0.22) factor *= 0.6
  const distinct = new Set(tokens.map(({ lower }) => lower)).size / count
  if (distinct < 0.7) factor *= 0.6
  return factor
}

/** Only English shows which words are verbs. */
const hasVerb = ({ tokens }: Sentence, { code }: Language): boolean =>
  code !== 'en' || tokens.some(({ isVerb }) => isVerb)

/** Whether a sentence ends, as it was said or where it was cut. */
function hasEnd({ text, tokens, isCut }: Sentence, { leadsOn }: Language): boolean {
  const last = tokens.at(-1)
  const isEnded = isCut || /[.!?…。！？؟]["'”’»)]*\s*$/u.test(text)
  return isEnded && last !== undefined && !leadsOn.has(last.lower)
}

/** Lowers the score of a sentence that begins or ends badly. */
function edges(
  { sentence: { tokens }, text }: Pick<Candidate, 'sentence' | 'text'>,
  language: Language,
): number {
  const isEnglish = language.code === 'en'
  const [first, second] = tokens.filter(
    ({ lower }) => !language.openers.has(lower) || !language.stopWords.has(lower),
  )
  const last = tokens.at(-1)
  let factor = 1
  if (first && language.pointers.has(first.lower))
    factor *= second && (second.kind === 'noun' || second.kind === 'adjective') ? 0.85 : 0.5
  if (first && language.clauseStarts.has(first.lower) && language.leadsOn.has(first.lower))
    factor *= 0.8
  const isCutShort = isEnglish && (last?.isJoint || last?.lower.length === 1)
  if (last && (language.leadsOn.has(last.lower) || isCutShort)) factor *= 0.5
  return isEnglish ? factor * grammar(tokens, { first, text }, language) : factor
}

/** A sentence may end so: "What it sounds like." */
const unendedLike = /(?:\b(?:am|is|are|was|were)|['’](?:s|m|re)) like[.!?…]*$/i

/** Lowers the score of an English sentence whose parts of speech show that it is incomplete. */
function grammar(
  tokens: readonly Token[],
  { first, text }: { first: Token | undefined; text: string },
  language: Language,
): number {
  const last = tokens.at(-1)
  const isClause = (index: number) => beginsClause(tokens, index, language)
  let factor = 1
  // "at the old harbour you are", "and it was like": what follows is missing or misheard.
  const isAuxiliary =
    (last?.isVerb && !last.lower.endsWith('ing')) ||
    /^(?:am|is|are|was|were)$/.test(last?.lower ?? '')
  if ((isAuxiliary && last?.kind === 'function') || unendedLike.test(text)) factor *= 0.3
  if (!tokens.some(({ isVerb }) => isVerb)) factor *= 0.15
  // "by listening to the audio": a phrase without a subject. "To sum up" leads to one.
  const isPhrase =
    first?.isJoint &&
    !language.defines.test(text) &&
    !language.determiners.has(first.lower) &&
    !language.connectives.has(first.lower) &&
    !tokens.some((_, index) => isClause(index))
  if (isPhrase) factor *= 0.2
  // "on the of the", "in a you know": nothing was understood, or somebody looked for a word.
  const isBroken = tokens.some(({ lower, end }, index) => {
    const next = tokens[index + 1]
    if (!next || !/^(?:an?|the|my|your|our|their)$/.test(lower)) return false
    // "We had a, we had a long problem" goes on after its comma.
    return (
      next.isJoint || (next.start === end + 1 && /^(?:i|you|we|they|he|she|it)$/.test(next.lower))
    )
  })
  if (isBroken) factor *= 0.4
  // "if he can help with that": a condition without what follows from it.
  if (first && language.halves.has(first.lower) && !text.includes(',')) {
    const main = tokens.findIndex((_, index) => index > 3 && isClause(index))
    if (main === -1 || language.connectives.has(tokens[main - 1]?.lower ?? '')) factor *= 0.25
  }
  // "indicating the results", "of the interviews are": the beginning of the sentence is missing.
  if (first && (first.lower.endsWith('ing') ? first.isVerb : first.lower === 'of')) factor *= 0.35
  return factor
}

const byScore = (a: Candidate, b: Candidate): number => b.score - a.score
const inOrder = (a: Candidate, b: Candidate): number =>
  a.sentence.turn - b.sentence.turn || a.sentence.start - b.sentence.start

/** The same words said twice are one candidate: the better scored, or the first. */
function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>()
  return [...candidates].sort(byScore).filter(({ text }) => {
    const key = bareWords(text)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** A key point is read at a glance. */
function brevity({ sentence }: Candidate): number {
  const count = sentence.tokens.length
  return count > 22 ? Math.max(0.6, 1 - (count - 22) * 0.025) : 1
}

/** Two that are as similar as this tell the same. */
const LIKE = 0.6
/** The best sentence of a stretch has this share of the best score, or none is taken. */
const LEAST_OF_STRETCH = 0.3
/** What is taken besides has this share. */
const LEAST_OF_REST = 0.45
/** A stretch has so many sentences to choose from, where there are enough. */
const STRETCH = 4

/**
 * The best sentence of each stretch of the recording, then the best of the rest; none like another, or
 * like one that is shown already.
 */
function fromEverywhere(
  candidates: readonly Candidate[],
  { size, shown }: { size: number; shown: readonly Candidate[] },
): Candidate[] {
  const rest = candidates.slice(0, 2 * GRAPH_LIMIT)
  const chosen: Candidate[] = []
  const closeness = (one: Candidate) =>
    Math.max(0, ...[...chosen, ...shown].map((other) => similarity(one, other)))
  const take = (from: readonly Candidate[], least: number): boolean => {
    const ranked = from
      .filter((one) => !chosen.includes(one))
      .map((one) => ({ one, close: closeness(one) }))
      .filter(({ close }) => close < LIKE)
      .map(({ one, close }) => ({ one, worth: one.score * brevity(one) * (1 - 0.7 * close) }))
      .sort((a, b) => b.worth - a.worth)
    const [top] = ranked
    if (!top || top.worth < least) return false
    chosen.push(top.one)
    return true
  }
  const best = rest.reduce((most, { score }) => Math.max(most, score), 0)
  const stretches = Math.min(Math.max(1, size), Math.max(1, Math.floor(rest.length / STRETCH)))
  const stretchOf = ({ position }: Candidate) =>
    Math.min(stretches - 1, Math.floor(position * stretches))
  for (let part = 0; part < Math.min(size, stretches); part++)
    take(
      rest.filter((one) => stretchOf(one) === part),
      LEAST_OF_STRETCH * best,
    )
  while (chosen.length < size && take(rest, LEAST_OF_REST * best));
  return chosen.sort(inOrder)
}

function pick(candidates: readonly Candidate[], size: Size): Candidate[] {
  const chosen: Candidate[] = []
  const rest = new Set(candidates.slice(0, 2 * GRAPH_LIMIT))
  const best = candidates[0]?.score ?? 0
  const closest = new Map<Candidate, number>()
  let words = 0
  const isWanted = () =>
    chosen.length < size.least || (chosen.length < size.most && words < size.words)
  while (isWanted() && rest.size > 0) {
    let top: Candidate | undefined
    let topValue = -Infinity
    for (const one of rest) {
      const near = chosen.filter(
        (other) => Math.abs(other.position - one.position) < 0.5 / size.least,
      ).length
      const value = (one.score - 0.6 * best * (closest.get(one) ?? 0)) * 0.8 ** near
      if (value > topValue) {
        top = one
        topValue = value
      }
    }
    if (!top) break
    rest.delete(top)
    // A short list is better than one that is filled up with weak sentences.
    if (top.score < worthKeeping(chosen.length, size) * best) continue
    if ((closest.get(top) ?? 0) > 0.75) continue
    chosen.push(top)
    words += top.sentence.tokens.length
    for (const one of rest) closest.set(one, Math.max(closest.get(one) ?? 0, similarity(one, top)))
  }
  return chosen.sort(inOrder)
}

/** Share of the best score that the next sentence must reach. */
function worthKeeping(chosen: number, size: Size): number {
  if (chosen < 3) return chosen === 0 ? 0 : 0.15
  return chosen < size.least ? 0.25 : 0.4
}

const paragraph = (chosen: readonly Candidate[], language: Language): string =>
  chosen.map(({ text }) => text).join(language.isUnspaced ? '' : ' ')

/** With fewer words than this, a recording may be no more than a piece of a sentence. */
const LITTLE_SAID = 20

/** Where there is nothing to choose from, the longest sentence stands for the recording. */
function fallback(candidates: readonly Candidate[], words: number): string {
  const fit = candidates.filter(
    (one) => one.isSure && (words < LITTLE_SAID || (one.isFull && isAlone(one))),
  )
  const lengthOf = ({ sentence }: Candidate) => sentence.tokens.length
  return fit.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0]?.text ?? ''
}

function keyPoint({ sentence, text }: Candidate): KeyPoint {
  return { text, turns: [sentence.turn], quote: sentence.text, startMs: sentence.startMs }
}

/** A sentence, and what documents need to know about it. */
export interface Said {
  /** Fit to be read alone. */
  text: string
  turn: number
  startMs: number
  /** 0 to 1, the best sentence is 1. */
  score: number
  isQuestion: boolean
  /** A question that nobody answered. */
  isOpen: boolean
  /** Tells a decision, or something that somebody will do. */
  isStep: boolean
  hasFigure: boolean
  /** A whole sentence that can be read alone, as far as its form shows that. */
  isFull: boolean
  /** A whole sentence, without a word in doubt: fit for a place where it stands out. */
  isComplete: boolean
  /** Which of the topics it is about. */
  topics: number[]
}

export interface Material extends Extract {
  /** In the order they were said; only those that can be read alone, and questions. */
  said: Said[]
  /** The language of the transcript, as ISO 639-1. */
  language: string
}

/** Whether the same turn, or the next one, goes on with an answer. */
function isAnswered({ turn, start, text }: Sentence, turns: readonly WritingTurn[]): boolean {
  const rest = turns[turn]?.text.slice(start + text.length) ?? ''
  return isAnswer(rest.trim()) || isAnswer(turns[turn + 1]?.text ?? '')
}

/** Digits, or a number in words. The name of a day counts as a number to the tagger alone. */
const isFigure = ({ kind, lower }: Token): boolean =>
  kind === 'number' && (/^\P{ASCII}|\p{N}/u.test(lower) || figureWords.has(lower))

/** Everything that a document without a language model is made from. */
export function gather({ turns, language: code, recordedOn }: Spoken): Material {
  const language = languageOf(code)
  const sentences = findSentences(turns, language)
  const belief = believe(sentences, turns)
  const candidates = rank(sentences, language, belief)
  const whole = extractFrom({ turns, recordedOn, language, sentences, belief, candidates })
  const stems = whole.topics.map((topic) => topic.toLocaleLowerCase(language.code || undefined))
  const { decisions, asking } = language
  const isStep = ({ sentence, text }: Candidate) =>
    whole.decisions.includes(sentence.text) ||
    whole.actionItems.some((task) => task.quote === sentence.text || task.text.includes(text))
  const sure = candidates.filter(({ isSure }) => isSure)
  const said = withoutRepeats(sure).flatMap((one): Said[] => {
    const { sentence, text, score } = one
    const bare = text.toLocaleLowerCase(language.code || undefined)
    const isQuestion =
      sentence.tokens.length >= 4 && (/[?？؟]$/.test(text) || language.questions.test(bare))
    if (score <= 0 && !isQuestion) return []
    const isTold = isStep(one) || (!decisions.isKnown && language.steps.test(bare))
    const isAsked = isQuestion && !isAnswered(sentence, turns)
    return [
      {
        text,
        turn: sentence.turn,
        startMs: sentence.startMs,
        score,
        isQuestion,
        isOpen: isAsked && (!asking.isKnown || asAlone(sentence.text, language) !== null),
        isStep: !isQuestion && isTold,
        hasFigure: sentence.tokens.some(isFigure),
        isFull: one.isFull && isAlone(one),
        isComplete: one.isComplete && (isQuestion || isAlone(one)),
        topics: stems.flatMap((topic, index) => (bare.includes(topic) ? [index] : [])),
      },
    ]
  })
  return {
    ...whole,
    language: language.code,
    said: said.sort((a, b) => a.startMs - b.startMs || a.turn - b.turn),
  }
}
