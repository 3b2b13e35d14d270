/**
 * The speech models on this machine: one folder each in DATA_DIR/models, with a `model.json` that
 * says how to load it. What this file promises:
 *
 * - A model is there whole or not at all: folders get their names only when everything is in them.
 * - A folder that somebody made by hand is a model like any other; one with a file missing is named,
 *   with what is missing, and never loaded.
 */
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

import { families, FamilyName, type ModelFiles } from './engines/sherpa-families.ts'

/** Besides the recognisers: the two models that tell speakers apart together. */
export const speakerFamilies = ['segmentation', 'embedding'] as const
export type SpeakerFamily = (typeof speakerFamilies)[number]

/** A name that is a folder's name and nothing else. */
export const ModelId = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,79}$/)
const FileName = z.string().regex(/^(?!\.)[^/\\\0]{1,200}$/)

export const Manifest = z.object({
  version: z.literal(1),
  id: ModelId,
  family: z.union([FamilyName, z.enum(speakerFamilies)]),
  title: z.string().optional(),
  /** ISO 639-1; null or absent: any. */
  languages: z.array(z.string()).nullish(),
  /** Names in the folder by what each file is for. */
  files: z.record(z.string(), FileName),
  /** Of the download; kept so that two machines can be compared. */
  sha256: z.string().nullish(),
  licence: z.string().optional(),
  installedAt: z.iso.datetime().optional(),
})
export type Manifest = z.infer<typeof Manifest>

export interface InstalledModel {
  id: string
  title: string
  family: FamilyName | SpeakerFamily
  languages: readonly string[] | null
  files: ModelFiles
  sizeBytes: number
  installedAtMs: number
}

export interface Recogniser extends InstalledModel {
  family: FamilyName
}

export interface Models {
  models: InstalledModel[]
  /** Folders that are no models, and why. */
  broken: { folder: string; reason: string }[]
}

export async function installed(modelsDir: string): Promise<Models> {
  const found: Models = { models: [], broken: [] }
  const entries = await readdir(modelsDir, { withFileTypes: true }).catch(noneWithout)
  for (const entry of entries.toSorted((a, b) => a.name.localeCompare(b.name))) {
    // What is being installed begins with a dot.
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue
    try {
      found.models.push(await read(modelsDir, entry.name))
    } catch (error) {
      const reason = error instanceof Broken ? error.message : 'its model.json cannot be read'
      found.broken.push({ folder: entry.name, reason })
    }
  }
  return found
}

class Broken extends Error {}

/** A folder without models is one that nobody has made so far. */
const noneWithout = (error: NodeJS.ErrnoException): never[] => {
  if (error.code === 'ENOENT') return []
  throw error
}

async function read(modelsDir: string, folder: string): Promise<InstalledModel> {
  const manifest = Manifest.parse(
    JSON.parse(await readFile(join(modelsDir, folder, 'model.json'), 'utf8')),
  )
  if (manifest.id !== folder) throw new Broken(`its model.json says ${manifest.id}`)
  const lacking = filesOf(manifest.family).filter((role) => !manifest.files[role])
  if (lacking.length > 0) throw new Broken(`its model.json names no ${lacking.join(' and ')}`)

  let sizeBytes = 0
  const files: Record<string, string> = {}
  for (const [role, name] of Object.entries(manifest.files)) {
    const path = join(modelsDir, folder, name)
    const file = await stat(path).catch(() => null)
    if (!file?.isFile()) throw new Broken(`${name} is missing`)
    files[role] = path
    sizeBytes += file.size
  }
  return {
    id: manifest.id,
    title: manifest.title ?? manifest.id,
    family: manifest.family,
    languages: manifest.languages ?? null,
    files,
    sizeBytes,
    installedAtMs: manifest.installedAt ? Date.parse(manifest.installedAt) : 0,
  }
}

/** What files a family needs, by what they are for. */
export function filesOf(family: FamilyName | SpeakerFamily): readonly string[] {
  if (family === 'segmentation' || family === 'embedding') return ['model']
  return [...families[family].files, 'tokens']
}

const isRecogniser = (model: InstalledModel): model is Recogniser =>
  model.family !== 'segmentation' && model.family !== 'embedding'

/** What is used: the recogniser that was chosen, else the one installed last; and a speaker pair. */
export interface InUse {
  recogniser: Recogniser | null
  speakers: { segmentation: InstalledModel; embedding: InstalledModel } | null
}

export async function inUse(modelsDir: string): Promise<InUse> {
  const { models } = await installed(modelsDir)
  const chosen = await readChoice(modelsDir)
  const newest = (family: SpeakerFamily) => latest(models.filter((one) => one.family === family))
  const recognisers = models.filter(isRecogniser)
  const segmentation = newest('segmentation')
  const embedding = newest('embedding')
  return {
    recogniser: recognisers.find(({ id }) => id === chosen) ?? latest(recognisers) ?? null,
    speakers: segmentation && embedding ? { segmentation, embedding } : null,
  }
}

const latest = <Model extends InstalledModel>(models: readonly Model[]): Model | undefined =>
  models.toSorted((a, b) => b.installedAtMs - a.installedAtMs)[0]

const CHOICE = 'in-use.json'
const Choice = z.object({ recogniser: z.string() })

async function readChoice(modelsDir: string): Promise<string | null> {
  try {
    return Choice.parse(JSON.parse(await readFile(join(modelsDir, CHOICE), 'utf8'))).recogniser
  } catch {
    return null // Nobody chose, or wrote something else there: the newest is taken.
  }
}

/** Null when there is no such recogniser. */
export async function choose(modelsDir: string, id: string): Promise<Recogniser | null> {
  const { models } = await installed(modelsDir)
  const model = models.filter(isRecogniser).find((one) => one.id === id)
  if (!model) return null
  const path = join(modelsDir, CHOICE)
  await writeFile(`${path}.part`, JSON.stringify({ recogniser: id }))
  await rename(`${path}.part`, path)
  return model
}

/** Removes a model, or what is left of one; false when there is nothing of that name. */
export async function remove(modelsDir: string, id: string): Promise<boolean> {
  if (!ModelId.safeParse(id).success) return false
  const folder = join(modelsDir, id)
  const isThere = await stat(folder).then(
    (entry) => entry.isDirectory(),
    () => false,
  )
  if (!isThere) return false
  // Gone for whoever looks for it now; a server that has it loaded keeps its open files.
  const away = join(modelsDir, `.removed-${id}`)
  await rm(away, { recursive: true, force: true })
  await rename(folder, away)
  await rm(away, { recursive: true, force: true })
  return true
}
