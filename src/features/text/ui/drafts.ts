/**
 * Drafts: what was typed into turns and is not on the server yet. A draft is kept in this browser
 * with every keystroke and sent after a short pause. A failed try is repeated, and the draft is
 * removed only when the server has stored it. So nothing is lost when the connection breaks, the
 * tab closes, or another tab changes the same turn.
 */
import type { Edited, WordTurn } from '../contract.ts'

export interface Draft {
  text: string
  /** The revision of the turn that was typed into. */
  revision: number
  status:
    | 'typed'
    | 'sending'
    /** The server could not be reached. The draft will be sent again. */
    | 'kept'
    /** The turn was changed elsewhere. */
    | 'conflict'
    /** The server refused the text. */
    | 'refused'
  /** In a conflict: the turn as it is on the server, null when it is gone. */
  current?: WordTurn | null
  /** Why it was refused. */
  problem?: string
}

/** The result of one try to send a text. */
export type SendAnswer =
  | { kind: 'saved'; edited: Edited }
  | { kind: 'unreached' }
  | { kind: 'conflict'; current: WordTurn | null }
  | { kind: 'refused'; problem: string }

type Kept = ReturnType<typeof keptIn>

export type Drafts = ReturnType<typeof createDrafts>

const PAUSE_MS = 800
const AGAIN_MS = 5_000

/** Never throws: a failure of `send` becomes a state of the draft. */
export function createDrafts({
  send,
  onSaved,
  kept,
}: {
  send: (turnId: string, draft: Pick<Draft, 'text' | 'revision'>) => Promise<SendAnswer>
  onSaved: (edited: Edited) => void
  kept: Kept
}) {
  let drafts: ReadonlyMap<string, Draft> = readAll(kept)
  const written = new Map([...drafts].map(([turnId, draft]) => [turnId, asKept(draft)]))
  const listeners = new Set<() => void>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const sending = new Map<string, Promise<void>>()

  const keep = (turnId: string, draft: Draft | null) => {
    const before = written.get(turnId)
    const now = draft && asKept(draft)
    // Only a changed text is written: another tab may have typed into the same turn since, and that
    // text must not be overwritten.
    if (now === before) return
    if (now !== null) {
      written.set(turnId, now)
      kept.write(turnId, now)
      return
    }
    written.delete(turnId)
    // A text that another tab typed into the same turn since is kept: it is not on the server yet.
    if (kept.read(turnId) === before) kept.remove(turnId)
  }
  const change = (turnId: string, draft: Draft | null) => {
    const next = new Map(drafts)
    if (draft) next.set(turnId, draft)
    else next.delete(turnId)
    drafts = next
    keep(turnId, draft)
    for (const listener of listeners) listener()
  }
  const later = (turnId: string, ms: number) => {
    clearTimeout(timers.get(turnId))
    timers.set(
      turnId,
      setTimeout(() => void flush(turnId), ms),
    )
  }
  const settle = (turnId: string, sent: Draft, answer: SendAnswer) => {
    if (answer.kind === 'saved') onSaved(answer.edited)
    const now = drafts.get(turnId)
    if (!now) return
    const { text, revision } = now
    switch (answer.kind) {
      case 'saved': {
        if (text === sent.text) return change(turnId, null)
        // The user typed on while the text was sent. The newer text is sent next, with the new
        // revision.
        const stored = answer.edited.turns.find(({ id }) => id === turnId)
        change(turnId, { text, revision: stored?.revision ?? sent.revision, status: 'typed' })
        return later(turnId, PAUSE_MS)
      }
      case 'unreached':
        change(turnId, { text, revision, status: 'kept' })
        return later(turnId, AGAIN_MS)
      case 'conflict':
        return change(turnId, { text, revision, status: 'conflict', current: answer.current })
      case 'refused':
        return change(turnId, { text, revision, status: 'refused', problem: answer.problem })
    }
  }
  const sendOnce = async (turnId: string, draft: Draft) => {
    change(turnId, { ...draft, status: 'sending' })
    settle(turnId, draft, await send(turnId, draft))
  }
  /** Sends what is typed now; true when the server has everything of this turn. */
  const flush = async (turnId: string): Promise<boolean> => {
    clearTimeout(timers.get(turnId))
    // A text carries its turn's revision, so it waits until the text before it is stored.
    const before = sending.get(turnId)
    if (before) await before
    const draft = drafts.get(turnId)
    if (draft && (draft.status === 'typed' || draft.status === 'kept')) {
      const work = sendOnce(turnId, draft)
      sending.set(turnId, work)
      await work
      sending.delete(turnId)
    }
    return !drafts.has(turnId)
  }

  return {
    getAll: () => drafts,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    type: ({ id, revision }: Pick<WordTurn, 'id' | 'revision'>, text: string) => {
      const before = drafts.get(id)
      // While the user has to choose between two versions, what is typed is kept and not sent.
      if (before?.status === 'conflict') return change(id, { ...before, text })
      change(id, {
        text,
        revision: before?.revision ?? revision,
        status: before?.status === 'sending' ? 'sending' : 'typed',
      })
      if (before?.status !== 'sending') later(id, PAUSE_MS)
    },
    flush,
    /** Sends every kept draft again. */
    retry: () => {
      for (const [id, { status }] of drafts)
        if (status === 'kept' || status === 'typed') void flush(id)
    },
    /** Ends a conflict: what was typed here replaces what is on the server. */
    takeMine: (turnId: string) => {
      const draft = drafts.get(turnId)
      if (!draft?.current) return
      change(turnId, { text: draft.text, revision: draft.current.revision, status: 'typed' })
      void flush(turnId)
    },
    /** Drops what was typed. */
    forget: (turnId: string) => {
      clearTimeout(timers.get(turnId))
      if (drafts.has(turnId)) change(turnId, null)
    },
  }
}

/**
 * Keeps texts in the browser's storage, each under a user, a transcription and a turn, so that tabs
 * that work on different turns do not collide. Where the storage is full or forbidden nothing is
 * kept: texts are still sent, and are safe only while the page is open.
 */
export function keptIn(
  { userId, transcriptionId }: { userId: string; transcriptionId: string },
  // A function, because where storage is blocked, even reading `localStorage` throws.
  storage: () => Storage = () => localStorage,
) {
  const start = `drafts:${userId}:${transcriptionId}:`
  return {
    /** Ids of turns. */
    list: () =>
      orElse<string[]>([], () => {
        const all = storage()
        const keys = Array.from({ length: all.length }, (_, index) => all.key(index) ?? '')
        return keys.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length))
      }),
    read: (turnId: string) => orElse(null, () => storage().getItem(start + turnId)),
    write: (turnId: string, value: string) =>
      orElse(undefined, () => storage().setItem(start + turnId, value)),
    remove: (turnId: string) => orElse(undefined, () => storage().removeItem(start + turnId)),
  }
}

function orElse<Value>(otherwise: Value, work: () => Value): Value {
  try {
    return work()
  } catch {
    return otherwise // The draft is in memory and is sent all the same.
  }
}

const asKept = ({ text, revision }: Draft): string => JSON.stringify({ text, revision })

/** Drafts that an earlier page left. They are sent again, which shows whether they conflict. */
function readAll(kept: Kept): Map<string, Draft> {
  return new Map(
    kept.list().flatMap((turnId): [string, Draft][] => {
      const draft = draftIn(kept.read(turnId))
      return draft ? [[turnId, draft]] : []
    }),
  )
}

function draftIn(kept: string | null): Draft | null {
  if (kept === null) return null
  let value: unknown
  try {
    value = JSON.parse(kept)
  } catch {
    return null // Not written by this version of the app.
  }
  if (typeof value !== 'object' || value === null) return null
  const { text, revision } = value as Record<string, unknown>
  if (typeof text !== 'string' || typeof revision !== 'number') return null
  return { text, revision, status: 'kept' }
}
