import type { RefObject } from 'react'

import type { WordTurn } from '#features/text/contract.ts'
import { besideWord } from '#features/text/ui/word-places.ts'
import type { Player } from '#web/player.ts'

import type { Checking } from '../checking/use-checking.ts'
import { useReadingKeys } from '../keys/use-reading-keys.ts'
import type { Result } from '../result.ts'
import type { Step } from './editor-acts.ts'
import { turnElement } from './following.ts'
import type { Letters } from './highlights.ts'
import type { ShowTurn } from './use-following.ts'

export function focusedTurn(): number | null {
  const element = document.activeElement?.closest<HTMLElement>('[data-turn]')
  return element ? Number(element.dataset['turn']) : null
}

/**
 * A press on a word leaves the focus there, unseen, while the recording plays on and another turn is
 * marked: that one is meant. Who has gone to a turn by keys, or has selected words, means the focus.
 */
export const isLeftBehind = (player: Player | null, { isByKeys }: { isByKeys: boolean }): boolean =>
  player?.getState().isPlaying === true && !isByKeys && getSelection()?.isCollapsed !== false

/** The keys that act on the text. */
export function useTextKeys(
  { text: { words, places, edits }, sound: { player }, view }: Result,
  {
    list,
    checking,
    showTurn,
    currentTurn,
    correct,
    takeStep,
  }: {
    takeStep: Step
    list: RefObject<HTMLElement | null>
    checking: Checking
    showTurn: ShowTurn
    /** The turn that has the focus, or else the one that is being said (see `isLeftBehind`). */
    currentTurn: () => number
    correct: (letters: Letters) => void
  },
): void {
  const { turns } = words
  useReadingKeys({
    replace: edits && (() => view.open({ kind: 'replace' })),
    check: ({ steps }) => {
      if (checking.items.length === 0) return false
      if (checking.isOpen) checking.move(steps)
      else checking.open()
      return true
    },
    turn: ({ steps }) => {
      const next = nextShown(turns, view.only, focusedTurn() ?? -1, steps)
      if (next === null) return false
      showTurn(next)
      turnElement(list.current, next)?.focus({ preventScroll: true })
      return true
    },
    word: ({ steps }) => {
      const place = focusedTurn()
      if (place === null || !player) return false
      const word = besideWord(places, { place, seconds: player.now(), steps })
      if (word) player.seek(word.startMs / 1000)
      return true
    },
    'play-turn': () => {
      const turn = turns[focusedTurn() ?? -1]
      if (!turn || !player) return false
      player.playFrom(turn.start)
      return true
    },
    'edit-turn': () => {
      const place = currentTurn()
      const turn = turns[place]
      if (!turn || !edits) return false
      correct({ turn: place, from: turn.text.length, to: turn.text.length })
      showTurn(place)
      return true
    },
    rename: () => {
      const place = currentTurn()
      const turn = turns[place]
      if (!turn || !edits) return false
      const row = turnElement(list.current, place)
      const from = row?.querySelector<HTMLElement>('[data-name-button]') ?? null
      view.open({ kind: 'name', naming: { speaker: turn.speaker, turn } }, from)
      return true
    },
    undo: edits && (() => void takeStep('undo')),
    redo: edits && (() => void takeStep('redo')),
  })
}

function nextShown(
  turns: readonly WordTurn[],
  only: number | null,
  from: number,
  steps: 1 | -1,
): number | null {
  for (let next = from + steps; next >= 0 && next < turns.length; next += steps)
    if (only === null || turns[next]?.speaker === only) return next
  return null
}
