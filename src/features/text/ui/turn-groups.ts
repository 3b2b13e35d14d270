/** Draws a long text in groups of turns: the beginning at once, the rest step by step. */
import { startTransition, useEffect, useMemo, useState } from 'react'

import type { WordTurn } from '../contract.ts'

/** A text of more turns than this is laid out in groups, each when it comes into sight. */
const LONG = 80
const IN_GROUP = 20
/**
 * Groups that are drawn in one step: some four hours of talk. Larger steps block the page, smaller
 * ones take longer in total.
 */
const IN_STEP = 120

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
  const [count, setCount] = useState(1)
  // Drawn groups stay drawn, also when `inHaste` ends or a split turn makes the text longer.
  if (count !== Number.POSITIVE_INFINITY && (inHaste || count >= all.length))
    setCount(Number.POSITIVE_INFINITY)
  const isWhole = count >= all.length
  useEffect(() => {
    if (isWhole) return
    // Between two steps the browser draws the page and handles what was pressed.
    const timer = setTimeout(() => startTransition(() => setCount(count + IN_STEP)))
    return () => clearTimeout(timer)
  }, [count, isWhole])
  const groups = useMemo(() => (isWhole ? all : all.slice(0, count)), [all, count, isWhole])
  return [groups, isWhole]
}

function inGroups(turns: readonly WordTurn[]): Group[] {
  if (!isLongText(turns)) return [{ from: 0, turns }]
  return Array.from({ length: Math.ceil(turns.length / IN_GROUP) }, (_, index) => {
    const from = index * IN_GROUP
    return { from, turns: turns.slice(from, from + IN_GROUP) }
  })
}
