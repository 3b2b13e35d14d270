/**
 * The key that this server signs with, and derives other secrets from, so that it need not keep them:
 * SECRET_KEY, or one in the database, so that all processes have the same. The first process writes it
 * there: a random one, or the one that a release before kept in DATA_DIR. Of SECRET_KEY the database
 * has a fingerprint, by which a process knows that the others sign with the same key.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'drizzle-orm'

import type { Queryable } from './db.ts'
import { codeOf } from './error-codes.ts'
import type { Log } from './log.ts'

/** As SECRET_KEY: goes back to the key in the database, where another was set before. */
export const IN_DATABASE = 'database'

/** Other processes of this database have a SECRET_KEY, and this one has none. */
export class KeyMissing extends Error {
  constructor() {
    super(
      'The processes of this database sign with a SECRET_KEY, and none is set here. ' +
        'Set the same SECRET_KEY for this process. ' +
        `To go back to the key in the database, set SECRET_KEY=${IN_DATABASE} for every process.`,
    )
  }
}

interface KeySettings {
  secretKey: string | null
  dataDir: string
}

/** @throws KeyMissing */
export async function secretKeyOf(
  { db, log }: { db: Queryable; log: Log },
  { secretKey, dataDir }: KeySettings,
): Promise<string> {
  if (secretKey === null || secretKey === IN_DATABASE) {
    if (secretKey === IN_DATABASE) await signsWith({ db, log }, null)
    return keyInDatabase(db, dataDir)
  }
  await signsWith({ db, log }, createHash('sha256').update(secretKey).digest('hex'))
  return secretKey
}

/** Keeps the fingerprint of SECRET_KEY, null without one, and says so where that changes the key. */
async function signsWith(
  { db, log }: { db: Queryable; log: Log },
  hash: string | null,
): Promise<void> {
  const { rows } = await db.execute<{ hash: string | null; key: string | null }>(sql`
    with before as (
      select secret_key_hash as hash, secret_key as key from installation
      where secret_key_hash is distinct from ${hash} for update
    )
    update installation set secret_key_hash = ${hash} from before returning before.hash, before.key`)
  const [before] = rows
  if (before && (before.hash !== null || before.key !== null))
    log.warn(
      'SECRET_KEY differs from the key that this database was used with. This process signs with the new one: ' +
        'set the same for every process, and restart them.',
    )
}

async function keyInDatabase(db: Queryable, dataDir: string): Promise<string> {
  const offered = (await formerKey(dataDir)) ?? randomBytes(32).toString('hex')
  // Of processes that start together one is first, and the others are answered with its key.
  const { rows } = await db.execute<{ key: string }>(sql`
    update installation set secret_key = coalesce(secret_key, ${offered})
    where secret_key_hash is null returning secret_key as key`)
  const [row] = rows
  if (!row) throw new KeyMissing()
  return row.key
}

async function formerKey(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(join(dataDir, 'secret-key'), 'utf8')).trim() || null
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** 256 bits that follow from the key, for one purpose; nobody without the key can tell them. */
export const derive = (key: string, purpose: string, ...of: readonly string[]): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([purpose, ...of]))
    .digest()
