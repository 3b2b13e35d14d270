/**
 * The bin: recordings and uploads whose time is over lie here for a day, in case a clock was wrong. What
 * this promises:
 *
 * - Nobody sees what lies here. The file stays where it is, and its row names it no more; an upload's
 *   row lies here too.
 * - A file whose time turns out not to be over goes back by itself. An operator can take any file back,
 *   for a day.
 * - After that day it is gone for good, unless a row names the file again.
 * - A file that a user deletes does not lie here: `emptyOf` removes it at once.
 */
import {
  type InferSelectModel,
  type SQL,
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  sql,
} from 'drizzle-orm'

import { everyRow, hidings, renders, veils } from '#features/row/row.ts'
import { noFile } from '#features/row/veil.ts'
import type { Db, Queryable, Tx } from '#server/db.ts'
import type { Log } from '#server/log.ts'
import { NotStored, type Storage } from '#server/storage.ts'
import {
  BIN_HOURS,
  RETENTION_DAYS,
  UNCONFIRMED_MINUTES,
  UNFINISHED_HOURS,
} from '#shared/business.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import { namedAmong } from './kept-files.ts'
import { bin, uploads } from './tables.ts'

interface Deps {
  db: Db
  storage: Storage
  /** The database's. */
  clock: Clock
}
type Binned = InferSelectModel<typeof bin>
type New = Pick<Binned, 'storageKey' | 'kind'> & Partial<Binned>

const HOUR_MS = 60 * 60 * 1000
const BIN_MS = BIN_HOURS * HOUR_MS
/** The most files that one transaction goes through; the next sweep takes the others. */
const AT_ONCE = 500

/** Puts files into the bin, in the transaction in which their rows cease to name them. */
export async function put(tx: Queryable, files: readonly New[], now: Date): Promise<void> {
  if (files.length === 0) return
  await tx
    .insert(bin)
    .values(files.map((file) => ({ ...file, binnedAt: now })))
    .onConflictDoNothing()
}

/** Whether the file of a transcription is known here: an operator has taken it back. */
export const isTakenBack = sql<boolean>`exists (
  select from ${bin} here where here.storage_key = ${everyRow}.storage_key)`

/** Which of these files lie here. */
export async function among(db: Queryable, keys: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ key: bin.storageKey })
    .from(bin)
    .where(inArray(bin.storageKey, [...keys]))
  return rows.map(({ key }) => key)
}

/**
 * Takes from the bin what a user deletes: of some transcriptions, or everything; and with it what was
 * made of these recordings. Answers the files.
 */
export async function emptyOf(
  tx: Queryable,
  whose: { userId: string } | { transcriptionIds: readonly string[] },
): Promise<string[]> {
  const areTheirs = (table: typeof bin | typeof renders | typeof hidings | typeof veils) =>
    'userId' in whose
      ? eq(table.userId, whose.userId)
      : inArray(table.transcriptionId, [...whose.transcriptionIds])
  const gone = await tx.delete(bin).where(areTheirs(bin)).returning({ key: bin.storageKey })
  const made = await tx
    .delete(renders)
    .where(areTheirs(renders))
    .returning({ key: renders.storageKey })
  const hidden = await tx
    .select({ key: hidings.sourceKey })
    .from(hidings)
    .where(areTheirs(hidings))
    .for('update')
  // Its words are still to be forgotten: its job does that.
  await tx.update(hidings).set({ sourceKey: null }).where(areTheirs(hidings))
  const veiled = await tx
    .select({ key: veils.storageKey })
    .from(veils)
    .where(areTheirs(veils))
    .for('update')
  await tx
    .update(veils)
    .set({ ...noFile, asked: sql`gen_random_uuid()`, status: 'making' })
    .where(areTheirs(veils))
  return [...gone, ...made, ...hidden, ...veiled].flatMap(({ key }) => key ?? [])
}

type SweepDeps = Deps & { log: Log }

/** The state that a process keeps from one sweep to the next: after which file it goes on putting back. */
export interface Round {
  putBackTo?: string | undefined
}

/** Puts back what is not over, and removes what has lain here for a day. `clock` is the database's. */
export async function sweep(deps: SweepDeps, round: Round): Promise<void> {
  await putBackWhatIsNotOver(deps, round)
  const { db, storage, clock, log } = deps
  const before = new Date(clock().getTime() - BIN_MS)
  // A file that an operator took back was there for a day. Its time is over, so it comes here once more.
  await db.delete(bin).where(lt(bin.takenBackAt, before))
  const over = await db
    .select({ key: bin.storageKey })
    .from(bin)
    .where(and(isNull(bin.takenBackAt), lt(bin.binnedAt, before)))
    .limit(AT_ONCE)
  for (const { key } of over) {
    const isTheLast = await db.transaction(async (tx) => {
      const [gone] = await tx
        .delete(bin)
        .where(and(eq(bin.storageKey, key), isNull(bin.takenBackAt)))
        .returning()
      return gone !== undefined && !(await namedAmong(tx, [key])).has(key)
    })
    // After the row: where this breaks off, the file is a leftover that comes here once more.
    if (!isTheLast) continue
    await storage.remove(key)
    log.info({ key }, 'a file is gone for good, it lay in the bin for a day')
  }
}

/**
 * A clock was wrong when these were put here, or a row was changed since. A file that cannot be put back
 * stays until its day is over, so the next sweep goes on after it.
 */
async function putBackWhatIsNotOver(
  { db, storage, clock, log }: SweepDeps,
  round: Round,
): Promise<void> {
  const now = clock()
  const since = (ms: number) => new Date(now.getTime() - ms)
  const isYoung = or(
    and(eq(bin.kind, 'recording'), gt(bin.createdAt, since(RETENTION_DAYS * 24 * HOUR_MS))),
    and(eq(bin.kind, 'unconfirmed'), gt(bin.createdAt, since(UNCONFIRMED_MINUTES * 60_000))),
    and(eq(bin.kind, 'upload'), gt(bin.createdAt, since(UNFINISHED_HOURS * HOUR_MS))),
  )
  const { putBackTo } = round
  const isNext = putBackTo === undefined ? undefined : gt(bin.storageKey, putBackTo)
  const young = await db
    .select({ storageKey: bin.storageKey })
    .from(bin)
    .where(and(isNull(bin.takenBackAt), isYoung, isNext))
    .orderBy(asc(bin.storageKey))
    .limit(AT_ONCE)
  round.putBackTo = young.length < AT_ONCE ? undefined : young.at(-1)?.storageKey
  for (const { storageKey } of young) {
    const isBack = await db.transaction(async (tx) => {
      const file = await lockOne(tx, storageKey)
      if (!file || !(await hasFile(storage, file)) || !(await putBack(tx, file, {}))) return false
      await tx.delete(bin).where(eq(bin.storageKey, storageKey))
      return true
    })
    if (isBack) log.warn({ key: storageKey }, 'what lay in the bin was not over, and is put back')
  }
}

async function lockOne(tx: Tx, storageKey: string): Promise<Binned | undefined> {
  const isIt = and(eq(bin.storageKey, storageKey), isNull(bin.takenBackAt))
  const [file] = await tx.select().from(bin).where(isIt).for('update')
  return file
}

/** A back-up has no files that lay in the bin, and a row without its file would be a lie. */
async function hasFile(storage: Storage, { kind, storageKey }: Binned): Promise<boolean> {
  // Of an upload in parts there may be nothing yet.
  if (kind === 'upload') return true
  return storage.require(storageKey).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotStored) return false
      throw error
    },
  )
}

/** Lets a row name the file again. False where there is none any more. */
async function putBack(
  tx: Tx,
  { kind, storageKey, transcriptionId, row }: Binned,
  { createdAt }: { createdAt?: Date },
): Promise<boolean> {
  switch (kind) {
    case 'recording': {
      const isIt = and(
        eq(everyRow.id, transcriptionId ?? ''),
        isNull(everyRow.storageKey),
        isNotNull(everyRow.recordingDeletedAt),
        isNull(everyRow.deletedAt),
      )
      const back = await tx
        .update(everyRow)
        .set({ storageKey, recordingDeletedAt: null })
        .where(isIt)
        .returning({ id: everyRow.id })
      return back.length > 0
    }
    case 'unconfirmed': {
      const values = { ...revived(everyRow, row), ...(createdAt && { createdAt }) }
      const made = await tx.insert(everyRow).values(values).onConflictDoNothing().returning()
      return made.length > 0
    }
    case 'upload': {
      const values = { ...revived(uploads, row), ...(createdAt && { createdAt }) }
      const made = await tx.insert(uploads).values(values).onConflictDoNothing().returning()
      return made.length > 0
    }
    case 'leftover':
      return false
  }
}

/** A row as it was before it became JSON. */
function revived<T extends typeof everyRow | typeof uploads>(
  table: T,
  row: unknown,
): T['$inferInsert'] {
  const kept = row as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([name, { dataType }]) => {
      const value = kept[name]
      return [name, dataType === 'date' && typeof value === 'string' ? new Date(value) : value]
    }),
  ) as T['$inferInsert']
}

/** The list for an operator, oldest first: the owner and the kind of each, and no name of a file. */
export async function list(db: Queryable) {
  const { storageKey: key, kind, userId, transcriptionId, createdAt, binnedAt } = bin
  return db
    .select({ key, kind, userId, transcriptionId, createdAt, binnedAt })
    .from(bin)
    .where(isNull(bin.takenBackAt))
    .orderBy(asc(binnedAt), asc(key))
}

/**
 * Takes one thing out of the bin, by the name of its file or the id of its transcription. A recording
 * whose time is over stays for a day; an upload has its time once more.
 *
 * @throws Refusal `not_found` where it does not lie here, or its file or what it belongs to is gone
 */
export async function takeBack(
  { db, storage, clock }: Pick<Deps, 'db' | 'storage' | 'clock'>,
  asked: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const isAsked: SQL | undefined = or(eq(bin.storageKey, asked), eq(bin.transcriptionId, asked))
    const [found] = await tx.select({ storageKey: bin.storageKey }).from(bin).where(isAsked)
    const file = found && (await lockOne(tx, found.storageKey))
    if (!file) throw new Refusal('not_found', { message: 'That does not lie in the bin.' })
    if (!(await hasFile(storage, file)))
      throw new Refusal('not_found', { message: 'Its file is gone.' })
    if (!(await putBack(tx, file, { createdAt: clock() })))
      throw new Refusal('not_found', { message: 'There is nothing left that it belongs to.' })
    const isIt = eq(bin.storageKey, file.storageKey)
    if (file.kind === 'recording') await tx.update(bin).set({ takenBackAt: clock() }).where(isIt)
    else await tx.delete(bin).where(isIt)
  })
}
