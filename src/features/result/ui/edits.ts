/** The changes that a user can make to a result. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'

import { useUser } from '#features/account/ui/auth.tsx'
import { decideAgain } from '#features/again/calls.ts'
import { againKey } from '#features/again/ui/again-query.ts'
import type { Decision } from '#features/again/ui/again-words.ts'
import { oneKey } from '#features/recordings/ui/queries.ts'
import {
  acceptWords,
  assignSpeaker,
  editTurn,
  measureAccuracy,
  mergeTurn,
  renameSpeaker,
  replaceText,
  restoreText,
  restoreTurn,
  setTimes,
  splitTurn,
  undoEdit,
} from '#features/text/calls.ts'
import type { Again, EditConflict, Edited, WordTurn, Words } from '#features/text/contract.ts'
import {
  type Draft,
  type Drafts,
  type SendAnswer,
  createDrafts,
  keptIn,
} from '#features/text/ui/drafts.ts'
import { type Done, type MakeChange, type Turn, createSending } from '#features/text/ui/sending.ts'
import { type Saved, createSteps, createUndo } from '#features/text/ui/undo-steps.ts'
import { accuracyQuery, wordsKey } from '#features/text/ui/words-query.ts'
import { withAccepted, withEdited } from '#features/transcriptions/ui/spoken.ts'
import type { Wanted } from '#shared/hits.ts'
import { ApiError, ask, sentenceOf } from '#web/api.ts'
import { type ToastWords, toast, toastFailure } from '#web/ui/toast.tsx'

/** A replacement. `turns`: where hits were seen, and at which places of the text; else it is made everywhere. */
interface WantedReplacement extends Wanted {
  replaceWith: string
  /** Also for later recordings. */
  remember?: boolean
  turns?: readonly (Turn & { at?: number[] })[]
}

type TellFailure = (title: string, why: string) => void

/** The words of the toast that offers to undo a change. */
type Says = (done: Done) => string | Omit<ToastWords, 'action'> | undefined

/** The changes of one transcription. One that fails shows a toast and answers null. */
export type Edits = ReturnType<typeof createEdits>

const IDLE_MS = 1500
/** Said by the toast of a change that failed; the page then shows again what the server has. */
const notSaved = 'The change was not saved. Please try again.'

export function createEdits(
  client: QueryClient,
  { userId, id, onSaved }: { userId: string; id: string; onSaved: (saved: Saved) => void },
) {
  const sending = createSending(client, id)
  const { send } = sending
  const steps = createSteps(onSaved)
  const { apply, measure, decide, loadWords, setWords } = createShown(client, {
    id,
    sending,
    steps,
  })

  const change = async (
    make: MakeChange,
    said?: string | Says,
    /** Says why a change was not saved; not by a toast where its form is still on the screen. */
    tellFailure: TellFailure = toastFailure,
  ) => {
    try {
      const edited = await send(make)
      apply(edited)
      const title = typeof said === 'function' ? said(edited) : said
      const words = typeof title === 'string' ? { title } : title
      if (words && edited.undo !== null)
        toast({ ...words, ...undoing.withButton('Undo', edited.undo) })
      return edited
    } catch (error) {
      tellFailure(
        conflictIn(error) ? 'Changed in another tab' : 'Not saved',
        conflictIn(error)
          ? 'This was changed elsewhere meanwhile. What you see now is how it is there; nothing was overwritten.'
          : sentenceOf(error, notSaved),
      )
      loadWords()
      return null
    }
  }

  const turnNow = (turnId: string): WordTurn | undefined =>
    client.getQueryData<Words>(wordsKey(id))?.turns.find((each) => each.id === turnId)
  const drafts = createDrafts({
    kept: keptIn({ userId, transcriptionId: id }),
    onSaved: (edited) => apply(edited),
    send: (turnId, { text, revision }) =>
      send((current) =>
        ask(editTurn, {
          params: { id, turnId },
          body: { text, revision: current({ id: turnId, revision }).revision },
        }),
      ).then((edited) => ({ kind: 'saved', edited }), answerTo),
  })
  const accept = (turn: Turn, accepted: number[]) => {
    // Shown before the server has stored it, because the user goes on to the next word at once.
    setWords((words) => ({
      ...words,
      turns: words.turns.map((each) => (each.id === turn.id ? withAccepted(each, accepted) : each)),
    }))
    return change((current) =>
      ask(acceptWords, {
        params: { id, turnId: turn.id },
        body: { words: accepted, revision: current(turn).revision },
      }),
    )
  }
  const undoing = createUndo({
    steps,
    drafts,
    accept,
    undo: async (edit, by) => {
      const edited = await send(() => ask(undoEdit, { params: { id }, body: { edit } }))
      apply(edited, by)
      // A question about a new text may be open again.
      void client.invalidateQueries({ queryKey: againKey(id) })
      return edited
    },
    turnOf: turnNow,
  })
  const ofTurn = (turn: Turn) => ({ id, turnId: turn.id })
  /** Sends a change together with the turn's draft, so that the draft is not sent again. */
  const changeWithText = async (turn: Turn, make: MakeChange, said?: string) => {
    const hasDraft = drafts.getAll().has(turn.id)
    const edited = await change(make, said)
    if (edited && hasDraft) drafts.forget(turn.id)
    return edited
  }

  return {
    ...undoing,
    drafts,
    /** A turn as the last change has left it, which may not be drawn yet. */
    turnNow,
    split: (turn: Turn, at: number, text: string) =>
      changeWithText(turn, (current) =>
        ask(splitTurn, {
          params: ofTurn(turn),
          body: { at, text, revision: current(turn).revision },
        }),
      ),
    merge: (turn: Turn, previous: Turn, text: string) =>
      changeWithText(turn, (current) =>
        ask(mergeTurn, {
          params: ofTurn(turn),
          body: { previous: current(previous), text, revision: current(turn).revision },
        }),
      ),
    retime: (turn: Turn, { start, end }: { start: number; end: number }) =>
      change(
        (current) =>
          ask(setTimes, {
            params: ofTurn(turn),
            body: { start, end, revision: current(turn).revision },
          }),
        'Times changed',
      ),
    restore: (turn: Turn) =>
      changeWithText(
        turn,
        (current) =>
          ask(restoreTurn, {
            params: ofTurn(turn),
            body: { revision: current(turn).revision },
          }),
        'Original restored',
      ),
    restoreAll: (revision: number) =>
      change(() => ask(restoreText, { params: { id }, body: { revision } }), 'Everything restored'),
    accept,
    measure,
    decide,
    correct: (turn: Turn, text: string, tellFailure: TellFailure) =>
      change(
        (current) =>
          ask(editTurn, {
            params: ofTurn(turn),
            body: { text, revision: current(turn).revision },
          }),
        undefined,
        tellFailure,
      ),
    replace: async (
      { turns, ...wanted }: WantedReplacement,
      said?: Says,
      tellFailure?: TellFailure,
    ) => {
      const done = await change(
        (current) =>
          ask(replaceText, {
            params: { id },
            body: {
              ...wanted,
              ...(turns
                ? { turns: turns.map(({ at, ...turn }) => ({ ...current(turn), at })) }
                : {}),
            },
          }),
        said,
        tellFailure,
      )
      // These turns are not what the page shows.
      if (done?.left?.length) loadWords()
      return done
    },
    assign: (turnId: string, speaker: number | null) =>
      change(
        () => ask(assignSpeaker, { params: { id, turnId }, body: { speaker } }),
        'Speaker changed',
      ),
    /** Gives a turn to somebody who is no speaker yet. */
    assignNew: (turnId: string, name: string) =>
      change(
        () => ask(assignSpeaker, { params: { id, turnId }, body: { name } }),
        'Speaker changed',
      ),
    /** The name of another speaker makes the two one: `said` says so. */
    rename: (speaker: number, name: string, said = 'Speaker renamed') =>
      change(
        () => ask(renameSpeaker, { params: { id, speaker: String(speaker) }, body: { name } }),
        said,
      ),
    /** Drops the draft of a turn that was changed elsewhere, and shows the stored text. */
    takeTheirs: (turnId: string) => {
      drafts.forget(turnId)
      loadWords()
    },
  }
}

/** Shows what was stored in the text, and counts and decides what depends on it. */
function createShown(
  client: QueryClient,
  {
    id,
    sending: { inOrder, noteRevisions },
    steps,
  }: {
    id: string
    sending: ReturnType<typeof createSending>
    steps: ReturnType<typeof createSteps>
  },
) {
  const loadWords = () => void client.invalidateQueries({ queryKey: wordsKey(id) })
  const setWords = (change: (words: Words) => Words) =>
    client.setQueryData<Words>(wordsKey(id), (words) => words && change(words))

  let idle: ReturnType<typeof setTimeout> | undefined
  const apply = (edited: Edited, by: 'change' | 'undo' | 'redo' = 'change') => {
    setWords((words) => withEdited(words, edited))
    steps.stored(edited.undo, by)
    if (edited.reload) loadWords()
    // The transcription has the text and the names too. It may be long, so it is loaded again only
    // when no more changes follow.
    clearTimeout(idle)
    idle = setTimeout(() => {
      void client.invalidateQueries({ queryKey: oneKey(id) })
      if (client.getQueryData<Words>(wordsKey(id))?.checked) void measure()
    }, IDLE_MS)
  }
  /** Counts what was corrected, when all changes before are stored. Answers whether it was counted. */
  const measure = async (): Promise<boolean> => {
    try {
      const checked = await inOrder(() => ask(measureAccuracy, { params: { id } }))
      setWords((words) => ({ ...words, checked }))
      void client.invalidateQueries({ queryKey: accuracyQuery.queryKey })
      return true
    } catch {
      // The corrections are stored, and the page offers to count them again.
      return false
    }
  }

  /**
   * Decides what a new text could not, or takes a decision back. Answers whether it is stored; if
   * not, it is as it was, and a toast says so.
   */
  const decide = async (number: number, decision: Decision): Promise<boolean> => {
    const key = againKey(id)
    try {
      const { question, edited } = await inOrder(async () => {
        const body = { number, decision }
        const answer = await ask(decideAgain, { params: { id }, body })
        if (answer.edited) noteRevisions(answer.edited.turns, [])
        return answer
      })
      const withDecided = (carried: NonNullable<Again['carried']>) => ({
        ...carried,
        questions: carried.questions.map((each) => (each.number === number ? question : each)),
      })
      client.setQueryData<Again>(
        key,
        (again) => again && { ...again, carried: again.carried && withDecided(again.carried) },
      )
      // It is taken back by the button of its row, which also opens the question again.
      if (edited) apply({ ...edited, undo: null })
      return true
    } catch (error) {
      toast({
        title: 'Not saved. Your change was undone.',
        description: sentenceOf(error, 'Please try again.'),
        variant: 'destructive',
        action: { label: 'Try again', onPress: () => void decide(number, decision) },
      })
      loadWords()
      void client.invalidateQueries({ queryKey: key })
      return false
    }
  }

  return { apply, measure, decide, loadWords, setWords }
}

function conflictIn(error: unknown): EditConflict | null {
  if (!(error instanceof ApiError) || error.code !== 'edited_elsewhere') return null
  return JSON.parse(error.body) as EditConflict
}

/** The meaning of a server error for a draft. */
function answerTo(error: unknown): SendAnswer {
  const conflict = conflictIn(error)
  if (conflict) return { kind: 'conflict', current: conflict.current }
  if (!(error instanceof ApiError)) return { kind: 'unreached' }
  // The turn is gone: joined or restored elsewhere.
  if (error.status === 404) return { kind: 'conflict', current: null }
  // These pass: the server works again, is asked less, or the user has signed in again.
  if (error.status >= 500 || error.status === 401 || error.status === 429)
    return { kind: 'unreached' }
  return { kind: 'refused', problem: error.sentence ?? error.message }
}

/**
 * The changes of one transcription, for as long as it is open. `keptUntil` tells its texts apart: it
 * is another with each new text, and null where there is but one.
 */
export function useEdits(id: string, keptUntil: string | null): { edits: Edits; saved: Saved } {
  const client = useQueryClient()
  const { id: userId } = useUser()
  const [saved, setSaved] = useState<Saved>({ undoable: 0, at: null, isLeft: false })
  // The same object while the result is open, so that memoized rows are not drawn again.
  const [edits] = useState(() => createEdits(client, { userId, id, onSaved: setSaved }))
  useEffect(() => {
    const { retry } = edits.drafts
    retry()
    window.addEventListener('online', retry)
    return () => {
      window.removeEventListener('online', retry)
      // Sends the drafts that are left. The browser keeps each until it is stored.
      retry()
    }
  }, [edits])
  useEffect(() => {
    if (keptUntil) edits.forgetSteps()
  }, [edits, keptUntil])
  return { edits, saved }
}

export function useDrafts(edits: Edits | null): ReturnType<Drafts['getAll']> {
  return useSyncExternalStore(
    edits?.drafts.subscribe ?? waitForNone,
    () => edits?.drafts.getAll() ?? noDrafts,
  )
}

const noDrafts: ReturnType<Drafts['getAll']> = new Map()

const waitForNone = () => () => undefined

/**
 * The draft of a turn; none where the text cannot be changed. A change of another turn's draft renders
 * nothing, because there may be thousands of turns.
 */
export function useDraft(edits: Edits | null, turnId: string): Draft | undefined {
  return useSyncExternalStore(edits?.drafts.subscribe ?? waitForNone, () =>
    edits?.drafts.getAll().get(turnId),
  )
}
