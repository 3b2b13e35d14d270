/** Draws a long text in groups of turns: the beginning at once, the rest when that can be read. */
import { useDeferredValue, useMemo } from 'react'

import type { WordTurn } from '../contract.ts'

/** A text of more turns than this is laid out in groups, each when it comes into sight. */
const LONG = 80
const IN_GROUP = 20

export interface Group {
  /** The place of its first turn among all turns. */
  from: number
  turns: readonly WordTurn[]
}

export const isLongText = (turns: readonly WordTurn[]): boolean => turns.length > LONG

/** The groups to draw now, and whether these are all. With `inHaste` all are drawn at once. */
export function useGroups(
  turns: readonly WordTurn[],
  inHaste: boolean,
): [groups: readonly Group[], isWhole: boolean] {
  const all = useMemo(() => inGroups(turns), [turns])
  const isBegun = useDeferredValue(true, false)
  const isWhole = inHaste || isBegun || all.length === 1
  const groups = useMemo(() => (isWhole ? all : all.slice(0, 1)), [all, isWhole])
  return [groups, isWhole]
}

function inGroups(turns: readonly WordTurn[]): Group[] {
  if (!isLongText(turns)) return [{ from: 0, turns }]
  return Array.from({ length: Math.ceil(turns.length / IN_GROUP) }, (_, index) => {
    const from = index * IN_GROUP
    return { from, turns: turns.slice(from, from + IN_GROUP) }
  })
}
