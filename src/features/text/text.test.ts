import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import { transcriptions as transcriptionRows } from '#features/row/tables.ts'
import type { Word } from '#features/speech/contract.ts'
import * as transcriptions from '#features/transcriptions/transcriptions.ts'
import * as vocabulary from '#features/vocabulary/vocabulary.ts'
import type { Db } from '#server/db.ts'
import { MOST_REPLACEMENTS } from '#shared/business.ts'
import { systemClock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'
import { test } from '#test/database.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { isLong, times } from '#test/long.ts'

import { edits, turns, turnsOf } from './tables.ts'
import { checkBelowOf, doubtIn } from './words-in-doubt.ts'
import { type Edited, MOST_TURN_CHARACTERS, type Words } from './contract.ts'
import * as accuracy from './accuracy.ts'
import * as editing from './text.ts'
import { type EditOutcome, KEPT_BYTES, KEPT_EDITS, undo } from './history.ts'
import * as naming from './naming.ts'
import * as view from './turn-view.ts'
import { unpackWords } from './packed-words.ts'

const deps = (db: Db) => ({ db, clock: systemClock })

async function aConversation(db: Db) {
  const user = await aUser(db)
  const row = await aTranscription(db, {
    userId: user.id,
    turns: [
      { speaker: 0, text: 'We met on tuesday at noon' },
      { speaker: 1, text: 'And the prize was raised' },
      { speaker: 0, text: 'Nobody wrote it down' },
    ],
  })
  const owned = { userId: user.id, id: row.id }
  return { owned, words: await view.words({ db }, owned) }
}

const edited = (outcome: EditOutcome): Edited => {
  if (outcome.kind === 'conflict') throw new Error('this was a conflict')
  return outcome.edited
}
const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  )
const textsOf = ({ turns: said }: Pick<Words, 'turns'>) => said.map(({ text }) => text)
const timesOf = (turn: Words['turns'][number]) =>
  unpackWords(turn).map(({ startMs, endMs }) => [startMs, endMs])

test('words come with their places in the text and their times', async ({ db }) => {
  const { words } = await aConversation(db)
  const [turn] = words.turns
  const [first, second] = unpackWords(turn!)
  expect(turn!.text.slice(second!.from, second!.to)).toBe('met')
  expect(first).toMatchObject({ startMs: 0, endMs: 300, confidence: 40 })
  const checkBelow = checkBelowOf('pocketsphinx')
  expect(words).toMatchObject({ revision: 0, checkBelow, timing: 'recognized' })
  expect(words.speakers).toEqual([
    { speaker: 0, label: 'Speaker A', name: null, talkTime: 3.8 },
    { speaker: 1, label: 'Speaker B', name: null, talkTime: 1.9 },
  ])
})

test('a corrected turn is in the text, and its other words keep their times', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const turn = words.turns[1]!
  const text = 'And the price was raised.'
  const done = edited(
    await editing.setText(deps(db), { ...owned, turnId: turn.id, revision: 0, text }),
  )
  expect(done).toMatchObject({ revision: 1, undo: 1, removed: [], wordCount: 15, reload: false })
  expect(done.turns[0]).toMatchObject({ id: turn.id, text, revision: 1, isEdited: true })
  expect(timesOf(done.turns[0]!)).toEqual(timesOf(turn))
  expect(unpackWords(done.turns[0]!)[2]).toMatchObject({ confidence: 100 })
  const shown = await transcriptions.get({ db }, owned)
  expect(shown.transcriptionText).toBe(
    'We met on tuesday at noon\n\nAnd the price was raised.\n\nNobody wrote it down',
  )
})

test('a user who would write over a change they have not seen is told, and nothing is written', async ({
  db,
}) => {
  const { owned, words } = await aConversation(db)
  const of = { ...owned, turnId: words.turns[1]!.id, revision: 0 }
  await editing.setText(deps(db), { ...of, text: 'The first tab.' })
  const second = await editing.setText(deps(db), { ...of, text: 'The second tab.' })
  expect(second).toMatchObject({
    kind: 'conflict',
    current: { text: 'The first tab.', revision: 1 },
  })
  const gone = { ...of, turnId: crypto.randomUUID(), text: 'x' }
  expect(await editing.setText(deps(db), gone)).toEqual({ kind: 'conflict', current: null })
  expect((await view.words({ db }, owned)).revision).toBe(1)
})

test('of many tabs that save a turn at once one is written, and different turns lose nothing', async ({
  db,
}) => {
  for (let round = 0; round < 4; round += 1) {
    const { owned, words } = await aConversation(db)
    const [first, ...others] = words.turns
    const save = (turn: typeof first, revision: number, text: string) =>
      editing.setText(deps(db), { ...owned, turnId: turn!.id, revision, text })
    const { revision } = edited(await save(first, 0, 'We met on Tuesday at noon')).turns[0]!
    const tabs = Array.from({ length: 6 }, (_, tab) => save(first, revision, `Version ${tab}`))
    const outcomes = await Promise.all([...tabs, ...others.map((turn) => save(turn, 0, 'Right'))])
    const kinds = outcomes.map(({ kind }) => kind)
    expect(kinds.slice(0, 6).filter((kind) => kind === 'conflict')).toHaveLength(5)
    expect(kinds.slice(6)).not.toContain('conflict')
    const now = await view.words({ db }, owned)
    expect(now.revision).toBe(4)
    expect(textsOf(now).slice(1)).toEqual(['Right', 'Right'])
    expect(textsOf(now)[0]).toMatch(/^Version/)
  }
})

test('saving the same text again changes nothing, whatever the tab had seen', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const of = { ...owned, turnId: words.turns[1]!.id, revision: 0 }
  await editing.setText(deps(db), { ...of, text: 'Said once.' })
  const again = edited(await editing.setText(deps(db), { ...of, text: ' Said  once. ' }))
  expect(again).toMatchObject({ revision: 1, undo: null, turns: [{ revision: 1 }] })
})

test('a turn is cut in two where the reader wants, and put together again', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const turn = words.turns[0]!
  const cut = edited(
    await editing.split(deps(db), { ...owned, turnId: turn.id, revision: 0, at: 'We met '.length }),
  )
  expect(textsOf(cut)).toEqual(['We met', 'on tuesday at noon'])
  expect(cut.turns.flatMap(timesOf)).toEqual(timesOf(turn))
  expect(cut.turns[0]!.id).toBe(turn.id)
  expect(textsOf(await view.words({ db }, owned))).toEqual([
    'We met',
    'on tuesday at noon',
    'And the prize was raised',
    'Nobody wrote it down',
  ])
  const [left, right] = cut.turns
  const joined = edited(
    await editing.merge(deps(db), {
      ...owned,
      turnId: right!.id,
      revision: right!.revision,
      previous: { id: left!.id, revision: left!.revision },
    }),
  )
  expect(joined).toMatchObject({ removed: [right!.id], turns: [{ id: left!.id, text: turn.text }] })
  expect(timesOf(joined.turns[0]!)).toEqual(timesOf(turn))
})

test('text that was typed and not saved is part of a cut', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const of = { ...owned, turnId: words.turns[0]!.id, revision: 0 }
  const text = 'We all met on Tuesday at noon'
  const cut = edited(await editing.split(deps(db), { ...of, text, at: 'We all met'.length }))
  expect(textsOf(cut)).toEqual(['We all met', 'on Tuesday at noon'])
  expect(unpackWords(cut.turns[1]!)[1]).toMatchObject({ startMs: 1200 })
})

test('a turn is not cut at its ends, and only neighbours are put together', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const [first, , third] = words.turns
  const of = { ...owned, turnId: first!.id, revision: 0 }
  expect(await refusalOf(editing.split(deps(db), { ...of, at: 0 }))).toBe('invalid_request')
  expect(await refusalOf(editing.split(deps(db), { ...of, at: 999 }))).toBe('invalid_request')
  const far = { ...owned, turnId: third!.id, revision: 0, previous: { id: first!.id, revision: 0 } }
  expect(await refusalOf(editing.merge(deps(db), far))).toBe('invalid_request')
})

test('a turn can be cut in two at the same place again and again', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const text = Array.from({ length: 120 }, (_, word) => `word${word}`).join(' ')
  const of = { ...owned, turnId: words.turns[0]!.id }
  let { revision } = edited(await editing.setText(deps(db), { ...of, revision: 0, text })).turns[0]!
  // After some fifty cuts no number is left between two places: the turns are numbered anew.
  for (let left = 119; left > 119 - times(60, 119); left -= 1) {
    const at = text.indexOf(` word${left}`)
    const cut = edited(await editing.split(deps(db), { ...of, revision, at }))
    revision = (await view.words({ db }, owned)).turns[0]!.revision
    expect(cut.removed).toEqual([])
  }
  const now = await view.words({ db }, owned)
  expect(textsOf(now).slice(0, -2).join(' ')).toBe(text)
  expect(textsOf(now).slice(-2)).toEqual(['And the prize was raised', 'Nobody wrote it down'])
})

test('the original of a turn comes back, also of the half of one', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const of = { ...owned, turnId: words.turns[0]!.id }
  await editing.setText(deps(db), { ...of, revision: 0, text: 'We never met, so much is clear' })
  const whole = edited(await editing.restore(deps(db), { ...of, revision: 1 }))
  expect(whole.turns[0]).toMatchObject({ text: 'We met on tuesday at noon', isEdited: false })
  expect(whole.turns[0]!.words).toEqual(words.turns[0]!.words)

  const cut = edited(await editing.split(deps(db), { ...of, revision: 2, at: 6 }))
  const right = cut.turns[1]!
  await editing.setText(deps(db), {
    ...owned,
    turnId: right.id,
    revision: right.revision,
    text: '',
  })
  const half = edited(
    await editing.restore(deps(db), { ...owned, turnId: right.id, revision: right.revision + 1 }),
  )
  expect(half.turns[0]).toMatchObject({ text: 'on tuesday at noon' })
})

test('a turn whose own words are typed again, or cut as they are, was not corrected', async ({
  db,
}) => {
  const { owned, words } = await aConversation(db)
  const { text, id: turnId } = words.turns[0]!
  const of = { ...owned, turnId }
  await editing.setText(deps(db), { ...of, revision: 0, text: 'We never met' })
  const again = edited(await editing.setText(deps(db), { ...of, revision: 1, text }))
  expect(again.turns[0]).toEqual({ ...words.turns[0]!, revision: 2 })
  const cut = edited(await editing.split(deps(db), { ...of, revision: 2, text, at: 6 }))
  expect(cut.turns.map(({ isEdited }) => isEdited)).toEqual([false, false])
})

test('everything can go back to what the engine wrote, and that can be undone', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const [last] = await turnsOf(db, owned.id, eq(turns.position, 2))
  const said = last!.words.map((word) => ({ ...word, text: word.text.toUpperCase() }))
  const replaced = { position: 2, words: said, text: last!.text.toUpperCase() }
  await editing.writeFixed(deps(db), { ...owned, changed: [replaced], replaced: 1 })
  expect((await view.words({ db }, owned)).fixed).toMatchObject({ replaced: 1 })
  await editing.setText(deps(db), {
    ...owned,
    turnId: words.turns[1]!.id,
    revision: 0,
    text: 'Something else.',
  })
  await naming.rename(deps(db), { ...owned, speaker: 1, name: 'Ben' })
  const stale = await editing.restoreAll(deps(db), { ...owned, revision: 2 })
  expect(stale).toEqual({ kind: 'conflict', current: null })
  const back = edited(await editing.restoreAll(deps(db), { ...owned, revision: 3 }))
  expect(back).toMatchObject({ reload: true, wordCount: 15 })
  expect(textsOf(await view.words({ db }, owned))).toEqual(textsOf(words))
  expect((await view.words({ db }, owned)).fixed).toBeUndefined()
  await undo(deps(db), { ...owned, edit: back.undo! })
  expect(textsOf(await view.words({ db }, owned))[1]).toBe('Something else.')
})

test('any change can be undone and done again, as long as nobody changed it since', async ({
  db,
}) => {
  const { owned, words } = await aConversation(db)
  const of = { ...owned, turnId: words.turns[0]!.id }
  const cut = edited(await editing.split(deps(db), { ...of, revision: 0, at: 6 }))
  const other = { ...owned, turnId: words.turns[2]!.id, revision: 0 }
  await editing.setText(deps(db), { ...other, text: 'Elsewhere.' })

  const back = edited(await undo(deps(db), { ...owned, edit: cut.undo! }))
  expect(back).toMatchObject({ removed: [cut.turns[1]!.id] })
  expect(textsOf(await view.words({ db }, owned))).toEqual([
    'We met on tuesday at noon',
    'And the prize was raised',
    'Elsewhere.',
  ])
  const again = edited(await undo(deps(db), { ...owned, edit: back.undo! }))
  expect(textsOf(again)).toEqual(['We met', 'on tuesday at noon'])
  const { revision } = again.turns[0]!
  await editing.setText(deps(db), { ...of, revision, text: 'Changed since.' })
  expect(await refusalOf(undo(deps(db), { ...owned, edit: again.undo! }))).toBe('cannot_undo')
  expect(await refusalOf(undo(deps(db), { ...owned, edit: 999 }))).toBe('cannot_undo')
})

test('changes of one turn are taken back one after the other, and made again', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const turnId = words.turns[0]!.id
  const now = async () => textsOf(await view.words({ db }, owned))[0]
  const step = async (number: number) =>
    edited(await undo(deps(db), { ...owned, edit: number })).undo!
  const written: number[] = []
  for (const text of ['One.', 'One two.', 'One two three.']) {
    const { revision } = (await view.words({ db }, owned)).turns[0]!
    const done = edited(await editing.setText(deps(db), { ...owned, turnId, revision, text }))
    written.push(done.undo!)
  }
  const taken: number[] = []
  for (const number of written.toReversed()) taken.push(await step(number))
  expect(await now()).toBe('We met on tuesday at noon')
  const again: number[] = []
  for (const number of taken.toReversed()) again.push(await step(number))
  expect(await now()).toBe('One two three.')
  await step(again[2]!)
  await step(again[1]!)
  expect(await now()).toBe('One.')
  // Something else was written since, so what came before it stays.
  const { revision } = (await view.words({ db }, owned)).turns[0]!
  await editing.setText(deps(db), { ...owned, turnId, revision, text: 'Other.' })
  expect(await refusalOf(step(again[0]!))).toBe('cannot_undo')
})

test('a turn gets other times, its words with it, between the turns beside it', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const [first, turn, third] = words.turns
  const set = (startMs: number, endMs: number, revision = 0) =>
    editing.retime(deps(db), { ...owned, turnId: turn!.id, revision, startMs, endMs })
  const was = timesOf(turn!)
  const startMs = turn!.start * 1000
  const endMs = turn!.end * 1000
  const half = startMs + (endMs - startMs) / 2
  const done = edited(await set(half, endMs))
  expect(done.turns[0]).toMatchObject({ start: half / 1000, end: turn!.end, isEdited: false })
  expect(timesOf(done.turns[0]!)).toEqual(
    was.map((times) => times.map((ms) => Math.round(half + (ms - startMs) / 2))),
  )
  expect(await refusalOf(set(first!.end * 1000 - 1, endMs, 1))).toBe('times_taken')
  expect(await refusalOf(set(startMs, third!.start * 1000 + 1, 1))).toBe('times_taken')
  expect(await refusalOf(set(startMs, startMs + 50, 1))).toBe('invalid_request')
  expect(await set(startMs, endMs)).toMatchObject({ kind: 'conflict', current: { revision: 1 } })
  const back = edited(await undo(deps(db), { ...owned, edit: done.undo! }))
  expect(timesOf(back.turns[0]!)).toEqual(was)
})

test('accepted words are sure, and the tab that edits the turn is not disturbed', async ({
  db,
}) => {
  const { owned, words } = await aConversation(db)
  const of = { ...owned, turnId: words.turns[0]!.id, revision: 0 }
  const done = edited(await editing.accept(deps(db), { ...of, words: [0, 3] }))
  expect(unpackWords(done.turns[0]!).map(({ confidence }) => confidence)).toEqual([
    100, 40, 40, 100, 40, 40,
  ])
  expect(done.turns[0]!.revision).toBe(0)
  expect(await refusalOf(editing.accept(deps(db), { ...of, words: [99] }))).toBe('invalid_request')
  const back = edited(await undo(deps(db), { ...owned, edit: done.undo! }))
  expect(unpackWords(back.turns[0]!)[0]).toMatchObject({ confidence: 40 })
})

test('a speaker is named everywhere at once', async ({ db }) => {
  const { owned } = await aConversation(db)
  const done = edited(
    await naming.rename(deps(db), { ...owned, speaker: 0, name: ' Ada\n Lovett ' }),
  )
  expect(done.speakers[0]).toMatchObject({ speaker: 0, label: 'Speaker A', name: 'Ada Lovett' })
  const shown = await transcriptions.get({ db }, owned)
  expect(shown.speakers).toEqual(['Ada Lovett', 'Speaker B'])
  expect(JSON.parse(shown.speakerSegments!)[0]).toMatchObject({ speaker: 'Ada Lovett' })
  const back = edited(await undo(deps(db), { ...owned, edit: done.undo! }))
  expect(back.speakers[0]!.name).toBeNull()
  expect(await refusalOf(naming.rename(deps(db), { ...owned, speaker: 7, name: 'x' }))).toBe(
    'not_found',
  )
})

test('two speakers of one name are one with joined turns, until that is undone', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  await naming.rename(deps(db), { ...owned, speaker: 0, name: 'Ada' })
  const one = edited(await naming.rename(deps(db), { ...owned, speaker: 1, name: 'ADA ' }))
  expect(one.speakers).toMatchObject([{ speaker: 0, label: 'Speaker A', name: 'Ada' }])
  expect(one.turns).toMatchObject([{ id: words.turns[0]!.id, speaker: 0, isEdited: false }])
  expect(one.removed).toEqual(words.turns.slice(1).map((turn) => turn.id))
  const whole = 'We met on tuesday at noon And the prize was raised Nobody wrote it down'
  expect(textsOf(await view.words({ db }, owned))).toEqual([whole])
  expect((await transcriptions.get({ db }, owned)).transcriptionText).toBe(whole)

  const two = edited(await undo(deps(db), { ...owned, edit: one.undo! }))
  expect(two.speakers.map(({ name }) => name)).toEqual(['Ada', null])
  const now = await view.words({ db }, owned)
  expect(now.turns.map(({ speaker }) => speaker)).toEqual([0, 1, 0])
  expect(now.turns.map(timesOf)).toEqual(words.turns.map(timesOf))
  const again = edited(await undo(deps(db), { ...owned, edit: two.undo! }))
  expect(textsOf(again)).toEqual([whole])
})

test('turns that a long pause or a third voice keeps apart stay apart', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const of = { ...owned, turnId: words.turns[1]!.id }
  await naming.reassign(deps(db), { ...of, to: { name: 'Carol' } })
  await naming.reassign(deps(db), { ...owned, turnId: words.turns[2]!.id, to: { speaker: 2 } })
  await naming.reassign(deps(db), { ...of, to: { name: 'Ben' } })
  const done = edited(await naming.rename(deps(db), { ...owned, speaker: 2, name: 'Speaker A' }))
  expect(done.turns).toMatchObject([{ id: words.turns[2]!.id, speaker: 0 }])
  expect(done.removed).toEqual([])
})

test('one turn is given to another speaker, to nobody, or to somebody new', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const of = { ...owned, turnId: words.turns[2]!.id }
  const give = async (to: { speaker: number | null } | { name: string }) =>
    edited(await naming.reassign(deps(db), { ...of, to }))
  expect((await give({ speaker: 1 })).turns[0]).toMatchObject({ speaker: 1 })
  expect((await give({ speaker: null })).turns[0]).toMatchObject({ speaker: null })
  const carol = await give({ name: 'Carol' })
  expect(carol.turns[0]).toMatchObject({ speaker: 2, revision: 0 })
  expect(carol.speakers.at(-1)).toMatchObject({ speaker: 2, label: 'Speaker C', name: 'Carol' })
  expect((await give({ name: 'speaker b' })).turns[0]).toMatchObject({ speaker: 1 })
  expect((await give({ speaker: 1 })).undo).toBeNull()
  const back = edited(await undo(deps(db), { ...owned, edit: carol.undo! }))
  // It was given away again since, so there is nothing to take back.
  expect(back.turns).toEqual([])
  expect(await refusalOf(give({ speaker: 44 }))).toBe('not_found')
})

test('a name given later stays when an earlier change of speaker is undone', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const given = edited(
    await naming.reassign(deps(db), {
      ...owned,
      turnId: words.turns[0]!.id,
      to: { speaker: 1 },
    }),
  )
  await naming.rename(deps(db), { ...owned, speaker: 0, name: 'Anna' })
  const back = edited(await undo(deps(db), { ...owned, edit: given.undo! }))
  expect(back.turns).toMatchObject([{ speaker: 0 }])
  expect(back.speakers.map(({ name }) => name)).toEqual(['Anna', null])
})

test('a speaker who lost their last turn comes back by name, undone and done again', async ({
  db,
}) => {
  const { owned, words } = await aConversation(db)
  const of = { ...owned, turnId: words.turns[1]!.id }
  const namesOf = ({ speakers }: Edited) => speakers.map(({ name }) => name)
  await naming.rename(deps(db), { ...owned, speaker: 1, name: 'Ben' })
  const carol = edited(await naming.reassign(deps(db), { ...of, to: { name: 'Carol' } }))
  expect(namesOf(carol)).toEqual([null, 'Carol'])
  const back = edited(await undo(deps(db), { ...owned, edit: carol.undo! }))
  expect(namesOf(back)).toEqual([null, 'Ben'])
  const again = edited(await undo(deps(db), { ...owned, edit: back.undo! }))
  expect(namesOf(again)).toEqual([null, 'Carol'])
})

test('a speaker whose last turn was joined with another comes back by name', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const [first, second] = words.turns
  await naming.rename(deps(db), { ...owned, speaker: 1, name: 'Ben' })
  const previous = { id: first!.id, revision: 0 }
  const one = edited(
    await editing.merge(deps(db), { ...owned, turnId: second!.id, revision: 0, previous }),
  )
  expect(one.speakers.map(({ name }) => name)).toEqual([null])
  const two = edited(await undo(deps(db), { ...owned, edit: one.undo! }))
  expect(two.speakers.map(({ name }) => name)).toEqual([null, 'Ben'])
})

test('a whole turn can be emptied, and is then in no file', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const of = { ...owned, turnId: words.turns[1]!.id, revision: 0 }
  const done = edited(await editing.setText(deps(db), { ...of, text: '  ' }))
  expect(done).toMatchObject({ wordCount: 10, turns: [{ text: '', words: [] }] })
  const shown = await transcriptions.get({ db }, owned)
  expect(shown.transcriptionText).toBe('We met on tuesday at noon\n\nNobody wrote it down')
})

test('only so many changes are kept to be undone', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const earlier = Array.from({ length: KEPT_EDITS }, (_, index) => ({
    transcriptionId: owned.id,
    revision: index + 1,
    undo: {},
  }))
  await db.insert(edits).values(earlier)
  await db
    .update(transcriptionRows)
    .set({ revision: KEPT_EDITS })
    .where(eq(transcriptionRows.id, owned.id))
  const of = { ...owned, turnId: words.turns[0]!.id, revision: 0 }
  await editing.setText(deps(db), { ...of, text: 'One more.' })
  const kept = await db.select().from(edits).where(eq(edits.transcriptionId, owned.id))
  expect(kept).toHaveLength(KEPT_EDITS)
  expect(await refusalOf(undo(deps(db), { ...owned, edit: 1 }))).toBe('cannot_undo')
})

test('text with signs that no writing needs is cleaned before it is stored', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const of = { ...owned, turnId: words.turns[0]!.id, revision: 0 }
  const done = edited(
    await editing.setText(deps(db), { ...of, text: 'one\u0000two\n\nthree \ud800' }),
  )
  expect(done.turns[0]!.text).toBe('one two three \ufffd')
  const [stored] = await db.select().from(turns).where(eq(turns.id, of.turnId))
  expect(stored!.words.map((word: Word) => word.text)).toEqual(['one', 'two', 'three', '\ufffd'])
})

test('a text is corrected only once it is finished, and only by its owner', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const stranger = await aUser(db)
  const of = { ...owned, turnId: words.turns[0]!.id, revision: 0, text: 'x' }
  expect(await refusalOf(editing.setText(deps(db), { ...of, userId: stranger.id }))).toBe(
    'not_found',
  )
  const unfinished = await aTranscription(db, { userId: owned.userId, status: 'processing' })
  expect(await refusalOf(editing.setText(deps(db), { ...of, id: unfinished.id }))).toBe(
    'not_finished',
  )
})

/** A transcription of one turn, which nobody could have said and somebody could have merged. */
async function aMonologue(db: Db, text: string) {
  const user = await aUser(db)
  const row = await aTranscription(db, { userId: user.id, turns: [{ speaker: 0, text }] })
  const [turn] = await db.select().from(turns).where(eq(turns.transcriptionId, row.id))
  return { userId: user.id, id: row.id, turnId: turn!.id }
}

test('to take a change back only what it changed is kept, however long its turn is', async ({
  db,
}) => {
  const texts = Array.from({ length: 3_000 }, (_, index) => `word${index}`)
  const { turnId, ...owned } = await aMonologue(db, texts.join(' '))
  for (let revision = 0; revision < 5; revision += 1) {
    const text = texts.with(revision * 500, 'other').join(' ')
    edited(await editing.setText(deps(db), { ...owned, turnId, revision, text }))
  }
  const kept = await db.select().from(edits).where(eq(edits.transcriptionId, owned.id))
  expect(kept.every(({ sizeBytes }) => sizeBytes! < 1_000)).toBe(true)
  for (const edit of [5, 6, 7])
    expect(edited(await undo(deps(db), { ...owned, edit })).removed).toEqual([])
  expect((await view.words({ db }, owned)).turns[0]).toMatchObject({
    text: texts.with(1_500, 'other').join(' '),
  })
})

test('undoing keeps only as many changes as fit its room, and always the last one', async ({
  db,
}) => {
  const { owned, words } = await aConversation(db)
  const of = { ...owned, turnId: words.turns[0]!.id }
  const large = { filler: 'x'.repeat(KEPT_BYTES) }
  edited(await editing.setText(deps(db), { ...of, revision: 0, text: 'Once.' }))
  await db.update(edits).set({ undo: large }).where(eq(edits.transcriptionId, owned.id))
  const again = edited(await editing.setText(deps(db), { ...of, revision: 1, text: 'Twice.' }))
  const kept = await db.select().from(edits).where(eq(edits.transcriptionId, owned.id))
  expect(kept.map(({ revision }) => revision)).toEqual([again.undo])
})

test('a change that needs more room than there is can be taken back until the next one', async ({
  db,
}) => {
  const { owned, words } = await aConversation(db)
  const of = { ...owned, turnId: words.turns[0]!.id }
  const endless = 'x'.repeat(KEPT_BYTES)
  await db.update(turns).set({ text: endless, words: [] }).where(eq(turns.id, of.turnId))
  const done = edited(await editing.setText(deps(db), { ...of, revision: 0, text: 'Once.' }))
  const [kept] = await db.select().from(edits).where(eq(edits.transcriptionId, owned.id))
  expect(kept).toMatchObject({ revision: done.undo })
  expect(kept!.sizeBytes).toBeGreaterThan(KEPT_BYTES)
})

test('no turn grows beyond what a turn holds, and no transcript beyond what one does', async ({
  db,
}) => {
  const user = await aUser(db)
  const text = 'a '.repeat(MOST_TURN_CHARACTERS / 3).trim()
  const said = [0, 1, 0].map((speaker) => ({ speaker, text }))
  const { id } = await aTranscription(db, { userId: user.id, turns: said })
  const owned = { userId: user.id, id }
  const [first, second, third] = (await view.words({ db }, owned)).turns
  const both = { previous: { id: first!.id, revision: 0 }, turnId: second!.id, revision: 0 }
  expect(await refusalOf(editing.merge(deps(db), { ...owned, ...both }))).toBe('turn_too_long')

  // As long as a text may be: nothing can be added any more, and everything be taken away.
  await db
    .update(turns)
    .set({ text: 'a '.repeat(1_000_000) })
    .where(eq(turns.id, first!.id))
  await db
    .update(transcriptionRows)
    .set({ transcriptionText: 'a '.repeat(1_000_000) })
    .where(eq(transcriptionRows.id, id))
  const of = { ...owned, turnId: third!.id, revision: 0 }
  expect(await refusalOf(editing.setText(deps(db), { ...of, text: `${text} b` }))).toBe(
    'text_too_long',
  )
  // The same of words, which may be one letter each.
  const letters = { wordCount: 250_000, transcriptionText: 'a' }
  await db.update(transcriptionRows).set(letters).where(eq(transcriptionRows.id, id))
  expect(await refusalOf(editing.setText(deps(db), { ...of, text: `${text} b` }))).toBe(
    'text_too_long',
  )
  expect((await view.words({ db }, owned)).revision).toBe(0)
  edited(await editing.setText(deps(db), { ...owned, turnId: first!.id, revision: 0, text: 'a' }))
})

if (isLong)
  test('a turn of more words than a call has room for is cut in two', async ({ db }) => {
    const { turnId, ...owned } = await aMonologue(db, 'a '.repeat(130_000).trim())
    const cut = edited(await editing.split(deps(db), { ...owned, turnId, revision: 0, at: 4 }))
    expect(cut.turns.map((turn) => turn.text.length)).toEqual([3, 259_995])
  })

const replace = async (db: Db, input: Parameters<typeof editing.replace>[1]) => {
  const outcome = await editing.replace(deps(db), input)
  if (outcome.kind === 'conflict') throw new Error('this was a conflict')
  return outcome
}
const everywhere = { matchCase: false, wholeWord: true }

test('a replacement everywhere is one change, which one undo takes back', async ({ db }) => {
  const { owned } = await aConversation(db)
  const split = { at: 7, turnId: (await view.words({ db }, owned)).turns[0]!.id, revision: 0 }
  await editing.split(deps(db), { ...owned, ...split })
  const before = await view.words({ db }, owned)
  const wanted = { find: 'was raised', replaceWith: 'rose', ...everywhere }
  const done = await replace(db, { ...owned, ...wanted })
  expect(done).toMatchObject({ replaced: 1, left: [], edited: { undo: 2, wordCount: 14 } })
  const two = { find: 'we', replaceWith: 'they', ...everywhere }
  await replace(db, { ...owned, ...two })
  const rest = await replace(db, { ...owned, ...everywhere, find: 'it', replaceWith: '' })
  const all = ['They met', 'on tuesday at noon', 'And the prize rose', 'Nobody wrote down']
  const after = await view.words({ db }, owned)
  expect(textsOf(after)).toEqual(all)
  expect(timesOf(after.turns[0]!)).toEqual(timesOf(before.turns[0]!))
  expect(after.turns.map(({ position }) => position)).toEqual(
    before.turns.map(({ position }) => position),
  )
  for (const edit of [4, 3, 2]) await undo(deps(db), { ...owned, edit })
  const back = await view.words({ db }, owned)
  const shown = ({ turns: said }: Words) => said.map(({ text, words }) => ({ text, words }))
  expect(shown(back)).toEqual(shown(before))
  expect(rest.edited).toMatchObject({ undo: 4, removed: [], reload: false })
  expect(await replace(db, { ...owned, ...wanted, find: 'not there' })).toMatchObject({
    replaced: 0,
    edited: { undo: null, revision: 7 },
  })
})

test('a replacement is remembered where it was made, and only then', async ({ db }) => {
  const { owned } = await aConversation(db)
  const wanted = { ...owned, ...everywhere, remember: true, replaceWith: 'price' }
  await replace(db, { ...wanted, find: 'not there' })
  const { edited: made } = await replace(db, { ...wanted, find: 'prize' })
  await undo(deps(db), { ...owned, edit: made.undo! })
  await replace(db, { ...wanted, find: 'prize', replaceWith: 'Price' })
  const { replacements } = await vocabulary.get(db, owned.userId)
  expect(replacements).toEqual([{ from: 'prize', to: 'Price', ...everywhere }])
  const full = Array.from({ length: MOST_REPLACEMENTS }, (_, number) => ({
    from: `number ${number}`,
    to: 'x',
    ...everywhere,
  }))
  await vocabulary.set(db, { userId: owned.userId, replacements: full })
  const { revision } = await view.words({ db }, owned)
  expect(await refusalOf(replace(db, { ...wanted, find: 'raised' }))).toBe('vocabulary_full')
  expect((await view.words({ db }, owned)).revision).toBe(revision)
})

test('turns that were changed since their hits were seen are left as they are', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const [first, second, third] = words.turns
  const mine = { ...owned, turnId: second!.id, revision: 0, text: 'And the price was was raised' }
  await editing.setText(deps(db), mine)
  const seen = [first!, second!].map(({ id, revision }) => ({ id, revision }))
  const wanted = { ...owned, ...everywhere, replaceWith: '' }
  const done = await replace(db, { ...wanted, find: 'was', turns: seen })
  expect(done).toMatchObject({ replaced: 0, left: [first!.id, second!.id] })
  const again = { id: second!.id, revision: 1, at: [14] }
  expect(await replace(db, { ...wanted, find: 'was', turns: [again] })).toMatchObject({
    replaced: 1,
    left: [],
    edited: { turns: [{ text: 'And the price was raised' }] },
  })
  const nothingThere = { id: third!.id, revision: 0, at: [3] }
  expect(await replace(db, { ...wanted, find: 'wrote', turns: [nothingThere] })).toMatchObject({
    replaced: 0,
    left: [third!.id],
  })
})

test('of a replacement in many turns nothing is lost when it is taken back', async ({ db }) => {
  const user = await aUser(db)
  const said = Array.from({ length: 120 }, (_, index) => ({
    speaker: index % 2,
    text: index % 3 === 0 ? 'nothing here' : `tape number ${index} of the tape`,
  }))
  const row = await aTranscription(db, { userId: user.id, turns: said })
  const owned = { userId: user.id, id: row.id }
  const before = await view.words({ db }, owned)
  const wanted = { ...owned, ...everywhere, find: 'the tape', replaceWith: 'reels' }
  const done = await replace(db, wanted)
  expect(done).toMatchObject({ replaced: 80, edited: { reload: true, turns: [], undo: 1 } })
  const after = await view.words({ db }, owned)
  expect(after.turns[1]).toMatchObject({ text: 'tape number 1 of reels', isEdited: true })
  expect(after.turns[0]).toEqual(before.turns[0])
  await undo(deps(db), { ...owned, edit: 1 })
  const back = await view.words({ db }, owned)
  expect(back.turns.map((turn) => ({ ...turn, revision: 0 }))).toEqual(before.turns)
})

test('a text says how much of it was right once its user has gone through it', async ({ db }) => {
  const { owned, words } = await aConversation(db)
  const [first, second] = words.turns
  const correct = (turn: Words['turns'][number], text: string) =>
    editing.setText(deps(db), { ...owned, turnId: turn.id, revision: 0, text })
  await correct(first!, 'We met on Tuesday, at noon.')
  await correct(second!, 'And the price rose')
  expect((await view.words({ db }, owned)).checked).toBeUndefined()

  const checked = { words: 15, corrected: 3 }
  expect(await accuracy.measure(deps(db), owned)).toEqual(checked)
  expect((await view.words({ db }, owned)).checked).toEqual(checked)
  expect(await accuracy.accuracyByEngine(db, owned.userId)).toEqual([
    { engine: 'pocketsphinx', recordings: 1, ...checked },
  ])

  const other = await aConversation(db)
  expect(await accuracy.accuracyByEngine(db, other.owned.userId)).toEqual([])
  const stranger = { ...owned, userId: other.owned.userId }
  expect(await refusalOf(accuracy.measure(deps(db), stranger))).toBe('not_found')
})

test('where the engine does not say how sure it is, doubt stays unknown, whatever is corrected', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  const turns = [{ speaker: 0, text: 'We met on tuesday at noon' }]
  const untold = { userId, turns, sure: () => null, wordsInDoubt: null, engine: 'openai' }
  const row = await aTranscription(db, untold)
  const owned = { userId, id: row.id }
  const before = await view.words({ db }, owned)
  expect(before).toMatchObject({ checkBelow: null, isDoubtUnknown: true })

  const { id: turnId, revision } = before.turns[0]!
  const text = 'We met on Tuesday at noon'
  edited(await editing.setText(deps(db), { ...owned, turnId, revision, text }))
  expect(await view.words({ db }, owned)).toMatchObject({ isDoubtUnknown: true })
  const [is] = await db.select().from(transcriptionRows).where(eq(transcriptionRows.id, row.id))
  expect(is!.wordsInDoubt).toBeNull()
})

test('the row says how many words are in doubt, whatever is changed', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const texts = ['We met on tuesday at noon', 'And the prize was raised', 'We wrote it down']
  // A row from before there was a count, and one that was counted.
  for (const [round, wordsInDoubt] of [null, 6].entries()) {
    const said = texts.map((text, speaker) => ({ speaker, text }))
    const sure = (place: number) => [0.4, 0.9, 0.65, 0.655, 0.66][place % 5]!
    const row = await aTranscription(db, { userId, turns: said, sure, wordsInDoubt })
    const owned = { userId, id: row.id }
    const turnAt = async (at: number) => {
      const { id: turnId, revision } = (await view.words({ db }, owned)).turns[at]!
      return { ...owned, turnId, revision }
    }
    const counts: (number | null)[] = []
    const check = async (outcome: EditOutcome) => {
      const { revision } = edited(outcome)
      const now = await db.select().from(turns).where(eq(turns.transcriptionId, row.id))
      const [is] = await db.select().from(transcriptionRows).where(eq(transcriptionRows.id, row.id))
      expect(is!.wordsInDoubt).toBe(doubtIn(now, checkBelowOf(row.engine))!.inDoubt)
      counts.push(is!.wordsInDoubt)
      return revision
    }
    const text = 'We met on Tuesday'
    const first = await check(await editing.setText(deps(db), { ...(await turnAt(0)), text }))
    await check(await undo(deps(db), { ...owned, edit: first }))
    const words = [0, 1, 2]
    const accepted = await check(await editing.accept(deps(db), { ...(await turnAt(1)), words }))
    await check(await undo(deps(db), { ...owned, edit: accepted }))
    const joined = await check(
      await editing.merge(deps(db), {
        ...(await turnAt(1)),
        previous: { id: (await turnAt(0)).turnId, revision: (await turnAt(0)).revision },
      }),
    )
    await check(await undo(deps(db), { ...owned, edit: joined }))
    const wanted = { find: 'we', replaceWith: 'They all', matchCase: false, wholeWord: true }
    const everywhere = await check(await editing.replace(deps(db), { ...owned, ...wanted }))
    await check(await editing.restoreAll(deps(db), { ...owned, revision: everywhere }))
    expect(new Set(counts).size, `round ${round}`).toBeGreaterThan(1)
  }
})
