/** Sends the changes of one transcription, one after the other, each with what the one before it made. */
import type { QueryClient } from '@tanstack/react-query'

import type { Edited, Replaced, WordTurn, Words } from '../contract.ts'
import { wordsKey } from './words-query.ts'

export type Turn = Pick<WordTurn, 'id' | 'revision'>

/** The answer to a change. A replacement also says how many places it changed, and which turns not. */
export type Done = Edited & Partial<Pick<Replaced, 'replaced' | 'left'>>

/** Makes the call of a change; `current` names a turn as the changes before it have left it. */
export type MakeChange = (current: (turn: Turn) => Turn) => Promise<Edited | Replaced>

export function createSending(client: QueryClient, id: string) {
  /**
   * The revisions that changes of this tab made: under the id and revision of a turn, the revision that
   * came next. A user who goes on while a change is on its way still sees the revision before it. Nobody
   * else has changed the turn then, so the next change is sent with the revision that the first one made.
   */
  const made = new Map<string, number>()
  const latest = ({ id, revision }: Turn): Turn => {
    const next = made.get(`${id} ${revision}`)
    return next === undefined ? { id, revision } : latest({ id, revision: next })
  }
  /**
   * `checked` are the turns as the server found them when it made the change. Of any other turn only
   * a step of one is surely ours: every change of a turn adds at least one to its revision, so if
   * more was added, another tab changed it too, and a draft from before must meet that as a conflict.
   */
  const noteRevisions = (stored: WordTurn[], checked: Turn[]) => {
    const known = client.getQueryData<Words>(wordsKey(id))?.turns ?? []
    for (const turn of stored) {
      const before = checked.find((each) => each.id === turn.id)
      const shown = known.find((each) => each.id === turn.id)
      const last = before ?? (shown && latest(shown))
      // Accepting a word changes no text, so the revision stays.
      const isNew = last !== undefined && last.revision !== turn.revision
      if (isNew && (before || last.revision === turn.revision - 1))
        made.set(`${turn.id} ${last.revision}`, turn.revision)
    }
  }
  /**
   * Changes run one after the other, as mutations of one scope, because each carries the revision
   * that the one before it made: `make` asks for it just before it is sent. In a hidden tab TanStack
   * Query holds waiting mutations back until the tab is seen again; meanwhile the browser keeps the
   * drafts.
   */
  const inOrder = <Answer>(mutationFn: () => Promise<Answer>) =>
    client
      .getMutationCache()
      .build<Answer, Error, void, unknown>(client, { scope: { id: `edits of ${id}` }, mutationFn })
      .execute()
  const send = (make: MakeChange) =>
    inOrder<Done>(async () => {
      const checked: Turn[] = []
      const answer = await make((turn) => {
        checked.push(latest(turn))
        return latest(turn)
      })
      const edited = 'edit' in answer ? { ...answer, undo: answer.edit } : answer
      noteRevisions(edited.turns, checked)
      return edited
    })
  return { send, inOrder, noteRevisions }
}
