import type { Barred, Veil } from '#shared/bars.ts'

import type { WordTurn } from '../contract.ts'
import { type PlacedWord, packWords, unpackWords } from '../packed-words.ts'

type Turn = Pick<WordTurn, 'text' | 'start' | 'words'>

/**
 * The turns as others read and hear them: each bar is one word, with the time of all it stands for. A
 * turn without bars is the same object.
 */
export function turnsForOthers<One extends Turn>(
  turns: readonly One[],
  veil: Veil,
): readonly One[] {
  const bars = barsInEach(
    turns.map(({ text }) => text),
    veil,
  )
  if (bars.every(({ length }) => length === 0)) return turns
  return turns.map((turn, at) => withBars(turn, bars[at] ?? []))
}

/** Of each of these texts, which follow each other: a name may begin in one and end in the next. */
function barsInEach(texts: readonly string[], { barsIn }: Veil): Barred[][] {
  const all: Barred[][] = texts.map(() => [])
  const begins: number[] = []
  let whole = ''
  for (const text of texts) {
    begins.push(whole.length)
    whole += `${text}\n`
  }
  let next = 0
  for (const bar of barsIn(whole)) {
    while ((begins[next + 1] ?? Infinity) <= bar.from) next += 1
    for (let at = next; (begins[at] ?? Infinity) < bar.to; at += 1) {
      const begin = begins[at] ?? 0
      const from = Math.max(0, bar.from - begin)
      const to = Math.min((texts[at] ?? '').length, bar.to - begin)
      if (from < to) all[at]?.push({ ...bar, from, to })
    }
  }
  return all
}

function withBars<One extends Turn>(turn: One, bars: readonly Barred[]): One {
  if (bars.length === 0) return turn
  let text = ''
  let end = 0
  // Where each bar stands in the new text, and by how much what follows it is moved.
  const placed = bars.map(({ from, to, mark }) => {
    text += turn.text.slice(end, from) + mark
    end = to
    return { from, to, at: text.length - mark.length, next: text.length, moved: text.length - to }
  })
  text += turn.text.slice(end)
  const words: PlacedWord[] = []
  let before: (typeof placed)[number] | undefined
  for (const word of unpackWords(turn)) {
    const bar = placed.find(({ from, to }) => word.from < to && word.to > from)
    const last = words.at(-1)
    if (!bar) {
      const { moved = 0 } = placed.findLast(({ to }) => to <= word.from) ?? {}
      words.push({ ...word, from: word.from + moved, to: word.to + moved })
    } else if (bar === before && last) last.endMs = Math.max(last.endMs, word.endMs)
    else words.push({ ...word, from: bar.at, to: bar.next })
    before = bar
  }
  return { ...turn, text, words: packWords(words, Math.round(turn.start * 1000)) }
}
