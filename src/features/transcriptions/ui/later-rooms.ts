import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, createContext, useContext } from 'react'

import type { Transcription } from '../contract.ts'
import type { Named } from './downloads.ts'
import type { HeadingRef } from './face.ts'
import type { Job } from './queries.ts'

type Load<Name extends string, Props> = () => Promise<Record<Name, ComponentType<Props>>>

/**
 * What the screens of this room show of later rooms, which they may not import. The root of the app
 * hands it to them.
 */
export interface LaterRooms {
  loadResults: Load<
    'ResultsView',
    { transcription: Job; headingRef: HeadingRef; onNewFile: () => void }
  >
  /** Starts to fetch the words of a result while its text is still being fetched. */
  fetchWords: (client: QueryClient, id: string) => void
  loadExportTab: Load<'ExportTab', { transcription: Transcription; onNewFile: () => void }>
  loadExportDialog: Load<
    'ExportDialog',
    { named: Named; onClose: () => void; focusAfter: () => void }
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
