/**
 * How changes of a transcription are written: each in one transaction, under the lock of its row,
 * with a number and with what takes it back. The text, the counts of words and of those in doubt, and
 * the list of speakers on the row follow from the turns, and are written with them.
 */
import { type AnyColumn, and, asc, eq, gt, max, sql } from 'drizzle-orm'
import { z } from 'zod'

import { isBeingRewritten, type Deps } from '#features/recordings/recordings.ts'
import { type Owned, everyRow, isThere, shownRows, writeRow } from '#features/row/row.ts'
import type { NamedSpeaker } from '#features/row/kept.ts'
import { inParts, type Tx } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import { speakersOf } from './named-speakers.ts'
import {
  turns,
  type TurnRow,
  turnsOf,
  isAmong,
  type CarriedQuestion,
  carriedOver,
  edits,
  originalTurns,
} from './tables.ts'
import { checkBelowOf, countInDoubt } from './words-in-doubt.ts'
import type { Edited, WordTurn } from './contract.ts'
import { KeptTurn, type StoredTurn, keep, putBack } from './kept-turns.ts'
import { talkTimes, withTalkTime } from './speakers.ts'
import { toWordTurn } from './turn-view.ts'

/** How many changes can be taken back. */
export const KEPT_EDITS = 200
/** How much is kept of one transcription to take changes back. The last is kept at any size. */
export const KEPT_BYTES = 4 * 1024 * 1024
/** Five times what is said in twelve hours. */
const MOST_CHARACTERS = 2_000_000
/** Twelve hours at almost six words a second. A word takes far more room than its letters. */
export const MOST_WORDS = 250_000

/** The database, or a transaction that does more than the change. */
export interface EditDeps {
  db: Pick<Deps['db'] | Tx, 'transaction'>
  clock: Deps['clock']
}

/** The transcription that a change works on, with its row locked. */
export interface Locked {
  tx: Tx
  id: string
  speakers: NamedSpeaker[]
  checkBelow: number
  /** How many more words are in doubt than before. Whatever writes words adds to it. */
  moreInDoubt: number
}

/** The outcome of a change. Nothing is written for one without `undo`. */
export interface Change {
  undo: Undo | null
  /** Ids of turns that are new or changed. */
  changed: string[]
  removed?: string[]
  /** Whether words came or went, and how many. */
  moreWords?: number
  hasNewText?: boolean
  /** Names that were given or taken away. */
  names?: NamedSpeaker[]
  reload?: boolean
}

export type Outcome<Done> = Done | { kind: 'conflict'; current: WordTurn | null }
export type EditOutcome = Outcome<{ kind: 'edited'; edited: Edited }>

const StoredName = z.object({ speaker: z.int(), name: z.string().nullable() })

const Swap = z.object({
  take: z.array(z.object({ id: z.uuid(), revision: z.int() })),
  put: z.array(KeptTurn),
})

/** The data that takes a change back. It has only the parts that the change touched, so that others may stand. */
export const Undo = z.object({
  /** Turns give way to others, if nobody changed them since. See `swap`. */
  swap: z.array(Swap).optional(),
  /**
   * Turns that an undo put back: at revision `is` they are again what they were at `was`. So changes
   * can be taken back one after the other.
   */
  same: z.array(z.object({ id: z.uuid(), was: z.int(), is: z.int() })).optional(),
  /** Turns that still have the speaker `from` are given `to`. */
  speakers: z
    .array(z.object({ id: z.uuid(), from: z.int().nullable(), to: z.int().nullable() }))
    .optional(),
  /** How many places the account's fixed replacements have changed, while that stands. */
  fixed: z.int().optional(),
  names: z.array(StoredName).optional(),
  /** Speakers whose turns went to others: a name comes back only with somebody who is gone. */
  gone: z.array(StoredName).optional(),
  /** Questions about names that were open before the speakers were told apart again. */
  asked: z.array(z.custom<CarriedQuestion>()).optional(),
  confidences: z
    .object({
      id: z.uuid(),
      revision: z.int(),
      words: z.array(z.tuple([z.int(), z.number().nullable()])),
    })
    .optional(),
})
export type Undo = z.infer<typeof Undo>

/**
 * Runs one change, and writes what follows from it. A conflict writes nothing.
 *
 * @throws Refusal `not_found`, `not_finished`, `being_rewritten`
 */
export async function edit(
  { db, clock }: EditDeps,
  owned: Owned,
  work: (locked: Locked, revision: number) => Promise<Outcome<Change & { kind: 'changed' }>>,
): Promise<EditOutcome> {
  return db.transaction(async (tx) => {
    const row = await lock(tx, owned)
    if (row.revision === row.textSince) await keepOriginals(tx, row.id)
    const speakers = speakersOf(row)
    const checkBelow = checkBelowOf(row.engine)
    const locked: Locked = { tx, id: row.id, speakers, checkBelow, moreInDoubt: 0 }
    const done = await work(locked, row.revision)
    if (done.kind === 'conflict') return done

    const revision = done.undo ? row.revision + 1 : row.revision
    const talkMs = await talkTimes(tx, row.id)
    const present = presentSpeakers([...talkMs.keys()], [...speakers, ...(done.names ?? [])])
    const gone = speakers.filter(({ speaker }) => !talkMs.has(speaker))
    const wordCount = (row.wordCount ?? 0) + (done.moreWords ?? 0)
    if (wordCount > Math.max(row.wordCount ?? 0, MOST_WORDS)) throw new Refusal('text_too_long')
    if (done.undo) {
      const [written] = await writeRow(tx, row.id, {
        revision,
        wordCount,
        // Older rows have no count: it is made at their first change.
        wordsInDoubt:
          row.wordsInDoubt === null ? inDoubtNow(locked) : row.wordsInDoubt + locked.moreInDoubt,
        speakers: present,
        speakerCount: present.length,
        ...(done.hasNewText ? { transcriptionText: textOf(row.id) } : {}),
      }).returning({ characters: charactersOf(everyRow) })
      if (written && written.characters > Math.max(row.characters, MOST_CHARACTERS))
        throw new Refusal('text_too_long')
      await tx.insert(edits).values({
        transcriptionId: row.id,
        revision,
        undo: withGone(done.undo, gone),
        createdAt: clock(),
      })
      await trimHistory(tx, row.id, revision)
    }
    return {
      kind: 'edited',
      edited: {
        revision,
        undo: done.undo ? revision : null,
        // After a large change all are asked for anew.
        turns: done.reload ? [] : (await find(tx, row.id, done.changed)).map(toWordTurn),
        removed: done.removed ?? [],
        speakers: withTalkTime(present, talkMs),
        wordCount,
        reload: done.reload ?? false,
      },
    }
  })
}

/** Adds speakers who lost their last turn, so that undoing gives them their names back. */
function withGone(undo: Undo, lost: readonly NamedSpeaker[]): Undo {
  const known = undo.gone ?? []
  const more = lost.filter(({ speaker }) => !known.some((each) => each.speaker === speaker))
  return more.length === 0 ? undo : { ...undo, gone: [...known, ...more] }
}

const charactersOf = ({ transcriptionText }: { transcriptionText: AnyColumn }) =>
  sql<number>`coalesce(length(${transcriptionText}), 0)`

/** Keeps what takes the newest changes back, up to the limits, and deletes the rest. */
async function trimHistory(tx: Tx, id: string, newest: number): Promise<void> {
  await tx.execute(sql`
    delete from ${edits} where transcription_id = ${id} and revision < ${newest} and revision in (
      select revision from (
        select revision, sum(size_bytes) over (order by revision desc) as bytes
        from ${edits} where transcription_id = ${id}) kept
      where bytes > ${KEPT_BYTES} or revision <= ${newest - KEPT_EDITS})`)
}

async function lock(tx: Tx, owned: Owned) {
  const [row] = await tx
    .select({
      id: shownRows.id,
      status: shownRows.status,
      revision: shownRows.revision,
      textSince: shownRows.textSince,
      speakers: shownRows.speakers,
      speakerCount: shownRows.speakerCount,
      wordCount: shownRows.wordCount,
      wordsInDoubt: shownRows.wordsInDoubt,
      engine: shownRows.engine,
      characters: charactersOf(shownRows),
    })
    .from(shownRows)
    .where(isThere(owned))
    .for('update')
  if (!row) throw new Refusal('not_found')
  if (row.status !== 'completed') throw new Refusal('not_finished')
  // A new text carries over what was corrected before it was begun.
  if (await isBeingRewritten(tx, row.id)) throw new Refusal('being_rewritten')
  return row
}

/** Before the first change: the engine's turns aside, and which of their words each turn stands for. */
async function keepOriginals(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`
    insert into ${originalTurns}
      (transcription_id, id, speaker, start_ms, end_ms, text, words, position, words_from, words_to)
    select transcription_id, id, speaker, start_ms, end_ms, text, words, position,
      sum(jsonb_array_length(words)) over up_to_it - jsonb_array_length(words),
      sum(jsonb_array_length(words)) over up_to_it
    from ${turns} where transcription_id = ${id}
    window up_to_it as (order by position)
    on conflict do nothing`)
  await tx.execute(sql`
    update ${turns} set original_from = kept.words_from, original_to = kept.words_to
    from ${originalTurns} kept
    where ${turns.transcriptionId} = ${id} and kept.transcription_id = ${id}
      and kept.position = ${turns.position} and ${turns.originalTo} is null`)
}

/** Speakers who still say something, by number, with the last name each was given. */
function presentSpeakers(
  present: readonly number[],
  known: readonly NamedSpeaker[],
): NamedSpeaker[] {
  const names = new Map(known.map(({ speaker, name }) => [speaker, name]))
  return present
    .toSorted((a, b) => a - b)
    .map((speaker) => ({ speaker, name: names.get(speaker) ?? null }))
}

export const textOf = (id: string) => sql`(
  select coalesce(string_agg(said.text, E'\n\n' order by said.position) filter (where said.text <> ''), '')
  from ${turns} said where said.transcription_id = ${id})`

/** As `doubtIn` counts them. */
const inDoubtNow = ({ id, checkBelow }: Pick<Locked, 'id' | 'checkBelow'>) => sql<number | null>`(
  select case
    when bool_or(sure is null) and not coalesce(bool_or(sure < 1), false) then null
    else (count(*) filter (where floor(sure * 100 + 0.5) < ${checkBelow}))::integer
  end
  from (
    select (word ->> 'confidence')::float8 as sure
    from ${turns} said cross join lateral jsonb_array_elements(said.words) word
    where said.transcription_id = ${id}) words)`

/** These turns, as far as they are there, in order. */
export const find = (tx: Tx, id: string, ids: readonly string[]): Promise<TurnRow[]> =>
  turnsOf(tx, id, isAmong(turns.id, ids))

/** The parts of a turn that are kept to put it back. */
export function stored(turn: TurnRow): StoredTurn {
  const { position: _position, transcriptionId: _id, ...rest } = turn
  return rest
}

interface Swapped {
  undo: { swap: NonNullable<Undo['swap']> }
  reload: boolean
  moreWords: number
}

/**
 * Replaces turns: neighbours by any others, or any turns by the same ones with other words. Answers
 * what takes that back. The new turns are changed once more than any was that stood there.
 */
export async function swap(
  locked: Locked,
  take: readonly TurnRow[],
  put: readonly StoredTurn[],
): Promise<Swapped> {
  const { tx, id } = locked
  const isSame =
    take.length === put.length && take.every((turn, index) => turn.id === put[index]?.id)
  const { positions, reload } = isSame
    ? { positions: take.map((turn) => turn.position), reload: false }
    : await positionsFor(tx, id, take, put.length)
  const taken = take.map((turn) => turn.id)
  await tx.delete(turns).where(and(eq(turns.transcriptionId, id), isAmong(turns.id, taken)))
  const revision =
    1 + [...take, ...put].reduce((highest, turn) => Math.max(highest, turn.revision), 0)
  const rows = put.map((turn, index) => ({
    ...turn,
    transcriptionId: id,
    revision,
    position: positions[index] ?? index,
  }))
  for (const part of inParts(rows, 500)) await tx.insert(turns).values(part)
  addDoubt(locked, take, rows)
  const kept = keep(
    take.map(stored),
    rows.flatMap(({ words }) => words),
  )
  const wordsIn = (all: readonly { words: readonly unknown[] }[]) =>
    all.reduce((sum, { words }) => sum + words.length, 0)
  return {
    undo: { swap: [{ take: rows.map((turn) => ({ id: turn.id, revision })), put: kept }] },
    reload,
    moreWords: wordsIn(rows) - wordsIn(take),
  }
}

function addDoubt(
  locked: Locked,
  before: readonly Pick<TurnRow, 'words'>[],
  after: readonly Pick<TurnRow, 'words'>[],
): void {
  const { checkBelow } = locked
  locked.moreInDoubt += countInDoubt(after, checkBelow) - countInDoubt(before, checkBelow)
}

/** Where `count` turns go in the place of some that stand next to each other. */
async function positionsFor(
  tx: Tx,
  id: string,
  take: readonly TurnRow[],
  count: number,
): Promise<{ positions: number[]; reload: boolean }> {
  const first = take[0]?.position ?? 0
  const last = take.at(-1)?.position ?? first
  const [next] = await tx
    .select({ position: sql<number | null>`min(${turns.position})` })
    .from(turns)
    .where(and(eq(turns.transcriptionId, id), gt(turns.position, last)))
  const end = next?.position ?? first + Math.max(1, count)
  const positions = Array.from(
    { length: count },
    (_, index) => first + ((end - first) * index) / count,
  )
  const isInOrder = positions.every((position, index) => position < (positions[index + 1] ?? end))
  if (isInOrder) return { positions, reload: false }

  // Halved too often: all turns are numbered anew, by way of numbers that none of them has.
  await tx.execute(sql`
    update ${turns} set position = numbered.place
    from (select id, -row_number() over (order by position) as place
      from ${turns} where transcription_id = ${id}) numbered
    where ${turns.id} = numbered.id`)
  await tx.execute(sql`update ${turns} set position = -position where transcription_id = ${id}`)
  const moved = await find(
    tx,
    id,
    take.map((turn) => turn.id),
  )
  return { positions: (await positionsFor(tx, id, moved, count)).positions, reload: true }
}

/**
 * Takes a change back, as far as what it touched is still as it left it.
 *
 * @throws Refusal `not_found`, `not_finished`, `being_rewritten`, `cannot_undo`
 */
export async function undo(
  deps: EditDeps,
  { edit: number, ...owned }: Owned & { edit: number },
): Promise<EditOutcome> {
  return edit(deps, owned, async (locked) => {
    const { tx, id } = locked
    const [found] = await tx
      .select({ undo: edits.undo })
      .from(edits)
      .where(and(eq(edits.transcriptionId, id), eq(edits.revision, number)))
    if (!found) throw new Refusal('cannot_undo')
    const {
      swap: swaps = [],
      speakers,
      names,
      gone = [],
      confidences,
      fixed,
      asked,
    } = Undo.parse(found.undo)
    const revisionsOf = await revisionsSince(locked, number)
    if (fixed !== undefined) await forgetFixed(locked, number)

    const back: Swapped['undo']['swap'] = []
    const same: NonNullable<Undo['same']> = []
    const change = { changed: [] as string[], removed: [] as string[], moreWords: 0, reload: false }
    for (const { take: left, put: kept } of swaps) {
      const take = await unchanged(locked, left, revisionsOf)
      // Words that were accepted since stay so: that was another change.
      const put = putBack(
        kept,
        take.flatMap(({ words }) => words),
      )
      const done = await swap(locked, take, put)
      const is = done.undo.swap[0]?.take[0]?.revision ?? 0
      back.push(...done.undo.swap)
      same.push(...kept.map((turn) => ({ id: turn.id, was: turn.revision, is })))
      const stay = new Set(kept.map((turn) => turn.id))
      change.changed.push(...stay)
      change.removed.push(...take.map((turn) => turn.id).filter((each) => !stay.has(each)))
      change.moreWords += done.moreWords
      change.reload ||= done.reload || change.changed.length > MANY
    }
    const undoing: Undo = swaps.length > 0 ? { swap: back, same } : {}
    if (confidences) {
      const [turn] = await unchanged(locked, [confidences], revisionsOf)
      if (turn) undoing.confidences = await setConfidences(locked, turn, confidences.words)
      change.changed.push(confidences.id)
    }
    if (speakers) {
      const moved = await assign(tx, id, speakers)
      undoing.speakers = moved
      undoing.gone = losers(locked, moved)
      change.changed.push(...moved.map((turn) => turn.id))
      change.reload ||= speakers.length > MANY
    }
    if (names)
      undoing.names = names.map(({ speaker }) => ({
        speaker,
        name: locked.speakers.find((each) => each.speaker === speaker)?.name ?? null,
      }))
    if (asked) undoing.asked = await askNames(locked, asked)
    // A speaker who still has turns keeps the name of now: it may have been given since.
    const missing = gone.filter(({ speaker }) => !isPresent(locked, speaker))
    const given = [...(names ?? []), ...missing]
    return { kind: 'changed', ...change, undo: undoing, hasNewText: swaps.length > 0, names: given }
  })
}

/** Asks for these names and for no others. Answers those that were asked for until now. */
export async function askNames(
  { tx, id }: Locked,
  asked: readonly CarriedQuestion[],
): Promise<CarriedQuestion[]> {
  const isIt = eq(carriedOver.transcriptionId, id)
  const [{ questions } = { questions: [] }] = await tx.select().from(carriedOver).where(isIt)
  const texts = questions.filter(({ kind }) => kind === 'text')
  const now = { questions: [...asked, ...texts] }
  await tx
    .insert(carriedOver)
    .values({ transcriptionId: id, placed: 0, ...now })
    .onConflictDoUpdate({ target: carriedOver.transcriptionId, set: now })
  return questions.filter(({ kind }) => kind === 'name')
}

/** The replacements are taken back, those of one edit or all: nobody is told of them any more. */
export async function forgetFixed({ tx, id }: Locked, number?: number): Promise<void> {
  await tx
    .update(edits)
    .set({ undo: sql`${edits.undo} - 'fixed'` })
    .where(
      and(
        eq(edits.transcriptionId, id),
        number === undefined ? undefined : eq(edits.revision, number),
      ),
    )
}

const isPresent = ({ speakers }: Locked, speaker: number): boolean =>
  speakers.some((each) => each.speaker === speaker)

/**
 * The speakers, as they are called before it, whose turns a change moves. It may move their last
 * turn, and the name goes with it.
 */
export function losers(
  { speakers }: Locked,
  moved: NonNullable<Undo['speakers']>,
): NonNullable<Undo['gone']> {
  // Taking a move back gives the turns to `to`: the speakers they were taken from.
  const taken = new Set(moved.map(({ to }) => to))
  return speakers.filter(({ speaker }) => taken.has(speaker))
}

/** More changed turns than this are not sent with the answer. */
export const MANY = 50

type RevisionsOf = (left: { id: string; revision: number }) => ReadonlySet<number>

/** At which revisions a turn is what a change left, for all that was undone after that change. */
async function revisionsSince({ tx, id }: Locked, number: number): Promise<RevisionsOf> {
  const rows = await tx
    .select({ same: sql<unknown>`${edits.undo} -> 'same'` })
    .from(edits)
    .where(
      and(
        eq(edits.transcriptionId, id),
        gt(edits.revision, number),
        sql`jsonb_exists(${edits.undo}, 'same')`,
      ),
    )
    .orderBy(asc(edits.revision))
  const steps = Map.groupBy(
    rows.flatMap(({ same }) => Undo.shape.same.parse(same) ?? []),
    (step) => step.id,
  )
  return (left) => {
    const known = new Set([left.revision])
    // In their order: what an undo puts back, it found at a revision from before.
    for (const { was, is } of steps.get(left.id) ?? []) if (known.has(was)) known.add(is)
    return known
  }
}

/** The turns as a change left them. @throws Refusal `cannot_undo` */
async function unchanged(
  { tx, id }: Locked,
  left: readonly { id: string; revision: number }[],
  revisionsOf: RevisionsOf,
): Promise<TurnRow[]> {
  const found = await find(
    tx,
    id,
    left.map((turn) => turn.id),
  )
  const revisions = new Map(left.map((turn) => [turn.id, revisionsOf(turn)]))
  const isSame = found.every((turn) => revisions.get(turn.id)?.has(turn.revision))
  if (!isSame || found.length !== left.length) throw new Refusal('cannot_undo')
  return found
}

/** Gives turns their speaker where it is still the one expected; answers what takes that back. */
export async function assign(
  tx: Tx,
  id: string,
  wanted: readonly { id: string; from: number | null; to: number | null }[],
): Promise<NonNullable<Undo['speakers']>> {
  const done: NonNullable<Undo['speakers']> = []
  const groups = Map.groupBy(wanted, ({ from, to }) => `${from}:${to}`)
  for (const group of groups.values()) {
    const { from = null, to = null } = group[0] ?? {}
    const ids = group.map((turn) => turn.id)
    const isStill = sql`${turns.speaker} is not distinct from ${from}`
    const moved = await tx
      .update(turns)
      .set({ speaker: to })
      .where(and(eq(turns.transcriptionId, id), isAmong(turns.id, ids), isStill))
      .returning({ id: turns.id })
    done.push(...moved.map((turn) => ({ id: turn.id, from: to, to: from })))
  }
  return done
}

/** Sets the confidence of single words; answers what takes that back. */
export async function setConfidences(
  locked: Locked,
  turn: TurnRow,
  wanted: readonly (readonly [index: number, confidence: number | null])[],
): Promise<NonNullable<Undo['confidences']>> {
  const by = new Map(wanted)
  const before = wanted.map(([index]): [number, number | null] => [
    index,
    turn.words[index]?.confidence ?? null,
  ])
  const words = turn.words.map((word, index) =>
    by.has(index) ? { ...word, confidence: by.get(index) ?? null } : word,
  )
  await locked.tx.update(turns).set({ words }).where(eq(turns.id, turn.id))
  addDoubt(locked, [turn], [{ words }])
  return { id: turn.id, revision: turn.revision, words: before }
}

/** The highest number a speaker has or had. */
export async function nextSpeaker({ tx, id, speakers }: Locked): Promise<number> {
  const [kept] = await tx
    .select({ highest: max(originalTurns.speaker) })
    .from(originalTurns)
    .where(eq(originalTurns.transcriptionId, id))
  return 1 + Math.max(-1, kept?.highest ?? -1, ...speakers.map(({ speaker }) => speaker))
}
