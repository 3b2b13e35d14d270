import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, createContext, useContext } from 'react'

import type { Transcription, TranscriptionRow } from '../contract.ts'
import type { Named } from './downloads.ts'
import type { HeadingRef } from './face.ts'
import type { Job } from './queries.ts'
import type { Read } from './so-far.ts'

type Load<Name extends string, Props> = () => Promise<Record<Name, ComponentType<Props>>>

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
  loadResults: Load<'ResultsView', ResultProps>
  /** The text of a running job, with a player. */
  loadLiveText: Load<'LiveText', { job: Job; read: Read }>
  /** Fetches the words of a result before they are drawn; it never fails. */
  fetchWords: (client: QueryClient, id: string) => Promise<void>
  loadExportTab: Load<'ExportTab', { transcription: Transcription; onNewFile: () => void }>
  loadExportDialog: Load<
    'ExportDialog',
    {
      named: Named & Pick<TranscriptionRow, 'wordsInDoubt'>
      onClose: () => void
      focusAfter: () => void
    }
  >
  /** Gives a finished transcription away, as a link or as text. */
  loadShareDialog: Load<'ShareDialog', { id: string; onClose: () => void; focusAfter: () => void }>
  /** Many as one archive; `leftOut` are chosen too, and have nothing to export. */
  loadExportManyDialog: Load<
    'ExportManyDialog',
    {
      ids: readonly string[]
      leftOut: { count: number; names: readonly string[] }
      onClose: () => void
      focusAfter: () => void
    }
  >
  loadAgainDialog: Load<
    'AgainDialog',
    {
      id: string
      fileName: string
      onClose: () => void
      onStarted: () => void
      focusAfter: () => void
    }
  >
}

export const LaterRoomsContext = createContext<LaterRooms | null>(null)

export function useLaterRooms(): LaterRooms {
  const later = useContext(LaterRoomsContext)
  if (!later) throw new Error('the root has not handed the rooms after transcriptions')
  return later
}

/** Fetches code ahead of time. A failure is shown when the code is needed. */
export function fetchCode(load: () => Promise<unknown>): void {
  load().catch(() => undefined)
}
