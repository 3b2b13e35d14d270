/**
 * Marks words with the browser's Custom Highlight API: ranges over the text of the turns. So no
 * word needs its own element, and React draws nothing while the recording plays. Where a browser
 * has no highlights, the turn that is being said is still marked (`data-now`).
 */

export type Mark = 'now' | 'hit' | 'hit-now' | 'check' | 'asked'

export interface Letters {
  turn: number
  from: number
  to: number
}

const canMark = typeof CSS !== 'undefined' && 'highlights' in CSS

/** The element of a turn's text; the text is its only child. */
const textOf = (list: HTMLElement | null, turn: number): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-turn-text="${turn}"]`) ?? null

export const rangeOf = (list: HTMLElement | null, place: Letters): Range | null =>
  rangeIn(textOf(list, place.turn), place)

function rangeIn(text: HTMLElement | null | undefined, { from, to }: Letters): Range | null {
  const node = text?.firstChild
  if (!(node instanceof Text) || to > node.length || from >= to) return null
  const range = document.createRange()
  range.setStart(node, from)
  range.setEnd(node, to)
  return range
}

/**
 * Finds the elements of turns. Each search goes through the whole page, so many share one search.
 */
function textsFor(list: HTMLElement | null, count: number) {
  if (count < 10) return (turn: number) => textOf(list, turn)
  const all = new Map<number, HTMLElement>()
  for (const element of list?.querySelectorAll<HTMLElement>('[data-turn-text]') ?? [])
    all.set(Number(element.dataset['turnText']), element)
  return (turn: number) => all.get(turn)
}

/** Replaces all marks of this kind. Places whose turn is not in the page are left out. */
export function mark(name: Mark, list: HTMLElement | null, places: readonly Letters[]): void {
  if (!canMark) return
  const texts = textsFor(list, places.length)
  const ranges = places
    .map((place) => rangeIn(texts(place.turn), place))
    .filter((range) => range !== null)
  if (ranges.length === 0) {
    CSS.highlights.delete(name)
    return
  }
  CSS.highlights.set(name, new Highlight(...ranges))
}

export function unmark(...names: Mark[]): void {
  if (canMark) for (const name of names) CSS.highlights.delete(name)
}

/** Which letter of which turn lies at a point of the window. */
export function letterAt(x: number, y: number): { turn: number; offset: number } | null {
  const place = caretAt(x, y)
  const text = place?.node.parentElement?.closest<HTMLElement>('[data-turn-text]')
  if (!place || !text) return null
  return { turn: Number(text.dataset['turnText']), offset: place.offset }
}

function caretAt(x: number, y: number): { node: Node; offset: number } | null {
  if ('caretPositionFromPoint' in document) {
    const position = document.caretPositionFromPoint(x, y)
    return position ? { node: position.offsetNode, offset: position.offset } : null
  }
  const range = (document as Document).caretRangeFromPoint(x, y)
  return range ? { node: range.startContainer, offset: range.startOffset } : null
}
