/**
 * The key that this server signs with, and derives other secrets from, so that it need not keep them:
 * SECRET_KEY, or one in the database, so that all processes have the same. The first process writes it
 * there: a random one, or the one that a release before kept in DATA_DIR.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'drizzle-orm'

import type { Queryable } from './db.ts'
import { codeOf } from './error-codes.ts'

interface KeySettings {
  secretKey: string | null
  dataDir: string
}

export async function secretKeyOf(
  db: Queryable,
  { secretKey, dataDir }: KeySettings,
): Promise<string> {
  if (secretKey !== null) return secretKey
  const offered = (await formerKey(dataDir)) ?? randomBytes(32).toString('hex')
  // Of processes that start together one is first, and the others are answered with its key.
  const { rows } = await db.execute<{ key: string }>(sql`
    update installation set secret_key = coalesce(secret_key, ${offered})
    returning secret_key as key`)
  const [row] = rows
  if (!row) throw new Error('the database keeps no key')
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
