/** Columns that the tables of every room have, a choice of a table's columns, and rows as they are sent. */
import { getTableColumns } from 'drizzle-orm'
import { type PgTable, timestamp } from 'drizzle-orm/pg-core'

/** A moment, to the millisecond, as JavaScript counts. */
export const instant = () => timestamp({ withTimezone: true, precision: 3 })

/** The columns of a table but these, for a query that does not need all. */
export function columnsWithout<Table extends PgTable, Name extends keyof Table['_']['columns']>(
  table: Table,
  names: readonly Name[],
): Omit<Table['_']['columns'], Name> {
  return without(getTableColumns(table), names)
}

export function without<Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  names: readonly Name[],
): Omit<Fields, Name> {
  const left = Object.entries(fields).filter(([name]) => !names.includes(name as Name))
  return Object.fromEntries(left) as Omit<Fields, Name>
}

type AsJson<Value> = Value extends Date ? string : Value

/** A row as its JSON says it: moments in ISO 8601. The contract leaves out the other columns. */
export function asJson<Row extends object>(row: Row): { [Name in keyof Row]: AsJson<Row[Name]> } {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ])
  return Object.fromEntries(cells) as { [Name in keyof Row]: AsJson<Row[Name]> }
}
