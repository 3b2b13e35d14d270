/**
 * Captions for speech that is faster than its captions can be read. All words stay, in their order.
 * Cuts and times are changed:
 *
 * - A cue may run on over a pause, and short words of two speakers share one, a line for each.
 * - A cue may stand before or after what is said, as far as the profile's slack allows, so that a
 *   slow sentence lends its time to the fast one beside it.
 * - Where names in the text take too long to be read, all of them are shortened.
 *
 * It looks at all ways to cut the text, and at the time at which each leaves the screen free. It
 * takes the way that breaks the fewest rules and, among several, the one that reads best and stays
 * closest to the words. Speech that stays too fast for longer than the slack cannot be mended.
 */
import type { Turn, Word } from '#features/speech/contract.ts'

import { breakCosts } from './breaks.ts'
import {
  type CueProfile,
  LONGEST_MADE_MS,
  SHORTEST_MADE_MS,
  standardProfile,
} from './caption-profiles.ts'
import { checkCues } from './check-cues.ts'
import {
  type Cue,
  CUE_COST,
  type CueOptions,
  endBefore,
  GLIMPSE_MS,
  heard,
  labelOf,
  laidOut,
  lay,
  placesOf,
  readIn,
  SCRAP_COST,
  scrapOf,
  shownLines,
  stopsOf,
  takingTurns,
  type Text,
  textOf,
  widthIn,
  widthOf,
} from './cues.ts'
import { briefNames, readersNames } from '../speaker-names.ts'

/** Far above all costs of reading: no rule is broken for a better cut. */
const BREAK_COST = 1000
/** Added for a cue that is shown for almost none of the time it takes to read. */
const LACK_COST = 3000
/** A cue far from its words helps nobody, however long it can be read. */
const LOST_COST = 10_000
/** Two speakers in one cue are harder to tell apart. */
const SHARED_COST = 25
/** The cost of a second of silence inside a cue, and of one that a cue stands beside its words. */
const PAUSE_COST = 20
const ASTRAY_COST = 30
/** How many of the ways to reach a word are followed further. */
const MOST_WAYS = 20

/** Words of one speaker until somebody else speaks. */
interface Stretch extends Text {
  speaker: number | null
  name: string | null
  label: string | null
  hasVoices: boolean
  /** The number of its first word in the whole recording. */
  first: number
}

/** A cue as it could be: up to `to`, with what is shown and the least time that takes. */
interface Draft extends Pick<Cue, 'speaker' | 'name' | 'label' | 'lines' | 'voices'> {
  from: number
  to: number
  readMs: number
  leastMs: number
  cost: number
}

/** One way to have come to a word. */
interface Way {
  /** When the screen is free again. */
  freeMs: number
  cost: number
  before: Way | null
  draft: Draft | null
  startMs: number
  endMs: number
}

export function mendCues(turns: readonly Turn[], options: CueOptions = {}): Cue[] {
  const { profile = standardProfile, names, hasNames = true, hasVoices = false } = options
  const nameOf = hasNames ? readersNames(turns, names) : () => null
  const cues = mendedWith(nameOf, turns, options)
  if (!hasNames || hasVoices) return cues
  const breaks = checkCues(cues, profile).length
  const briefOf = breaks === 0 ? null : briefNames(turns, nameOf)
  if (!briefOf) return cues
  const brief = mendedWith(briefOf, turns, options)
  return checkCues(brief, profile).length < breaks ? brief : cues
}

function mendedWith(
  nameOf: (speaker: Turn['speaker']) => string | null,
  turns: readonly Turn[],
  { profile = standardProfile, hasVoices = false, endMs = Infinity }: CueOptions,
): Cue[] {
  const stretches = stretchesOf(turns, { profile, nameOf, hasVoices })
  const words = stretches.flatMap((stretch) => stretch.words)
  const times = {
    words,
    anchors: anchorsOf(words),
    stops: stopsOf(words, profile),
    recordingEndMs: endMs,
    profile,
  }
  const ways: Way[][] = Array.from({ length: words.length + 1 }, () => [])
  ways[0] = [{ freeMs: 0, cost: 0, before: null, draft: null, startMs: 0, endMs: 0 }]

  stretches.forEach((stretch, index) => {
    for (let from = 0; from < stretch.words.length; from += 1) {
      const at = stretch.first + from
      const here = ways[at] ?? []
      for (const draft of draftsFrom(stretch, from, stretches[index + 1]))
        for (const way of here) show(way, draft, ways[draft.to] ?? [], times)
      // Earlier ways are still reached through `before`.
      ways[at] = []
    }
  })
  const [best] = (ways[words.length] ?? []).toSorted((a, b) => a.cost - b.cost)
  return cuesOf(best ?? null, { ...times, hasVoices })
}

function stretchesOf(
  turns: readonly Turn[],
  {
    profile,
    nameOf,
    hasVoices,
  }: {
    profile: CueProfile
    nameOf: (speaker: number | null) => string | null
    hasVoices: boolean
  },
): Stretch[] {
  const runs = turns
    .toSorted((a, b) => a.startMs - b.startMs)
    .map(({ speaker, words }) => ({ speaker, words: heard(words, profile) }))
    .filter(({ words }) => words.length > 0)
  const said: { speaker: number | null; words: Word[] }[] = []
  for (const { speaker, words } of takingTurns(runs, { profile, nameOf })) {
    const last = said.at(-1)
    if (last && last.speaker === speaker) last.words.push(...words)
    else said.push({ speaker, words: [...words] })
  }
  let first = 0
  return said.map(({ speaker, words }) => {
    const name = nameOf(speaker)
    const label = name === null || hasVoices ? null : labelOf(name, profile)
    const stretch = {
      speaker,
      name,
      label,
      hasVoices,
      first,
      words,
      ...placesOf(words, profile),
      costs: breakCosts(words),
      labelWidth: label === null ? 0 : widthOf(`${label} `, profile.isWide),
      nextMs: Infinity,
      profile,
    }
    first += words.length
    return stretch
  })
}

/** When each word is said; never before the one in front of it. */
function anchorsOf(words: readonly Word[]): number[] {
  let reachedMs = 0
  return words.map(({ startMs }) => (reachedMs = Math.max(reachedMs, startMs)))
}

/** Every cue that can begin with a word. */
function* draftsFrom(stretch: Stretch, from: number, next: Stretch | undefined): Generator<Draft> {
  const { words, profile, speaker, name, first } = stretch
  const longestMs = profile.longestMs ?? LONGEST_MADE_MS
  const startMs = words[from]?.startMs ?? 0
  for (let to = from + 1; to <= words.length; to += 1) {
    const layout = lay(stretch, { from, to })
    const isLonger = (words[to - 1]?.endMs ?? 0) - startMs > longestMs
    if (to > from + 1 && (layout === null || isLonger)) return
    const laid = laidOut(words, { from, to, label: stretch.label, layout })
    const { characters } = readIn(laid.lines, profile)
    yield drafted(
      { from: first + from, to: first + to, speaker, name, ...laid },
      stretch,
      (layout?.cost ?? 0) +
        (stretch.costs[to - 1] ?? 0) +
        SCRAP_COST * scrapOf(characters, profile) +
        pausesIn(words.slice(from, to)),
    )
  }
  if (next) yield* sharedFrom(stretch, from, next)
}

/** The rest of what one speaker says, and the beginning of the answer: a line for each. */
function* sharedFrom(stretch: Stretch, from: number, next: Stretch): Generator<Draft> {
  const { profile } = stretch
  const isNamed = stretch.label !== null || next.label !== null
  const prefix = ({ label }: Stretch) => (label === null ? 2 : widthOf(`${label} `, profile.isWide))
  const fits = (one: Stretch, a: number, b: number) =>
    prefix(one) + widthIn(one, { from: a, to: b }) <= profile.lineCharacters
  // A name in the middle of what somebody says would be one too many.
  if ((isNamed && from !== 0) || !fits(stretch, from, stretch.words.length)) return
  const longestMs = profile.longestMs ?? LONGEST_MADE_MS
  const startMs = stretch.words[from]?.startMs ?? 0
  for (let to = 1; to <= next.words.length && fits(next, 0, to); to += 1) {
    if ((next.words[to - 1]?.endMs ?? 0) - startMs > longestMs) return
    const all = [...stretch.words.slice(from), ...next.words.slice(0, to)]
    yield drafted(
      {
        from: stretch.first + from,
        to: next.first + to,
        speaker: stretch.speaker,
        name: null,
        label: null,
        lines: [textOf(stretch.words.slice(from)), textOf(next.words.slice(0, to))],
        voices: [stretch.name, next.name],
      },
      stretch,
      SHARED_COST + (next.costs[to - 1] ?? 0) + pausesIn(all),
    )
  }
}

function drafted(
  draft: Omit<Draft, 'readMs' | 'leastMs' | 'cost'>,
  { profile, hasVoices }: Pick<Stretch, 'profile' | 'hasVoices'>,
  cost: number,
): Draft {
  const { readingMs, shortestMs } = profile
  const readMs = Math.ceil(readingMs(readIn(shownLines(draft, hasVoices), profile)))
  const leastMs = Math.max(GLIMPSE_MS, shortestMs ?? 0, readMs)
  return { ...draft, readMs, leastMs, cost: CUE_COST + cost }
}

/** A caption that is there before its words gives them away. */
function pausesIn(words: readonly Word[]): number {
  let cost = 0
  for (let at = 1; at < words.length; at += 1) {
    const pauseMs = (words[at]?.startMs ?? 0) - (words[at - 1]?.endMs ?? 0)
    if (pauseMs > 600) cost += (PAUSE_COST * pauseMs) / 1000
  }
  return cost
}

interface Times {
  words: readonly Word[]
  anchors: readonly number[]
  /** When the speech that each word belongs to stops. */
  stops: readonly number[]
  recordingEndMs: number
  profile: CueProfile
}

/** Adds the ways on, when this cue comes next: with all the time it takes, or with what there is. */
function show(
  way: Way,
  draft: Draft,
  ways: Way[],
  { words, anchors, stops, recordingEndMs, profile }: Times,
): void {
  const { gapMs, earlyMs, lateMs } = profile
  const hangMs = profile.hangMs ?? Infinity
  const saidMs = anchors[draft.from] ?? 0
  const spokenMs = words[draft.to - 1]?.endMs ?? 0
  const isLast = draft.to === words.length
  const nextMs = isLast ? recordingEndMs + gapMs : (anchors[draft.to] ?? Infinity)
  const onTime = Math.max(way.freeMs, saidMs)
  const early = Math.max(way.freeMs, saidMs - earlyMs)
  const isHurried = onTime + draft.leastMs > nextMs - gapMs
  for (const startMs of isHurried && early < onTime ? [onTime, early] : [onTime]) {
    const leastMs = startMs + draft.leastMs
    const fullMs = Math.max(leastMs, Math.min(Math.max(spokenMs, leastMs), nextMs - gapMs))
    // In time for the next one, and too short itself.
    const shortMs = Math.max(startMs + GLIMPSE_MS, nextMs - gapMs)
    const ends = [fullMs]
    if (shortMs < leastMs) ends.push(shortMs)
    // As soon as it has been read, so that the next one can come before its words.
    if (!isLast && leastMs < fullMs) ends.push(Math.max(leastMs, nextMs - earlyMs - gapMs))
    for (const endMs of ends) {
      const lengthMs = endMs - startMs
      const rules =
        Number(lengthMs < draft.readMs) +
        Number(lengthMs < (profile.shortestMs ?? 0)) +
        Number(endMs - Math.max(stops[draft.to - 1] ?? 0, startMs) > hangMs) +
        Number(!isLast && isFlickering(startMs, endMs, nextMs, profile))
      const isLost = startMs - saidMs > lateMs || endMs > recordingEndMs
      const astrayMs = Math.abs(startMs - saidMs) + Math.max(0, spokenMs - endMs)
      const cost =
        way.cost +
        draft.cost +
        (ASTRAY_COST * astrayMs) / 1000 +
        BREAK_COST * rules +
        LACK_COST * Math.max(0, 1 - lengthMs / draft.leastMs) +
        (isLost ? LOST_COST : 0)
      // To leave the screen before the next cue can come brings nothing.
      const freeMs = Math.max(endMs + gapMs, nextMs - earlyMs)
      if (!isBeaten(ways, freeMs, cost))
        keep(ways, { freeMs, cost, before: way, draft, startMs, endMs })
    }
  }
}

/** Whether the gap before the next cue is one that the eye stumbles over, and cannot be closed. */
function isFlickering(
  startMs: number,
  endMs: number,
  nextMs: number,
  { gapMs, closedGapMs, longestMs }: CueProfile,
): boolean {
  const gap = nextMs - endMs
  const isOpen = gap > gapMs && gap < closedGapMs
  return isOpen && longestMs !== null && nextMs - gapMs - startMs > longestMs
}

/** Whether another way is as cheap and leaves the screen as early. */
function isBeaten(ways: readonly Way[], freeMs: number, cost: number): boolean {
  for (const way of ways) if (way.freeMs <= freeMs && way.cost <= cost) return true
  return false
}

/** Keeps a way in place of those that it beats. */
function keep(ways: Way[], next: Way): void {
  const rest = ways.filter(({ freeMs, cost }) => freeMs < next.freeMs || cost < next.cost)
  ways.length = 0
  ways.push(...rest, next)
  if (ways.length <= MOST_WAYS) return
  // The latest of them is the least use.
  ways.sort((a, b) => a.cost - b.cost)
  ways.length = MOST_WAYS
}

/** The cues on the way to the end. Time that is left over is given to those that can use it. */
function cuesOf(
  end: Way | null,
  { words, stops, recordingEndMs, profile, hasVoices }: Times & { hasVoices: boolean },
): Cue[] {
  const { gapMs, easyReadingMs } = profile
  const hangMs = profile.hangMs ?? Infinity
  const longestMs = profile.longestMs ?? Infinity
  const shortestMs = profile.shortestMs ?? SHORTEST_MADE_MS
  const cues: Cue[] = []
  let nextMs = Infinity
  for (let way = end; way?.draft; way = way.before) {
    const { draft, startMs } = way
    const { from, to, readMs: _read, leastMs: _least, cost: _cost, ...shownAs } = draft
    const spokenMs = words[to - 1]?.endMs ?? 0
    const latestMs = Math.max(
      way.endMs,
      Math.min(
        nextMs - gapMs,
        startMs + longestMs,
        Math.max(stops[to - 1] ?? 0, startMs) + hangMs,
        recordingEndMs,
      ),
    )
    const easyMs =
      startMs + Math.max(shortestMs, easyReadingMs(readIn(shownLines(draft, hasVoices), profile)))
    const wantedMs = Math.min(latestMs, Math.max(way.endMs, spokenMs, Math.ceil(easyMs)))
    const endMs = endBefore({ wantedMs, latestMs, nextMs, leastMs: way.endMs }, profile)
    cues.push({ ...shownAs, startMs, endMs, words: words.slice(from, to) })
    nextMs = startMs
  }
  return cues.toReversed()
}
