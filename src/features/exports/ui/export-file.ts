import type { Named } from '#features/transcriptions/ui/downloads.ts'
import { request, sentenceOf } from '#web/api.ts'
import { saveFile } from '#web/save-file.ts'
import { toast } from '#web/ui/toast.tsx'

import { type ExportChoice, exportPath, fileNameIn } from './export-choice.ts'

/** Fetches an export as a file; why it failed, or null when it is there. */
export async function exportFile(
  { id, originalName }: Named,
  choice: ExportChoice,
): Promise<string | null> {
  try {
    const response = await request('GET', exportPath(id, choice))
    const name =
      fileNameIn(response.headers.get('Content-Disposition')) ?? `${originalName}.${choice.format}`
    saveFile(await response.blob(), name)
    toast({ title: 'Downloaded!', description: name })
    return null
  } catch (error) {
    return sentenceOf(error, 'The file could not be fetched. Please try again.')
  }
}
