import type { Cuts } from '#features/cuts/contract.ts'
import type { Part } from '#features/transcriptions/ui/downloads.ts'
import { wordsFromSegments } from '#features/transcriptions/ui/spoken.ts'
import type { Formatted } from '#web/clipboard.ts'
import { copyText } from '#web/copy-text.ts'
import { forOthers, veilsInUse } from '#web/for-others.ts'
import { toast } from '#web/ui/toast.tsx'

import { transcriptAsText } from './as-text.ts'
import type { openAsGiven } from './open-as-given.ts'
import { sayCuts } from './say-cuts.ts'
import { keptTextChoice } from './text-choice.ts'
import { type Open, failedCopy, textOf } from './text-of.ts'

let asGiven: typeof openAsGiven | undefined

/** Loads what leaves out cuts and hidden words: no text needs it before there are some. */
export async function fetchAsGiven(): Promise<void> {
  asGiven ??= (await import('./open-as-given.ts')).openAsGiven
}

const isCut = (cuts: Cuts | undefined): boolean => cuts !== undefined && cuts.cuts.length > 0

/** Does it as soon as they can be left out; at once where that is loaded, as a clipboard wants it. */
function whenGiven(cuts: Cuts | undefined, act: () => void): void {
  if (asGiven || (!isCut(cuts) && veilsInUse().length === 0)) act()
  else
    void fetchAsGiven().then(act, () =>
      toast({ title: 'Could not copy to clipboard', variant: 'destructive' }),
    )
}

const given = (open: Open, cuts: Cuts | undefined): Open => asGiven?.(open, cuts) ?? open

/** The text to copy and share, as it is cut, with names and times as they were chosen last. */
export function copyOf(part: Part, open: Open, cuts: Cuts | undefined): string | Formatted {
  // While the words are on their way, the text is there already.
  const words = open.words.turns.length > 0 ? open.words : wordsFromSegments(open.transcription)
  const { transcription, words: spoken } = given({ ...open, words }, cuts)
  if (part === 'summary') return textOf(part, transcription)
  return transcriptAsText(spoken, keptTextChoice())
}

export function copyPart(part: Part, open: Open, cuts: Cuts | undefined): void {
  const note = part === 'transcription' && cuts && isCut(cuts) ? sayCuts(cuts) : undefined
  whenGiven(cuts, () => void copyText(copyOf(part, open, cuts), failedCopy[part], note))
}

export const canShareText = () => typeof navigator.share === 'function'

/** The device's own share sheet; where there is none, the text is copied instead. */
export async function shareText({ title, text }: { title: string; text: string }): Promise<void> {
  if (!canShareText()) {
    await copyText(text, 'Could not copy to clipboard')
    return
  }
  try {
    await navigator.share({ title: forOthers(title), text: forOthers(text) })
  } catch (error) {
    // Closing the share sheet is an answer, not a failure.
    if (error instanceof DOMException && error.name === 'AbortError') return
    toast({ title: 'Could not share content', variant: 'destructive' })
    return
  }
  toast({ title: 'Shared successfully' })
}

export function shareSummary(open: Open, cuts: Cuts | undefined): void {
  whenGiven(cuts, () => {
    const { transcription } = given(open, cuts)
    void shareText({ title: transcription.originalName, text: textOf('summary', transcription) })
  })
}
