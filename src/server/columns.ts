/** Columns that the tables of every room have, and a choice of a table's columns. */
import { getTableColumns } from 'drizzle-orm'
import { type PgTable, timestamp } from 'drizzle-orm/pg-core'

/** A moment, to the millisecond, as JavaScript counts. */
export const instant = () => timestamp({ withTimezone: true, precision: 3 })

/** The columns of a table but these, for a query that does not need all. */
export function columnsWithout<Table extends PgTable, Name extends keyof Table['_']['columns']>(
  table: Table,
  names: readonly Name[],
): Omit<Table['_']['columns'], Name> {
  const left = Object.entries(getTableColumns(table)).filter(
    ([name]) => !names.includes(name as Name),
  )
  return Object.fromEntries(left) as Omit<Table['_']['columns'], Name>
}
