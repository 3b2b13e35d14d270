import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, createContext, useContext } from 'react'

import type { WordTurn } from '#features/text/contract.ts'
import type { TranscriptionRow } from '#features/transcriptions/contract.ts'
import type { Player } from '#web/player.ts'

interface Closing {
  onClose: () => void
  focusAfter: () => void
}

/** A file that was made of a recording, as it is given away. */
export interface MadeFile {
  id: string
  name: string
  keptUntil: string | null
}

/** The parts of later rooms that screens show and may not import. The root hands them over. */
export interface LaterRooms {
  fetchResult: (client: QueryClient, id: string) => Promise<void>
  ExportDialog: ComponentType<Closing & { named: TranscriptionRow }>
  /** Many as one archive; `leftOut` are chosen too, and have nothing to export. */
  ExportManyDialog: ComponentType<
    Closing & {
      ids: readonly string[]
      leftOut: { count: number; names: readonly string[] }
    }
  >
  /** Gives a finished transcription away, as a link or as text; or a made file of it. */
  ShareDialog: ComponentType<Closing & { id: string; file?: MadeFile | null }>
  /** Takes a name out of a recording, beside its text. */
  HidePanel: ComponentType<{
    id: string
    words: string
    turns: readonly WordTurn[]
    player: Player | null
    onShow: (turn: number) => void
    onClose: () => void
  }>
  /** Said while words are taken out of the sound; else its children are. */
  HiddenSound: ComponentType<{ id: string; children: ReactNode }>
  /** The address that opens it for others; null where there is none. */
  linkForOthers: (id: string) => Promise<string | null>
  /** Whether a link shows a made file of it. */
  hasLinkTo: (file: { id: string; transcriptionId: string }) => Promise<boolean>
}

export const LaterRoomsContext = createContext<LaterRooms | null>(null)

export function useLaterRooms(): LaterRooms {
  const later = useContext(LaterRoomsContext)
  if (!later) throw new Error('the root has not handed over the later rooms')
  return later
}
