/** Giving speakers their names, and turns their speakers. See text.ts for what changes promise. */
import { asc, eq, sql } from 'drizzle-orm'

import type { Owned } from '#features/row/row.ts'
import { Refusal } from '#shared/refusals.ts'

import { reassignActions } from './carried-actions.ts'
import { shownAs } from './named-speakers.ts'
import { turns } from './tables.ts'
import {
  type Locked,
  type EditDeps,
  type EditOutcome,
  type Undo,
  MANY,
  assign,
  edit,
  find,
  losers,
  nextSpeaker,
  stored,
  swap,
} from './history.ts'
import { joined, runsOfTwo } from './joined-turns.ts'
import { joinMarks } from './speaker-marks.ts'
import { isSameName, tidyName } from './speakers.ts'

/**
 * Names a speaker everywhere. An empty name takes the given one away; the name of another speaker
 * makes the two one, under the other's number, and joins turns that only their speakers kept apart.
 *
 * @throws Refusal `not_found`, `not_finished`
 */
export async function rename(
  deps: EditDeps,
  { speaker, name, ...owned }: Owned & { speaker: number; name: string },
): Promise<EditOutcome> {
  return edit(deps, owned, async (locked) => {
    const known = locked.speakers.find((each) => each.speaker === speaker)
    if (!known) throw new Refusal('not_found')
    const wanted = tidyName(name)
    const namesake = locked.speakers.find(
      (each) => each.speaker !== speaker && wanted !== '' && isSameName(shownAs(each), wanted),
    )
    if (namesake) return join(locked, { from: known, to: namesake })

    const next = wanted === '' ? null : wanted
    if (next === known.name) return { kind: 'changed', undo: null, changed: [] }
    return {
      kind: 'changed',
      undo: { names: [known] },
      changed: [],
      names: [{ speaker, name: next }],
    }
  })
}

/** All turns of one go to the other. Neighbours that only their speakers kept apart become one turn. */
async function join(
  locked: Locked,
  { from, to }: Record<'from' | 'to', { speaker: number; name: string | null }>,
) {
  const { tx, id } = locked
  const said = await tx
    .select({
      id: turns.id,
      speaker: turns.speaker,
      startMs: turns.startMs,
      endMs: turns.endMs,
      characters: sql<number>`length(${turns.text})`,
    })
    .from(turns)
    .where(eq(turns.transcriptionId, id))
    .orderBy(asc(turns.position))
  const swaps: NonNullable<Undo['swap']> = []
  const firsts: string[] = []
  const isJoined = new Set<string>()
  let reload = false
  for (const run of runsOfTwo(said, [from.speaker, to.speaker])) {
    const ids = run.map((turn) => turn.id)
    const take = await find(tx, id, ids)
    const [head, ...others] = take.map(stored)
    if (!head) continue
    const done = await swap(locked, take, [{ ...joined(head, ...others), speaker: to.speaker }])
    swaps.push(...done.undo.swap)
    reload ||= done.reload
    firsts.push(head.id)
    for (const each of ids) isJoined.add(each)
  }
  const speakers = await assign(
    tx,
    id,
    said
      .filter((turn) => turn.speaker === from.speaker && !isJoined.has(turn.id))
      .map((turn) => ({ id: turn.id, from: from.speaker, to: to.speaker })),
  )
  await reassignActions(tx, id, ({ speaker, who }) => ({
    speaker: speaker === from.speaker ? to.speaker : speaker,
    who,
  }))
  const pair = { from: from.speaker, to: to.speaker }
  await joinMarks(tx, id, { ...pair, speakers: locked.speakers })
  const changed = [...firsts, ...speakers.map((turn) => turn.id)]
  return {
    kind: 'changed' as const,
    undo: { swap: swaps, speakers, gone: [from] },
    changed,
    removed: [...isJoined].filter((each) => !firsts.includes(each)),
    hasNewText: swaps.length > 0,
    reload: reload || changed.length > MANY,
  }
}

/**
 * Gives one turn to another speaker, to nobody, or to somebody new.
 *
 * @throws Refusal `not_found`, `not_finished`
 */
export async function reassign(
  deps: EditDeps,
  {
    turnId,
    to,
    ...owned
  }: Owned & { turnId: string; to: { speaker: number | null } | { name: string } },
): Promise<EditOutcome> {
  return edit(deps, owned, async (locked) => {
    const { tx, id } = locked
    const [turn] = await find(tx, id, [turnId])
    if (!turn) return { kind: 'conflict', current: null }
    const { speaker, names } = await whoIs(locked, to)
    if (speaker === turn.speaker)
      return { kind: 'changed', undo: null, changed: [turn.id], ...(names ? { names } : {}) }
    const speakers = await assign(tx, id, [{ id: turn.id, from: turn.speaker, to: speaker }])
    return {
      kind: 'changed',
      undo: { speakers, gone: losers(locked, speakers) },
      changed: [turn.id],
      ...(names ? { names } : {}),
    }
  })
}

async function whoIs(locked: Locked, to: { speaker: number | null } | { name: string }) {
  if ('speaker' in to) {
    const isKnown =
      to.speaker === null || locked.speakers.some(({ speaker }) => speaker === to.speaker)
    if (!isKnown) throw new Refusal('not_found')
    return { speaker: to.speaker, names: undefined }
  }
  const name = tidyName(to.name)
  if (name === '') throw new Refusal('invalid_request')
  const namesake = locked.speakers.find((each) => isSameName(shownAs(each), name))
  if (namesake) return { speaker: namesake.speaker, names: undefined }
  const speaker = await nextSpeaker(locked)
  return { speaker, names: [{ speaker, name }] }
}
