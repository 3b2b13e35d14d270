/**
 * Values that no request may hold, on any route. PostgreSQL keeps no text with the character NUL in it
 * and no JSON with half of a surrogate pair, and values that are nested thousands deep cannot be
 * written down again. Such requests are refused before a route sees them.
 *
 * Promise: a value that cannot be stored is refused at the door.
 */
import type { FastifyInstance } from 'fastify'

import { Refusal } from '#shared/refusals.ts'

/** More than any call takes, and far less than a stack. */
const DEEPEST = 20

/** To be added before the routes. Forms are read by the routes themselves: see `readForm`. */
export function refuseUnstorable(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ params, query, body }) => {
    // No thing has such a name, so nothing is there.
    if (!isStorable(params)) throw new Refusal('not_found')
    if (!isStorable(query) || !isStorable(body)) throw new Refusal('invalid_request')
  })
}

export function isStorable(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0 && depth <= DEEPEST; depth++) {
    if (!level.every((one) => typeof one !== 'string' || isStorableText(one))) return false
    level = level.flatMap((one) =>
      isTree(one) ? [...Object.keys(one), ...Object.values(one)] : [],
    )
  }
  return level.length === 0
}

/** Bytes are looked at by the code that knows their meaning. */
const isTree = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)

const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
