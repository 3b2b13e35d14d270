/** What this room has done in threads, because its cost grows with a transcript. */
import type { Owned } from '#features/recordings/recordings.ts'
import * as runs from '#features/transcriptions/again.ts'
import { type Tools, json } from '#server/threads.ts'

import type { Replaced } from './contract.ts'
import * as again from './again.ts'
import * as accuracy from './accuracy.ts'
import * as editing from './editor.ts'
import { type EditOutcome, undo as undoEdit } from './history.ts'
import * as naming from './naming.ts'
import * as view from './turn-view.ts'

export const words = async (owned: Owned, { db }: Tools) => json(await view.words({ db }, owned))

export const carry = (asked: Parameters<typeof again.carry>[1], { db }: Tools) =>
  again.carry(db, asked)

export const regroup = (asked: Parameters<typeof again.regroup>[1], { db }: Tools) =>
  again.regroup(db, asked)

export const againView = async (owned: Owned, { db }: Tools) => json(await again.view(db, owned))

export const decide = async (asked: Parameters<typeof again.decide>[1], tools: Tools) =>
  json(await again.decide(tools, asked))

export const back = async (owned: Owned, tools: Tools) => {
  await again.back(tools, owned)
  return againView(owned, tools)
}

export const dropEarlier = async (owned: Owned, tools: Tools) => {
  await runs.dropEarlier(tools, owned)
  return againView(owned, tools)
}

export const measure = async (owned: Owned, tools: Tools) =>
  json(await accuracy.measure(tools, owned))

export type Change<Input> = (
  input: Input,
  tools: Tools,
) => Promise<{ kind: EditOutcome['kind']; body: Uint8Array }>

const change =
  <Input>(work: (tools: Tools, input: Input) => Promise<EditOutcome>): Change<Input> =>
  async (input, tools) => {
    const outcome = await work(tools, input)
    return outcome.kind === 'edited'
      ? { kind: outcome.kind, body: json(outcome.edited) }
      : { kind: outcome.kind, body: json(editing.asConflict(outcome.current)) }
  }

export const setText = change(editing.setText)
export const split = change(editing.split)
export const merge = change(editing.merge)
export const retime = change(editing.retime)
export const accept = change(editing.accept)
export const restore = change(editing.restore)
export const restoreAll = change(editing.restoreAll)
export const replace: Change<Parameters<typeof editing.replace>[1]> = async (input, tools) => {
  const outcome = await editing.replace(tools, input)
  if (outcome.kind === 'conflict')
    return { kind: outcome.kind, body: json(editing.asConflict(outcome.current)) }
  const { kind, replaced, left } = outcome
  const { undo: taken, ...edited } = outcome.edited
  return { kind, body: json({ replaced, edit: taken, left, ...edited } satisfies Replaced) }
}
export const undo = change(undoEdit)
export const rename = change(naming.rename)
export const reassign = change(naming.reassign)
