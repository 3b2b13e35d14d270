/** Work of this room that grows with a transcript, and therefore runs in threads. */
import type { Owned } from '#features/row/row.ts'
import { type Tools, json } from '#server/threads.ts'

import type { Replaced } from './contract.ts'
import * as carried from './carried.ts'
import * as accuracy from './accuracy.ts'
import * as editing from './text.ts'
import { type EditOutcome, undo as undoEdit } from './history.ts'
import * as naming from './naming.ts'
import * as view from './turn-view.ts'

export const words = async (owned: Owned, { db }: Tools) => json(await view.words({ db }, owned))

export const carry = (asked: Parameters<typeof carried.carry>[1], { db }: Tools) =>
  carried.carry(db, asked)

export const regroup = (asked: Parameters<typeof carried.regroup>[1], { db }: Tools) =>
  carried.regroup(db, asked)

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
