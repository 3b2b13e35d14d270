/** Where a recording stands that waits for a worker, in words. */
import type { Transcription } from '../contract.ts'
import { type Estimate, estimateInWords, estimateOf } from './estimate.ts'

type Waiting = Pick<Transcription, 'status' | 'waiting'>

/** "Waiting, next", "Waiting, 3 ahead"; "Waiting" while nobody knows more. Nothing for other work. */
export function placeInLine({ status, waiting }: Waiting): string | null {
  if (status !== 'processing') return null
  if (!waiting) return 'Waiting'
  return waiting.isNext
    ? 'Waiting, next'
    : `Waiting, ${waiting.ahead.toLocaleString('en-US')} ahead`
}

/** About when what waits is ready. */
export function readyEstimate(rows: readonly Waiting[], nowMs: number): Estimate | null {
  const seconds = rows.map(({ waiting }) => waiting?.readyInSeconds ?? 0)
  const last = Math.max(0, ...seconds)
  return last > 0 ? estimateOf(last * 1000, nowMs) : null
}

/** "Waiting, 3 ahead. About 10–15 min." */
export function waitInWords(row: Waiting, nowMs = Date.now()): string | null {
  const place = placeInLine(row)
  const time = estimateInWords(readyEstimate([row], nowMs), nowMs)?.replace(/ left\.$/, '.')
  return place === null || time === undefined ? place : `${place}. ${time}`
}
