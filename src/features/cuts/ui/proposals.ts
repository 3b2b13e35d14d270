/**
 * Finds what a speaker might want out of a recording: hesitations, words said twice, beginnings that were
 * given up, and long pauses. Nothing is cut by this. Pure.
 */
import { isTitle, sentenceEnd } from '#features/speech/contract.ts'
import type { WordTurn } from '#features/text/contract.ts'
import type { WordPlace } from '#features/text/ui/word-places.ts'

import { type Range, isCut } from '../ranges.ts'
import { type Habits, habits } from './spoken-habits.ts'

export const kinds = ['um', 'repeat', 'pause'] as const
export type Kind = (typeof kinds)[number]

export type Proposal = { startMs: number; endMs: number } & (
  | { kind: 'um' | 'repeat'; words: readonly WordPlace[] }
  | { kind: 'pause'; range: Range; afterTurn: number }
)

/** A pause of this length is long. */
export const LONG_PAUSE_MS = 1_500
/** So many words in a row may be said twice. */
const LONGEST_REPEAT = 4
/** Who says the same after a longer pause means it. */
const REPEAT_GAP_MS = 1_500

interface Text {
  turns: readonly Pick<WordTurn, 'text'>[]
  places: readonly WordPlace[]
}

export function proposalsIn(
  text: Text,
  {
    language,
    list,
    keptPauseMs,
  }: {
    /** ISO 639-1 of what is spoken; null where nobody knows. */
    language: string | null
    /** The cuts there are. */
    list: readonly Range[]
    /** How much of a long pause stays. */
    keptPauseMs: number
  },
): Proposal[] {
  const known = habits[language ?? '']
  const found = [
    ...(known ? hesitations(text, known) : []),
    ...repeats(text, known),
    ...pauses(text, keptPauseMs),
  ]
  return found
    .filter((each) => !isCut(list, each))
    .toSorted((a, b) => a.startMs - b.startMs || b.endMs - a.endMs)
}

/** Without marks and capitals. */
const bare = (word: string): string =>
  word
    .normalize('NFC')
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

interface Spoken {
  place: WordPlace
  word: string
  /** With the marks up to the next word. */
  written: string
  /** Whether a sentence begins with it. */
  isFirst: boolean
}

/** The words of each turn. */
function spokenIn({ turns, places }: Text): Spoken[][] {
  const byTurn: WordPlace[][] = []
  for (const place of places) (byTurn[place.turn] ??= []).push(place)
  return byTurn.filter(Boolean).map((words) =>
    words.map((place, at) => {
      const text = turns[place.turn]?.text ?? ''
      const before = text.slice(words[at - 1]?.from, place.from)
      return {
        place,
        word: bare(text.slice(place.from, place.to)),
        written: text.slice(place.from, words[at + 1]?.from),
        isFirst: at === 0 || isEnd(before),
      }
    }),
  )
}

/** Whether a sentence ends with this word; what opens the next one may follow. */
function isEnd(written: string): boolean {
  const word = written.replace(/[\s\p{Ps}\p{Pi}"']+$/u, '')
  return sentenceEnd.test(word) && !isTitle(word)
}

/** Without these the sentence that they are in would have no end. */
const isTail = (spoken: readonly Spoken[]): boolean =>
  !spoken[0]?.isFirst && spoken.some(({ written }) => isEnd(written))

const proposed = (kind: 'um' | 'repeat', spoken: readonly Spoken[]): Proposal => {
  const words = spoken.map(({ place }) => place)
  return {
    kind,
    words,
    startMs: Math.min(...words.map(({ startMs }) => startMs)),
    endMs: Math.max(...words.map(({ endMs }) => endMs)),
  }
}

const isSetOff = (spoken: Spoken | undefined): boolean =>
  spoken === undefined || /[,;.!?…—–-]\s*$/.test(spoken.written)

/** In capitals it is a short name: "the ER". */
const isSound = (spoken: Spoken | undefined, sounds: readonly string[]): boolean =>
  spoken !== undefined && sounds.includes(spoken.word) && !/^\p{Lu}{2,}/u.test(spoken.written)

function hesitations(text: Text, { sounds, phrases = [] }: Habits): Proposal[] {
  const known = phrases.map((phrase) => phrase.split(' '))
  return spokenIn(text).flatMap((words) => {
    const found: Proposal[] = []
    for (let at = 0; at < words.length;) {
      const phrase = known.find((each) => each.every((word, n) => words[at + n]?.word === word))
      const isPhrase =
        phrase &&
        isSetOff(words[at - 1]) &&
        /,\s*$/.test(words[at + phrase.length - 1]?.written ?? '')
      const length = isPhrase ? phrase.length : isSound(words[at], sounds) ? 1 : 0
      if (length > 0) found.push(proposed('um', words.slice(at, at + length)))
      at += Math.max(1, length)
    }
    return found
  })
}

/**
 * What is said twice in a row, and a word that was broken off; the first of them is proposed. What ends a
 * sentence that began before it stays.
 */
function repeats(text: Text, known: Habits | undefined): Proposal[] {
  const small = new Set(known?.small)
  return spokenIn(text).flatMap((words) => {
    // "I, um, I would": between the two is only what says nothing.
    const said = words.filter(({ word }) => word !== '' && !known?.sounds.includes(word))
    const found: Proposal[] = []
    for (let at = 0; at < said.length;) {
      const length = lengthOfRepeat(said, at, small)
      if (length > 0) found.push(proposed('repeat', said.slice(at, at + length)))
      at += Math.max(1, length)
    }
    return found
  })
}

function lengthOfRepeat(said: readonly Spoken[], at: number, small: ReadonlySet<string>): number {
  for (let length = LONGEST_REPEAT; length > 0; length -= 1) {
    const [first, second] = [said.slice(at, at + length), said.slice(at + length, at + 2 * length)]
    const [last, next] = [first.at(-1), second[0]]
    if (second.length < length || !last || !next) continue
    if (next.place.startMs - last.place.endMs > REPEAT_GAP_MS) continue
    if (!first.every(({ word }, n) => word === second[n]?.word) || isTail(first)) continue
    // A number is said twice because it has two equal parts.
    if (first.some(({ word }) => /\p{N}/u.test(word))) continue
    const isOneWord = first.every(({ word }) => word === last.word)
    if (!isOneWord || small.has(last.word)) return length
  }
  const [broken, whole] = [said[at], said[at + 1]]
  const isBroken =
    broken &&
    whole &&
    !isTail([broken]) &&
    /\p{L}[-—–]\s*$/u.test(broken.written) &&
    whole.word !== broken.word &&
    whole.word.startsWith(broken.word)
  return isBroken ? 1 : 0
}

/** Of each long pause, all but so much; both ends stay. */
function pauses({ places }: Text, keptMs: number): Proposal[] {
  const found: Proposal[] = []
  let last: WordPlace | undefined
  for (const place of places.toSorted((a, b) => a.startMs - b.startMs)) {
    if (last && place.startMs - last.endMs >= LONG_PAUSE_MS) {
      const range = {
        startMs: last.endMs + Math.floor(keptMs / 2),
        endMs: place.startMs - Math.ceil(keptMs / 2),
      }
      found.push({ kind: 'pause', ...range, range, afterTurn: last.turn })
    }
    if (!last || place.endMs > last.endMs) last = place
  }
  return found
}
