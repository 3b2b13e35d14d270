/**
 * Finds the chapters of a long recording without a language model. Where people turn to something
 * else, they use other words: a stretch about one thing is cheap to describe with its own words, and
 * dear with those of two things (Utiyama & Isahara 2001). Of all ways to cut the recording, the
 * cheapest is found by dynamic programming. A cut costs less where a turn begins, after a long pause,
 * where another speaker takes the lead, and where words are said for the first time that come again.
 * The weights of these were chosen with four talks of `bench/chapters/`; two others were left for the
 * end.
 *
 * A title is the phrase that tells most of its stretch from the others (terms.ts). A stretch in which
 * no phrase can be believed has no chapter of its own.
 */
import { CHAPTERS_FROM } from '#shared/business.ts'

import { type Belief, believe, isTooUncertain } from './certainty.ts'
import type { Chapter, WritingTurn } from './contract.ts'
import { guessLanguage, languageOf, type Language } from './languages.ts'
import { type Sentence, findSentences } from './sentences.ts'
import { findTitles } from './terms.ts'
import type { Token } from './tokens.ts'

/** No chapter is shorter. */
export const SHORTEST_MS = 60_000
export const FEWEST = 3
export const MOST = 12
/** The cost of all cuts grows with the square of the places for them. */
const MOST_PLACES = 1_200

/** In a thread: tagging a day of speech takes seconds. */
export function findChapters({
  turns,
  language: code,
}: {
  turns: readonly WritingTurn[]
  language: string | null
}): Chapter[] {
  if (!isLong(turns)) return []
  const language = languageOf(code ?? guessLanguage(turns.map(({ text }) => text).join(' ')))
  const sentences = findSentences(turns, language)
  return chaptersIn({ turns, language, sentences, belief: believe(sentences, turns) })
}

/** Whether so long is spoken that chapters are of use. */
export const isLong = (turns: readonly WritingTurn[]): boolean =>
  lengthOf(turns) >= CHAPTERS_FROM * 1000

export const lengthOf = (turns: readonly WritingTurn[]): number =>
  turns.reduce((most, { endMs }) => Math.max(most, endMs), 0)

export function chaptersIn({
  turns,
  language,
  sentences: all,
  belief,
}: {
  turns: readonly WritingTurn[]
  language: Language
  sentences: readonly Sentence[]
  belief: Belief
}): Chapter[] {
  if (!isLong(turns) || isTooUncertain(belief)) return []
  const endMs = lengthOf(turns)
  const sentences = all.toSorted((a, b) => a.startMs - b.startMs)
  const words = wordsOf(sentences, language)
  const places = fewest(placesIn(sentences, turns, words), endMs)
  const cuts = bestCuts(bagsOf(words, places), places, endMs)
  const starts = [0, ...cuts.map(({ at }) => at)]
  const parts = starts.map((from, index) => sentences.slice(from, starts[index + 1]))
  const titles = findTitles(parts, language, belief)
  const found = parts.flatMap((part, index): Chapter[] => {
    const title = titles[index]
    const startMs = Math.floor(part[0]?.startMs ?? 0)
    return title === null || title === undefined ? [] : [{ title, startMs }]
  })
  if (found.length < FEWEST) return []
  // A list of chapters begins where the recording does.
  return found.map((chapter, index) => (index === 0 ? { ...chapter, startMs: 0 } : chapter))
}

/** Where a chapter may begin: before a sentence. */
interface ChapterStart {
  /** Index of the sentence. */
  at: number
  startMs: number
  /** How much speaks for a cut there, apart from the words. */
  merit: number
}

/** A pause of this length is as good as another speaker. */
const LONG_PAUSE_MS = 1_500
/** The speaker who speaks most within this time has the lead. */
const LEAD_MS = 60_000

function placesIn(
  sentences: readonly Sentence[],
  turns: readonly WritingTurn[],
  words: Words,
): ChapterStart[] {
  const lead = leadsOf(turns)
  const seen = new Set<number>()
  const fresh = words.bags.map((bag) => {
    const stems = new Set(bag.map(([stem]) => stem))
    const count = [...stems].filter((stem) => !seen.has(stem)).length
    for (const stem of stems) seen.add(stem)
    return Math.min(1, count / 3)
  })
  // The beginning of a turn says more where there are few of them, as in a lecture.
  const turnsHere = new Set(sentences.map(({ turn }) => turn)).size
  const rarity = Math.log(sentences.length / Math.max(1, turnsHere)) ** 3
  return sentences.slice(1).map((sentence, index): ChapterStart => {
    const before = sentences[index] ?? sentence
    const isTurn = sentence.turn !== before.turn
    const speakerOf = ({ turn }: Sentence) => turns[turn]?.speaker ?? null
    const isOther = isTurn && speakerOf(sentence) !== speakerOf(before)
    const pause = Math.min(1, Math.max(0, sentence.startMs - before.endMs) / LONG_PAUSE_MS)
    const merit =
      (isTurn ? MERIT.turn * rarity : 0) +
      (isOther ? MERIT.speaker : 0) +
      MERIT.pause * pause +
      (isTurn ? MERIT.lead * lead(sentence.turn) : 0) +
      MERIT.fresh * (fresh[index + 1] ?? 0)
    return { at: index + 1, startMs: sentence.startMs, merit }
  })
}

/** The gain of a cut, in the measure in which words cost. */
const MERIT = { turn: 1.5, speaker: 1, pause: 1.5, lead: 2, fresh: 6 }

/** How much others speak in the minute after the beginning of a turn than in the one before: 0 to 1. */
function leadsOf(turns: readonly WritingTurn[]): (turn: number) => number {
  /** The share of each speaker in the words of that time. */
  const sharesFrom = (first: number, step: 1 | -1) => {
    const times = new Map<string, number>()
    const fromMs = turns[first]?.startMs ?? 0
    let all = 0
    for (let at = first; ; at += step) {
      const turn = turns[at]
      if (!turn || Math.abs(turn.startMs - fromMs) > LEAD_MS) break
      const { speaker, startMs, endMs } = turn
      times.set(speaker ?? '', (times.get(speaker ?? '') ?? 0) + endMs - startMs)
      all += endMs - startMs
    }
    return new Map([...times].map(([name, ms]) => [name, ms / Math.max(1, all)]))
  }
  return (at) => {
    const before = sharesFrom(at - 1, -1)
    const after = sharesFrom(at, 1)
    const differs = [...new Set([...before.keys(), ...after.keys()])].reduce(
      (sum, name) => sum + Math.abs((before.get(name) ?? 0) - (after.get(name) ?? 0)),
      0,
    )
    // Question and answer differ as much.
    return Math.max(0, differs - 1)
  }
}

/** The best place in each of as many equal stretches of a long recording. */
function fewest(places: readonly ChapterStart[], endMs: number): ChapterStart[] {
  if (places.length <= MOST_PLACES) return [...places]
  const best = new Map<number, ChapterStart>()
  for (const place of places) {
    const slot = Math.floor((MOST_PLACES * place.startMs) / (endMs + 1))
    const known = best.get(slot)
    if (!known || place.merit > known.merit) best.set(slot, place)
  }
  return [...best.values()].sort((a, b) => a.at - b.at)
}

/** Words as numbers of their stems, each with its weight. */
type Bag = readonly (readonly [stem: number, weight: number])[]

const WEIGHTS: Record<Token['kind'], number> = {
  noun: 1,
  name: 1,
  other: 1,
  adjective: 0.6,
  verb: 0.5,
  number: 0,
  function: 0,
}

/** How much less a word counts that is said throughout. */
const SPREAD = 0.3

interface Words {
  /** Of each sentence. */
  bags: Bag[]
  /** How many there are. */
  stems: number
}

function wordsOf(sentences: readonly Sentence[], language: Language): Words {
  const places = new Map<string, number[]>()
  for (const { tokens, startMs } of sentences) {
    const here = new Set<string>()
    for (const { stem, kind, lower } of tokens) {
      if (WEIGHTS[kind] === 0 || (lower.length < 3 && !language.isUnspaced)) continue
      here.add(stem)
    }
    for (const stem of here) {
      const known = places.get(stem)
      if (known) known.push(startMs)
      else places.set(stem, [startMs])
    }
  }
  const endMs = sentences.at(-1)?.endMs ?? 0
  const numbers = new Map<string, { number: number; weight: number }>()
  for (const [stem, times] of places) {
    // A word of a single sentence holds nothing together, and one that is said throughout little: its
    // places are a quarter of the recording from their middle.
    if (times.length < 2) continue
    const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
    const spread = times.reduce((sum, ms) => sum + Math.abs(ms - mean), 0) / times.length
    const weight = Math.max(0.1, 1 - (SPREAD * (4 * spread)) / endMs)
    numbers.set(stem, { number: numbers.size, weight })
  }
  const bags = sentences.map(({ tokens }) =>
    tokens.flatMap(({ stem, kind, certainty }): Bag => {
      const known = numbers.get(stem)
      const weight = (known?.weight ?? 0) * WEIGHTS[kind] * certainty
      return known === undefined || weight === 0 ? [] : [[known.number, weight]]
    }),
  )
  return { bags, stems: numbers.size }
}

/** The words between one place and the next. */
const bagsOf = ({ bags, stems }: Words, places: readonly ChapterStart[]): Words => {
  const starts = [0, ...places.map(({ at }) => at)]
  return { bags: starts.map((from, at) => bags.slice(from, starts[at + 1]).flat()), stems }
}

/** How much a word counts that a stretch does not have. */
const SMOOTH = 0.2
/** The cost of a cut, for each time that there are e times as many words. */
const CUT = 3.3

/** The cheapest cuts: stretch by stretch, for each number of them. */
function bestCuts(
  { bags, stems }: Words,
  places: readonly ChapterStart[],
  endMs: number,
): ChapterStart[] {
  const count = bags.length
  const startOf = (bag: number) => (bag === 0 ? 0 : (places[bag - 1]?.startMs ?? endMs))
  const total = bags.reduce((sum, bag) => bag.reduce((all, [, weight]) => all + weight, sum), 0)
  const cutCost = CUT * Math.log(1 + total)
  // best[k][to]: of the bags before `to` in k stretches; from[k][to]: where the last one begins.
  const best = Array.from({ length: MOST + 1 }, () => new Float64Array(count + 1).fill(Infinity))
  const from = Array.from({ length: MOST + 1 }, () => new Int32Array(count + 1))
  const [none] = best
  if (none) none[0] = 0
  const counts = new Float64Array(stems)
  for (let start = 0; start < count; start++) {
    counts.fill(0)
    let all = 0
    let own = 0
    const merit = start === 0 ? 0 : (places[start - 1]?.merit ?? 0)
    const price = start === 0 ? 0 : cutCost - merit
    for (let to = start + 1; to <= count; to++) {
      for (const [stem, weight] of bags[to - 1] ?? []) {
        const had = counts[stem] ?? 0
        own += gain(had + weight) - gain(had)
        counts[stem] = had + weight
        all += weight
      }
      if (startOf(to) - startOf(start) < SHORTEST_MS) continue
      const cost = price + all * Math.log(all + SMOOTH * stems) - own
      for (let k = 1; k <= MOST; k++) {
        const sum = (best[k - 1]?.[start] ?? Infinity) + cost
        const row = best[k]
        const origin = from[k]
        if (!row || !origin || sum > (row[to] ?? Infinity)) continue
        row[to] = sum
        origin[to] = start
      }
    }
  }
  let most = FEWEST
  for (let k = FEWEST; k <= MOST; k++)
    if ((best[k]?.[count] ?? Infinity) < (best[most]?.[count] ?? Infinity)) most = k
  const cuts: ChapterStart[] = []
  let to = count
  for (let k = most; k > 1; k--) {
    to = from[k]?.[to] ?? 0
    const place = places[to - 1]
    if (place) cuts.push(place)
  }
  return cuts.reverse()
}

const gain = (weight: number): number => weight * Math.log(weight + SMOOTH)
