import type { Transcription } from '#features/transcriptions/contract.ts'
import { summaryAsText } from '#features/transcriptions/summary-text.ts'
import type { Part } from '#features/transcriptions/ui/downloads.ts'
import { toast } from '#web/ui/toast.tsx'

export function textOf(part: Part, transcription: Transcription): string {
  return part === 'summary'
    ? summaryAsText(transcription)
    : (transcription.transcriptionText?.trim() ?? '')
}

export const failedCopy: Record<Part, string> = {
  transcription: 'Failed to copy transcription to clipboard',
  summary: 'Failed to copy summary to clipboard',
}

export const copyPart = (part: Part, transcription: Transcription) =>
  void copyText(textOf(part, transcription), failedCopy[part])

export const sharePart = (part: Part, transcription: Transcription) =>
  void shareText({ title: transcription.originalName, text: textOf(part, transcription) })

/** Copies a result and says so; false when the browser did not allow it. */
export async function copyText(text: string, failure: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // The user forbids it, or the page has no https and so no clipboard. Nothing was copied.
    toast({ title: failure, variant: 'destructive' })
    return false
  }
  toast({ title: 'Copied to clipboard' })
  return true
}

/** The device's own share sheet; where there is none, the text is copied instead. */
export async function shareText({ title, text }: { title: string; text: string }): Promise<void> {
  if (typeof navigator.share !== 'function') {
    await copyText(text, 'Could not copy to clipboard')
    return
  }
  try {
    await navigator.share({ title, text })
  } catch (error) {
    // Closing the share sheet is an answer, not a failure.
    if (error instanceof DOMException && error.name === 'AbortError') return
    toast({ title: 'Could not share content', variant: 'destructive' })
    return
  }
  toast({ title: 'Shared successfully' })
}
