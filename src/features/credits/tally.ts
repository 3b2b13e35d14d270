import { sql } from 'drizzle-orm'

import type { Db } from '#server/db.ts'

import { creditAccounts, creditEntries } from './tables.ts'

type Kind = (typeof creditEntries.$inferSelect)['kind']

/**
 * Counts the credits that were moved since this was first asked, by kind, whichever process moved them.
 * It reads the ledger, because moves of a transaction that was rolled back do not count, and from where
 * it stood ten minutes ago: entries commit in another order than their ids. Credits that an operator
 * takes count like given ones: a counter never falls.
 */
export function tally(db: Db): () => Promise<ReadonlyMap<Kind, number>> {
  const firm = new Map(creditEntries.kind.enumValues.map((kind) => [kind, 0]))
  let after: number | null = null
  return async () => {
    after ??= await newest(db)
    const { rows } = await db.execute<{ kind: Kind; all: number; firm: number; edge: string }>(sql`
      with edge as (
        select coalesce(max(id), ${after}) as id from ${creditEntries}
        where id > ${after} and created_at < now() - interval '10 minutes')
      select kind, sum(abs(credits))::float8 as "all", edge.id as edge,
        coalesce(sum(abs(credits)) filter (where entry.id <= edge.id), 0)::float8 as firm
      from ${creditEntries} entry, edge where entry.id > ${after} group by kind, edge.id`)
    const counted = new Map(firm)
    for (const { kind, all, firm: settled, edge } of rows) {
      counted.set(kind, (firm.get(kind) ?? 0) + all)
      firm.set(kind, (firm.get(kind) ?? 0) + settled)
      after = Number(edge)
    }
    return counted
  }
}

async function newest(db: Db): Promise<number> {
  const { rows } = await db.execute<{ id: string | null }>(
    sql`select max(id) as id from ${creditEntries}`,
  )
  return Number(rows[0]?.id ?? 0)
}

/** The credits that all users together can spend, and those set aside for running jobs. */
export async function standing(db: Db): Promise<{ available: number; held: number }> {
  const { rows } = await db.execute<{ available: number; held: number }>(sql`
    select coalesce(sum(available), 0)::float8 as available, coalesce(sum(held), 0)::float8 as held
    from ${creditAccounts}`)
  return rows[0] ?? { available: 0, held: 0 }
}
