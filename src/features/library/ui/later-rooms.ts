import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, createContext, useContext } from 'react'

import type { Transcription, TranscriptionRow } from '#features/transcriptions/contract.ts'
import type { Named } from '#features/transcriptions/ui/downloads.ts'
import type { HeadingRef } from '#features/transcriptions/ui/face.ts'
import type { Job } from '#features/transcriptions/ui/queries.ts'
import type { Read } from '#features/transcriptions/ui/so-far.ts'

export interface ResultProps {
  transcription: Job
  headingRef: HeadingRef
  onNewFile: () => void
  /** What was being read when the result took the place of the running job. */
  stay: Place | null
}

/** Where on the screen something is that was said at this second. */
export interface Place {
  seconds: number
  top: number
}

/**
 * What the screens of this room show of later rooms, which they may not import. The root of the app
 * hands it to them.
 */
export interface LaterRooms {
  ResultsView: ComponentType<ResultProps>
  /** The text of a running job, with a player. */
  LiveText: ComponentType<{ job: Job; read: Read }>
  /** Fetches the screen of a result and its words before they are drawn. What fails is said there. */
  fetchResult: (client: QueryClient, id: string) => Promise<void>
  ExportTab: ComponentType<{ transcription: Transcription; onNewFile: () => void }>
  ExportDialog: ComponentType<{
    named: Named & Pick<TranscriptionRow, 'wordsInDoubt'>
    onClose: () => void
    focusAfter: () => void
  }>
  /** Gives a finished transcription away, as a link or as text. */
  ShareDialog: ComponentType<{ id: string; onClose: () => void; focusAfter: () => void }>
  /** Many as one archive; `leftOut` are chosen too, and have nothing to export. */
  ExportManyDialog: ComponentType<{
    ids: readonly string[]
    leftOut: { count: number; names: readonly string[] }
    onClose: () => void
    focusAfter: () => void
  }>
  AgainDialog: ComponentType<{
    id: string
    fileName: string
    onClose: () => void
    onStarted: () => void
    focusAfter: () => void
  }>
}

export const LaterRoomsContext = createContext<LaterRooms | null>(null)

export function useLaterRooms(): LaterRooms {
  const later = useContext(LaterRoomsContext)
  if (!later) throw new Error('the root has not handed the rooms after transcriptions')
  return later
}
