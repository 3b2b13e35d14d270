/** The recordings that are chosen, to do something with all of them at once. */
import { useState } from 'react'

import type { TranscriptionRow } from '#features/transcriptions/contract.ts'

import type { Ids } from '../contract.ts'

export type ChosenRow = Ids['rows'][number]
/** The name and tags of a chosen row, where it is loaded. */
export type NamedRow = Pick<TranscriptionRow, 'id' | 'originalName' | 'tags'>
export type Chosen = ReadonlyMap<string, ChosenRow>

const nobody: Chosen = new Map()

/**
 * The choice after a press on one row. With `from` (the row that was pressed before) it takes all
 * rows between the two along.
 */
export function chosenAfter(
  chosen: Chosen,
  { rows, id, from }: { rows: readonly ChosenRow[]; id: string; from: string | null },
): Chosen {
  const isOn = !chosen.has(id)
  const at = rows.findIndex((row) => row.id === id)
  const start = from === null ? -1 : rows.findIndex((row) => row.id === from)
  const [first, last] = start === -1 ? [at, at] : [Math.min(at, start), Math.max(at, start)]
  const next = new Map(chosen)
  for (const { id: one, status, duration } of rows.slice(first, last + 1))
    if (isOn) next.set(one, { id: one, status, duration })
    else next.delete(one)
  return next
}

export type Choice = ReturnType<typeof useChoice>

/** The choice, which is over when something else is shown: `shown` names it. */
export function useChoice(rows: readonly ChosenRow[], shown: string) {
  const [state, setState] = useState<{ shown: string; chosen: Chosen; last: string | null }>({
    shown,
    chosen: nobody,
    last: null,
  })
  const isNow = state.shown === shown
  const chosen = isNow ? state.chosen : nobody
  const put = (next: Iterable<ChosenRow>) =>
    setState({ shown, chosen: new Map([...next].map((row) => [row.id, row])), last: null })
  return {
    chosen,
    /** With `isRange` also all rows between this one and the last that was pressed. */
    choose: (id: string, isRange: boolean) =>
      setState({
        shown,
        chosen: chosenAfter(chosen, { rows, id, from: isRange && isNow ? state.last : null }),
        last: id,
      }),
    chooseAll: put,
    clear: () => put([]),
  }
}
