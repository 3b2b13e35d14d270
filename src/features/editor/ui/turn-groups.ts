/** A long text comes in groups of turns: its beginning at once, the rest while the page answers. */
import { startTransition, useEffect, useMemo, useState } from 'react'

import type { WordTurn } from '../contract.ts'

/** From so many turns on they are laid out in groups, each when it comes into sight. */
const LONG = 80
const IN_GROUP = 40
/** Put into the page at once: some four hours of talk. More would hold it up, less costs more in all. */
const IN_STEP = 60

export interface Group {
  /** Place of its first turn among all. */
  from: number
  turns: readonly WordTurn[]
}

export const isLongText = (turns: readonly WordTurn[]): boolean => turns.length > LONG

/** The groups that are there already, and whether they are all. In haste they all are. */
export function useGroups(
  turns: readonly WordTurn[],
  inHaste: boolean,
): [groups: readonly Group[], isWhole: boolean] {
  const all = useMemo(() => inGroups(turns), [turns])
  const [count, setCount] = useState(1)
  // What is there stays there: when the haste is over, and when a split turn makes the text longer.
  if (count !== Number.POSITIVE_INFINITY && (inHaste || count >= all.length))
    setCount(Number.POSITIVE_INFINITY)
  const isWhole = count >= all.length
  useEffect(() => {
    if (isWhole) return
    // After what is there was drawn, and after what was pressed meanwhile.
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
