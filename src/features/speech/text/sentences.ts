/**
 * Adds capitals and full stops to the words of an engine that writes neither. Pauses decide where a
 * sentence ends. It knows American English, which the only such engine recognises.
 */
import type { Word } from '../engines/engine.ts'
import { withNumbers } from './numbers.ts'

/**
 * How long a pause must be to end a sentence, before words that never, sometimes, often and mostly
 * begin one. The pause shrinks from `fromMs` to `toMs` as the sentence gets longer.
 */
const pauses = {
  never: { fromMs: 900, toMs: 450 },
  sometimes: { fromMs: 450, toMs: 230 },
  often: { fromMs: 230, toMs: 230 },
  mostly: { fromMs: 230, toMs: 120 },
}
const FEWEST_WORDS = 4
const SHRINKS_AFTER_WORDS = 6
const SHRINKS_MS = 20

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** People stop to think after these, but no sentence ends with them. */
const neverLast = list(
  "a an the and or but nor if because when while whereas although unless of to from with into onto at by for in on as than about between through during without upon my your his her its our their whose every each is are was were am be been being has have had do does did will would shall can could may might must should i we they he she you'll i'll we'll they'll he'll she'll it'll i'm you're we're they're i've you've we've they've i'd let's there's mister missus doctor miss saint very quite such which that who not",
)
const neverFirst = list('which whose whom of than')
const oftenFirst = list("that that's it it's what how where who when if please the my let's")
const mostlyFirst = list(
  "i i'm i've i'll i'd you you'll you're you've we we'll we're we've they they're they'll he he's he'd she she's she'd this there there's and but so then now well yes yeah no okay why thanks thank oh",
)

export function withSentences(heard: readonly Word[]): Word[] {
  const words = withNumbers(heard)
  let length = 0
  let isStart = true
  return words.map((word, index) => {
    const next = words[index + 1]
    length += 1
    const isEnd = next === undefined || endsSentence(word, next, length)
    const text = spelled(word.text)
    const isName = index > 0 && /^(mister|missus|doctor)$/.test(words[index - 1]?.text ?? '')
    const read = `${isStart || isName ? capital(text) : text}${isEnd && !text.endsWith('.') ? '.' : ''}`
    isStart = isEnd
    if (isEnd) length = 0
    return { ...word, text: read }
  })
}

function endsSentence(word: Word, next: Word, length: number): boolean {
  if (length < FEWEST_WORDS || neverLast.has(word.text)) return false
  return next.startMs - word.endMs >= pauseWanted(next, length)
}

function pauseWanted(next: Word, length: number): number {
  const { fromMs, toMs } = pauses[howOftenFirst(next.text)]
  return Math.max(toMs, fromMs - Math.max(0, length - SHRINKS_AFTER_WORDS) * SHRINKS_MS)
}

function howOftenFirst(word: string): keyof typeof pauses {
  if (mostlyFirst.has(word)) return 'mostly'
  if (oftenFirst.has(word)) return 'often'
  return neverFirst.has(word) ? 'never' : 'sometimes'
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const spellings: Readonly<Record<string, string>> = {
  mister: 'Mr.',
  missus: 'Mrs.',
  ...Object.fromEntries(
    (
      "i i'm i'll i've i'd monday tuesday wednesday thursday friday saturday sunday january " +
      'february april june july august september october november december english american ' +
      'british french german spanish america england london europe'
    )
      .split(' ')
      .map((word) => [word, capital(word)]),
  ),
}

/** Gives a capital to words that always have one; other names stay as the engine wrote them. */
const spelled = (text: string): string => spellings[text] ?? text.replace(/^i'/, "I'")
