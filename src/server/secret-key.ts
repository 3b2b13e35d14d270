/**
 * The key that this server signs with, and derives other secrets from, so that it need not keep
 * them: SECRET_KEY, or a random key in DATA_DIR that the first process makes.
 */
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const NAME = 'secret-key'
const OWNER_ONLY = 0o600

export async function secretKeyOf({
  secretKey,
  dataDir,
}: {
  secretKey: string | null
  dataDir: string
}): Promise<string> {
  if (secretKey !== null) return secretKey
  const path = join(dataDir, NAME)
  return (await readKey(path)) ?? makeKey(dataDir, path)
}

async function readKey(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing)
  return text?.trim() || null
}

/** Processes that start together agree on one: it is there completely, or not at all. */
async function makeKey(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const fresh = `${path}.${randomUUID()}`
  await writeFile(fresh, randomBytes(32).toString('hex'), { mode: OWNER_ONLY, flush: true })
  await link(fresh, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(fresh)
  const key = await readKey(path)
  if (key === null) throw new Error(`${path} is empty: delete it, or set SECRET_KEY`)
  return key
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error
  return null
}

/** 256 bits that follow from the key, for one purpose; nobody without the key can tell them. */
export const derive = (key: string, purpose: string, ...of: readonly string[]): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([purpose, ...of]))
    .digest()
