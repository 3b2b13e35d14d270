/**
 * Asks the database once for what many want at the same moment. While it answers, what others want is
 * gathered; when it has answered, all of that is asked in one statement. Who comes alone does not wait.
 * So a crowd that opens its dashboards together makes statements longer, and not more of them.
 */
import type { Queryable } from './db.ts'

/** Everybody is given the answer to all that was asked together with theirs. */
export function gathering<Key, Answer>(
  ask: (db: Queryable, keys: Key[]) => Promise<Answer>,
): (db: Queryable, key: Key) => Promise<Answer> {
  interface Line {
    keys: Key[]
    /** Asks for `keys` once `last` has ended. */
    next: Promise<Answer> | undefined
    last: Promise<unknown>
  }
  const lines = new WeakMap<Queryable, Line>()
  return (db, key) => {
    const line = lines.get(db) ?? { keys: [], next: undefined, last: Promise.resolve() }
    lines.set(db, line)
    line.keys.push(key)
    if (!line.next) {
      line.next = line.last.then(() => {
        line.next = undefined
        return ask(db, line.keys.splice(0))
      })
      line.last = line.next.catch(() => undefined)
    }
    return line.next
  }
}
