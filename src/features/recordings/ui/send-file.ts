/**
 * Sends a file in parts. A link that breaks costs what was on its way: what has arrived is asked for,
 * and the rest is sent. Parts go where the server says, to itself or straight into its bucket.
 */
import type { OrderDocument } from '#features/documents/contract.ts'
import type { SummaryLanguage } from '#shared/business.ts'
import type { RefusalCode } from '#shared/refusals.ts'
import { ApiError, ask, refused, request, token } from '#web/api.ts'
import { forgetShared } from '#web/shared-origin.ts'
import { withResolvers } from '#web/with-resolvers.ts'

import { beginUpload, completeUpload, dropUpload, getUpload } from '../calls.ts'
import type { BeginUpload, LastOptions, UploadAnswer, UploadInParts } from '../contract.ts'
import { leftBy } from './left.ts'
import { recordedHere } from './recorded.ts'
import { originOf } from './recording/origin.ts'
import { noteSent } from './recording/shelf.ts'
import type { Sent } from './sent.ts'
import { isSoundOfVideo } from './sounds-of-videos.ts'

interface Upload {
  /** Who sends it. */
  userId: string
  file: File
  summaryLanguage: SummaryLanguage
  options: LastOptions
  /** The document that is to be made of it. */
  document: OrderDocument | null
  onProgress: (sent: Sent) => void
  /** Asks what the file costs. One that is stopped meanwhile is given up like one that is being sent. */
  loadPrice?: (transcriptionId: string) => Promise<void>
  signal: AbortSignal
}

/** Two on their way at once: one is written while the other comes, and little is lost by a break. */
const AT_ONCE = 2
/** After this many breaks in a row without progress, the user is asked. */
const MOST_BREAKS = 7
const LONGEST_PAUSE_MS = 15_000
/** How long a connection may move nothing before it counts as broken. */
const SILENT_MS = 45_000

/** The reason of a signal that stops the sending and gives nothing up: the page is left. */
export const KEEP = 'keep what has arrived'

/**
 * Uploads a file, or the rest of it. When it fails, what has arrived stays for the next try; when it
 * is aborted, the upload is given up, unless the reason is `KEEP`.
 *
 * @throws ApiError when the server refuses, DOMException `AbortError` when the signal is aborted,
 * Error when the connection stays broken.
 */
export async function sendFile(upload: Upload): Promise<UploadAnswer> {
  const { file, summaryLanguage, options, document, signal } = upload
  const left = leftBy(upload.userId)
  const begun = (await goOn(upload)) ?? (await begin(upload))
  const { id } = begun
  const { name, size, lastModified } = file
  const noted = { id, name, size, lastModified, summaryLanguage, options, document }
  left.keep(noted)
  try {
    await sendParts(upload, begun)
    left.keep({ ...noted, hasArrived: true })
    const answer = await complete(id, signal)
    await unlessStopped(signal, upload.loadPrice?.(answer.transcriptionId))
    left.forget(id)
    await forgetShared(file).catch(() => undefined)
    const origin = originOf(file)
    // It may lie nowhere but on its page.
    if (origin) await noteSent(origin, answer.transcriptionId).catch(() => undefined)
    return answer
  } catch (error) {
    if (signal.aborted) {
      if (signal.reason === KEEP) throw error
      left.forget(id)
      giveUp(id)
      throw new DOMException('cancelled', 'AbortError')
    }
    if (isOver(error)) left.forget(id)
    throw error
  }
}

/** A user who stops may leave the page at once. The server drops such an upload in a day itself. */
const giveUp = (id: string) =>
  void request(dropUpload, { params: { id }, keepalive: true }).catch(() => undefined)

/** The file itself was refused, or its parts are gone. */
const isOver = (error: unknown) =>
  error instanceof ApiError && [404, 410, 413, 415, 422].includes(error.status)

async function goOn({ userId, file, summaryLanguage, options, document, signal }: Upload) {
  const found = leftBy(userId).of(file)
  if (!found) return null
  const isSame =
    found.summaryLanguage === summaryLanguage &&
    JSON.stringify([found.options, found.document]) === JSON.stringify([options, document])
  if (isSame)
    return ask(getUpload, { params: { id: found.id }, signal }).catch((error: unknown) => {
      if (isOver(error)) return null
      throw error
    })
  await request(dropUpload, { params: { id: found.id }, signal }).catch(() => undefined)
  return null
}

/**
 * When it is stopped before the server has answered, the server may have begun it all the same, and
 * counts it among what waits of this user. So the request goes on, and what it has begun is given up.
 */
async function begin({
  file,
  summaryLanguage,
  options,
  document,
  signal,
}: Upload): Promise<UploadInParts> {
  const body: BeginUpload = {
    name: file.name,
    sizeBytes: file.size,
    summaryLanguage,
    ...options,
    ...recordedHere(file),
    ...(isSoundOfVideo(file) ? { isSoundOfVideo: true } : {}),
    ...(document ? { generateDocument: true, ...document } : {}),
  }
  const begun = ask(beginUpload, { body })
  return unlessStopped(signal, begun).catch((error: unknown) => {
    if (signal.aborted) begun.then(({ id }) => giveUp(id)).catch(() => undefined)
    throw error
  })
}

/** Rejects as soon as the sending is stopped. What it waits for goes on. */
async function unlessStopped<Answer>(
  signal: AbortSignal,
  wanted: Answer | Promise<Answer>,
): Promise<Answer> {
  const stopped = withResolvers<never>()
  const stop = () => stopped.reject(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([wanted, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function sendParts({ file, onProgress, signal }: Upload, begun: UploadInParts) {
  const { id } = begun
  let upload = begun
  let again: Pick<Sent, 'trouble' | 'againBytes'> = {}
  for (let breaks = 0; ;) {
    const arrived = arrivedOf(upload)
    const loaded = new Map<number, number>()
    const tell = (more = again) =>
      onProgress({
        sentBytes: Math.min(file.size, arrived + sum(loaded.values())),
        totalBytes: file.size,
        ...more,
      })
    tell()
    // A bucket keeps nothing of a part that breaks off, so on a bad link one at once is at stake.
    const isBucket = upload.parts.some(({ url }) => !url.startsWith('/'))
    const atOnce = isBucket && again.trouble ? 1 : AT_ONCE
    const isBroken = await sendMissing(file, upload, { atOnce, signal }, (number, bytes) => {
      loaded.set(number, bytes)
      tell()
    })
    if (!isBroken) return
    for (;;) {
      if (breaks >= MOST_BREAKS) throw new Error('the connection broke')
      tell({ trouble: 'broken' })
      await pause(300 * 2 ** breaks, signal)
      breaks += 1
      const now = await ask(getUpload, { params: { id }, signal }).catch(unlessRefused)
      if (!now) continue
      const came = arrivedOf(now) - arrived
      if (came > 0) breaks = 0
      again = { trouble: 'again', againBytes: Math.max(0, sum(loaded.values()) - came) }
      upload = now
      break
    }
  }
}

const sizeOf = ({ sizeBytes, partBytes }: UploadInParts, number: number) =>
  Math.min(partBytes, sizeBytes - (number - 1) * partBytes)

/** How many bytes of an upload the server has. */
export function arrivedOf(upload: UploadInParts): number {
  const missing = upload.parts.map(({ number, keptBytes }) => sizeOf(upload, number) - keptBytes)
  return upload.sizeBytes - sum(missing)
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, one) => all + one, 0)

/** Sends what is missing, a few parts at once. Answers whether the link broke on the way. */
async function sendMissing(
  file: File,
  upload: UploadInParts,
  { atOnce, signal }: { atOnce: number; signal: AbortSignal },
  onLoaded: (number: number, bytes: number) => void,
): Promise<boolean> {
  const waiting = [...upload.parts]
  let isBroken = false
  const work = async () => {
    for (let part = waiting.shift(); part && !isBroken; part = waiting.shift()) {
      const { number, url, keptBytes } = part
      const start = (number - 1) * upload.partBytes
      const bytes = file.slice(start + keptBytes, start + sizeOf(upload, number))
      const at = keptBytes > 0 ? `${url}?from=${keptBytes}` : url
      if (!(await put(at, bytes, signal, (count) => onLoaded(number, count)))) isBroken = true
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return isBroken
}

/** By XMLHttpRequest, because fetch does not tell how much has been sent. False: the link broke. */
async function put(
  url: string,
  bytes: Blob,
  signal: AbortSignal,
  onLoaded: (bytes: number) => void,
): Promise<boolean> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = withResolvers<boolean>()
  const isOurs = url.startsWith('/')
  const bearer = isOurs ? token.read() : null
  const sending = new XMLHttpRequest()
  const stop = () => sending.abort()
  let silence = setTimeout(stop, SILENT_MS)
  sending.open('PUT', url)
  sending.withCredentials = isOurs
  if (bearer) sending.setRequestHeader('Authorization', `Bearer ${bearer}`)
  sending.upload.addEventListener('progress', ({ loaded }) => {
    clearTimeout(silence)
    silence = setTimeout(stop, SILENT_MS)
    onLoaded(loaded)
  })
  sending.addEventListener('load', () => {
    const { status } = sending
    if (status < 300) return resolve(true)
    // Refused by us for good. A bucket refuses an address that is too old: then a new one is asked for.
    const error = isOurs && refused(status, sending.statusText, sending.responseText)
    if (error && !isPassing(error)) reject(error)
    else resolve(false)
  })
  sending.addEventListener('error', () => resolve(false))
  sending.addEventListener('abort', () =>
    signal.aborted ? reject(new DOMException('cancelled', 'AbortError')) : resolve(false),
  )
  signal.addEventListener('abort', stop, { once: true })
  sending.send(bytes)
  return promise.finally(() => {
    clearTimeout(silence)
    signal.removeEventListener('abort', stop)
  })
}

/** Asking once more may help. */
const isPassing = ({ status }: ApiError) => [408, 409, 429, 500, 502, 503, 504].includes(status)

/** Nothing, when nobody answered; a refusal is thrown. */
function unlessRefused(error: unknown): null {
  if (error instanceof ApiError ? isPassing(error) : error instanceof TypeError) return null
  throw error
}

/** Over at once when the browser finds a network again. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise, resolve } = withResolvers<void>()
  const timer = setTimeout(resolve, Math.min(ms, LONGEST_PAUSE_MS))
  const end = () => resolve()
  window.addEventListener('online', end, { once: true })
  signal.addEventListener('abort', end, { once: true })
  await promise
  clearTimeout(timer)
  window.removeEventListener('online', end)
  signal.removeEventListener('abort', end)
  signal.throwIfAborted()
}

/** Refusals that the user is to see at once, although another try may help. */
const decided: ReadonlySet<string> = new Set<RefusalCode>([
  'parts_missing',
  'measuring_failed',
  'reading_stalled',
  'not_set_up',
  'too_many_unconfirmed',
  'too_much_measuring',
])
const isDecided = (error: unknown) =>
  error instanceof ApiError && (error.status === 500 || decided.has(error.code ?? ''))

/** May be asked again and again: the answer stays the same. */
async function complete(id: string, signal: AbortSignal): Promise<UploadAnswer> {
  for (let breaks = 0; ;) {
    const answer = await ask(completeUpload, { params: { id }, signal }).catch((error: unknown) => {
      if (breaks >= MOST_BREAKS || isDecided(error)) throw error
      return unlessRefused(error)
    })
    if (answer && 'transcriptionId' in answer) return answer
    if (answer) breaks = 0
    else await pause(300 * 2 ** breaks++, signal)
  }
}
