/**
 * Copying and sharing an open result. Most of the code is not part of the page's first load: it is
 * fetched when the page is idle, or with the first press.
 */
import type { Transcription } from '#features/transcriptions/contract.ts'
import type { Part } from '#features/transcriptions/ui/downloads.ts'
import { fetchPart, fetchWhenQuiet } from '#web/lazy-part.ts'
import { toast } from '#web/ui/toast.tsx'

import { type Open, failedCopy, textOf } from './text-of.ts'

const load = () => import('./share.ts')
fetchWhenQuiet(load)

export const copyOf = async (part: Part, open: Open) => (await fetchPart(load)).copyOf(part, open)

export const copyPart = (part: Part, open: Open) =>
  void fetchPart(load).then(
    ({ copyText, copyOf }) => copyText(copyOf(part, open), failedCopy[part]),
    () => toast({ title: failedCopy[part], variant: 'destructive' }),
  )

export const shareSummary = (transcription: Transcription) =>
  void fetchPart(load).then(
    ({ shareText }) =>
      shareText({ title: transcription.originalName, text: textOf('summary', transcription) }),
    () => toast({ title: 'Could not share content', variant: 'destructive' }),
  )
