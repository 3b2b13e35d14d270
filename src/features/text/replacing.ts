/**
 * Replaces what stands at some places of a turn. Words around them keep their times. The new words
 * take the time of those that they replace, from the start of the first to the end of the last.
 * Pure.
 */
import type { Word } from '#features/speech/contract.ts'
import { type Hit, type Wanted, asWritten, hitsOf } from '#shared/hits.ts'
import { wordsIn } from '#shared/written.ts'

import { placesIn } from './places.ts'

/** An empty `replaceWith` takes the hits out. */
export interface Replacement extends Wanted {
  replaceWith: string
}

interface Said {
  text: string
  words: Word[]
  startMs: number
  endMs: number
}

interface Replaced {
  text: string
  words: Word[]
  /** Hits that were looked at, and those of them that did not read as wanted already. */
  found: number
  replaced: number
  /** Then nothing was replaced: the text would have more letters than it may have. */
  isTooLong: boolean
}

/**
 * Answers a function that makes the replacement in a turn. `at`: only hits that begin at these
 * places of the text. `most`: how many letters the text may have afterwards. They are counted
 * before anything is written, because two hundred letters in the place of each one would fill all
 * memory.
 */
export function replacer(
  replacement: Replacement,
): (said: Said, how?: { at?: readonly number[] | undefined; most?: number }) => Replaced {
  const find = hitsOf(replacement)
  return (said, { at, most = Infinity } = {}) => {
    const hits = find(said.text).filter(([from]) => at === undefined || at.includes(from))
    const changes = hits
      .map((hit): Change => {
        const before = said.text.slice(...hit)
        return { hit, before, after: asWritten(before, replacement) }
      })
      .filter(({ before, after }) => before !== after)
    const more = changes.reduce((sum, { before, after }) => sum + after.length - before.length, 0)
    const isTooLong = more > 0 && said.text.length + more > most
    const made = isTooLong ? [] : changes
    return { ...change(said, made), found: hits.length, replaced: made.length, isTooLong }
  }
}

interface Change {
  hit: Hit
  before: string
  after: string
}

/** Hits in the same words, and which words those are: from the first to before the second number. */
interface Group {
  changes: Change[]
  from: number
  to: number
}

function change({ text, words, startMs, endMs }: Said, changes: readonly Change[]) {
  if (changes.length === 0) return { text, words }
  const places = placesIn(text, words)
  let written = ''
  let read = 0
  const said: Word[] = []
  let next = 0
  for (const group of grouped(changes, places)) {
    const [first, last] = [group.changes[0], group.changes.at(-1)]
    if (!first || !last) continue
    const start = Math.min(first.hit[0], places[group.from]?.from ?? Infinity)
    const end = Math.max(last.hit[1], group.to > group.from ? (places[group.to - 1]?.to ?? 0) : 0)
    const old = words.slice(group.from, group.to)
    written += text.slice(read, start)
    said.push(...words.slice(next, group.from))
    const now = rewritten(text, [start, end], group.changes)
    read = end
    next = group.to
    if (/[\p{L}\p{N}]/u.test(now) || last.after !== '') {
      written += now
      const fromMs = old[0]?.startMs ?? said.at(-1)?.endMs ?? startMs
      const toMs = Math.max(fromMs, ends(old) ?? words[next]?.startMs ?? endMs)
      said.push(...timed(wordsIn(now), old, { fromMs, toMs }))
      continue
    }
    // Signs that stood around what was taken out go to the words beside it.
    const opening = text.slice(start, first.hit[0]).trim()
    const closing = text.slice(last.hit[1], end).trim()
    const isPair = opening !== '' && closing !== ''
    const before = said.at(-1)
    const sign = isPair ? closing.replace(/^[\p{Pe}\p{Pf}"']+/u, '') : closing
    if (before && sign !== '') {
      const add = (to: string) => `${to.trimEnd().replace(/[,;:]$/, '')}${sign}`
      written = add(written)
      said[said.length - 1] = { ...before, text: add(before.text) }
    }
    if (isPair) continue
    written += opening
    if (opening !== '') read += /^\s*/.exec(text.slice(end))?.[0].length ?? 0
  }
  written += text.slice(read)
  said.push(...words.slice(next))
  return { text: written.replace(/\s+/g, ' ').trim(), words: said }
}

function grouped(
  changes: readonly Change[],
  places: readonly { from: number; to: number }[],
): Group[] {
  const groups: Group[] = []
  let from = 0
  for (const one of changes) {
    while ((places[from]?.to ?? Infinity) <= one.hit[0]) from += 1
    let to = from
    while ((places[to]?.from ?? Infinity) < one.hit[1]) to += 1
    const last = groups.at(-1)
    if (last && from < last.to) {
      last.changes.push(one)
      last.to = Math.max(last.to, to)
    } else groups.push({ changes: [one], from, to })
  }
  return groups
}

/** The stretch of the text as it reads with the changes. */
function rewritten(text: string, [start, end]: Hit, changes: readonly Change[]): string {
  let now = ''
  let read = start
  for (const { hit, after } of changes) {
    now += text.slice(read, hit[0]) + after
    read = hit[1]
  }
  return now + text.slice(read, end)
}

const ends = (words: readonly Word[]): number | undefined =>
  words.length === 0 ? undefined : Math.max(...words.map(({ endMs }) => endMs))

/** Words in the place of others: one for one, or all of them over the same time. */
function timed(
  tokens: readonly string[],
  old: readonly Word[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Word[] {
  if (tokens.length !== old.length) return spread(tokens, fromMs, toMs)
  return old.map((word, index) => ({ ...word, text: tokens[index] ?? '', confidence: 1 }))
}

/** Words that share a stretch of time by their length. Whoever calls wrote them: they are sure. */
export function spread(tokens: readonly string[], fromMs: number, toMs: number): Word[] {
  const lengths = tokens.map((token) => token.length + 1)
  const whole = lengths.reduce((sum, length) => sum + length, 0)
  let passed = 0
  return tokens.map((text, index) => {
    const startMs = Math.round(fromMs + ((toMs - fromMs) * passed) / whole)
    passed += lengths[index] ?? 0
    const endMs = Math.round(fromMs + ((toMs - fromMs) * passed) / whole)
    return { text, startMs, endMs, confidence: 1 }
  })
}
