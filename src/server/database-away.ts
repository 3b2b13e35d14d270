/** Tells an error that only means "the database, or storage, cannot be reached" from all others. */
import { DrizzleQueryError } from 'drizzle-orm'

import { causesOf, codeOf } from './error-codes.ts'
import { isDiskFull } from './own-disk.ts'
import { StorageAway } from './storage.ts'

/** Whether storage could not be reached. Its cause is often an error of sockets, like a database's. */
export function isStorageAway(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof StorageAway)
}

/**
 * Whether a query failed because the database went away. An error of the system's sockets that
 * nothing ties to a query could also be another server's: see `isSurelyDatabase`.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (isStorageAway(error)) return false
  return causesOf(error).some((cause) => isPostgresLeaving(cause) || isSocketError(cause))
}

/**
 * Like `isDatabaseAway`, but leaves out errors that a mail server or an engine can have too. Every
 * query of a room is one of Drizzle's, so its error tells, without asking a database that may answer
 * again.
 */
export function isSurelyDatabase(error: unknown): boolean {
  if (isStorageAway(error)) return false
  const causes = causesOf(error)
  // One that comes out of a thread has lost its class.
  const isOfQuery = causes.some(
    (cause) => cause instanceof DrizzleQueryError || cause.name === DrizzleQueryError.name,
  )
  return causes.some((cause) => isPostgresLeaving(cause) || (isOfQuery && isSocketError(cause)))
}

/** The part that is away, as the code of a refusal; null when both could be reached. */
export function whatIsAway(error: unknown): 'database_away' | 'storage_away' | null {
  if (isStorageAway(error)) return 'storage_away'
  return isDatabaseAway(error) ? 'database_away' : null
}

/**
 * Whether a job failed by no fault of its own: the database or storage was away, or the disk full. It
 * throws that on, also on its last try, and the queue gives it back.
 */
export const isNoFaultOfJob = (error: unknown): boolean =>
  whatIsAway(error) !== null || isDiskFull(error)

/** PostgreSQL's classes 08 (connection) and 57P (shutdown), no room for more, and pg's own words. */
function isPostgresLeaving(error: Error): boolean {
  return (
    /^(08...|53300|57P0[123])$/.test(codeOf(error)) ||
    /^Connection terminated|^timeout exceeded when trying to connect|is not queryable$/.test(
      error.message,
    )
  )
}

function isSocketError(error: Error): boolean {
  const code = codeOf(error)
  if (/^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH)$/.test(code)) return true
  // The socket file of a PostgreSQL on this machine goes away with it.
  return code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
}
