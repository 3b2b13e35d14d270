/**
 * Connections that send together what is asked together, and prepare what they are asked often.
 *
 * A statement does not wait for the answer to the one before it, where its caller does not: a
 * transaction that needs three rows asks for all three in one packet. PostgreSQL answers in the order
 * in which they were asked. After one that fails in a transaction the others fail too.
 *
 * PostgreSQL takes longer to parse and plan most of our statements than to run them; a prepared one is
 * planned once for each connection.
 *
 * A pooler in transaction mode hands a statement to whichever connection is free, which may not know
 * it: where there is one, nothing is prepared. Should one be there unsaid, or a migration change what
 * a statement answers, the statements fail that are on their way, and from then on none is prepared.
 */
import { createHash } from 'node:crypto'

import { Client, DatabaseError } from 'pg'
import type { PoolConfig } from 'pg'

/** So often a statement is asked before it is prepared: what is seldom asked would fill memory. */
const OFTEN = 20
/** What is prepared stays in the memory of each connection. */
const MOST_PREPARED = 100
/** Texts that were asked less often; statements that are never the same twice are among them. */
const MOST_COUNTED = 1_000

/** A plan that no longer fits; a statement that is not known, or known already. */
const surprises = new Set(['0A000', '26000', '42P05'])

/** Of the text alone: two processes that share connections unsaid never call two statements the same. */
const nameFor = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** For the connections of one pool. `prepares`: no pooler stands between. */
export function connectionsOf({ prepares }: { prepares: boolean }): PoolConfig {
  return {
    pipeline: true,
    keepAlive: true,
    // Also counts waiting for a free connection: a request then fails instead of hanging.
    connectionTimeoutMillis: 10_000,
    Client: prepares ? preparingClient(SendingTogether) : SendingTogether,
  }
}

/** What is asked in one turn of the event loop goes out in one packet. */
class SendingTogether extends Client {
  private isGathering = false

  override query(...given: unknown[]): never {
    if (!this.isGathering) {
      this.isGathering = true
      const { stream } = this.connection
      stream.cork()
      process.nextTick(() => {
        this.isGathering = false
        stream.uncork()
      })
    }
    return Reflect.apply(super.query, this, given) as never
  }
}

/** For the connections of one pool. */
export function preparingClient(Base = Client): typeof Client {
  const asked = new Map<string, number>()
  const names = new Map<string, string>()
  let isOff = false

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= MOST_PREPARED) return known
    const times = (asked.get(text) ?? 0) + 1
    if (times >= OFTEN) {
      asked.delete(text)
      names.set(text, nameFor(text))
    } else {
      if (asked.size >= MOST_COUNTED) asked.clear()
      asked.set(text, times)
    }
    return names.get(text)
  }

  const learn = (error: unknown) => {
    isOff ||= error instanceof DatabaseError && surprises.has(error.code ?? '')
  }

  return class extends Base {
    // Called with a text or an object that holds one, the values, and maybe a function to call back.
    override query(...given: unknown[]): never {
      const [what, values, callback] = given
      const asking = typeof what === 'string' ? { text: what } : (what as { text?: unknown })
      const name =
        // A text without values may be several statements, which cannot be prepared as one.
        !isOff && typeof asking.text === 'string' && Array.isArray(values) && values.length > 0
          ? nameOf(asking.text)
          : undefined
      if (name === undefined) return Reflect.apply(super.query, this, given) as never
      const prepared = { ...asking, name }
      if (typeof callback === 'function') {
        const called = (error: unknown, result: unknown) => {
          learn(error)
          Reflect.apply(callback, undefined, [error, result])
        }
        return Reflect.apply(super.query, this, [prepared, values, called]) as never
      }
      const answer = Reflect.apply(super.query, this, [prepared, values]) as Promise<unknown>
      answer.catch(learn)
      return answer as never
    }
  }
}
