/**
 * Downloads a file into a part. If the download breaks off, the part stays, and the same command
 * goes on from there. A note beside the part names the version of the file: two versions are never
 * joined.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'

import { z } from 'zod'

/** It was not installed; the message says why and what to do, and nothing was changed. */
export class CannotInstall extends Error {}

/** The file is not the published one, or no archive. */
export class BadSource extends CannotInstall {}

/** The source did not answer, or another server did in its place: later it may work. */
export class OutOfReach extends CannotInstall {}

/** There is no space for it on the disk: later there may be. */
export class NoSpace extends CannotInstall {}

export interface InstallProgress {
  /** The present step, in words for an operator. */
  step: string
  /** In bytes. `total` is null where nobody knows it beforehand. */
  done?: number
  total?: number | null
}

export interface DownloadPatience {
  /** How long a connection may bring no byte before it counts as dead. */
  stallMs: number
  /** How long to wait before a new try. It doubles each time that nothing came. */
  pauseMs: number
  /** How many tries in a row may bring no byte before it is given up. */
  tries: number
}

export interface DownloadOptions {
  /** The published size; null takes any. */
  bytes: number | null
  signal: AbortSignal
  onProgress?: (progress: InstallProgress) => void
  patience?: DownloadPatience
}

const usualPatience: DownloadPatience = { stallMs: 30_000, pauseMs: 1000, tries: 6 }

const Mark = z.object({
  url: z.string(),
  /** An entity tag or a date, as the server gave it. */
  version: z.string().nullable(),
})

/** @throws CannotInstall */
export async function download(url: string, part: string, options: DownloadOptions): Promise<void> {
  const { signal, onProgress, patience = usualPatience } = options
  for (let failures = 0; ;) {
    const before = await sizeOf(part)
    try {
      return await downloadRest(url, part, { ...options, stallMs: patience.stallMs })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof CannotInstall) throw error
      // As long as something came, it is worth going on.
      failures = (await sizeOf(part)) > before ? 1 : failures + 1
      const reason = whyOf(error)
      if (failures >= patience.tries) {
        const kept =
          (await sizeOf(part)) > 0 ? ' What came is kept: the next try goes on from there.' : ''
        throw new OutOfReach(`${url} could not be downloaded: ${reason}.${kept}`, { cause: error })
      }
      const waitMs = patience.pauseMs * 2 ** (failures - 1)
      const step = `interrupted: ${reason}; trying again in ${Math.ceil(waitMs / 1000)} s`
      onProgress?.({ step })
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

export async function discard(part: string): Promise<void> {
  await rm(part, { force: true })
  await rm(`${part}.json`, { force: true })
}

/** Asks for the missing bytes, and ends when everything is there. Throws where it breaks off. */
async function downloadRest(
  url: string,
  part: string,
  { bytes, stallMs, signal, onProgress }: DownloadOptions & { stallMs: number },
): Promise<void> {
  const mark = await readMark(part)
  // Without a version to name, two halves could be of two files.
  const version = mark?.url === url ? mark.version : null
  const from = version === null ? 0 : await sizeOf(part)
  if (from > 0 && from === bytes) return

  const stalled = new AbortController()
  const watch = setTimeout(() => stalled.abort(new Error('nothing came any more')), stallMs)
  try {
    const response = await fetch(url, {
      headers: from > 0 ? { Range: `bytes=${from}-`, 'If-Range': version ?? '' } : {},
      signal: AbortSignal.any([signal, stalled.signal]),
    })
    const { status, headers } = response
    if (status === 416 && bytes === null && headers.get('content-range') === `bytes */${from}`)
      return // It broke off after the last byte, before anybody could say that it was the last.
    if (status === 416) await discard(part)
    if (!response.ok) throw refused(url, status)

    if (headers.get('content-type')?.startsWith('text/html')) throw webPage(url)
    const start = status === 206 ? from : 0
    // A part that is not the next one would be written in the wrong place.
    if (start > 0 && !headers.get('content-range')?.startsWith(`bytes ${start}-`))
      throw new Error('the server sent another part than the one it was asked for')
    const length = headers.get('content-length')
    // What was compressed on the way is longer than announced.
    const isKnown = length !== null && !headers.has('content-encoding')
    const announced = isKnown ? start + Number(length) : null
    if (bytes !== null && announced !== null && announced !== bytes)
      throw new CannotInstall(
        `${url} has ${announced} bytes, and ${bytes} were published. Nothing was installed. If it was published anew, --accept takes it by its new checksum.`,
      )
    const total = bytes ?? announced
    await writeFile(`${part}.json`, JSON.stringify({ url, version: versionOf(headers) }))
    await using file = await open(part, start === 0 ? 'w' : 'a')
    let done = start
    for await (const block of response.body ?? []) {
      watch.refresh()
      if (done === 0 && looksLikeAPage(block)) throw webPage(url)
      done += block.length
      if (total !== null && done > total)
        throw new CannotInstall(
          `${url} sends more than the ${total} bytes that were announced. Nothing was installed.`,
        )
      await file.appendFile(block).catch(fullDisk)
      onProgress?.({ step: 'downloading', done, total })
    }
    await file.sync()
    if (total !== null && done < total) throw new Error(`it ended after ${done} of ${total} bytes`)
  } catch (error) {
    throw stalled.signal.aborted && !signal.aborted ? stalled.signal.reason : error
  } finally {
    clearTimeout(watch)
    // Ends the connection where the answer was not read to its end.
    stalled.abort()
  }
}

/**
 * The network of a hotel or a company may answer in place of the source, and says that all is well.
 */
export const webPage = (url: string): OutOfReach =>
  new OutOfReach(
    `${url} was answered with a web page, such as the sign-in page of a network. Nothing was installed.`,
  )

export const looksLikeAPage = (block: Uint8Array): boolean =>
  /^\s*<(!doctype|html)/i.test(Buffer.from(block.subarray(0, 64)).toString('latin1'))

/** Throws what it is given, and says of a full disk that it is one. */
export function fullDisk(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error
  throw new NoSpace(
    'The disk is full where models are installed. What was downloaded is kept, and the next try goes on from there.',
    { cause: error },
  )
}

/** Whether a request with this status is to be tried again. */
function refused(url: string, status: number): Error {
  if (status === 404 || status === 410)
    return new CannotInstall(
      `${url} is not there any more (${status}). MODELS_URL can name a copy of the publisher's releases.`,
    )
  if (status >= 400 && status < 500 && ![408, 416, 429].includes(status))
    return new CannotInstall(`${url} cannot be downloaded: the server answered ${status}.`)
  return new Error(`the server answered ${status}`)
}

/** A weak tag promises too little to join two halves by it. */
function versionOf(headers: Headers): string | null {
  const tag = headers.get('etag')
  return tag && !tag.startsWith('W/') ? tag : headers.get('last-modified')
}

async function readMark(part: string): Promise<z.infer<typeof Mark> | null> {
  try {
    return Mark.parse(JSON.parse(await readFile(`${part}.json`, 'utf8')))
  } catch {
    return null // There is none, or it was cut off: the download begins anew.
  }
}

export const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/** The SHA-256 of a file, in hexadecimal. */
export async function sumOf(path: string, { signal }: { signal: AbortSignal }): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash, { signal })
  return hash.digest('hex')
}

/** Why a request failed: the cause has the fault. */
export function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message
}
