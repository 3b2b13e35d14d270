/**
 * Files and database belong together, and each has a mark of the other. What this prevents:
 *
 * - A process with a folder of its own would fail every job of recordings that lie elsewhere. So the
 *   first process marks its files with the id of the database, and the others need that mark.
 * - A database that was restored from a backup does not know the newest recordings, and would take them
 *   for leftovers. So the moment that both have seen is noted in the database and beside the files;
 *   while the files have seen a later one, nothing is removed by any part.
 */
import { sql } from 'drizzle-orm'

import type { Db, Queryable } from './db.ts'
import type { Storage } from './storage.ts'

/** The mark beside the files: the id of their database, and a moment that both have seen. */
function read(mark: string | null) {
  const [installationId = '', knownUntil] = mark?.trim().split('\n') ?? []
  return { installationId, knownUntil: knownUntil ? new Date(knownUntil) : null }
}

/** The files are another database's, or this database has its files somewhere else. */
export interface Apart {
  kind: 'foreign' | 'elsewhere'
  installationId: string
}

/** Joins files and database, at the very first start by marking the files. */
export async function join(
  db: Db,
  storage: Storage,
  { hasRecordings }: { hasRecordings: (db: Queryable) => Promise<boolean> },
): Promise<{ kind: 'joined' } | Apart> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string; isMarked: boolean }>(sql`
      select id, files_marked_at is not null as "isMarked" from installation for update`)
    const [{ id: installationId, isMarked } = noInstallation()] = rows
    const mark = await storage.mark()
    if (mark !== null && read(mark).installationId !== installationId)
      return { kind: 'foreign', installationId }
    if (mark === null) {
      if (isMarked || (await hasRecordings(tx))) return { kind: 'elsewhere', installationId }
      await storage.setMark(`${installationId}\n`)
    }
    if (!isMarked) await tx.execute(sql`update installation set files_marked_at = now()`)
    return { kind: 'joined' }
  })
}

/**
 * Marks files that were put in their place together with this database: both have seen the same. When
 * the clock was last looked at is as old as the back-up, which is no leap of the clock.
 */
export async function markRestored(db: Queryable, storage: Pick<Storage, 'setMark'>) {
  const { rows } = await db.execute<{ id: string }>(
    sql`update installation set clock_seen_at = null returning id`,
  )
  const [{ id } = noInstallation()] = rows
  await storage.setMark(`${id}\n`)
}

function noInstallation(): never {
  throw new Error('the database does not know its own id')
}

/**
 * How the files stand to the database. `abreast`: it knows every file, so that one it does not name
 * is a leftover. `newer`: they have seen a later moment. `unmarked`: their mark is gone, or another's.
 */
export type Pace = 'abreast' | 'newer' | 'unmarked'

/** Compares what files and database have seen, and notes this moment in both. */
export async function keepPace(db: Db, storage: Storage): Promise<Pace> {
  const noted = await db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string; knownUntil: string | null; now: string }>(
      sql`select id, files_known_until as "knownUntil", clock_timestamp() as now
        from installation for update`,
    )
    const [{ id, ...row } = noInstallation()] = rows
    const knownUntil = row.knownUntil === null ? 0 : new Date(row.knownUntil).getTime()
    const mark = read(await storage.mark())
    if (mark.installationId !== id) return { pace: 'unmarked', mark: null } as const
    if ((mark.knownUntil?.getTime() ?? 0) > knownUntil)
      return { pace: 'newer', mark: null } as const
    const until = new Date(Math.max(knownUntil, new Date(row.now).getTime())).toISOString()
    await tx.execute(sql`update installation set files_known_until = ${until}`)
    return { pace: 'abreast', mark: `${id}\n${until}\n` } as const
  })
  // After the database: a crash in between leaves the files behind it, which is no harm.
  if (noted.mark !== null) await storage.setMark(noted.mark)
  return noted.pace
}

/**
 * Storage as every part gets it: while the database may lack knowledge of the newest files, none is
 * removed. The files that are kept so have no row, and the sweep removes them once an operator has
 * decided.
 */
export function keepingUnknown<S extends Storage>(db: Queryable, storage: S): S {
  return {
    ...storage,
    async remove(key) {
      if ((await whyNotAbreast(db, storage)) === null) await storage.remove(key)
    },
  }
}

/** For /healthz: why no leftovers are removed; null when they are. */
export async function whyNotAbreast(
  db: Queryable,
  storage: Pick<Storage, 'mark'>,
): Promise<string | null> {
  // Before the database, which is always told of a moment first.
  const mark = read(await storage.mark())
  const { rows } = await db.execute<{ id: string; knownUntil: string | null; isMarked: boolean }>(
    sql`select id, files_known_until as "knownUntil", files_marked_at is not null as "isMarked"
      from installation`,
  )
  const [{ id, knownUntil, isMarked } = noInstallation()] = rows
  if (isMarked && mark.installationId !== id) return 'not marked as those of the database'
  const isNewer = mark.knownUntil && mark.knownUntil > new Date(knownUntil ?? 0)
  return isNewer ? 'newer than the database' : null
}

/** Gives the work that only one process does to the one that asks first in a minute. */
export async function takeTurn(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute(sql`
    update installation set swept_at = now()
    where swept_at is null or swept_at < now() - interval '55 seconds'
      -- The clock was ahead, and is back.
      or swept_at > now() + interval '55 seconds'
    returning id`)
  return rows.length > 0
}

/** The last file that the sweep has looked at; null before the first one. */
export async function sweptTo(db: Queryable): Promise<string | null> {
  const { rows } = await db.execute<{ key: string | null }>(
    sql`select swept_to as key from installation`,
  )
  return rows[0]?.key ?? null
}

export async function noteSweptTo(db: Queryable, key: string | null): Promise<void> {
  await db.execute(sql`update installation set swept_to = ${key}`)
}
