/** Words that are selected in a text: which letters they are, when they were said, and as a quote. */
import type { WordTurn } from '#features/text/contract.ts'
import { turnIndexAt } from '#features/text/ui/word-places.ts'
import type { WordPlace } from '#features/text/ui/word-places.ts'
import { UNSPACED } from '#shared/fold.ts'
import { formatTime } from '#shared/format.ts'
import type { Formatted } from '#web/clipboard.ts'
import { passagePath } from '#web/paths.ts'

import { type Letters, letterIn, lettersOf } from './highlights.ts'

export interface SelectedWords {
  /** In each of the turns, in order. */
  letters: readonly Letters[]
  /** In seconds. */
  start: number
  end: number
}

/** A letter of a word in a writing that puts spaces between its words. */
const letter = new RegExp(`[\\p{L}\\p{M}\\p{N}'’-]`, 'u')
const unspaced = new RegExp(`[${UNSPACED}]`, 'u')

/** Whether a word goes on over this place: a drag often ends within one. */
function isWithinWord(text: string, at: number): boolean {
  const [before = '', after = ''] = [text[at - 1], text[at]]
  return [before, after].every((sign) => letter.test(sign) && !unspaced.test(sign))
}

/** The letters of turns that a range covers, in whole words; what is selected beside them is left out. */
export function lettersIn(list: HTMLElement, range: Range): Letters[] {
  return [...list.querySelectorAll<HTMLElement>('[data-turn-text]')].flatMap((text) => {
    if (text.hidden || !range.intersectsNode(text)) return []
    const written = writtenIn(text)
    const { startContainer, endContainer } = range
    const from = text.contains(startContainer)
      ? letterIn(text, startContainer, range.startOffset)
      : 0
    const to = text.contains(endContainer)
      ? letterIn(text, endContainer, range.endOffset)
      : written.length
    const said = written.slice(from, to)
    // A space at its end is no part of what was said.
    let begin = from + (said.length - said.trimStart().length)
    let end = from + said.trimEnd().length
    if (end <= begin) return []
    while (isWithinWord(written, begin)) begin -= 1
    while (isWithinWord(written, end)) end += 1
    return [{ turn: Number(text.dataset['turnText']), from: begin, to: end }]
  })
}

/** The letters of a turn. What a bar stands for is one word. */
const writtenIn = (text: HTMLElement): string =>
  [...text.childNodes]
    .map((part) => (part instanceof Text ? part.data : 'x'.repeat(lettersOf(part))))
    .join('')

/** When these letters were said; null where there are none. */
export function wordsOf(
  letters: readonly Letters[],
  { turns, places }: { turns: readonly WordTurn[]; places: readonly WordPlace[] },
): SelectedWords | null {
  const [first] = letters
  const last = letters.at(-1)
  const [firstTurn, lastTurn] = [turns[first?.turn ?? -1], turns[last?.turn ?? -1]]
  if (!first || !last || !firstTurn || !lastTurn) return null
  const begins = places.find((word) => word.turn === first.turn && word.to > first.from)
  const ends = places.findLast((word) => word.turn === last.turn && word.from < last.to)
  return {
    letters,
    start: begins ? begins.startMs / 1000 : firstTurn.start,
    end: ends ? ends.endMs / 1000 : lastTurn.end,
  }
}

/** The letters that were said from one second to another. */
export function lettersSaid(
  { turns, places }: { turns: readonly WordTurn[]; places: readonly WordPlace[] },
  { start, end }: { start: number; end: number },
): Letters[] {
  // Seconds in an address have one digit after the point.
  const said = places.filter(
    ({ startMs, endMs }) => endMs > start * 1000 + 50 && startMs < end * 1000 - 50,
  )
  if (said.length === 0) {
    const turn = turnIndexAt(turns, start)
    const { text } = turns[turn] ?? { text: '' }
    return text === '' ? [] : [{ turn, from: 0, to: text.length }]
  }
  const letters: Letters[] = []
  for (const { turn, from, to } of said) {
    const last = letters.at(-1)
    if (last?.turn === turn) last.to = to
    else letters.push({ turn, from, to })
  }
  return letters
}

/** To one decimal, as seconds stand in an address. */
const inTenths = (seconds: number): number => Math.round(seconds * 10) / 10

export const linkTo = (id: string, { start, end }: SelectedWords): string =>
  `${location.origin}${passagePath(id, { at: inTenths(start), to: inTenths(end) })}`

/** The same on a page that others open. */
export const linkInto = (page: string, { start, end }: SelectedWords): string =>
  `${page}#t=${inTenths(start)},${inTenths(end)}`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** “Eight hours a reel.” (Ben Okafor, 0:26), turn by turn; with the link where formatting is taken. */
export function quoteOf(
  { letters, ...said }: SelectedWords,
  {
    id,
    turns,
    nameIn,
  }: { id: string; turns: readonly WordTurn[]; nameIn: (turn: WordTurn) => string | null },
): Formatted {
  const link = linkTo(id, { letters, ...said })
  const lines = letters.flatMap(({ turn, from, to }, index) => {
    const spoken = turns[turn]
    if (!spoken) return []
    const at = formatTime(index === 0 ? said.start : spoken.start)
    const name = nameIn(spoken)
    return {
      quote: `“${spoken.text.slice(from, to)}”`,
      source: name === null ? at : `${name}, ${at}`,
    }
  })
  return {
    plain: lines.map(({ quote, source }) => `${quote} (${source})`).join('\n'),
    html: lines
      .map(
        ({ quote, source }) =>
          `<p>${escaped(quote)} (<a href="${escaped(link)}">${escaped(source)}</a>)</p>`,
      )
      .join(''),
  }
}
