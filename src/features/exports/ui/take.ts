/** Fetches the chosen file, and hands it to the browser's downloads. */
import { type Named, saveRecording } from '#features/transcriptions/ui/downloads.ts'
import { addressOf } from '#shared/call.ts'
import { request } from '#web/api.ts'
import { saveFile, saveFrom } from '#web/save-file.ts'
import { toast } from '#web/ui/toast.tsx'

import { exportRecording, exportTranscription, exportTranscriptions } from '../calls.ts'
import { exportQuery, fileNameIn } from './export-choice.ts'
import type { Taken } from './export-panel.tsx'
import { isWritten } from './menu.ts'

export async function takeOne(
  { id, originalName }: Named,
  { kind, choice, language }: Taken,
): Promise<void> {
  const params = { id }
  if (isWritten(kind)) {
    const query = exportQuery(choice, kind, language)
    await save(await request(exportTranscription, { params, query }), `${originalName}.${kind}`)
  } else if (kind === 'recording') await saveRecording({ id })
  // It may be larger than a page can hold.
  else saveFrom(addressOf(exportRecording, { params, query: { format: kind } }))
}

/** One file each, in one archive. */
export async function takeMany(ids: readonly string[], { kind, choice }: Taken): Promise<void> {
  if (!isWritten(kind)) throw new Error(`an archive of texts has no ${kind}`)
  const body = { ...exportQuery(choice, kind), ids: [...ids] }
  await save(await request(exportTranscriptions, { body }), 'transcriptions.zip')
}

async function save(response: Response, otherwise: string): Promise<void> {
  const name = fileNameIn(response.headers.get('Content-Disposition')) ?? otherwise
  saveFile(await response.blob(), name)
  toast({ title: 'Downloaded!', description: name })
}
