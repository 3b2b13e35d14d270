/**
 * The events of a user's things, for later rooms that want to hear of them. The root hands their
 * listeners to the rooms in which the events happen, which know no later one.
 */
import type { Tx } from './db.ts'

export interface Happened {
  userId: string
  type:
    | 'transcription.created'
    | 'transcription.completed'
    | 'transcription.summarized'
    | 'transcription.failed'
    | 'transcription.deleted'
    | 'transcription.stage.failed'
    | 'document.completed'
    | 'document.failed'
    | 'translation.completed'
    | 'translation.failed'
    | 'render.completed'
    | 'render.failed'
    | 'credits.low'
    | 'share.created'
    | 'share.ended'
  /** Ids and figures; never words of a recording. */
  data: Record<string, string | number | boolean | null>
}

/** Called inside the transaction in which it happens: heard of if and only if it did. */
export type OnEvent = (tx: Tx, happened: Happened) => Promise<void>

/** Lets several hear, one after the other. */
export const tellAll =
  (...listeners: readonly OnEvent[]): OnEvent =>
  async (tx, happened) => {
    for (const hear of listeners) await hear(tx, happened)
  }
