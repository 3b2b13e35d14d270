/**
 * The orders of the library, and the cursors by which the next page begins where the page before
 * ended, so that page 1,000 costs no more than page 1.
 */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { z } from 'zod'

import { shownRows } from '#features/row/row.ts'
import { isStorable } from '#server/storable.ts'
import { Instant } from '#shared/instant.ts'
import { Refusal } from '#shared/refusals.ts'

import type { ListSort } from './contract.ts'
import { worth } from './search.ts'

interface Order {
  by: SQL
  /** Its type in the database. */
  type: 'timestamptz' | 'integer' | 'bigint' | 'text'
  isDescending: boolean
}

const { createdAt, durationMs, originalName, id: rowId } = shownRows
const byTime = { by: sql`${createdAt}`, type: 'timestamptz' } as const
const byLength = { by: sql`${durationMs}`, type: 'integer' } as const
const orders: Record<ListSort, Order> = {
  newest: { ...byTime, isDescending: true },
  oldest: { ...byTime, isDescending: false },
  longest: { ...byLength, isDescending: true },
  shortest: { ...byLength, isDescending: false },
  name: { by: sql`lower(${originalName})`, type: 'text', isDescending: false },
  best: { by: worth, type: 'bigint', isDescending: true },
}

/** The value that rows are sorted by. Among equals their ids decide. */
export const by = (sort: ListSort): SQL => orders[sort].by

export function inOrder(sort: ListSort, of: { by: SQLWrapper; id: SQLWrapper }): SQL[] {
  const direction = orders[sort].isDescending ? sql`desc` : sql`asc`
  return [sql`${of.by} ${direction}`, sql`${of.id} ${direction}`]
}

/** How many there are in all; counted for the first page, and carried to the later ones. */
export interface Totals {
  rows: number
  /** Turns in which something was found; only in a search. */
  places?: number | undefined
}

interface Cursor {
  sort: ListSort
  value: string | number
  id: string
  total: number
  places?: number | undefined
}

/** A cursor holds the id and the value of the last row of the page before, for each order. */
const cursorOf = (sort: ListSort): z.ZodType<Cursor> =>
  z.object({
    sort: z.literal(sort),
    value: {
      timestamptz: Instant,
      integer: z.int32(),
      bigint: z.int(),
      text: z.string().refine(isStorable),
    }[orders[sort].type],
    id: z.uuid(),
    total: z.int32().min(0),
    places: z.int32().min(0).optional(),
  })

/** `value`: what the last row of a page is sorted by, as JSON has it. */
export function cursorAfter(
  sort: ListSort,
  { value, id }: Pick<Cursor, 'value' | 'id'>,
  { rows: total, places }: Totals,
): string {
  const cursor: Cursor = { sort, value, id, total, places }
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

/** @throws Refusal `invalid_request` for a cursor that was not made for this order */
export function readCursor(text: string, sort: ListSort): { after: SQL; totals: Totals } {
  const cursor = cursorOf(sort).safeParse(parsed(Buffer.from(text, 'base64url').toString()))
  if (!cursor.success) throw new Refusal('invalid_request')
  const { value, id, total, places } = cursor.data
  const { by, type, isDescending } = orders[sort]
  const than = isDescending ? sql`<` : sql`>`
  return {
    after: sql`(${by}, ${rowId}) ${than} (${value}::${sql.raw(type)}, ${id}::uuid)`,
    totals: { rows: total, places },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // This server never made such a cursor, so the request is refused.
    if (error instanceof SyntaxError) return null
    throw error
  }
}
