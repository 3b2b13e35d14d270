import { type RefObject, useEffect, useState } from 'react'

import type { WordTurn } from '#features/text/contract.ts'
import type { CheckItem } from '#features/text/ui/check-items.ts'
import type { Group } from '#features/text/ui/turn-groups.ts'
import type { Veil } from '#shared/bars.ts'

import type { Search } from '../find/use-search.ts'
import type { Editing } from './editor-acts.ts'
import { markAsked } from './following.ts'
import { type Letters, createNearMarks, mark, unmark } from './highlights.ts'

/** A turn that is being corrected is a field, whose text cannot be marked: it is marked afterwards. */
const inText = (
  places: readonly Letters[],
  turns: readonly WordTurn[],
  editing: Editing | null,
): readonly Letters[] => places.filter(({ turn }) => turns[turn]?.id !== editing?.id)

/** Marks the hits, the one that was gone to, the words in doubt, what is cut, and a clip. */
export function useTextMarks({
  list,
  turns,
  veil,
  editing,
  groups,
  isWhole,
  search: { hits, at },
  asked,
  inDoubt,
  isUnderlined,
  struck,
  proposed,
  inClip,
}: {
  list: RefObject<HTMLElement | null>
  turns: readonly WordTurn[]
  veil: Veil
  editing: Editing | null
  /** The groups that are drawn already, and whether these are all. */
  groups: readonly Group[]
  isWhole: boolean
  search: Search
  /** The word that is being checked. */
  asked: CheckItem | undefined
  inDoubt: readonly Letters[]
  isUnderlined: boolean
  /** What is cut, and what is proposed to be. */
  struck: readonly Letters[]
  proposed: readonly Letters[]
  /** What a clip is made of. */
  inClip: readonly Letters[]
}): void {
  const now = at === null ? undefined : hits[at]
  // Where a bar comes or goes, the letters around it stand in other nodes.
  const [made, setMade] = useState(() => ({ near: createNearMarks(), veil }))
  if (made.veil !== veil) setMade({ near: createNearMarks(), veil })
  const { near } = made
  useEffect(() => near.end, [near])
  useEffect(
    () => near.watch([...(list.current?.children ?? [])].slice(0, groups.length)),
    [near, list, groups],
  )
  useEffect(() => near.set('hit', inText(hits, turns, editing)), [near, hits, turns, editing])
  useEffect(
    () => near.set('check', isUnderlined ? inText(inDoubt, turns, editing) : []),
    [near, inDoubt, isUnderlined, turns, editing],
  )
  useEffect(() => near.set('cut', inText(struck, turns, editing)), [near, struck, turns, editing])
  useEffect(
    () => near.set('proposed', inText(proposed, turns, editing)),
    [near, proposed, turns, editing],
  )
  useEffect(() => near.set('clip', inText(inClip, turns, editing)), [near, inClip, turns, editing])
  useEffect(() => {
    if (!isWhole || !now) return
    mark('hit-now', list.current, inText([now], turns, editing))
    return () => unmark('hit-now')
  }, [list, now, turns, editing, isWhole])
  useEffect(() => {
    if (!isWhole || !asked) return
    const { from, to, first } = asked
    const letters = inText([{ turn: first.turn, from, to }], turns, editing)
    return markAsked(list.current, first.turn, letters)
  }, [list, asked, turns, editing, isWhole])
}
