/** What the tabs of one result share: its words, its player, its changes, and whose turns are shown. */
import type { Transcription } from '#features/transcriptions/contract.ts'

import type { WordTurn, Words } from '../contract.ts'
import type { DoubtNoteState } from './doubt-note.tsx'
import type { Edits } from './edits.ts'
import type { Player } from './player/player.ts'
import type { Voice } from './spoken.ts'
import type { WordPlace } from './word-places.ts'

export interface Reader {
  transcription: Transcription
  words: Words
  places: readonly WordPlace[]
  /** Those that are in doubt. */
  toCheck: readonly WordPlace[]
  note: DoubtNoteState
  voices: readonly Voice[]
  /** Null where there is nothing to hear any more. */
  player: Player | null
  /** Null where word times could not be had: then the text can only be read. */
  edits: Edits | null
  /** Whose turns are shown; null for everybody's. */
  only: number | null
  setOnly: (speaker: number | null) => void
  /** Asks for a speaker's name, beside what was pressed. */
  askName: (asked: {
    speaker: number | null
    turn: WordTurn | null
    from: HTMLElement | null
  }) => void
}

/** Whether voices were told apart at all. */
export const isToldApart = ({ turns }: Pick<Words, 'turns'>): boolean =>
  turns.some(({ speaker }) => speaker !== null)
