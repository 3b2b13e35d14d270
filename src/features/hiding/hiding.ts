/**
 * Takes a name, a number or other words out of a recording for good. What this promises:
 *
 * - One transaction takes them out of everything that is kept of the recording: text, words, history,
 *   summary, points, chapters, tasks, documents, translations, questions, names, tags, uploads and what
 *   programs were told. It is done as a whole or not at all, and none of it can be brought back.
 * - From that moment nobody hears the recording, until it is written anew without them. Files that were
 *   made of it before are deleted, and so is the recording as it was. One that cannot be written anew is
 *   deleted too.
 * - What is written about the recording, and may have a name in a form that is not looked for, is hidden
 *   as a whole.
 * - Once the sound is without them, nothing keeps the words: not even that they were hidden.
 *
 * Or hides it for others, which changes nothing that is kept, and can be put back: others.ts.
 *
 * Which table keeps words, and what becomes of them, is in decision 098.
 */
import { and, desc, eq, sql } from 'drizzle-orm'

import * as asking from '#features/asking/hidden.ts'
import { lengthOf } from '#features/cuts/ranges.ts'
import { mutedFor } from '#features/cuts/veiled-sound.ts'
import * as developers from '#features/developers/developers.ts'
import * as documents from '#features/documents/hidden.ts'
import * as library from '#features/library/hidden.ts'
import * as bin from '#features/recordings/bin.ts'
import { isBeingRewritten } from '#features/recordings/recordings.ts'
import { isBeingHidden } from '#features/recordings/media.ts'
import * as uploads from '#features/recordings/uploads-in-parts.ts'
import {
  type Owned,
  type Row,
  everyRow,
  hidings,
  isThere,
  lockFinished,
  shownRows,
  writeRow,
} from '#features/row/row.ts'
import * as text from '#features/text/hidden.ts'
import { turnsOf } from '#features/text/tables.ts'
import type { SaidTurn, WordPlace as Place } from '#features/text/word-places.ts'
import * as transcriptions from '#features/transcriptions/hidden.ts'
import * as translations from '#features/translations/hidden.ts'
import type { Db, Tx } from '#server/db.ts'
import { BAR, type Hiding, hiderOf, hidingOf, marks } from '#shared/hidden-words.ts'
import { Refusal } from '#shared/refusals.ts'
import { nameKeyOf } from '#shared/written.ts'

import type { FoundWords, Hidden, HiddenCounts, HiddenList, WordPlace } from './contract.ts'
import { MOST_LISTED } from './contract.ts'
import * as others from './others.ts'
import { placesOf, proposalsFor } from './proposals.ts'
import type { Made } from './written-anew.ts'

type Kept = typeof hidings.$inferSelect

/** Where these words are, and how else they may stand there. @throws Refusal `not_found`, `not_finished` */
export async function find(
  db: Db,
  { words, ...owned }: Owned & { words: readonly string[] },
): Promise<FoundWords> {
  const { counts } = await whatIsFound(db, { words, ...owned })
  const said = await turnsOf(db, owned.id)
  const byId = new Map(said.map((turn) => [turn.id, turn]))
  const shown = (places: readonly Place[], most: number) =>
    places.slice(0, most).flatMap((place) => withWordsAround(place, byId.get(place.turnId)))
  return {
    counts,
    places: shown(placesOf(words, said), MOST_LISTED),
    proposals: proposalsFor(words, said).map(({ places, ...proposal }) => ({
      ...proposal,
      count: places.length,
      places: shown(places, MOST_PLAYED),
    })),
  }
}

const MOST_PLAYED = 5
const AROUND_CHARACTERS = 40

function withWordsAround(
  { turnId, from, to, startMs, endMs }: Place,
  turn: SaidTurn | undefined,
): WordPlace[] {
  if (!turn) return []
  const { text: whole } = turn
  return [
    {
      turnId,
      start: startMs / 1000,
      end: endMs / 1000,
      before: whole.slice(Math.max(0, from - AROUND_CHARACTERS), from).toWellFormed(),
      text: whole.slice(from, to),
      after: whole.slice(to, to + AROUND_CHARACTERS).toWellFormed(),
    },
  ]
}

type Found = Awaited<ReturnType<typeof takeOut>>

/** Undoes all that was tried. */
class Tried extends Error {
  readonly found: Found
  constructor(found: Found) {
    super('this was only counted')
    this.found = found
  }
}

/** What would be hidden: it is, and then all of it is taken back. */
async function whatIsFound(db: Db, asked: Owned & { words: readonly string[] }): Promise<Found> {
  try {
    return await db.transaction(async (tx) => {
      const row = await lockFinished(tx, asked)
      throw new Tried(await takeOut(tx, row, { ...asked, mark: BAR }))
    })
  } catch (error) {
    if (error instanceof Tried) return error.found
    throw error
  }
}

export interface HideOrder extends Owned {
  words: readonly string[]
  mark: keyof typeof marks
  sound: Kept['muteWith']
  confirmation?: string | undefined
}

/**
 * Takes the words out. Answers the files that are to be deleted once this is done: nothing names them.
 *
 * @throws Refusal `not_found`, `not_finished`, `hidden_not_confirmed`, `being_rewritten`,
 * `still_written`, `sound_being_hidden`, `nothing_to_hide`
 */
export async function hide(
  db: Db,
  { words, mark, sound, confirmation, ...owned }: HideOrder,
): Promise<{ hidden: Hidden; files: string[] }> {
  if (nameKeyOf(confirmation ?? '') !== nameKeyOf(words[0] ?? ''))
    throw new Refusal('hidden_not_confirmed')
  return db.transaction(async (tx) => {
    const row = await lockFinished(tx, owned)
    if (await isBeingRewritten(tx, row.id)) throw new Refusal('being_rewritten')
    if (await isWrittenOf(tx, row)) throw new Refusal('still_written')
    if (await isBeingHidden(tx, row.id)) throw new Refusal('sound_being_hidden')
    const { counts, times, places } = await takeOut(tx, row, { words, mark: marks[mark] })
    if (places === 0) throw new Refusal('nothing_to_hide')
    await uploads.forgetOf(tx, row.id)
    const gone = await bin.emptyOf(tx, { transcriptionIds: [row.id] })
    // One that an operator took back from the bin is known there: the new one is written from it.
    const ofOthers = await others.forget(tx, row.id, hiderOf(words))
    const files = [...gone, ofOthers].flatMap((key) => (key === row.storageKey ? [] : (key ?? [])))
    // Whoever looks for the recording finds none; whoever has it open already reads to its end.
    await writeRow(tx, row.id, { storageKey: null })
    const [kept] = await tx
      .insert(hidings)
      .values({
        userId: row.userId,
        transcriptionId: row.id,
        words: [...words],
        mark,
        muteWith: sound,
        times,
        places: counts.text,
        status: 'making',
        sourceKey: row.storageKey,
        // Not of the beginning of this transaction: who has read the text while it went on had the words.
        createdAt: sql`clock_timestamp()`,
      })
      .returning()
    if (!kept) throw new Error('the database stored hidden words without an id')
    return { hidden: shown(kept, null), files }
  })
}

/**
 * Hides words from others. Answers the file that is to be deleted once this is done.
 *
 * @throws Refusal `not_found`, `not_finished`, `nothing_to_hide`, `too_much_hidden`
 */
export async function hideForOthers(
  db: Db,
  order: HideOrder,
): Promise<{ hidden: Hidden; files: string[] }> {
  const { counts, places } = await whatIsFound(db, order)
  if (places === 0) throw new Refusal('nothing_to_hide')
  const { kept, row, left } = await others.add(db, { ...order, places: counts.text })
  return { hidden: shown(kept, await others.soundOf(db, row)), files: left === null ? [] : [left] }
}

/** Work that began before would write down what it has read. Its row is locked: none begins meanwhile. */
async function isWrittenOf(tx: Tx, { id, summaryPending }: Row): Promise<boolean> {
  return (
    summaryPending !== null ||
    (await documents.isWriting(tx, id)) ||
    (await translations.isTranslating(tx, id))
  )
}

/** Takes the words out of all that is kept of a recording, whose row is locked. */
async function takeOut(
  tx: Tx,
  row: Row,
  { words, mark }: { words: readonly string[]; mark: string },
): Promise<{ counts: HiddenCounts; places: number; times: number[] }> {
  const { hitsIn } = hiderOf(words)
  const ever = await text.everSaid(tx, row.id, hitsIn)
  const ranges = mutedFor(ever, row)
  const hiding = hidingFor(row, { words, mark, wasSaid: ever.length > 0 })
  const kept = await text.countKept(tx, row.id, hitsIn)
  const { places, changed } = await text.hideWords(tx, row, hiding)
  const about = await elsewhere(tx, row, { hiding, changed })
  const counts = {
    text: places,
    seconds: row.storageKey === null ? 0 : lengthOf(ranges) / 1000,
    ...about,
    others: about.others + kept,
  }
  const { seconds: _, ...numbers } = counts
  return {
    counts,
    places: ever.length + Object.values(numbers).reduce((sum, number) => sum + number, 0),
    times: ranges.flatMap(({ startMs, endMs }) => [startMs, endMs]),
  }
}

function hidingFor(
  { id: transcriptionId, userId, language }: Row,
  { words, mark, wasSaid }: { words: readonly string[]; mark: string; wasSaid: boolean },
): Hiding {
  const hiding = hidingOf(words, { userId, transcriptionId, mark, language })
  // Nobody writes of a name that was not said.
  return wasSaid ? hiding : { ...hiding, isUnsure: () => false }
}

/** Everywhere but in the text. */
async function elsewhere(
  tx: Tx,
  row: Row,
  { hiding, changed }: { hiding: Hiding; changed: readonly string[] },
): Promise<Omit<HiddenCounts, 'text' | 'seconds'>> {
  const { name, ...written } = await transcriptions.hideWords(tx, row, hiding)
  return {
    ...written,
    translations: await translations.hideWords(tx, hiding, changed),
    documents: await documents.hideWords(tx, hiding),
    questions: await asking.hideWords(tx, hiding),
    others: name + (await library.hideWords(tx, hiding)) + (await developers.hideWords(tx, hiding)),
  }
}

/**
 * Puts the new sound in the place of the old one, or none; takes the words out once more, of what was
 * being written when they were hidden; and forgets them. Answers the file that nothing names any more.
 */
export async function finish(
  db: Db,
  { hidingId, made }: { hidingId: string; made: Made | null },
): Promise<{ old: string | null; isTaken: boolean }> {
  return db.transaction(async (tx) => {
    const isIt = and(eq(hidings.id, hidingId), eq(hidings.status, 'making'))
    const [{ transcriptionId } = { transcriptionId: null }] = await tx
      .select({ transcriptionId: hidings.transcriptionId })
      .from(hidings)
      .where(isIt)
    if (transcriptionId === null) return { old: null, isTaken: false }
    const [row] = await tx
      .select()
      .from(everyRow)
      .where(eq(everyRow.id, transcriptionId))
      .for('update')
    const [kept] = await tx.select().from(hidings).where(isIt).for('update')
    if (!row || !kept) return { old: null, isTaken: false }
    const { sourceKey: old } = kept
    await takeOutOnceMore(tx, row, kept)
    const isTaken = made !== null && old !== null
    if (isTaken) {
      const { key: storageKey, ...values } = made
      await writeRow(tx, row.id, { ...values, storageKey })
    } else if (old !== null) await writeRow(tx, row.id, { recordingDeletedAt: new Date() })
    await tx
      .update(hidings)
      .set({
        status: isTaken ? 'made' : 'gone',
        progress: 100,
        words: null,
        sourceKey: null,
        finishedAt: new Date(),
      })
      .where(isIt)
    return { old, isTaken }
  })
}

async function takeOutOnceMore(tx: Tx, row: Row, { words, mark }: Kept): Promise<void> {
  if (words === null) return
  const hiding = hidingFor(row, { words, mark: marks[mark], wasSaid: false })
  // What its owner has corrected since can still be undone, unless it has the words.
  const hasWords =
    (await text.everSaid(tx, row.id, hiding.hitsIn)).length > 0 ||
    (await text.countKept(tx, row.id, hiding.hitsIn)) > 0
  const { changed } = hasWords ? await text.hideWords(tx, row, hiding) : { changed: [] }
  await elsewhere(tx, row, { hiding, changed })
}

/** @throws Refusal `not_found` */
export async function list(db: Db, owned: Owned): Promise<HiddenList> {
  const [row] = await db
    .select({ id: shownRows.id, storageKey: shownRows.storageKey })
    .from(shownRows)
    .where(isThere(owned))
  if (!row) throw new Refusal('not_found')
  const rows = await db
    .select()
    .from(hidings)
    .where(eq(hidings.transcriptionId, row.id))
    .orderBy(desc(hidings.createdAt), desc(hidings.id))
  const ofOthers = await others.soundOf(db, row)
  return {
    hidden: rows.map((kept) => shown(kept, ofOthers)),
    olderFiles: await others.olderFiles(db, row.id),
  }
}

/** `ofOthers`: the sound of all that is hidden for others. */
export function shown(
  { id, scope, words, mark, places, status, progress, createdAt }: Kept,
  ofOthers: Pick<Hidden, 'sound' | 'progress'> | null,
): Hidden {
  const isForOthers = scope === 'others'
  return {
    id,
    for: scope,
    words: isForOthers ? words : null,
    mark,
    places,
    ...((isForOthers && ofOthers) || { sound: status, progress }),
    createdAt: createdAt.toISOString(),
  }
}
