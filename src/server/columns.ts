/** Columns that the tables of every room have. */
import { timestamp } from 'drizzle-orm/pg-core'

/** A moment, to the millisecond, as JavaScript counts. */
export const instant = () => timestamp({ withTimezone: true, precision: 3 })
