/** Marks in a text what is being said, and keeps it in sight: in the app and on shared pages. */
import { type WordPlace, placeAt, turnIndexAt } from '#features/text/ui/word-places.ts'
import type { Player } from '#web/player.ts'

import { type Letters, mark, unmark } from './highlights.ts'

/**
 * A word is out of sight when it is nearer than this to the top of the window, or to the player. A
 * page whose top covers less says so.
 */
const TOP_PX = 180
const BELOW_PX = 68
/** A player that does not tell its height (see player-bar.tsx) is so high. */
const PLAYER_PX = 72
const pagePx = (name: string) =>
  Number.parseFloat(document.documentElement.style.getPropertyValue(name)) || 0
/** How much of the top is covered, also by a picture (see player/picture.tsx). */
const topPx = () =>
  (pagePx('--covered-top') || TOP_PX) + pagePx('--strip-height') + pagePx('--picture-height')
/** How much of the bottom a sheet covers (see side-panel.tsx). */
const sheetPx = () => pagePx('--sheet-height')
const bottomPx = () => BELOW_PX + (pagePx('--player-height') || PLAYER_PX) + sheetPx()

/** Calls `onMove` with the turn that is said, and its word, whenever it is another one. */
export function follow(
  list: HTMLElement,
  player: Player,
  {
    turns,
    places,
    onMove,
  }: {
    turns: readonly { start: number }[]
    places: readonly WordPlace[]
    onMove: (turn: number, word: WordPlace | undefined) => void
  },
): () => void {
  let word: WordPlace | undefined
  let turn = -2
  let isListening = false
  const stop = player.onTick((seconds) => {
    const nextWord = placeAt(places, seconds * 1000)
    const nextTurn = nextWord?.turn ?? turnIndexAt(turns, seconds)
    if (nextWord === word && nextTurn === turn) return
    // Before somebody plays or presses a word, none is meant. It may be the very first one.
    const isMeant = isListening || seconds > 0
    if (nextTurn !== turn) {
      turnElement(list, turn)?.removeAttribute('data-now')
      if (nextTurn >= 0 && isMeant) turnElement(list, nextTurn)?.setAttribute('data-now', '')
    }
    word = nextWord
    turn = isMeant ? nextTurn : -2
    mark('now', list, nextWord && isMeant ? [nextWord] : [])
    // A text that is opened does not scroll, nor one whose words have changed.
    if (isListening && seconds > 0) onMove(nextTurn, nextWord)
  })
  isListening = true
  return () => {
    stop()
    unmark('now')
    turnElement(list, turn)?.removeAttribute('data-now')
  }
}

export const turnElement = (list: HTMLElement | null, turn: number): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-turn="${turn}"]`) ?? null

/** Marks what is asked about, and its turn, until it is called back. */
export function markAsked(
  list: HTMLElement | null,
  place: number,
  letters: readonly Letters[],
): () => void {
  const turn = turnElement(list, place)
  mark('asked', list, letters)
  turn?.setAttribute('data-asked', '')
  return () => {
    unmark('asked')
    turn?.removeAttribute('data-asked')
  }
}

/** Where a turn begins for who goes to it: with the chapter that stands above it. */
export const headOf = (turn: HTMLElement): Element => {
  const before = turn.previousElementSibling
  return before?.matches('[data-chapter]') ? before : turn
}

export function isInSight({ top, bottom }: DOMRect): boolean {
  return top >= topPx() && bottom <= window.innerHeight - bottomPx()
}

/** Whether some of it can be read. */
export const isPartlyInSight = ({ top, bottom }: DOMRect): boolean =>
  bottom > topPx() && top < window.innerHeight - bottomPx() + BELOW_PX

/** The head of a result is above the row of tabs only at the very top. */
const HEAD_PX = 52

/**
 * A turn that a strip covers at the very top cannot be scrolled out from under it: the text makes room.
 */
function makeRoom(what: Element | Range): void {
  if (pagePx('--strip-height') === 0) return
  const within = what instanceof Range ? what.startContainer.parentElement : what
  const turn = within?.closest<HTMLElement>('[data-turn]')
  const { top } = (turn ? headOf(turn) : what).getBoundingClientRect()
  const missing = topPx() + HEAD_PX - (top + window.scrollY)
  if (missing <= 0) return
  const { style } = document.documentElement
  style.setProperty('--strip-room', `${pagePx('--strip-room') + missing}px`)
}

export function scrollTo(what: Element | Range): void {
  makeRoom(what)
  const { top, height } = what.getBoundingClientRect()
  const inSight = Math.max(0, window.innerHeight - topPx() - bottomPx())
  const above = topPx() + Math.max(0, (inSight - Math.min(height, inSight)) / 3)
  const distance = top - above
  // A smooth scroll through hours of text takes long, and ends in the wrong place because the turns
  // on the way have no real height yet.
  const isFar = Math.abs(distance) > 1.5 * window.innerHeight
  window.scrollBy({ top: distance, behavior: isFar ? 'instant' : 'auto' })
}
