import { z } from 'zod'

/** The years that the database and JavaScript's dates have in common with ISO 8601's four digits. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** A moment that somebody asks about. */
export const Instant = z.iso.datetime({ offset: true }).refine((text) => {
  const ms = Date.parse(text)
  return ms >= FIRST_MS && ms <= LAST_MS
})
