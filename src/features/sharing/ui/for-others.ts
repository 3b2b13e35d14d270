import { ask } from '#web/api.ts'

import { listSharesOfTranscription } from '../calls.ts'

/** In milliseconds. Whoever has copied something waits for a word of it. */
const SOON_MS = 1_500

/** The newest link that opens a transcription for others; null where there is none. */
export async function linkForOthers(id: string): Promise<string | null> {
  const signal = AbortSignal.timeout(SOON_MS)
  const { shares } = await ask(listSharesOfTranscription, { params: { id }, signal })
  return shares.find(({ url, render }) => url !== null && render === null)?.url ?? null
}

/** Whether a link shows this file that was made of a transcription. */
export async function hasLinkTo(file: { id: string; transcriptionId: string }): Promise<boolean> {
  const { shares } = await ask(listSharesOfTranscription, { params: { id: file.transcriptionId } })
  return shares.some(({ render }) => render?.id === file.id)
}
