/**
 * Words in, summary out. What it promises:
 *
 * - Every key point names the turn it came from and a quote that stands there letter for letter.
 * - Nothing is invented: without a language model the summary is sentences of the transcript
 *   itself, in its own language, and its note says so.
 * - Any transcript has an answer, also an empty one, and a day of speech takes seconds.
 * - The work is done in a worker thread, so no request waits for it; aborting ends it at once.
 */
import { Worker } from 'node:worker_threads'

import { languageName } from '#shared/format.ts'

import type { Summary, SummaryOrder } from './contract.ts'
import type { Extract } from './extractive.ts'
import { guessLanguage } from './languages.ts'
import type { ExtractRequest } from './writing-worker.ts'

/** More than ten times what the longest recording needs; a limit, so that it can only hurt itself. */
const MEMORY_MB = 2048

/** Rejects with the signal's reason when it is aborted, also before the work begins. */
export async function summarize(
  { turns, language, requestedLanguage }: SummaryOrder,
  { signal }: { signal: AbortSignal },
): Promise<Summary> {
  const spoken = language ?? guessLanguage(turns.map(({ text }) => text).join(' '))
  const extract = await inWorker({ turns, language: spoken }, signal)
  return {
    ...extract,
    language: spoken,
    engine: 'extractive',
    note: noteFor(spoken, requestedLanguage),
  }
}

function noteFor(spoken: string, requested: string): string {
  if (requested === 'auto' || requested === spoken)
    return 'Sentences taken from this transcript. No language model is set up on this server.'
  return (
    `Sentences taken from this transcript, in its own language (${languageName(spoken)}). ` +
    `No language model is set up on this server, so it could not be written in ${languageName(requested)}.`
  )
}

function inWorker(workerData: ExtractRequest, signal: AbortSignal): Promise<Extract> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = new Worker(new URL('./writing-worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    const abort = () => {
      reject(signal.reason)
      void worker.terminate()
    }
    signal.addEventListener('abort', abort, { once: true })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', abort)
      reject(new Error(`The summary worker ended with code ${code} and without an answer.`))
    })
  })
}
