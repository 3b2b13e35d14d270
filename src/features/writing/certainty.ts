/**
 * How far a transcript can be believed. A recogniser gives each word the probability that it is
 * right. On our recordings this holds: of words with 0.3, 0.5, 0.7 and 0.9 or more, 83, 88, 92 and
 * 95 of 100 were right, and the mean of a sentence is close to the share of its words that were
 * said. So a mean of 0.75 stands for one wrong word in four. A sentence with more wrong words says
 * something that nobody said.
 */
import type { WritingTurn } from './contract.ts'
import type { Sentence } from './sentences.ts'
import type { Token } from './tokens.ts'

/** A word below this is a guess: half of such words were never said. */
const GUESS = 0.5

/** The facts about a recording whose words are too uncertain to be summed up. */
export interface Doubt {
  /** How long there is speech. */
  spokenMs: number
  speakers: number
  /** The person who spoke most; null where nobody is clearly ahead. */
  mostBy: string | null
  words: number
}

export interface Belief {
  /** Expected share of right words in the whole recording; 1 where the engine does not say. */
  mean: number
  /** Share of words that are guesses. */
  guessed: number
  /** Expected share of right words of a sentence. */
  of: (sentence: Sentence) => number
  isSure: (sentence: Sentence) => boolean
}

/**
 * A few words of a voice that is hard to hear can look sure by chance. So the mean of everything
 * that the speaker said counts in each sentence, with the weight of this many words.
 */
const PRIOR_WORDS = 10
/** With more than one word in four wrong, a reader no longer finds out what was meant. */
const LEAST_BELIEF = 0.75
/** In a sentence that is shown, no more than one word in five is a guess. */
const MOST_GUESSES = 0.2
/** With more than a third of all words wrong, not even the sure ones show what it was about. */
const LEAST_MEAN = 0.65

export function believe(sentences: readonly Sentence[], turns: readonly WritingTurn[]): Belief {
  const speakerOf = ({ turn }: Sentence): string | null => turns[turn]?.speaker ?? null
  const bySpeaker = new Map<string | null, Token[]>()
  for (const sentence of sentences) {
    const known = bySpeaker.get(speakerOf(sentence)) ?? []
    known.push(...sentence.tokens)
    bySpeaker.set(speakerOf(sentence), known)
  }
  const usual = new Map(Array.from(bySpeaker, ([speaker, tokens]) => [speaker, meanOf(tokens)]))
  const all = sentences.flatMap(({ tokens }) => tokens)

  const of = (sentence: Sentence): number => {
    const { tokens } = sentence
    const prior = usual.get(speakerOf(sentence)) ?? 1
    return (tokens.length * meanOf(tokens) + PRIOR_WORDS * prior) / (tokens.length + PRIOR_WORDS)
  }
  return {
    mean: meanOf(all),
    guessed: shareOf(all, isGuess),
    of,
    isSure: (sentence) =>
      of(sentence) >= LEAST_BELIEF &&
      shareOf(sentence.tokens, isGuess) <= MOST_GUESSES &&
      !hasLostThread(sentence.tokens),
  }
}

/** Whether the words of a recording are too uncertain to summarise it at all. */
export const isTooUncertain = ({ mean }: Belief): boolean => mean < LEAST_MEAN

/**
 * Whether two guesses follow each other. A sentence with one misheard word can still be understood.
 * After two the rest is wrong as well, because the recogniser picks words that fit the last ones.
 */
const hasLostThread = (tokens: readonly Token[]): boolean =>
  tokens.some((token, index) => {
    const before = tokens[index - 1]
    return before !== undefined && isGuess(before) && isGuess(token)
  })

export const isGuess = ({ certainty }: Token): boolean => certainty < GUESS

const meanOf = (tokens: readonly Token[]): number =>
  tokens.length === 0
    ? 1
    : tokens.reduce((sum, { certainty }) => sum + certainty, 0) / tokens.length

const shareOf = (tokens: readonly Token[], is: (token: Token) => boolean): number =>
  tokens.length === 0 ? 0 : tokens.filter(is).length / tokens.length

/** The person who spoke most is only named where clearly ahead: speakers are sometimes confused. */
const CLEARLY = 1.25

export function doubtOf(turns: readonly WritingTurn[], words: number): Doubt {
  const times = new Map<string | null, number>()
  for (const { speaker, startMs, endMs } of turns)
    times.set(speaker, (times.get(speaker) ?? 0) + endMs - startMs)
  const [first, second] = [...times].toSorted(([, a], [, b]) => b - a)
  return {
    spokenMs: turns.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0),
    speakers: times.size,
    mostBy: first && second && first[1] >= CLEARLY * second[1] ? first[0] : null,
    words,
  }
}
