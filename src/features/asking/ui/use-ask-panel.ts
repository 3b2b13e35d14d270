import { useRef } from 'react'

import { askedRecording } from './queries.ts'
import { useAsking } from './use-asking.ts'

export type AskPanelState = ReturnType<typeof useAskPanel>

/** What is asked of a recording stays while its tabs change, also with the panel closed. */
export function useAskPanel(transcriptionId: string) {
  const asked = askedRecording(transcriptionId)
  const asking = useAsking(asked)
  return { ...asking, asked, field: useRef<HTMLTextAreaElement>(null) }
}
