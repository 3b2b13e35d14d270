/**
 * Installs a speech model: downloads it, checks it, unpacks it, and puts it in place in one step.
 *
 * - A download that breaks off goes on where it was, now or when it is asked for again.
 * - A size or a checksum that is published must be met; a file that differs is not unpacked.
 * - A model is tried before it is put in place; one that does not work is not installed.
 * - Until everything is in place nothing can see the model; two installations do not meet.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  constants,
  copyFile,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { z } from 'zod'

import type { CatalogueModel } from './catalogue.ts'
import {
  type Attempt,
  BadArchive,
  idOf,
  type InstalledModel,
  isRecogniser,
  installed,
  type Manifest,
  readManifest,
  readModel,
  type SpeakerModels,
  type Unpack,
} from './models.ts'

/** It was not installed; the message says why and what to do, and nothing was changed. */
export class CannotInstall extends Error {}

export type InstallProgress =
  | { kind: 'downloading'; done: number; total: number | null; isResumed: boolean }
  | { kind: 'interrupted'; reason: string; waitMs: number }
  | { kind: 'checking' }
  | { kind: 'unpacking'; done: number; total: number }
  | { kind: 'trying' }

export interface InstallOptions {
  modelsDir: string
  /** Where the publisher's releases, or copies of them, are. */
  baseUrl: string
  signal: AbortSignal
  onProgress?: (progress: InstallProgress) => void
  /** Answers why a model cannot be used, or null. */
  attempt: Attempt
  unpack: Unpack
  /** A file to install in place of a download. */
  from?: string
  /** A checksum to take in place of the published one, by an operator who knows why it differs. */
  acceptSha256?: string
  patience?: DownloadPatience
}

export interface DownloadPatience {
  /** Without a byte for so long, the connection counts as dead. */
  stallMs: number
  /** Before going on; doubled each time nothing came. */
  pauseMs: number
  /** So often in a row without a byte, and it is given up. */
  tries: number
}

const patience: DownloadPatience = { stallMs: 30_000, pauseMs: 1000, tries: 6 }
/** What is left free on the disk beyond the model. */
const SPARE_BYTES = 200_000_000
/** Of an archive of which nobody published what is in it, with the files that are not kept. */
const MOST_TIMES_KEPT = 5
const ROOM_FOR_EXTRAS = 200_000_000
/** Of an archive of which nobody published anything: networks hardly shrink, vocabularies do. */
const MOST_TIMES_PACKED = 10

/** @throws CannotInstall, MissingProgram */
export async function install(model: CatalogueModel, options: InstallOptions): Promise<void> {
  const { modelsDir, onProgress, from } = options
  await using _ = await begin(model.id, modelsDir)
  await checkRoom(model.id, (model.download.bytes ?? model.keptBytes) + model.keptBytes, modelsDir)

  const part = join(modelsDir, '.downloads', `${basename(model.download.path)}.part`)
  if (from === undefined) await download(model, part, options)
  else await copyFile(from, part, constants.COPYFILE_FICLONE)
  onProgress?.({ kind: 'checking' })
  await check(model, part, options)
  await putInPlace(
    manifestOf(model, options.acceptSha256 ?? model.download.sha256),
    (folder) => fill(model, part, folder, options),
    options,
  )
  await rm(part, { force: true })
  await rm(`${part}.json`, { force: true })
}

/** Makes the folders and takes the lock of this installation. */
async function begin(id: string, modelsDir: string): Promise<AsyncDisposable> {
  await mkdir(join(modelsDir, '.downloads'), { recursive: true })
  const lock = await alone(modelsDir)
  const { models } = await installed(modelsDir)
  if (!models.some((each) => each.id === id)) return lock
  await lock[Symbol.asyncDispose]()
  throw new CannotInstall(`${id} is installed already.`)
}

/** Fills a folder that nobody sees, tries the model in it, and gives it its name. */
async function putInPlace(
  manifest: Manifest,
  fillIt: (folder: string) => Promise<unknown>,
  options: InstallOptions,
): Promise<void> {
  const { modelsDir, signal, onProgress } = options
  const folder = join(modelsDir, `.installing-${randomUUID()}`)
  await mkdir(folder)
  try {
    await fillIt(folder)
    signal.throwIfAborted()
    const dated: Manifest = { ...manifest, installedAt: new Date().toISOString() }
    await writeFile(join(folder, 'model.json'), JSON.stringify(dated, null, 2))
    onProgress?.({ kind: 'trying' })
    await tryOut(await readModel(folder), options)
    signal.throwIfAborted()
    // What has the name and is no model: left there by somebody who was interrupted.
    await rm(join(modelsDir, manifest.id), { recursive: true, force: true })
    await rename(folder, join(modelsDir, manifest.id))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Installs what an operator carried here: a file of the list under its own name, which must have the
 * published checksum; the folder that one of its archives unpacks to; or a folder, or an archive of
 * one, with a `model.json`. Answers the model's id. @throws CannotInstall, MissingProgram
 */
export async function installFrom(
  path: string,
  catalogue: readonly CatalogueModel[],
  options: InstallOptions,
): Promise<string> {
  const entry = await stat(path).catch(() => null)
  if (!entry) throw new CannotInstall(`${path} is not there.`)
  const name = basename(path).replace(/\.tar\.bz2$/, '')
  const known = catalogue.find(({ download }) => {
    const published = basename(download.path)
    return published === basename(path) || published === `${name}.tar.bz2`
  })
  if (entry.isDirectory()) return installFolder(path, known ?? null, options)
  if (known) {
    await install(known, { ...options, from: path })
    return known.id
  }
  return installArchive(path, entry.size, options)
}

async function installFolder(
  path: string,
  known: CatalogueModel | null,
  options: InstallOptions,
): Promise<string> {
  const own = await readManifest(path).catch(noneWithout(path))
  const manifest = own ?? (known && manifestOf(known, null))
  if (!manifest) throw new CannotInstall(unknownModel(path))
  const names = [...Object.values(manifest.files), ...(manifest.beside ?? [])]
  const sizes = await Promise.all(names.map((each) => sizeOf(join(path, each))))
  const { id } = manifest
  await using _ = await begin(id, options.modelsDir)
  await checkRoom(
    id,
    sizes.reduce((sum, size) => sum + size, 0),
    options.modelsDir,
  )
  const copyAll = async (folder: string) => {
    for (const each of names) {
      const found = await stat(join(path, each)).catch(() => null)
      if (!found?.isFile()) throw new CannotInstall(`${each} is missing in ${path}.`)
      await copyFile(join(path, each), join(folder, each), constants.COPYFILE_FICLONE)
    }
  }
  await putInPlace(manifest, copyAll, options)
  return id
}

async function installArchive(
  path: string,
  bytes: number,
  options: InstallOptions,
): Promise<string> {
  const { modelsDir, signal, unpack, onProgress } = options
  const mostBytes = MOST_TIMES_PACKED * bytes + ROOM_FOR_EXTRAS
  const take = (folder: string, names: readonly string[]) =>
    unpack(path, folder, {
      names,
      mostBytes,
      signal,
      onBytes: (done) => onProgress?.({ kind: 'unpacking', done, total: mostBytes }),
    }).catch((error: unknown) => {
      if (!(error instanceof BadArchive)) throw error
      throw new CannotInstall(`${path} is refused: ${error.message}. ${unknownModel(path)}`, {
        cause: error,
      })
    })
  const peek = await mkdtemp(join(tmpdir(), 'model-json-'))
  try {
    await take(peek, ['model.json'])
    const manifest = await readManifest(peek).catch(noneWithout(path))
    if (!manifest) throw new CannotInstall(unknownModel(path))
    await using _ = await begin(manifest.id, modelsDir)
    await checkRoom(manifest.id, bytes * 2, modelsDir)
    const names = [...Object.values(manifest.files), ...(manifest.beside ?? [])]
    await putInPlace(manifest, (folder) => take(folder, names), options)
    return manifest.id
  } finally {
    await rm(peek, { recursive: true, force: true })
  }
}

const unknownModel = (path: string): string =>
  `${basename(path)} has no name of the list and holds no model.json that can be read: docs/models.md says how to write one.`

/** Null where there is no `model.json`. */
const noneWithout =
  (path: string) =>
  (error: unknown): null => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new CannotInstall(`The model.json of ${basename(path)} cannot be read: ${reason}`, {
      cause: error,
    })
  }

/** A model for speakers is tried with the other one of the pair, once that is there. */
async function tryOut(
  model: InstalledModel,
  { modelsDir, attempt }: InstallOptions,
): Promise<void> {
  const tried = isRecogniser(model) ? model : pairOf(model, (await installed(modelsDir)).models)
  const reason = tried && (await attempt(tried))
  if (tried && reason !== null)
    throw new CannotInstall(
      `${idOf(tried)} does not work on this machine, and nothing was installed. ${reason}`,
    )
}

function pairOf(model: InstalledModel, models: readonly InstalledModel[]): SpeakerModels | null {
  const isHearing = model.family === 'segmentation'
  const other = models.find(({ family }) => family === (isHearing ? 'embedding' : 'segmentation'))
  if (!other) return null
  return isHearing
    ? { segmentation: model, embedding: other }
    : { segmentation: other, embedding: model }
}

function manifestOf(model: CatalogueModel, sha256: string | null): Manifest {
  const { id, family, title, languages, files, beside, sameVoice, licence } = model
  return {
    version: 1,
    id,
    family,
    title,
    languages: languages === null ? null : [...languages],
    files: { ...files },
    ...(beside && { beside: [...beside] }),
    ...(sameVoice !== undefined && { sameVoice }),
    sha256,
    licence: `${licence.name}, by ${licence.by}: ${licence.url}`,
  }
}

/** The locks of this process, which its own number in a lock does not tell. */
/**
 * Locks held by this process. A restarted container may have the same process id, so the id alone
 * does not tell.
 */
const ownLocks = new Set<string>()
/** Between a lock and the number of its owner in it passes less than this. */
const SIGNING_MS = 5000

/** A lock that a process which died does not keep. */
async function alone(modelsDir: string): Promise<AsyncDisposable> {
  const lock = resolve(modelsDir, '.installing')
  if (ownLocks.has(lock)) throw isRunning(process.pid)
  ownLocks.add(lock)
  try {
    await take(lock)
  } catch (error) {
    ownLocks.delete(lock)
    throw error
  }
  return {
    [Symbol.asyncDispose]: async () => {
      await rm(lock, { force: true })
      ownLocks.delete(lock)
    },
  }
}

async function take(lock: string): Promise<void> {
  for (;;) {
    try {
      return await writeFile(lock, String(process.pid), { flag: 'wx' })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    const owner = await ownerOf(lock)
    if (owner === 'signing' || (owner !== null && isAlive(owner))) throw isRunning(owner)
    await rm(lock, { force: true })
  }
}

const isRunning = (owner: number | 'signing'): CannotInstall =>
  new CannotInstall(
    `Another installation is running here${owner === 'signing' ? '' : ` (process ${owner})`}. Wait for it, or end it.`,
  )

/** Whose lock it is; null when it is nobody's, or was let go meanwhile. */
async function ownerOf(lock: string): Promise<number | 'signing' | null> {
  const [text, made] = await Promise.all([
    readFile(lock, 'utf8').catch(() => ''),
    stat(lock).catch(() => null),
  ])
  // The file is there a moment before the number in it is.
  if (text === '' && made) return Date.now() - made.mtimeMs < SIGNING_MS ? 'signing' : null
  return Number(text) || null
}

function isAlive(pid: number): boolean {
  // Its own locks are in `ownLocks`: this one is of a process that died and had the same id.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function checkRoom(id: string, bytes: number, folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  const neededBytes = bytes + SPARE_BYTES
  if (freeBytes < neededBytes)
    throw new CannotInstall(
      `${id} needs ${mega(neededBytes)} MB of disk while it is installed, and ${mega(freeBytes)} MB are free in ${folder}.`,
    )
}

const mega = (bytes: number): number => Math.ceil(bytes / 1_000_000)

// ---- the download ----

/** What was being downloaded, so that two versions of a file are never joined. */
const Mark = z.object({
  url: z.string(),
  /** An entity tag or a date, as the server gave it. */
  version: z.string().nullable(),
})
type Mark = z.infer<typeof Mark>

async function download(
  model: CatalogueModel,
  part: string,
  options: InstallOptions,
): Promise<void> {
  const { signal, onProgress } = options
  const { stallMs, pauseMs, tries } = options.patience ?? patience
  const url = `${options.baseUrl.replace(/\/+$/, '')}/${model.download.path}`
  let failures = 0
  for (;;) {
    const before = await sizeOf(part)
    try {
      await downloadRest({ url, part, from: before, stallMs, model }, options)
      return
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof CannotInstall) throw error
      // As long as something came, it is worth going on.
      failures = (await sizeOf(part)) > before ? 1 : failures + 1
      const reason = whyOf(error)
      if (failures >= tries)
        throw new CannotInstall(
          `${url} could not be downloaded: ${reason}. What came is kept: the same command goes on from there.`,
          { cause: error },
        )
      const waitMs = pauseMs * 2 ** (failures - 1)
      onProgress?.({ kind: 'interrupted', reason, waitMs })
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

/** Asks for what is missing, and ends when everything is there. Throws where it breaks off. */
async function downloadRest(
  {
    url,
    part,
    from,
    stallMs,
    model,
  }: { url: string; part: string; from: number; stallMs: number; model: CatalogueModel },
  options: InstallOptions,
): Promise<void> {
  const { signal, onProgress, acceptSha256 } = options
  // A file that was published anew has a size of its own.
  const wanted = acceptSha256 === undefined ? model.download.bytes : null
  const mark = await readMark(`${part}.json`)
  // Without a version to name, two halves could be of two files.
  const isResumable = from > 0 && mark?.url === url && mark.version !== null
  if (isResumable && wanted !== null && from === wanted) return
  const stalled = new AbortController()
  const stop = AbortSignal.any([signal, stalled.signal])
  let watch = setTimeout(() => stalled.abort(new Error('nothing came any more')), stallMs)
  const alive = () => {
    clearTimeout(watch)
    watch = setTimeout(() => stalled.abort(new Error('nothing came any more')), stallMs)
  }
  try {
    const response = await fetch(url, {
      headers: isResumable ? { Range: `bytes=${from}-`, 'If-Range': mark.version ?? '' } : {},
      signal: stop,
    })
    alive()
    if (isResumable && response.status === 416) {
      await response.body?.cancel()
      clearTimeout(watch)
      // It broke off after the last byte, before anybody could say that it was the last.
      if (wanted === null && from === wholeOf(response)) return
      // Nothing comes after what is here, so it is not the beginning of this file.
      await rm(part, { force: true })
      await rm(`${part}.json`, { force: true })
      return await downloadRest({ url, part, from: 0, stallMs, model }, options)
    }
    const start = startOf(response, isResumable ? from : 0, url)
    const total = totalOf(response, start)
    if (wanted !== null && total !== null && total !== wanted)
      throw new CannotInstall(
        `${url} has ${total} bytes, and ${wanted} were published. Nothing was installed. If it was published anew, --accept takes it by its new checksum.`,
      )
    const version = versionOf(response)
    await writeFile(`${part}.json`, JSON.stringify({ url, version } satisfies Mark))
    await using file = await open(part, start === 0 ? 'w' : 'a')
    await append(file, response, { start, total: wanted ?? total, url, alive, onProgress })
  } catch (error) {
    throw stalled.signal.aborted && !signal.aborted ? stalled.signal.reason : error
  } finally {
    clearTimeout(watch)
  }
}

async function append(
  file: FileHandle,
  response: Response,
  {
    start,
    total,
    url,
    alive,
    onProgress,
  }: {
    start: number
    total: number | null
    url: string
    alive: () => void
    onProgress: InstallOptions['onProgress']
  },
): Promise<void> {
  let done = start
  for await (const block of response.body ?? []) {
    alive()
    done += block.length
    if (total !== null && done > total)
      throw new CannotInstall(
        `${url} sends more than the ${total} bytes that were announced. Nothing was installed.`,
      )
    await file.appendFile(block)
    onProgress?.({ kind: 'downloading', done, total, isResumed: start > 0 })
  }
  await file.sync()
  if (total !== null && done < total) throw new Error(`it ended after ${done} of ${total} bytes`)
}

/** Where in the file the answer begins. */
function startOf(response: Response, from: number, url: string): number {
  const { status } = response
  if (status === 200) return 0
  if (status === 206) {
    const [, first] = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '') ?? []
    // A part that is not the next one would be written in the wrong place.
    if (Number(first) === from) return from
    throw new Error('the server sent another part than the one it was asked for')
  }
  if (status === 404 || status === 410)
    throw new CannotInstall(
      `${url} is not there any more (${status}). MODELS_URL can name a copy of the publisher's releases.`,
    )
  if (status >= 400 && status < 500 && status !== 408 && status !== 416 && status !== 429)
    throw new CannotInstall(`${url} cannot be downloaded: the server answered ${status}.`)
  throw new Error(`the server answered ${status}`)
}

function totalOf(response: Response, start: number): number | null {
  const whole = wholeOf(response)
  if (whole !== null) return whole
  const rest = response.headers.get('content-length')
  // What was compressed on the way is longer than announced.
  if (rest === null || response.headers.has('content-encoding')) return null
  return start + Number(rest)
}

/** The length of the file, where the answer is about a part of it. */
function wholeOf({ headers }: Response): number | null {
  const [, whole] = /\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  return whole === undefined ? null : Number(whole)
}

/** A weak tag promises too little to join two halves by it. */
function versionOf({ headers }: Response): string | null {
  const tag = headers.get('etag')
  return tag && !tag.startsWith('W/') ? tag : headers.get('last-modified')
}

async function readMark(path: string): Promise<Mark | null> {
  try {
    return Mark.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null // There is none, or it was cut off: the download begins anew.
  }
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message
}

// ---- what was downloaded ----

async function check(
  { id, download }: CatalogueModel,
  part: string,
  { acceptSha256, from, signal }: InstallOptions,
): Promise<void> {
  const expected = acceptSha256 ?? download.sha256
  if (expected === null) return
  const hash = createHash('sha256')
  for await (const block of createReadStream(part, { signal })) hash.update(block as Buffer)
  const found = hash.digest('hex')
  if (found === expected.toLowerCase()) return
  // What is wrong now is wrong to go on from as well.
  await rm(part, { force: true })
  await rm(`${part}.json`, { force: true })
  throw new CannotInstall(
    [
      `${from === undefined ? `The download of ${id}` : basename(from)} is not the file that was published: damaged on the way, or published anew since.`,
      `  expected sha256 ${expected}`,
      `  found    sha256 ${found}`,
      'Nothing was installed. Try again. If you have reason to trust the new file:',
      `  npm run models -- install ${from ?? id} --accept ${found}`,
    ].join('\n'),
  )
}

async function fill(
  { id, download, files, beside = [], keptBytes }: CatalogueModel,
  part: string,
  folder: string,
  { signal, unpack, onProgress }: InstallOptions,
): Promise<void> {
  const names = [...Object.values(files), ...beside]
  const [only = ''] = names
  if (!download.path.endsWith('.tar.bz2')) {
    await rename(part, join(folder, only))
    return
  }
  const mostBytes = MOST_TIMES_KEPT * keptBytes + ROOM_FOR_EXTRAS
  try {
    await unpack(part, folder, {
      names,
      mostBytes,
      signal,
      onBytes: (done) => onProgress?.({ kind: 'unpacking', done, total: keptBytes }),
    })
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error
    await rm(part, { force: true })
    await rm(`${part}.json`, { force: true })
    throw new CannotInstall(
      `The archive of ${id} is refused: ${error.message}. Nothing was installed.`,
      {
        cause: error,
      },
    )
  }
}
