/** A real S3 server (OpenStack Swift, see s3.py) with an empty bucket, on loopback. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'

import type { Bucket } from '#server/s3.ts'

import { isInstalled } from './installed.ts'

const PYTHON = '/usr/bin/python3'
const SWIFT = '/usr/lib/python3/dist-packages/swift'
const SERVER = fileURLToPath(new URL('s3.py', import.meta.url))
const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }

export interface S3Server {
  bucket: Bucket
  /** For STORAGE_URL. */
  url: string
  stop: () => Promise<void>
}

/** Null where Swift is not installed, except in CI: `sudo apt install python3-swift`. */
export async function startS3(): Promise<S3Server | null> {
  if (!isInstalled('python3-swift', SWIFT)) return null
  const folder = await mkdtemp(join(tmpdir(), 'quoth-s3-'))
  const keys = [credentials.accessKeyId, credentials.secretAccessKey]
  const child = spawn(PYTHON, [SERVER, folder, ...keys], { stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const first: unknown = await Promise.race([once(child.stdout, 'data'), exited])
  const endpoint = String(first).trim()
  if (!endpoint.startsWith('http')) throw new Error(`Swift did not start:\n${said}`)

  const bucket: Bucket = { name: 'recordings', endpoint, region: 'us-east-1', credentials }
  const client = new S3Client({
    endpoint,
    region: bucket.region,
    credentials,
    forcePathStyle: true,
  })
  await client.send(new CreateBucketCommand({ Bucket: bucket.name }))
  client.destroy()
  const [user, password] = keys.map(encodeURIComponent)
  return {
    bucket,
    url: `s3://${user}:${password}@${bucket.name}?endpoint=${encodeURIComponent(endpoint)}`,
    async stop() {
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
