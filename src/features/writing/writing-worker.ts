/** The thread behind writing.ts: one request in, one answer out. */
import { parentPort, workerData } from 'node:worker_threads'

import type { WritingTurn } from './contract.ts'
import { extract, gather } from './extractive.ts'

export interface ExtractRequest {
  turns: readonly WritingTurn[]
  language: string
  /** Everything that a document may be made of, or only a summary. */
  what: 'summary' | 'material'
}

const { turns, language, what }: ExtractRequest = workerData
const answer = what === 'material' ? gather(turns, language) : extract(turns, language)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(answer)
