import type { Transcription } from '#features/transcriptions/contract.ts'
import type { Part } from '#features/transcriptions/ui/downloads.ts'
import { wordsFromSegments } from '#features/transcriptions/ui/spoken.ts'
import type { Formatted } from '#web/clipboard.ts'
import { copyText } from '#web/copy-text.ts'
import { toast } from '#web/ui/toast.tsx'

import { transcriptAsText } from './as-text.ts'
import { keptTextChoice } from './text-choice.ts'
import { type Open, failedCopy, textOf } from './text-of.ts'

/** The text to copy and share, with names and times as they were chosen last. */
export function copyOf(part: Part, { transcription, words }: Open): string | Formatted {
  if (part === 'summary') return textOf(part, transcription)
  // While the words are on their way, the text is there already.
  const spoken = words.turns.length > 0 ? words : wordsFromSegments(transcription)
  return transcriptAsText(spoken, keptTextChoice())
}

export const copyPart = (part: Part, open: Open) =>
  void copyText(copyOf(part, open), failedCopy[part])

export const canShareText = () => typeof navigator.share === 'function'

/** The device's own share sheet; where there is none, the text is copied instead. */
export async function shareText({ title, text }: { title: string; text: string }): Promise<void> {
  if (!canShareText()) {
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

export const shareSummary = (transcription: Transcription) =>
  void shareText({ title: transcription.originalName, text: textOf('summary', transcription) })
