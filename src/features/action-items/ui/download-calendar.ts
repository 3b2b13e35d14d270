import { calendarFileName } from '#shared/file-names.ts'
import { request, sentenceOf } from '#web/api.ts'
import { saveFile } from '#web/save-file.ts'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import { downloadActionItems } from '../calls.ts'

/** Fetches the action items for a calendar. */
export async function downloadCalendar({
  id,
  originalName,
}: {
  id: string
  originalName: string
}): Promise<void> {
  try {
    const response = await request(downloadActionItems, { params: { id } })
    saveFile(await response.blob(), calendarFileName(originalName))
  } catch (error) {
    toastFailure('Failed to download the calendar file', sentenceOf(error))
    return
  }
  toast({ title: 'Downloaded!', description: calendarFileName(originalName) })
}
