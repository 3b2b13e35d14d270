/**
 * The sound of a recording as others hear it, where words of it are hidden for them. It is written by a
 * job of the room `hiding`.
 *
 * Promise: nobody but its owner hears a word that the text shows as hidden. A sound that was written for
 * another text is played only once it is known to have no further place of these words.
 */
import { randomUUID } from 'node:crypto'

import { and, eq } from 'drizzle-orm'

import { type Owned, type Row, everyRow, veils } from '#features/row/row.ts'
import { veilOf } from '#features/row/veil.ts'
import { MOST_STRETCHES } from '#features/sound/toned.ts'
import { everSaid } from '#features/text/hidden.ts'
import type { WordPlace } from '#features/text/word-places.ts'
import type { Db, Queryable } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import { listOf } from './cuts.ts'
import { type Range, joined, without } from './ranges.ts'

/** So much before and after a word is hidden with it; more where its time is a guess. */
const AROUND_MS = 50
const AROUND_GUESS_MS = 400

/** What is muted of the sound for these places. */
export function mutedFor(
  places: readonly WordPlace[],
  { durationMs }: Pick<Row, 'durationMs'>,
): Range[] {
  const rangesWith = (more: number): Range[] => {
    const ranges = joined(
      places.map(({ startMs, endMs, isEstimated }) => {
        const around = more + (isEstimated ? AROUND_GUESS_MS : AROUND_MS)
        return {
          startMs: Math.max(0, Math.floor(startMs - around)),
          endMs: Math.min(durationMs, Math.ceil(endMs + around)),
        }
      }),
    )
    // A word that is said this often is hidden with what lies between.
    return ranges.length > MOST_STRETCHES ? rangesWith(more * 2 + AROUND_MS) : ranges
  }
  return rangesWith(0)
}

export interface VeiledFile {
  storageKey: string
  sizeBytes: number
  mediaType: string | null
}

export interface VeiledSound {
  /** What was made under another one may have a name. */
  mark: string
  /** `unsure`: the text has changed since it was looked at. */
  state: 'there' | 'unsure' | 'making' | 'gone'
  /** Null where others hear nothing. */
  file: VeiledFile | null
}

/** Null where nothing is hidden for others. */
export async function veiledSound(
  db: Queryable,
  { id, revision }: Pick<Row, 'id' | 'revision'>,
): Promise<VeiledSound | null> {
  const [veil] = await db.select().from(veils).where(eq(veils.transcriptionId, id))
  if (!veil) return null
  const { mark, status, storageKey, sizeBytes, mediaType, textRevision } = veil
  if (storageKey === null || sizeBytes === null || textRevision === null)
    return { mark, state: status === 'gone' ? 'gone' : 'making', file: null }
  if (textRevision !== revision) return { mark, state: 'unsure', file: null }
  return { mark, state: 'there', file: { storageKey, sizeBytes, mediaType } }
}

/** What is to be muted for others as the text is now, and of which revision of it that is known. */
export async function mutedNow(
  db: Db,
  id: string,
): Promise<{ ranges: Range[]; revision: number } | null> {
  const [row] = await db
    .select({
      id: everyRow.id,
      userId: everyRow.userId,
      language: everyRow.language,
      againOf: everyRow.againOf,
      revision: everyRow.revision,
      durationMs: everyRow.durationMs,
    })
    .from(everyRow)
    .where(eq(everyRow.id, id))
  const veil = row && (await veilOf(db, row))
  if (!veil) return null
  const places = await everSaid(db, id, veil.hitsIn)
  // A text that changed meanwhile has a later revision, and is looked at once more.
  return { ranges: mutedFor(places, row), revision: row.revision }
}

/**
 * Looks whether the sound has a place of the text that it does not mute. Then it is written anew, and
 * nobody hears it until then. It grows with the text.
 */
export async function cover(db: Db, id: string): Promise<void> {
  const [veil] = await db.select().from(veils).where(eq(veils.transcriptionId, id))
  if (!veil || veil.textRevision === null || veil.storageKey === null) return
  const now = await mutedNow(db, id)
  if (!now) return
  // One that is written anew meanwhile may mute less: what was put back.
  const isSame = and(
    eq(veils.transcriptionId, id),
    eq(veils.asked, veil.asked),
    eq(veils.storageKey, veil.storageKey),
  )
  const isCovered = without(now.ranges, listOf(veil.times)).length === 0
  await db
    .update(veils)
    .set(isCovered ? { textRevision: now.revision } : toBeMade())
    .where(isSame)
}

/** More is hidden than the sound mutes: nobody hears it, nor what was made of it, until it is anew. */
export const toBeMade = () =>
  ({
    mark: randomUUID(),
    asked: randomUUID(),
    status: 'making',
    progress: 0,
    textRevision: null,
  }) as const

/** Looks whether the sound still mutes all of the text: `cover`, in a thread. */
export type Cover = (owned: Owned) => Promise<void>

/** The same recording is looked at once at a time. */
export function oneAtATime(cover: Cover): Cover {
  const looking = new Map<string, Promise<void>>()
  return (owned) => {
    const begun = looking.get(owned.id)
    if (begun) return begun
    const look = cover(owned).finally(() => looking.delete(owned.id))
    looking.set(owned.id, look)
    return look
  }
}

/** What others hear now; null where nothing is hidden for them. `unsure` where nobody can look at it. */
export async function heardByOthers(
  db: Queryable,
  row: Pick<Row, 'id' | 'userId' | 'revision'>,
  cover: Cover | undefined,
): Promise<VeiledSound | null> {
  const found = await veiledSound(db, row)
  if (found?.state !== 'unsure' || !cover) return found
  const { id, userId } = row
  try {
    await cover({ id, userId })
  } catch (error) {
    if (error instanceof Refusal) return found
    throw error
  }
  const [now] = await db
    .select({ id: everyRow.id, revision: everyRow.revision })
    .from(everyRow)
    .where(eq(everyRow.id, id))
  return now ? veiledSound(db, now) : null
}

/** Whether a made file may be given to others: one that was made under this veil, or when nothing is hidden. */
export const isForOthers = (
  made: { veil: string | null },
  veil: Pick<VeiledSound, 'mark' | 'state'> | null,
): boolean => veil === null || (made.veil === veil.mark && veil.state !== 'unsure')

/** @throws Refusal `sound_being_hidden`, `sound_not_hidden` */
export function requireThere({ state, file }: VeiledSound): VeiledFile {
  if (file) return file
  throw new Refusal(state === 'gone' ? 'sound_not_hidden' : 'sound_being_hidden')
}
