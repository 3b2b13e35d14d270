import type { Edited, WordTurn } from '#features/text/contract.ts'
import { type Times, freeTime } from '#features/text/ui/free-time.ts'
import { placeInTurn } from '#features/text/ui/word-places.ts'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import type { Edits } from '../edits.ts'
import type { ResultText } from '../text.ts'

/** Takes a change back or makes it again, and shows where that was. */
export type Step = (by: 'undo' | 'redo') => Promise<Edited | null>

/** The turn that is being corrected, and where its cursor stands. */
export interface Editing {
  id: string
  cursor: Cursor
}

/** Where the cursor is put when an editor opens: at a place, or over a word to be replaced. */
export interface Cursor {
  from: number
  to: number
}

export type EditorActs = ReturnType<typeof editorActs>

/** A turn with the cursor at this letter. */
export const at = (id: string, letter: number): Editing => ({
  id,
  cursor: { from: letter, to: letter },
})

/** The acts that the open turn offers. */
export function editorActs(
  turn: WordTurn,
  {
    place,
    edits,
    text: { words, places, transcription },
    setEditing,
    onNextCheck,
    onStep,
  }: {
    /** Its place among all turns. */
    place: number
    edits: Edits
    text: ResultText
    setEditing: (editing: Editing | null) => void
    onNextCheck: (turn: WordTurn, at: number) => void
    onStep: Step
  },
) {
  const { turns, speakers } = words
  const save = () => void edits.drafts.flush(turn.id)
  /** Stores what was typed into a turn, and answers the stored turn; null if that fails now. */
  const stored = async ({ id }: WordTurn): Promise<WordTurn | null> => {
    if (await edits.drafts.flush(id)) return edits.turnNow(id) ?? null
    toastFailure('Not connected', 'What you typed is kept. Splitting and joining need the server.')
    return null
  }
  const done = () => {
    save()
    setEditing(null)
  }
  /** Joins two turns. The cursor stands where they meet, in the one that was open. */
  const join = async (one: WordTurn, other: WordTurn) => {
    const first = await stored(one)
    const second = first && (await stored(other))
    if (!second || !(await edits.merge(second, first, second.text))) return
    const isBehindSpace = other === turn && second.text !== ''
    setEditing(at(first.id, first.text.length + (isBehindSpace ? 1 : 0)))
  }
  const [before, after] = [turns[place - 1], turns[place + 1]]
  return {
    type: (text: string) => edits.drafts.type(turn, text),
    save,
    done,
    cancel: (was: WordTurn, typed: string) => {
      edits.leave(edits.turnNow(turn.id) ?? turn, was, typed)
      setEditing(null)
    },
    /** Steps of the history: for a field in which nothing was typed yet. */
    undo: async () => {
      const edited = await onStep('undo')
      // The turn was the second half of one that is whole again.
      if (before && edited?.removed.includes(turn.id)) setEditing(at(before.id, before.text.length))
    },
    redo: () => void onStep('redo'),
    split: async (text: string, letter: number) => {
      // At the end there is nothing to split: as everywhere else Enter is the end of writing.
      if (text.slice(letter).trim() === '') return done()
      if (text.slice(0, letter).trim() === '') {
        toast({ title: 'Nothing to split', description: 'Put the cursor between two words.' })
        return
      }
      const now = await stored(turn)
      const edited = now && (await edits.split(now, letter, text))
      const second = edited?.turns.find(({ id }) => id !== turn.id)
      if (second) setEditing(at(second.id, 0))
    },
    /** Join it with a turn beside it; null where there is none. */
    merge: before ? () => void join(before, turn) : null,
    mergeNext: after ? () => void join(turn, after) : null,
    /** How far the turns beside it let it reach. */
    free: freeTime(turns, turn.id, transcription.duration),
    /** Answers whether it was stored. */
    retime: async (times: Times) => {
      const now = await stored(turn)
      return now !== null && (await edits.retime(now, times)) !== null
    },
    restore: () => {
      edits.drafts.forget(turn.id)
      void edits.restore(turn)
    },
    speaker: (number: number) => {
      const speaker = speakers[number - 1]
      if (speaker) void edits.assign(turn.id, speaker.speaker)
    },
    nextCheck: (letter: number) => onNextCheck(turn, letter),
    accept: (letter: number) => {
      const word = placeInTurn(places, place, letter)
      if (word) void edits.accept(turn, [word.index])
    },
  }
}
