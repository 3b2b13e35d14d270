import { type Dispatch, type RefObject, useEffect, useEffectEvent, useState } from 'react'

import type { WordTurn } from '#features/text/contract.ts'

import type { ResultText } from '../text.ts'
import type { Editing, Step } from './editor-acts.ts'
import { isInSight, turnElement } from './following.ts'
import type { Letters } from './highlights.ts'
import type { Following, ShowTurn } from './use-following.ts'

export const focusTurn = (list: RefObject<HTMLElement | null>, place: number) =>
  requestAnimationFrame(() => turnElement(list.current, place)?.focus({ preventScroll: true }))

/** Which turn is open for correcting, and how one comes to the next. */
export function useEditing(
  { words: { turns }, edits, toCheck }: ResultText,
  {
    list,
    showTurn,
    open: [editing, setOpen],
    following,
  }: {
    list: RefObject<HTMLElement | null>
    showTurn: ShowTurn
    open: [Editing | null, Dispatch<Editing | null>]
    following: Following
  },
) {
  const setEditing = (next: Editing | null) => {
    if (editing && editing.id !== next?.id) void edits?.drafts.flush(editing.id)
    setOpen(next)
    if (next !== null || !editing) return
    following.comeBack()
    focusTurn(
      list,
      turns.findIndex(({ id }) => id === editing.id),
    )
  }
  const correct = ({ turn, from, to }: Letters) => {
    const owner = turns[turn]
    if (owner) setEditing({ id: owner.id, cursor: { from, to } })
  }
  const correctNext = (turn: WordTurn, offset: number) => {
    const place = turns.findIndex(({ id }) => id === turn.id)
    const next = toCheck.find(
      (word) => word.turn > place || (word.turn === place && word.from > offset),
    )
    if (!next) return
    correct(next)
    showTurn(next.turn)
  }
  return { setEditing, correct, correctNext }
}

/** Takes a change back or makes it again, and goes to its place, which may be out of sight. */
export function useStep(
  { words: { turns }, edits }: ResultText,
  { list, showTurn }: { list: RefObject<HTMLElement | null>; showTurn: ShowTurn },
): Step {
  const [changed, setChanged] = useState<{ ids: readonly string[] } | null>(null)
  const show = useEffectEvent((ids: readonly string[]) => {
    const places = ids.map((id) => turns.findIndex((turn) => turn.id === id))
    const rows = places.map((place) => turnElement(list.current, place))
    const [first] = places
    if (first === undefined || first < 0) return
    if (!rows.some((row) => row && isInSight(row.getBoundingClientRect()))) showTurn(first)
  })
  useEffect(() => {
    if (changed) show(changed.ids)
  }, [changed])
  return async (by) => {
    const edited = (await edits?.[by]()) ?? null
    // Waits a moment, in which React draws what changed.
    await new Promise((resolve) => setTimeout(resolve, 0))
    if (edited) setChanged({ ids: edited.turns.map(({ id }) => id) })
    return edited
  }
}
