/**
 * Marks words with the browser's Custom Highlight API: ranges over the text of the turns. So no
 * word needs its own element, and React draws nothing while the recording plays. Where a browser
 * has no highlights, the turn that is being said is still marked (`data-now`).
 */
import { groupBy } from '#web/group-by.ts'

export type Mark = 'now' | 'hit' | 'hit-now' | 'check' | 'asked' | 'cut' | 'proposed' | 'clip'

export interface Letters {
  turn: number
  from: number
  to: number
}

const canMark = typeof CSS !== 'undefined' && 'highlights' in CSS

/** The element of a turn's text: letters, and bars that stand for some (see with-bars.tsx). */
const textOf = (list: HTMLElement | null, turn: number): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-turn-text="${turn}"]`) ?? null

export const rangeOf = (list: HTMLElement | null, place: Letters): Range | null =>
  rangeIn(textOf(list, place.turn), place)

function rangeIn(text: HTMLElement | null | undefined, { from, to }: Letters): Range | null {
  // A text that is hidden behind its translation has no place on the page.
  if (!text || text.hidden || from >= to) return null
  const range = document.createRange()
  let [begin, hasStart] = [0, false]
  for (const part of text.childNodes) {
    const end = begin + lettersOf(part)
    if (!hasStart && from < end) {
      if (part instanceof Text) range.setStart(part, from - begin)
      else range.setStartBefore(part)
      hasStart = true
    }
    if (hasStart && to <= end) {
      if (part instanceof Text) range.setEnd(part, to - begin)
      else range.setEndAfter(part)
      return range
    }
    begin = end
  }
  return null
}

/** How many letters of the turn a part of its text stands for. */
export const lettersOf = (part: Node): number =>
  part instanceof Text ? part.length : Number((part as HTMLElement).dataset['letters'])

/** Which letter of the turn it is that lies at this place in the element of its text. */
export function letterIn(text: HTMLElement, node: Node, offset: number): number {
  const parts = [...text.childNodes]
  const at = node === text ? offset : parts.findIndex((part) => part.contains(node))
  const before = parts.slice(0, at).reduce((sum, part) => sum + lettersOf(part), 0)
  return node instanceof Text && node.parentNode === text ? before + offset : before
}

/** Replaces all marks of this kind. Places whose turn is not in the page are left out. */
export function mark(name: Mark, list: HTMLElement | null, places: readonly Letters[]): void {
  paint(
    name,
    places.map((place) => rangeOf(list, place)),
  )
}

function paint(name: Mark, found: readonly (Range | null)[]): void {
  if (!canMark) return
  const ranges = found.filter((range) => range !== null)
  if (ranges.length === 0) CSS.highlights.delete(name)
  else CSS.highlights.set(name, highlightOf(name, ranges))
}

function highlightOf(name: Mark, ranges: readonly Range[]): Highlight {
  const highlight = new Highlight(...ranges)
  // Pale letters would not be read on the colours of the others.
  if (name === 'cut') highlight.priority = -1
  return highlight
}

/**
 * Marks that may be thousands. Only those near what is in sight are painted, because the browser goes
 * through all marks of the page whenever one of them, or any text, changes.
 */
export function createNearMarks() {
  const near = new Set<Element>()
  const wanted = new Map<Mark, ReadonlyMap<number, readonly Letters[]>>()
  const draw = (name: Mark) =>
    paint(
      name,
      [...near]
        .flatMap((part) => [...part.querySelectorAll<HTMLElement>('[data-turn-text]')])
        .flatMap((text) =>
          (wanted.get(name)?.get(Number(text.dataset['turnText'])) ?? []).map((place) =>
            rangeIn(text, place),
          ),
        ),
    )
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        near[isIntersecting ? 'add' : 'delete'](target)
      for (const name of wanted.keys()) draw(name)
    },
    { rootMargin: '100% 0px' },
  )
  return {
    /** Replaces all marks of this kind. */
    set: (name: Mark, places: readonly Letters[]) => {
      wanted.set(
        name,
        groupBy(places, ({ turn }) => turn),
      )
      draw(name)
    },
    /** Takes the parts of the list in which turns are. Those it knows already stay as they are. */
    watch: (parts: Iterable<Element>) => {
      for (const part of parts) observer.observe(part)
    },
    end: () => {
      observer.disconnect()
      near.clear()
      unmark(...wanted.keys())
    },
  }
}

export function unmark(...names: Mark[]): void {
  if (canMark) for (const name of names) CSS.highlights.delete(name)
}

/** Selects these letters, as a drag over them does. */
export function selectLetters(list: HTMLElement, letters: Letters): void {
  const range = rangeOf(list, letters)
  if (!range) return
  const { startContainer, startOffset, endContainer, endOffset } = range
  getSelection()?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset)
}

/** Which letter of which turn lies at a point of the window. */
export function letterAt(x: number, y: number): { turn: number; offset: number } | null {
  const place = caretAt(x, y)
  const text = place?.node.parentElement?.closest<HTMLElement>('[data-turn-text]')
  if (!place || !text) return null
  return {
    turn: Number(text.dataset['turnText']),
    offset: letterIn(text, place.node, place.offset),
  }
}

function caretAt(x: number, y: number): { node: Node; offset: number } | null {
  if ('caretPositionFromPoint' in document) {
    const position = document.caretPositionFromPoint(x, y)
    return position ? { node: position.offsetNode, offset: position.offset } : null
  }
  const range = (document as Document).caretRangeFromPoint(x, y)
  return range ? { node: range.startContainer, offset: range.startOffset } : null
}
