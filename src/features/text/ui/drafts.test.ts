import { beforeEach, expect, test, vi } from 'vitest'

import type { Edited } from '../contract.ts'
import { type SendAnswer, createDrafts, keptIn } from './drafts.ts'

const turn = (revision: number, text: string) => ({
  id: 't1',
  position: 1,
  revision,
  speaker: 0,
  start: 0,
  end: 1,
  text,
  isEdited: true,
  words: [],
})
const edited = (revision: number, text: string): Edited => ({
  revision,
  undo: 1,
  turns: [turn(revision, text)],
  removed: [],
  speakers: [],
  wordCount: 1,
  reload: false,
})

/** The storage of a browser, that lives as long as the test. */
function aStorage(): Storage {
  const values = new Map<string, string>()
  return {
    get length() {
      return values.size
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    clear: () => values.clear(),
  }
}
const mine = { userId: 'u1', transcriptionId: 'r1' }
const aShelf = (storage = aStorage()) => keptIn(mine, () => storage)

/** A server that answers as it is told, and remembers what it was sent. */
function aServer(...answers: SendAnswer[]) {
  const sent: { text: string; revision: number }[] = []
  return {
    sent,
    send: (_: string, { text, revision }: { text: string; revision: number }) => {
      sent.push({ text, revision })
      return Promise.resolve(answers.shift() ?? { kind: 'unreached' as const })
    },
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})

test('a draft is kept at once, sent after a pause, and forgotten when the server has it', async () => {
  const kept = aShelf()
  const server = aServer({ kind: 'saved', edited: edited(1, 'Hello there') })
  const saved: number[] = []
  const drafts = createDrafts({
    send: server.send,
    kept,
    onSaved: ({ revision }) => saved.push(revision),
  })
  drafts.type({ id: 't1', revision: 0 }, 'Hello')
  drafts.type({ id: 't1', revision: 0 }, 'Hello there')
  expect(kept.read('t1')).toContain('Hello there')
  expect(server.sent).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  expect(server.sent).toEqual([{ text: 'Hello there', revision: 0 }])
  expect(saved).toEqual([1])
  expect(kept.list()).toEqual([])
})

test('without a connection it stays, is sent again, and survives the page', async () => {
  const kept = aShelf()
  const first = createDrafts({ ...aServer(), kept, onSaved: () => undefined })
  first.type({ id: 't1', revision: 3 }, 'kept')
  await first.flush('t1')
  expect(first.getAll().get('t1')?.status).toBe('kept')

  const server = aServer({ kind: 'unreached' }, { kind: 'saved', edited: edited(4, 'kept') })
  const second = createDrafts({ send: server.send, kept, onSaved: () => undefined })
  expect(second.getAll().get('t1')).toMatchObject({ text: 'kept', revision: 3, status: 'kept' })
  second.retry()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(server.sent).toEqual([
    { text: 'kept', revision: 3 },
    { text: 'kept', revision: 3 },
  ])
  expect(second.getAll().size).toBe(0)
})

test('text typed while a draft is sent follows with the new revision', async () => {
  const server = aServer(
    { kind: 'saved', edited: edited(1, 'one') },
    { kind: 'saved', edited: edited(2, 'one two') },
  )
  const drafts = createDrafts({ send: server.send, kept: aShelf(), onSaved: () => undefined })
  drafts.type({ id: 't1', revision: 0 }, 'one')
  const sending = drafts.flush('t1')
  drafts.type({ id: 't1', revision: 0 }, 'one two')
  expect(await sending).toBe(false)
  await vi.advanceTimersByTimeAsync(1000)
  expect(server.sent).toEqual([
    { text: 'one', revision: 0 },
    { text: 'one two', revision: 1 },
  ])
  expect(drafts.getAll().size).toBe(0)
})

test('a change in another tab keeps both texts, and the user chooses one', async () => {
  const conflict: SendAnswer = { kind: 'conflict', current: turn(7, 'theirs') }
  const server = aServer(conflict, { kind: 'saved', edited: edited(8, 'mine, really') })
  const drafts = createDrafts({ send: server.send, kept: aShelf(), onSaved: () => undefined })
  drafts.type({ id: 't1', revision: 0 }, 'mine')
  await drafts.flush('t1')
  expect(drafts.getAll().get('t1')).toMatchObject({
    status: 'conflict',
    text: 'mine',
    current: { text: 'theirs' },
  })
  drafts.type({ id: 't1', revision: 0 }, 'mine, really')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(server.sent).toHaveLength(1)
  drafts.takeMine('t1')
  await vi.advanceTimersByTimeAsync(0)
  expect(server.sent.at(-1)).toEqual({ text: 'mine, really', revision: 7 })
  expect(drafts.getAll().size).toBe(0)
})

test('a text that is refused says why and stays', async () => {
  const drafts = createDrafts({
    ...aServer({ kind: 'refused', problem: 'Too long.' }),
    kept: aShelf(),
    onSaved: () => undefined,
  })
  drafts.type({ id: 't1', revision: 0 }, 'x')
  await drafts.flush('t1')
  expect(drafts.getAll().get('t1')).toMatchObject({
    status: 'refused',
    problem: 'Too long.',
    text: 'x',
  })
})

test('a draft that another version of the page has kept is ignored', () => {
  for (const value of ['', '{', 'null', '{"a":1}', '[1]', '{"text":1,"revision":1}']) {
    const kept = aShelf()
    kept.write('t1', value)
    const drafts = createDrafts({ ...aServer(), kept, onSaved: () => undefined })
    expect(drafts.getAll().size).toBe(0)
  }
})

test('a tab that saves its turn leaves what another tab has not sent', async () => {
  const storage = aStorage()
  const saves = { kind: 'saved', edited: edited(1, 'of the second') } as const
  const aTab = (...answers: SendAnswer[]) =>
    createDrafts({ ...aServer(...answers), kept: aShelf(storage), onSaved: () => undefined })
  const [first, second, third] = [aTab(), aTab(saves), aTab(saves)]
  first.type({ id: 't2', revision: 0 }, 'of the first')
  second.type({ id: 't1', revision: 0 }, 'of the second')
  expect(await second.flush('t1')).toBe(true)
  expect([...aTab().getAll()]).toMatchObject([['t2', { text: 'of the first' }]])

  third.type({ id: 't2', revision: 0 }, 'of the third')
  first.type({ id: 't2', revision: 0 }, 'of the first, typed since')
  expect(await third.flush('t2')).toBe(true)
  expect([...aTab().getAll()]).toMatchObject([['t2', { text: 'of the first, typed since' }]])
})

test('a draft of one user is not sent for another, nor into another recording', () => {
  const storage = aStorage()
  const shelfOf = (owner: typeof mine) => keptIn(owner, () => storage)
  const open = (owner: typeof mine) =>
    createDrafts({ ...aServer(), kept: shelfOf(owner), onSaved: () => undefined })
  open(mine).type({ id: 't1', revision: 0 }, 'private')
  expect(open({ ...mine, userId: 'u2' }).getAll().size).toBe(0)
  expect(open({ ...mine, transcriptionId: 'r2' }).getAll().size).toBe(0)
  expect(open(mine).getAll().get('t1')?.text).toBe('private')
})

test('a browser that keeps nothing does not stop what is typed from being sent', async () => {
  const full: Storage = {
    ...aStorage(),
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }
  const blocked = () => {
    throw new DOMException('blocked', 'SecurityError')
  }
  for (const kept of [aShelf(full), keptIn(mine, blocked)]) {
    const server = aServer({ kind: 'saved', edited: edited(1, 'typed') })
    const drafts = createDrafts({ send: server.send, kept, onSaved: () => undefined })
    drafts.type({ id: 't1', revision: 0 }, 'typed')
    expect(drafts.getAll().get('t1')?.text).toBe('typed')
    await vi.advanceTimersByTimeAsync(1000)
    expect(server.sent).toEqual([{ text: 'typed', revision: 0 }])
    expect(drafts.getAll().size).toBe(0)
  }
})
