/**
 * Tags: words by which a user orders the library, many to one transcription. What this promises:
 *
 * - One tag for each name, however its capitals, accents and spaces are written.
 * - An account has at most 50 of them. Each has the colour that the fewest others have.
 * - What is asked for many transcriptions is done to all of them, or to none.
 */
import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'

import { type Owned, isThere, shownRows, tags, transcriptionTags } from '#features/row/row.ts'
import type { Tag } from '#features/transcriptions/contract.ts'
import { type Db, type Queryable, type Tx, lock } from '#server/db.ts'
import { MOST_TAGS } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'
import { nameKeyOf, tidyText } from '#shared/written.ts'

import type { Tags } from './contract.ts'

/** How many colours there are: those of the speakers. */
const COLOURS = 8

/** The tags of a user by name, with how many transcriptions each has, and how many have none. */
export async function list(db: Queryable, userId: string): Promise<Tags> {
  const { rows: known } = await db.execute<Tag & { count: number }>(sql`
    select tag.id, tag.name, tag.colour, count(shown.id)::integer as count
    from ${tags} tag
    left join ${transcriptionTags} of_it on of_it.tag_id = tag.id
    left join ${shownRows} on shown.id = of_it.transcription_id and shown.user_id = ${userId}
    where tag.user_id = ${userId} group by tag.id order by tag.name_key`)
  // Their user is named in both, so that all is counted from the index and no row is read.
  const { rows } = await db.execute<{ total: number; tagged: number }>(sql`
    select count(*)::integer as total, (
      select count(distinct of_it.transcription_id)::integer
      from ${tags} tag join ${transcriptionTags} of_it on of_it.tag_id = tag.id
        join ${shownRows} on shown.id = of_it.transcription_id and shown.user_id = ${userId}
      where tag.user_id = ${userId}
    ) as tagged
    from ${shownRows} where shown.user_id = ${userId}`)
  const { total = 0, tagged = 0 } = rows[0] ?? {}
  return { tags: known, all: total, none: total - tagged }
}

/** @throws Refusal `tag_exists`, `too_many_tags` */
export async function create(
  db: Db,
  { userId, name }: { userId: string; name: string },
): Promise<Tags> {
  return db.transaction(async (tx) => {
    const known = await lockAll(tx, userId)
    if (known.some(({ nameKey }) => nameKey === nameKeyOf(name))) throw new Refusal('tag_exists')
    await add(tx, { userId, names: [name], known })
    return list(tx, userId)
  })
}

/**
 * Gives a tag another name. The name of another tag is refused: two tags cannot be told apart again
 * once they are one.
 *
 * @throws Refusal `not_found`, `tag_exists`
 */
export async function rename(
  db: Db,
  { userId, id, name }: Owned & { name: string },
): Promise<Tags> {
  return db.transaction(async (tx) => {
    const known = await lockAll(tx, userId)
    if (!known.some((tag) => tag.id === id)) throw new Refusal('not_found')
    const nameKey = nameKeyOf(name)
    if (known.some((tag) => tag.id !== id && tag.nameKey === nameKey))
      throw new Refusal('tag_exists')
    await tx
      .update(tags)
      .set({ name: tidyText(name), nameKey })
      .where(and(eq(tags.id, id), eq(tags.userId, userId)))
    return list(tx, userId)
  })
}

/** Takes a tag away from everything that has it. @throws Refusal `not_found` */
export async function remove(db: Db, { userId, id }: Owned): Promise<Tags> {
  return db.transaction(async (tx) => {
    const known = await lockAll(tx, userId)
    if (!known.some((tag) => tag.id === id)) throw new Refusal('not_found')
    await tx.delete(tags).where(and(eq(tags.id, id), eq(tags.userId, userId)))
    return list(tx, userId)
  })
}

/** Gives a transcription these tags, and no others. @throws Refusal `not_found`, `too_many_tags` */
export async function set(
  db: Db,
  { names, ...owned }: Owned & { names: readonly string[] },
): Promise<void> {
  await db.transaction(async (tx) => {
    const known = await lockAll(tx, owned.userId)
    const [row] = await tx
      .select({ id: shownRows.id })
      .from(shownRows)
      .where(isThere(owned))
      .for('key share')
    if (!row) throw new Refusal('not_found')
    const wanted = await add(tx, { userId: owned.userId, names, known })
    await tx
      .delete(transcriptionTags)
      .where(
        and(
          eq(transcriptionTags.transcriptionId, row.id),
          wanted.length > 0 ? notInArray(transcriptionTags.tagId, wanted) : undefined,
        ),
      )
    await give(tx, { ids: [row.id], wanted })
  })
}

/**
 * Gives tags to many transcriptions, and takes others away from them.
 *
 * @throws Refusal `not_found` if one of them is not there, `too_many_tags`; then nothing is changed
 */
export async function change(
  db: Db,
  asked: {
    userId: string
    ids: readonly string[]
    add: readonly string[]
    remove: readonly string[]
  },
): Promise<Tags> {
  const { userId } = asked
  const ids = [...new Set(asked.ids.map((id) => id.toLowerCase()))]
  return db.transaction(async (tx) => {
    const known = await lockAll(tx, userId)
    const rows = await tx
      .select({ id: shownRows.id })
      .from(shownRows)
      .where(and(eq(shownRows.userId, userId), inArray(shownRows.id, ids)))
      // As everybody who locks several, so that nobody waits for each other.
      .orderBy(shownRows.id)
      .for('key share')
    if (rows.length !== ids.length) throw new Refusal('not_found')
    const keys = new Set(asked.remove.map(nameKeyOf))
    const gone = known.filter(({ nameKey }) => keys.has(nameKey)).map(({ id }) => id)
    if (gone.length > 0)
      await tx
        .delete(transcriptionTags)
        .where(
          and(
            inArray(transcriptionTags.transcriptionId, ids),
            inArray(transcriptionTags.tagId, gone),
          ),
        )
    await give(tx, { ids, wanted: await add(tx, { userId, names: asked.add, known }) })
    return list(tx, userId)
  })
}

type Known = typeof tags.$inferSelect

/** Changes of a user's tags come one after the other, so that none is made twice or once too often. */
async function lockAll(tx: Tx, userId: string): Promise<Known[]> {
  await lock(tx, `tags:${userId}`)
  return tx.select().from(tags).where(eq(tags.userId, userId))
}

/** The ids of tags of these names. Those that are new are made. @throws Refusal `too_many_tags` */
async function add(
  tx: Tx,
  { userId, names, known }: { userId: string; names: readonly string[]; known: readonly Known[] },
): Promise<string[]> {
  // Of several spellings the first is written.
  const wanted = new Map(names.toReversed().map((name) => [nameKeyOf(name), tidyText(name)]))
  const ids = known.filter(({ nameKey }) => wanted.has(nameKey)).map(({ id }) => id)
  for (const { nameKey } of known) wanted.delete(nameKey)
  if (wanted.size === 0) return ids
  if (known.length + wanted.size > MOST_TAGS) throw new Refusal('too_many_tags')
  const used = known.map(({ colour }) => colour)
  const rows = [...wanted].toReversed().map(([nameKey, name]) => {
    const colour = rarest(used)
    used.push(colour)
    return { userId, name, nameKey, colour }
  })
  const made = await tx.insert(tags).values(rows).returning({ id: tags.id })
  return [...ids, ...made.map(({ id }) => id)]
}

function rarest(used: readonly number[]): number {
  const times = Array.from(
    { length: COLOURS },
    (_, colour) => used.filter((one) => one === colour).length,
  )
  return times.indexOf(Math.min(...times))
}

async function give(
  tx: Tx,
  { ids, wanted }: { ids: readonly string[]; wanted: readonly string[] },
): Promise<void> {
  if (wanted.length === 0) return
  const all = sql.param([...ids])
  const each = sql.param([...wanted])
  await tx.execute(sql`
    insert into ${transcriptionTags} (transcription_id, tag_id)
    select one, tag from unnest(${all}::uuid[]) one cross join unnest(${each}::uuid[]) tag
    on conflict do nothing`)
}
