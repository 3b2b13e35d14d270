/** The thread behind exports.ts: one paper in, one file out. */
import { parentPort, workerData } from 'node:worker_threads'

import type { DrawAnswer, DrawRequest } from './exports.ts'
import { NotDrawable } from './paper.ts'

const { format, paper }: DrawRequest = workerData

async function answer(): Promise<DrawAnswer> {
  try {
    // Each of the two loads a large library that the other does not need.
    const bytes =
      format === 'pdf'
        ? await (await import('./paper-pdf.ts')).toPdf(paper)
        : await (await import('./paper-docx.ts')).toDocx(paper)
    return { kind: 'drawn', bytes }
  } catch (error) {
    if (error instanceof NotDrawable) return { kind: 'not_drawable' }
    throw error
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(await answer())
