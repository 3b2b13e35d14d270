import { checkMedia, getMedia } from '#features/recordings/calls.ts'
import { addressOf } from '#shared/call.ts'
import { summaryFileName, transcriptionFileName } from '#shared/file-names.ts'
import { ApiError, request } from '#web/api.ts'
import { saveFile, saveFrom } from '#web/save-file.ts'
import { toast } from '#web/ui/toast.tsx'

import { type TextChoice, downloadSummary, downloadTranscription } from '../calls.ts'
import type { Transcription } from '../contract.ts'

export type Part = 'transcription' | 'summary'
export type Named = Pick<Transcription, 'id' | 'originalName'>

const nameOf: Record<Part, (originalName: string) => string> = {
  transcription: transcriptionFileName,
  summary: summaryFileName,
}

/**
 * Some browsers allow one download for a press and block a second at the same time. So the second
 * waits this long.
 */
const GAP_MS = 500

/** Fetches one result as a file and says how it went; false when it failed. */
export async function downloadResult(
  part: Part,
  { id, originalName }: Named,
  query: TextChoice = {},
): Promise<boolean> {
  try {
    const params = { id }
    const response =
      part === 'summary'
        ? await request(downloadSummary, { params })
        : await request(downloadTranscription, { params, query })
    saveFile(await response.blob(), nameOf[part](originalName))
  } catch {
    // Whether the server refused or could not be reached, the file is still there to be tried
    // again.
    toast({ title: `Failed to download ${part}`, variant: 'destructive' })
    return false
  }
  toast({ title: 'Downloaded!', description: nameOf[part](originalName) })
  return true
}

/** Saves the recording itself, or says why it cannot be saved. */
export async function saveRecording({ id }: Pick<Named, 'id'>): Promise<boolean> {
  const saved = { params: { id }, query: { download: '1' } } as const
  try {
    // Asked first, because a refusal would take the place of the page.
    await request(checkMedia, saved)
  } catch (error) {
    const isDeleted = error instanceof ApiError && error.status === 410
    const description = isDeleted ? 'It was deleted.' : 'It is still here.'
    toast({ title: 'The recording could not be saved.', description, variant: 'destructive' })
    return false
  }
  saveFrom(addressOf(getMedia, saved))
  return true
}

/** Downloads the transcription, then the summary; `onPart` is called as each begins. */
export async function downloadAll(
  named: Named,
  onPart: (part: 1 | 2) => void,
  query: TextChoice = {},
): Promise<void> {
  onPart(1)
  if (!(await downloadResult('transcription', named, query))) return
  await new Promise((resolve) => setTimeout(resolve, GAP_MS))
  onPart(2)
  await downloadResult('summary', named)
}
