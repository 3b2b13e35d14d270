import { expect, test, vi } from 'vitest'

import type { Edited, WordTurn, Words } from '#features/text/contract.ts'
import type { Saved } from '#features/text/ui/undo-steps.ts'
import { wordsKey } from '#features/text/ui/words-query.ts'
import { newQueryClient } from '#web/query-client.ts'

import { createEdits } from './edits.ts'

const edited: Edited = {
  revision: 1,
  undo: null,
  turns: [],
  removed: [],
  speakers: [],
  wordCount: 2,
  reload: false,
}

test('a change is sent when the one before it was answered', async () => {
  vi.stubGlobal('localStorage', { length: 0, getItem: () => null })
  const happened: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    const turn = /turns\/(\w+)/.exec(url)?.[1] ?? url
    happened.push(`${turn} sent`)
    await new Promise((resolve) => setTimeout(resolve, turn === 'first' ? 20 : 0))
    happened.push(`${turn} answered`)
    return Response.json(edited)
  })
  const edits = createEdits(newQueryClient(), { userId: 'u', id: 't', onSaved: () => undefined })
  const split = (id: string) => edits.split({ id, revision: 0 }, 3, 'one two')
  await Promise.all([split('first'), split('second')])
  expect(happened).toEqual(['first sent', 'first answered', 'second sent', 'second answered'])
})

/** One open result with one turn at revision 4. The server answers each change with `stored(sent)`. */
function openTurn(stored: (sent: number) => number) {
  vi.stubGlobal('localStorage', { length: 0, getItem: () => null })
  const turn: WordTurn = {
    id: 'one',
    position: 0,
    revision: 4,
    speaker: 0,
    start: 0,
    end: 0.9,
    text: 'one',
    isEdited: true,
    words: [],
  }
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const { revision } = JSON.parse(body) as { revision: number }
    sent.push(revision)
    return Response.json({ ...edited, turns: [{ ...turn, revision: stored(revision) }] })
  })
  const client = newQueryClient()
  const words: Words = { revision: 4, turns: [turn], speakers: [], checkBelow: null }
  client.setQueryData(wordsKey('t'), words)
  const edits = createEdits(client, { userId: 'u', id: 't', onSaved: () => undefined })
  return { edits, turn, sent }
}

test('a change asked for while the one before it is on its way carries what that one made', async () => {
  const { edits, turn, sent } = openTurn((revision) => revision + 1)
  await Promise.all([edits.accept(turn, [0]), edits.restore(turn), edits.restore(turn)])
  expect(sent).toEqual([4, 5, 6])
})

test('words of one turn are accepted one after the other; none of them changes its revision', async () => {
  const { edits, turn, sent } = openTurn((revision) => revision)
  await edits.accept(turn, [0])
  await edits.accept(turn, [1])
  expect(sent).toEqual([4, 4])
})

test('restoring a turn while its text is on its way carries what the text made', async () => {
  const { edits, turn, sent } = openTurn((revision) => revision + 1)
  edits.drafts.type(turn, 'two')
  await Promise.all([edits.drafts.flush(turn.id), edits.restore(turn)])
  expect(sent).toEqual([4, 5])
})

test.each([
  { between: 'nothing', stored: 5, carries: 5 },
  { between: 'a change of another tab', stored: 6, carries: 4 },
])(
  'a change of a turn carries revision $carries after $between came before our speaker',
  async ({ stored, carries }) => {
    const { edits, turn, sent } = openTurn(() => stored)
    // The server takes a speaker whatever the revision is.
    await edits.assign(turn.id, 1)
    await edits.restore(turn)
    expect(sent).toEqual([undefined, carries])
  },
)

test('a word that was found right stays so when it is overtyped and the turn is left', async () => {
  vi.stubGlobal('localStorage', { length: 0, getItem: () => null, setItem() {}, removeItem() {} })
  const packed = (confidence: number) => [0, 3, 0, 300, confidence, 1, 3, 400, 300, 90]
  let turn: WordTurn = {
    id: 'one',
    position: 0,
    revision: 4,
    speaker: 0,
    start: 0,
    end: 0.9,
    text: 'one two',
    isEdited: false,
    words: packed(100),
  }
  const accepted: unknown[] = []
  // As the server does: the engine's words, typed again, have its doubt again.
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const { text, words } = JSON.parse(body) as { text?: string; words?: number[] }
    if (text !== undefined)
      turn = {
        ...turn,
        text,
        revision: turn.revision + 1,
        words: packed(text === 'one two' ? 20 : 100),
      }
    else {
      accepted.push(words)
      turn = { ...turn, words: packed(100) }
    }
    return Response.json({ ...edited, turns: [turn] })
  })
  const client = newQueryClient()
  const words: Words = { revision: 4, turns: [turn], speakers: [], checkBelow: 50 }
  client.setQueryData(wordsKey('t'), words)
  const before = turn
  const saved = vi.fn<(saved: Saved) => void>()
  const edits = createEdits(client, { userId: 'u', id: 't', onSaved: saved })
  edits.drafts.type(before, 'won two')
  await edits.drafts.flush(before.id)
  expect(edits.turnNow('one')?.text).toBe('won two')

  edits.leave(edits.turnNow('one')!, before, 'won two')
  await vi.waitFor(() =>
    expect(saved).toHaveBeenLastCalledWith(expect.objectContaining({ isLeft: true })),
  )
  expect(edits.turnNow('one')).toMatchObject({ text: 'one two', words: packed(100) })
  expect(accepted).toEqual([[0]])
})
