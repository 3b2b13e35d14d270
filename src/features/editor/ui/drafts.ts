/**
 * What was typed into turns and is not on the server yet. It is kept in this browser with every
 * keystroke, sent after a short pause, sent again until the server has it, and only then forgotten:
 * a lost connection, a closed tab or a change in another tab takes nothing away.
 */
import type { Edited, WordTurn } from '../contract.ts'

export interface Draft {
  text: string
  /** The revision of the turn that was typed into. */
  revision: number
  status:
    | 'typed'
    | 'sending'
    /** The server could not be reached; it is tried again. */
    | 'kept'
    /** The turn was changed elsewhere: `current` is how it is there, null when it is gone. */
    | 'conflict'
    /** The server does not take it; `problem` says why. */
    | 'refused'
  current: WordTurn | null
  problem: string | null
}

/** What became of one try to send a text. */
export type SendAnswer =
  | { kind: 'saved'; edited: Edited }
  | { kind: 'unreached' }
  | { kind: 'conflict'; current: WordTurn | null }
  | { kind: 'refused'; problem: string }

/** Where texts are kept, one by one: tabs that work on different turns do not meet there. */
export interface Kept {
  /** Ids of turns. */
  list: () => string[]
  read: (turnId: string) => string | null
  write: (turnId: string, value: string) => void
  remove: (turnId: string) => void
}

export interface Drafts {
  getAll: () => ReadonlyMap<string, Draft>
  subscribe: (listener: () => void) => () => void
  type: (turn: Pick<WordTurn, 'id' | 'revision'>, text: string) => void
  /** Sends what is typed now; true when the server has everything of this turn. */
  flush: (turnId: string) => Promise<boolean>
  /** Tries everything that is kept once more. */
  retry: () => void
  /** What was typed here goes over what is there. */
  takeMine: (turnId: string) => void
  /** Drops what was typed. */
  forget: (turnId: string) => void
  stop: () => void
}

const PAUSE_MS = 800
const AGAIN_MS = 5_000

/** @throws nothing: what `send` cannot do is a state of the draft. */
export function createDrafts({
  send,
  onSaved,
  kept,
}: {
  send: (turnId: string, draft: Pick<Draft, 'text' | 'revision'>) => Promise<SendAnswer>
  onSaved: (edited: Edited) => void
  kept: Kept
}): Drafts {
  let drafts: ReadonlyMap<string, Draft> = readAll(kept)
  const written = new Map([...drafts].map(([turnId, draft]) => [turnId, asKept(draft)]))
  const listeners = new Set<() => void>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const sending = new Map<string, Promise<void>>()

  const keep = (turnId: string, draft: Draft | null) => {
    const before = written.get(turnId)
    const now = draft && asKept(draft)
    // Written again with each change of its state, it would go over what another tab typed since.
    if (now === before) return
    if (now !== null) {
      written.set(turnId, now)
      kept.write(turnId, now)
      return
    }
    written.delete(turnId)
    // What another tab typed into the same turn since is not on the server yet.
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
    const now = drafts.get(turnId)
    if (answer.kind === 'saved') onSaved(answer.edited)
    if (!now) return
    const base = { current: null, problem: null }
    switch (answer.kind) {
      case 'saved': {
        const revision =
          answer.edited.turns.find(({ id }) => id === turnId)?.revision ?? sent.revision
        if (now.text === sent.text) return change(turnId, null)
        // Typed on meanwhile: the rest follows.
        change(turnId, { ...base, text: now.text, revision, status: 'typed' })
        return later(turnId, PAUSE_MS)
      }
      case 'unreached':
        change(turnId, { ...now, ...base, status: 'kept' })
        return later(turnId, AGAIN_MS)
      case 'conflict':
        return change(turnId, { ...now, ...base, status: 'conflict', current: answer.current })
      case 'refused':
        return change(turnId, { ...now, ...base, status: 'refused', problem: answer.problem })
    }
  }
  const sendOnce = async (turnId: string, draft: Draft) => {
    change(turnId, { ...draft, status: 'sending' })
    settle(turnId, draft, await send(turnId, draft))
  }
  const flush = async (turnId: string): Promise<boolean> => {
    clearTimeout(timers.get(turnId))
    // One at a time for a turn, or the second would carry the revision of before the first.
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
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    type: ({ id, revision }, text) => {
      const before = drafts.get(id)
      // While two versions wait for a choice, typing goes on in ours and sends nothing.
      if (before?.status === 'conflict') return change(id, { ...before, text })
      change(id, {
        text,
        revision: before?.revision ?? revision,
        status: before?.status === 'sending' ? 'sending' : 'typed',
        current: null,
        problem: null,
      })
      if (before?.status !== 'sending') later(id, PAUSE_MS)
    },
    flush,
    retry: () => {
      for (const [id, { status }] of drafts)
        if (status === 'kept' || status === 'typed') void flush(id)
    },
    takeMine: (turnId) => {
      const draft = drafts.get(turnId)
      if (!draft?.current) return
      change(turnId, {
        text: draft.text,
        revision: draft.current.revision,
        status: 'typed',
        current: null,
        problem: null,
      })
      void flush(turnId)
    },
    forget: (turnId) => {
      clearTimeout(timers.get(turnId))
      if (drafts.has(turnId)) change(turnId, null)
    },
    stop: () => {
      for (const timer of timers.values()) clearTimeout(timer)
      listeners.clear()
    },
  }
}

/**
 * Keeps texts in the browser, under a user and a transcription. A browser that keeps nothing, as it
 * is full or was told so, must not stop what is typed from being sent: the text is then safe as
 * long as the page is open, as it would be without this.
 */
export function keptIn(
  { userId, transcriptionId }: { userId: string; transcriptionId: string },
  // Asked for each time: where storage is blocked, looking at it throws already.
  storage: () => Storage = () => localStorage,
): Kept {
  const start = `drafts:${userId}:${transcriptionId}:`
  return {
    list: () =>
      orElse([], () => {
        const all = storage()
        const keys = Array.from({ length: all.length }, (_, index) => all.key(index) ?? '')
        return keys.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length))
      }),
    read: (turnId) => orElse(null, () => storage().getItem(start + turnId)),
    write: (turnId, value) => orElse(undefined, () => storage().setItem(start + turnId, value)),
    remove: (turnId) => orElse(undefined, () => storage().removeItem(start + turnId)),
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

/** What an earlier page left behind. A conflict is found out anew, by sending. */
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
    return null // Written by another version, or by hand: nothing of ours.
  }
  if (typeof value !== 'object' || value === null) return null
  const { text, revision } = value as Record<string, unknown>
  if (typeof text !== 'string' || typeof revision !== 'number') return null
  return { text, revision, status: 'kept', current: null, problem: null }
}
