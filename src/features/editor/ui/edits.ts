/** Every change that is made to a result. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'

import { useUser } from '#features/account/ui/auth.tsx'
import { oneKey, pathOf } from '#features/recordings/ui/queries.ts'
import { ApiError, call, sentenceOf } from '#web/api.ts'
import { toast } from '#web/ui/toast.tsx'

import type { EditConflict, Edited, WordTurn, Words } from '../contract.ts'
import { type Drafts, type SendAnswer, createDrafts, keptIn } from './drafts.ts'
import { withAccepted, withEdited } from './spoken.ts'
import { wordsKey } from './words-query.ts'

type Method = 'POST' | 'PATCH' | 'PUT'
type Turn = Pick<WordTurn, 'id' | 'revision'>

/** Everything that can be changed in one transcription, one change after the other. */
export interface Edits {
  drafts: Drafts
  subscribe: (listener: () => void) => () => void
  /** How often "undo" can be pressed, and when the last change was stored. */
  getState: () => { undoable: number; savedAt: Date | null }
  split: (turn: Turn, at: number, text: string) => Promise<Edited | null>
  merge: (turn: Turn, previous: Turn, text: string) => Promise<Edited | null>
  accept: (turn: Turn, words: number[]) => Promise<Edited | null>
  restore: (turn: Turn) => Promise<Edited | null>
  restoreAll: (revision: number) => Promise<Edited | null>
  assign: (
    turnId: string,
    to: { speaker: number | null } | { name: string },
  ) => Promise<Edited | null>
  rename: (speaker: number, name: string) => Promise<Edited | null>
  undo: () => void
  /** Drops what was typed into a turn that was changed elsewhere, and shows what is there. */
  takeTheirs: (turnId: string) => void
}

const IDLE_MS = 1500
/** Said by the toast of a change that failed; the page then shows again what the server has. */
const notSaved = 'The change was not saved. Please try again.'

function createEdits(client: QueryClient, { userId, id }: { userId: string; id: string }): Edits {
  const path = pathOf(id)
  const listeners = new Set<() => void>()
  let state: ReturnType<Edits['getState']> = { undoable: 0, savedAt: null }
  const undoable: number[] = []
  // A change carries the revision that the one before it made, so none overtakes another.
  let last: Promise<unknown> = Promise.resolve()

  const tell = (savedAt: Date | null) => {
    state = { undoable: undoable.length, savedAt }
    for (const listener of listeners) listener()
  }
  let idle: ReturnType<typeof setTimeout> | undefined
  const apply = (edited: Edited, { isUndo = false } = {}) => {
    client.setQueryData<Words>(wordsKey(id), (words) => words && withEdited(words, edited))
    if (edited.undo !== null && !isUndo) undoable.push(edited.undo)
    tell(new Date())
    if (edited.reload) void client.invalidateQueries({ queryKey: wordsKey(id) })
    // Text and names stand in the whole transcription too, which may be long: once, when it is quiet.
    clearTimeout(idle)
    idle = setTimeout(() => void client.invalidateQueries({ queryKey: oneKey(id) }), IDLE_MS)
  }
  const change = (method: Method, where: string, body: unknown, said?: string) => {
    const work = last.then(async () => {
      try {
        const edited = await call<Edited>(method, `${path}${where}`, { body })
        apply(edited)
        if (said && edited.undo !== null) {
          const { undo } = edited
          toast({ title: said, action: { label: 'Undo', onPress: () => takeBack(undo) } })
        }
        return edited
      } catch (error) {
        const current = conflictIn(error)
        toast({
          title: current ? 'Changed in another tab' : 'Not saved',
          description: current
            ? 'This was changed elsewhere meanwhile. What you see now is how it is there; nothing was overwritten.'
            : sentenceOf(error, notSaved),
          variant: 'destructive',
        })
        void client.invalidateQueries({ queryKey: wordsKey(id) })
        return null
      }
    })
    last = work
    return work
  }
  const takeBack = (edit: number) => {
    const place = undoable.lastIndexOf(edit)
    if (place >= 0) undoable.splice(place, 1)
    last = last.then(() => sendUndo(edit))
  }
  const sendUndo = async (edit: number): Promise<void> => {
    try {
      const edited = await call<Edited>('POST', `${path}/undo`, { body: { edit } })
      apply(edited, { isUndo: true })
      const redo = edited.undo
      toast({
        title: 'Undone',
        ...(redo === null ? {} : { action: { label: 'Redo', onPress: () => takeBack(redo) } }),
      })
    } catch (error) {
      tell(state.savedAt)
      toast({
        title: 'Could not undo',
        description: sentenceOf(error, notSaved),
        variant: 'destructive',
      })
    }
  }
  const drafts = createDrafts({
    kept: keptIn({ userId, transcriptionId: id }),
    onSaved: (edited) => apply(edited),
    send: (turnId, { text, revision }) => {
      const work = last.then(() => sendText(`${path}/turns/${turnId}`, { text, revision }))
      last = work
      return work
    },
  })
  const of = (turnId: string) => `/turns/${turnId}`
  /** A text that goes along with another change is not sent twice. */
  const along = async (turn: Turn, method: Method, where: string, body: object, said?: string) => {
    const draft = drafts.getAll().get(turn.id)
    const answer = await change(method, where, body, said)
    if (answer && draft) drafts.forget(turn.id)
    return answer
  }
  return {
    drafts,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getState: () => state,
    split: (turn, at, text) =>
      along(turn, 'POST', `${of(turn.id)}/split`, { at, revision: turn.revision, text }),
    merge: (turn, { id: previous, revision }, text) =>
      along(turn, 'POST', `${of(turn.id)}/merge`, {
        revision: turn.revision,
        previous: { id: previous, revision },
        text,
      }),
    accept: (turn, words) => {
      // At once: who checks words presses the key as fast as the next one comes.
      client.setQueryData<Words>(
        wordsKey(id),
        (before) =>
          before && {
            ...before,
            turns: before.turns.map((one) => (one.id === turn.id ? withAccepted(one, words) : one)),
          },
      )
      return change('POST', `${of(turn.id)}/accept`, { revision: turn.revision, words })
    },
    restore: (turn) =>
      along(
        turn,
        'POST',
        `${of(turn.id)}/restore`,
        { revision: turn.revision },
        'Original restored',
      ),
    restoreAll: (revision) => change('POST', '/restore', { revision }, 'Everything restored'),
    assign: (turnId, to) => change('PUT', `${of(turnId)}/speaker`, to, 'Speaker changed'),
    rename: (speaker, name) => change('PATCH', `/speakers/${speaker}`, { name }, 'Speaker renamed'),
    takeTheirs: (turnId) => {
      drafts.forget(turnId)
      void client.invalidateQueries({ queryKey: wordsKey(id) })
    },
    undo: () => {
      const edit = undoable.at(-1)
      if (edit !== undefined) takeBack(edit)
    },
  }
}

function conflictIn(error: unknown): EditConflict | null {
  if (!(error instanceof ApiError) || error.code !== 'edited_elsewhere') return null
  return JSON.parse(error.body) as EditConflict
}

async function sendText(
  path: string,
  body: { text: string; revision: number },
): Promise<SendAnswer> {
  try {
    return { kind: 'saved', edited: await call<Edited>('PATCH', path, { body }) }
  } catch (error) {
    const conflict = conflictIn(error)
    if (conflict) return { kind: 'conflict', current: conflict.current }
    // The turn is gone: joined or restored elsewhere.
    if (error instanceof ApiError && error.status === 404)
      return { kind: 'conflict', current: null }
    // Asked too much, the server takes it a little later; whose session has ended signs in again.
    if (error instanceof ApiError && error.status < 500 && ![401, 429].includes(error.status))
      return { kind: 'refused', problem: error.sentence ?? error.message }
    return { kind: 'unreached' }
  }
}

/** The changes of one transcription, for as long as it is open. */
export function useEdits(id: string): Edits {
  const client = useQueryClient()
  const { id: userId } = useUser()
  const [edits] = useState(() => createEdits(client, { userId, id }))
  useEffect(() => {
    const { drafts } = edits
    const retry = () => drafts.retry()
    retry()
    window.addEventListener('online', retry)
    return () => {
      window.removeEventListener('online', retry)
      // What is not sent yet goes out now; the shelf keeps it in any case.
      retry()
    }
  }, [edits])
  return edits
}

export function useEditsState(edits: Edits): ReturnType<Edits['getState']> {
  return useSyncExternalStore(edits.subscribe, edits.getState)
}

export function useDrafts(edits: Edits): ReturnType<Drafts['getAll']> {
  return useSyncExternalStore(edits.drafts.subscribe, edits.drafts.getAll)
}
