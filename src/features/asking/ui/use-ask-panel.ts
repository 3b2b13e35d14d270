import { useRef } from 'react'

import { askedRecording } from './queries.ts'
import { useAsking } from './use-asking.ts'

export type AskPanelState = ReturnType<typeof useAskPanel>

/** The state of the questions to a recording. It stays while tabs change, also with the panel closed. */
export function useAskPanel(transcriptionId: string) {
  const asked = askedRecording(transcriptionId)
  const asking = useAsking(asked)
  return { ...asking, asked, field: useRef<HTMLTextAreaElement>(null) }
}
