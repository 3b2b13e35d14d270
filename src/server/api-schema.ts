/**
 * The fields in the schema of a route of the public API, beside its body, query, parameters and
 * answers. A route with `tags` is part of that API: it is documented, and API keys may call it.
 */
import { z } from 'zod'

import type { RefusalCode } from '#shared/refusals.ts'

/**
 * The rights of a key. `write`: the call changes something. `read`: its answer tells more of the
 * account than the call itself has brought, or opens a way to it. Many calls do both.
 */
export type CallScope = 'read' | 'write'

declare module 'fastify' {
  interface FastifySchema {
    /**
     * The rights that a key needs for this call. Each call with `tags` names them, unless anybody may
     * make it.
     */
    scopes?: readonly [CallScope, ...CallScope[]]
    /** Why the call may be refused, beside what holds for every call. */
    refusals?: readonly RefusalCode[]
    /** The headers of the answer, by name, each with its meaning. */
    answerHeaders?: Record<string, string>
  }
  interface FastifyContextConfig {
    /**
     * The call takes an Idempotency-Key. A request that never ended is carried out again under its
     * key when the call is `repeatable`, because its own guards see to it, and never when it is
     * `once`. `by_route`: the route looks at the key itself.
     */
    idempotency?: 'repeatable' | 'once' | 'by_route'
  }
}

/** An answer that is a file of one of these types. The serializer of answers never sees it. */
export function file(description: string, ...types: readonly string[]) {
  const text: z.ZodType = z.string()
  const content = types.map((type) => {
    const [name = ''] = type.split(';')
    return [name, { schema: name.endsWith('json') ? z.unknown() : text }]
  })
  return {
    description,
    content: Object.fromEntries(content) as Record<string, { schema: z.ZodType }>,
  }
}
