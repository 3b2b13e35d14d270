/** The two steps that a new user is shown. This browser remembers which of them are done. */
import { useEffect, useState } from 'react'

import type { TranscriptionRow } from '#features/transcriptions/contract.ts'

export interface Step {
  label: string
  isDone: boolean
}

/** Kept in the browser, because the rows that show it may be deleted. `over`: done, or hidden. */
const stages = ['begun', 'sample-opened', 'over'] as const
export type Stage = (typeof stages)[number]

type Seen = Pick<TranscriptionRow, 'status' | 'isSample'>

/** The next stage. A user who has a result of their own needs no more steps. */
export function stageAfter(before: Stage, rows: readonly Seen[]): Stage {
  const hasOwn = rows.some(({ status, isSample }) => status === 'completed' && !isSample)
  if (before === 'over' || hasOwn) return 'over'
  return rows.some(({ isSample }) => isSample) ? 'sample-opened' : before
}

export function stepsAt(stage: Stage): Step[] {
  if (stage === 'over') return []
  return [
    { label: 'Open the sample', isDone: stage === 'sample-opened' },
    { label: 'Transcribe your first file', isDone: false },
  ]
}

/** The steps to show, none when they are over, and a function that hides them. */
export function useFirstSteps(
  userId: string,
  rows: readonly Seen[],
): { steps: Step[]; hide: () => void } {
  const key = `first-steps:${userId}`
  const [before, setBefore] = useState<Stage>(
    () => stages.find((stage) => stage === localStorage.getItem(key)) ?? 'begun',
  )
  const stage = stageAfter(before, rows)
  useEffect(() => localStorage.setItem(key, stage), [key, stage])
  return { steps: stepsAt(stage), hide: () => setBefore('over') }
}
