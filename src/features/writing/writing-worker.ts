/** The thread behind writing.ts: one request in, one extract out. */
import { parentPort, workerData } from 'node:worker_threads'

import type { WritingTurn } from './contract.ts'
import { extract } from './extractive.ts'

export interface ExtractRequest {
  turns: readonly WritingTurn[]
  language: string
}

const { turns, language }: ExtractRequest = workerData
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(extract(turns, language))
