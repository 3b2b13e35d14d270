/**
 * Words that are hidden for others. Adding a row is the whole act, and removing it the way back: all else
 * is done at reading (row/veil.ts), but for the sound, which a job writes (veil.ts).
 */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

import { and, eq, isNull, ne, or } from 'drizzle-orm'

import { toBeMade } from '#features/cuts/veiled-sound.ts'
import { isBeingHidden } from '#features/recordings/media.ts'
import {
  type Owned,
  type Row,
  hidings,
  lockFinished,
  lockOwned,
  renders,
  requireId,
  veils,
} from '#features/row/row.ts'
import { isForOthers, noFile } from '#features/row/veil.ts'
import type { Db, Queryable, Tx } from '#server/db.ts'
import type { Hider } from '#shared/hidden-words.ts'
import { Refusal } from '#shared/refusals.ts'

import { MOST_FOR_OTHERS, type Hidden, isEnough } from './contract.ts'

type Kept = typeof hidings.$inferSelect
/** The file that is to be deleted once this is done: nothing names it. */
type Left = string | null

interface Order extends Owned {
  words: readonly string[]
  mark: Kept['mark']
  sound: Kept['muteWith']
  /** How many there are in the text now. */
  places: number
}

/**
 * Hides words for others. The same words again are answered as they are.
 *
 * @throws Refusal `not_found`, `not_finished`, `too_much_hidden`
 */
export async function add(
  db: Db,
  { words, mark, sound: muteWith, places, ...owned }: Order,
): Promise<{ kept: Kept; row: Row; left: Left }> {
  return db.transaction(async (tx) => {
    const row = await lockFinished(tx, owned)
    const all = await rowsOf(tx, row.id)
    const same = all.find((one) => one.mark === mark && isDeepStrictEqual(one.words, words))
    if (same) return { kept: same, row, left: null }
    const many = all.reduce((sum, one) => sum + (one.words?.length ?? 0), words.length)
    if (many > MOST_FOR_OTHERS) throw new Refusal('too_much_hidden')
    const { id: transcriptionId, userId } = row
    const [kept] = await tx
      .insert(hidings)
      .values({
        userId,
        transcriptionId,
        scope: 'others',
        words: [...words],
        mark,
        muteWith,
        times: [],
        places,
        status: 'made',
        progress: 100,
        finishedAt: new Date(),
      })
      .returning()
    if (!kept) throw new Error('the database stored hidden words without an id')
    const [before] = await tx
      .select({ key: veils.storageKey })
      .from(veils)
      .where(eq(veils.transcriptionId, transcriptionId))
      .for('update')
    const set = { ...toBeMade(), muteWith, ...noFile }
    await tx
      .insert(veils)
      .values({ transcriptionId, userId, ...set })
      .onConflictDoUpdate({ target: veils.transcriptionId, set })
    return { kept, row, left: before?.key ?? null }
  })
}

const rowsOf = (db: Queryable, transcriptionId: string) =>
  db
    .select()
    .from(hidings)
    .where(and(eq(hidings.transcriptionId, transcriptionId), isForOthers))

/**
 * Others have these words again. Until the sound is written with them, they hear the one without.
 *
 * @throws Refusal `not_found`, `hidden_for_good`
 */
export async function putBack(
  db: Db,
  { hiddenId, ...owned }: Owned & { hiddenId: string },
): Promise<Left> {
  requireId(hiddenId)
  return db.transaction(async (tx) => {
    const row = await lockOwned(tx, owned)
    const isIt = and(eq(hidings.id, hiddenId), eq(hidings.transcriptionId, row.id))
    const [found] = await tx.select({ scope: hidings.scope }).from(hidings).where(isIt)
    if (!found) throw new Refusal('not_found')
    if (found.scope === 'good') throw new Refusal('hidden_for_good')
    await tx.delete(hidings).where(isIt)
    return makeAnew(tx, row.id, { asked: randomUUID(), status: 'making', progress: 0 })
  })
}

/** The sound is written anew, or is none where nothing is hidden for others any more. */
async function makeAnew(
  tx: Tx,
  transcriptionId: string,
  set: Partial<typeof veils.$inferInsert>,
): Promise<Left> {
  const isOfIt = eq(veils.transcriptionId, transcriptionId)
  const [before] = await tx
    .select({ key: veils.storageKey })
    .from(veils)
    .where(isOfIt)
    .for('update')
  const [rest] = await rowsOf(tx, transcriptionId).limit(1)
  if (!rest) await tx.delete(veils).where(isOfIt)
  else await tx.update(veils).set(set).where(isOfIt)
  return rest && set.storageKey !== null ? null : (before?.key ?? null)
}

/**
 * Takes words that are hidden for good out of those that are hidden for others, of a row that is locked.
 * What is left of a name stays hidden. The sound is of a recording that is no more.
 */
export async function forget(tx: Tx, transcriptionId: string, { hitsIn }: Hider): Promise<Left> {
  for (const { id, words } of await rowsOf(tx, transcriptionId)) {
    const left = (words ?? []).flatMap((one) => partsWithout(one, hitsIn)).filter(isEnough)
    if (isDeepStrictEqual(left, words)) continue
    const isIt = eq(hidings.id, id)
    if (left.length === 0) await tx.delete(hidings).where(isIt)
    else await tx.update(hidings).set({ words: left }).where(isIt)
  }
  return makeAnew(tx, transcriptionId, { ...toBeMade(), ...noFile })
}

function partsWithout(text: string, hitsIn: Hider['hitsIn']): string[] {
  const parts: string[] = []
  let at = 0
  for (const [from, to] of [...hitsIn(text), [text.length, text.length] as const]) {
    parts.push(text.slice(at, from).trim())
    at = to
  }
  return parts.filter((part) => part !== '')
}

/** How far the sound is that others hear; null where nothing is hidden for them. */
export async function soundOf(
  db: Queryable,
  { id, storageKey }: Pick<Row, 'id' | 'storageKey'>,
): Promise<Pick<Hidden, 'sound' | 'progress'> | null> {
  const [veil] = await db
    .select({ status: veils.status, progress: veils.progress })
    .from(veils)
    .where(eq(veils.transcriptionId, id))
  if (!veil) return null
  // It is made of the recording, and goes with it.
  const isGone = storageKey === null && !(await isBeingHidden(db, id))
  return isGone ? { sound: 'gone', progress: 100 } : { sound: veil.status, progress: veil.progress }
}

/** Made files that were begun before all of this was hidden. */
export async function olderFiles(db: Queryable, transcriptionId: string): Promise<string[]> {
  const rows = await db
    .select({ id: renders.id })
    .from(renders)
    .innerJoin(veils, eq(veils.transcriptionId, renders.transcriptionId))
    .where(
      and(
        eq(renders.transcriptionId, transcriptionId),
        eq(renders.status, 'made'),
        or(isNull(renders.veil), ne(renders.veil, veils.mark)),
      ),
    )
  return rows.map(({ id }) => id)
}
