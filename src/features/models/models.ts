/**
 * The speech models on this machine: one folder each in DATA_DIR/models, with a `model.json` that
 * says how to load it. One more may lie beside the program, where the set-up puts it. What this room
 * promises:
 *
 * - A model is there whole or not at all: folders get their names only when everything is in them.
 * - A folder that somebody made by hand is a model like any other; one that lacks a file is named, with
 *   that file, and never loaded.
 *
 * What the room needs of speech, trying a model and unpacking an archive in the sandbox, is handed in
 * by the roots.
 *
 * Public: catalogue.ts
 */
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { z } from 'zod'

/**
 * Where the set-up puts the recogniser of the first minute. It belongs to the program like its
 * packages: it is there before DATA_DIR is, and in the image, where DATA_DIR is a volume.
 */
export const SET_UP_MODELS = fileURLToPath(new URL('../../../.models', import.meta.url))

/** The languages that Whisper was trained on, by its codes. */
export const whisperLanguages: readonly string[] = [
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur',
  'hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si',
  'km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha',
  'ba jw su',
].flatMap((codes) => codes.split(' '))

/** The kinds of recognisers that sherpa-onnx loads, and the purposes of the files of each. */
const recogniserFiles = {
  whisper: ['encoder', 'decoder', 'tokens'],
  nemo_transducer: ['encoder', 'decoder', 'joiner', 'tokens'],
  nemo_ctc: ['model', 'tokens'],
  canary: ['encoder', 'decoder', 'tokens'],
  moonshine_v1: ['preprocessor', 'encoder', 'uncachedDecoder', 'cachedDecoder', 'tokens'],
  moonshine_v2: ['encoder', 'mergedDecoder', 'tokens'],
  sense_voice: ['model', 'tokens'],
  omnilingual: ['model', 'tokens'],
  cohere: ['encoder', 'decoder', 'tokens'],
  transducer: ['encoder', 'decoder', 'joiner', 'tokens'],
  zipformer_ctc: ['model', 'tokens'],
} as const
export type FamilyName = keyof typeof recogniserFiles
export const familyNames = Object.keys(recogniserFiles) as FamilyName[]

/** Absolute paths by what each file is for. */
export type ModelFiles = Readonly<Record<string, string>>

/** Besides the recognisers: the two models that tell speakers apart together. */
export const speakerFamilies = ['segmentation', 'embedding'] as const
export type SpeakerFamily = (typeof speakerFamilies)[number]

/** A name that is a folder's name and nothing else. */
export const ModelId = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,79}$/)
export const FileName = z.string().regex(/^(?!\.)[^/\\\0]{1,200}$/)

export const Manifest = z.object({
  version: z.literal(1),
  id: ModelId,
  family: z.enum([...familyNames, ...speakerFamilies]),
  title: z.string().optional(),
  /** ISO 639-1; null or absent: any. */
  languages: z.array(z.string()).readonly().nullish(),
  /** Names in the folder by what each file is for. */
  files: z.record(z.string(), FileName).readonly(),
  /** Files that must lie next to these, under their names. */
  beside: z.array(FileName).readonly().optional(),
  /** Of an embedding: the cosine similarity from which on two voices are one person. */
  sameVoice: z.number().min(-1).max(1).optional(),
  /** Of the download; kept so that two machines can be compared. */
  sha256: z.string().nullish(),
  licence: z.string().optional(),
  installedAt: z.iso.datetime().optional(),
})
export type Manifest = z.infer<typeof Manifest>

export interface InstalledModel {
  id: string
  /** Where it lies, as an absolute path. */
  folder: string
  title: string
  family: FamilyName | SpeakerFamily
  languages: readonly string[] | null
  files: ModelFiles
  /** See `Manifest`; only the family `embedding` uses it. */
  sameVoice: number
  sizeBytes: number
  installedAtMs: number
}

export interface Recogniser extends InstalledModel {
  family: FamilyName
}

interface Embedding extends InstalledModel {
  family: 'embedding'
}

export interface Models {
  models: InstalledModel[]
  /** Folders that are no models, and why. */
  broken: { folder: string; reason: string }[]
}

/**
 * The folders in which models are looked for. The first is the operator's own: models are installed
 * there, and are preferred to those that came with the set-up.
 */
export type ModelsPlaces = string | readonly [own: string, ...others: string[]]

/** Of a server that keeps everything in this folder. */
export const placesOf = (dataDir: string): [own: string, setUp: string] => [
  join(dataDir, 'models'),
  SET_UP_MODELS,
]

const ownOf = (places: ModelsPlaces): string => (typeof places === 'string' ? places : places[0])

/** All models, those of the operator's folder first. Of two with one name the first counts. */
export async function installed(places: ModelsPlaces): Promise<Models> {
  const all: Models = { models: [], broken: [] }
  for (const place of [places].flat()) {
    const { models, broken } = await installedIn(place)
    all.models.push(...models.filter(({ id }) => !all.models.some((each) => each.id === id)))
    all.broken.push(...broken)
  }
  return all
}

async function installedIn(modelsDir: string): Promise<Models> {
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

async function read(modelsDir: string, name: string): Promise<InstalledModel> {
  const model = await readModel(join(modelsDir, name))
  if (model.id !== name) throw new Broken(`its model.json says ${model.id}`)
  return model
}

/** For a manifest without the field. It is older than the field, and TitaNet small was the only embedding then. */
const TITANET_SMALL = 0.4

export async function readManifest(folder: string): Promise<Manifest> {
  return Manifest.parse(JSON.parse(await readFile(join(folder, 'model.json'), 'utf8')))
}

/** The model in a folder of any name. */
export async function readModel(folder: string): Promise<InstalledModel> {
  const manifest = await readManifest(folder)
  const lacking = filesOf(manifest.family).filter((role) => !manifest.files[role])
  if (lacking.length > 0) throw new Broken(`its model.json names no ${lacking.join(' and ')}`)

  let sizeBytes = 0
  const files: Record<string, string> = {}
  for (const [role, name] of Object.entries(manifest.files)) {
    const path = join(folder, name)
    const file = await stat(path).catch(() => null)
    if (!file?.isFile()) throw new Broken(`${name} is missing`)
    files[role] = path
    sizeBytes += file.size
  }
  return {
    id: manifest.id,
    folder: resolve(folder),
    title: manifest.title ?? manifest.id,
    family: manifest.family,
    languages: manifest.languages ?? null,
    files,
    sameVoice: manifest.sameVoice ?? TITANET_SMALL,
    sizeBytes,
    installedAtMs: manifest.installedAt ? Date.parse(manifest.installedAt) : 0,
  }
}

/** The files that a family needs, by their purpose. */
export function filesOf(family: FamilyName | SpeakerFamily): readonly string[] {
  if (family === 'segmentation' || family === 'embedding') return ['model']
  return recogniserFiles[family]
}

export const isRecogniser = (model: InstalledModel): model is Recogniser =>
  model.family !== 'segmentation' && model.family !== 'embedding'

const isEmbedding = (model: InstalledModel): model is Embedding => model.family === 'embedding'

/** The two models that tell speakers apart together. */
export interface SpeakerModels {
  segmentation: InstalledModel
  embedding: InstalledModel
}

/** The first of each kind; null where one is missing. */
export function pairOf(models: readonly InstalledModel[]): SpeakerModels | null {
  const segmentation = models.find(({ family }) => family === 'segmentation')
  const embedding = models.find(({ family }) => family === 'embedding')
  return segmentation && embedding ? { segmentation, embedding } : null
}

/** The models in use: the chosen ones, else those that were installed last. */
interface InUse {
  recogniser: Recogniser | null
  speakers: SpeakerModels | null
}

/** The models that would be used if all of them work, by the files alone. */
export async function chosen(places: ModelsPlaces): Promise<InUse> {
  const { recognisers, segmentations, embeddings } = await inOrder(places)
  return { recogniser: recognisers[0] ?? null, speakers: pairOf([...segmentations, ...embeddings]) }
}

/**
 * The models that can be tried: without a good embedding, nobody knows which of a pair is at fault.
 */
export type Tried = Recogniser | Embedding | SpeakerModels

/**
 * Loads a model and lets it hear something; answers why it cannot be used, or null. Rejects with
 * `TooBusy` where that cannot be told now.
 */
export type Attempt = (models: Tried, options: { signal: AbortSignal }) => Promise<string | null>

/** A model got too little of the machine's time to answer, which says nothing about the model. */
export class TooBusy extends Error {}

/** Not the file of the publisher: broken on the way, or made to harm. */
export class BadArchive extends Error {}

export interface UnpackOptions {
  /** The files to take, by their names within the archive's one folder. Null: all. */
  names: readonly string[] | null
  /** How much everything that the archive holds may take up, wanted or not. */
  mostBytes: number
  signal: AbortSignal
  onBytes?: (unpacked: number) => void
}

/** Takes named files out of an archive into a folder. @throws BadArchive */
export type Unpack = (path: string, folder: string, options: UnpackOptions) => Promise<unknown>

/** Installed, and of no use on this machine; the reason names the file. */
export interface BrokenModel {
  id: string
  reason: string
  /** The machine was too busy to try it, so it is tried again later. */
  isUntried?: true
}

/**
 * The models that work, the preferred one first: no model is used that was not tried. A folder that
 * lacks a file is broken like a model that was tried in vain.
 */
export async function inUse(
  places: ModelsPlaces,
  attempt: Attempt,
  { signal, needsRecogniser = true }: { signal: AbortSignal; needsRecogniser?: boolean },
): Promise<InUse & { broken: BrokenModel[] }> {
  const { recognisers, segmentations, embeddings, unread } = await inOrder(places)
  const broken: BrokenModel[] = unread.map(({ folder, reason }) => ({ id: folder, reason }))
  const firstOf = async <Model extends InstalledModel>(
    models: readonly Model[],
    tryEach: (model: Model) => Promise<string | null>,
  ) => {
    for (const model of models)
      try {
        const reason = await tryEach(model)
        if (reason === null) return model
        broken.push({ id: model.id, reason })
      } catch (error) {
        if (!(error instanceof TooBusy)) throw error
        broken.push({ id: model.id, reason: error.message, isUntried: true })
      }
    return null
  }
  const tryOut = (model: Tried) => attempt(model, { signal })
  const recogniser = needsRecogniser ? await firstOf(recognisers, tryOut) : null
  // One after the other, so that each file is tried once and not with every file of the other kind.
  const embedding = segmentations.length > 0 ? await firstOf(embeddings, tryOut) : null
  const segmentation =
    embedding && (await firstOf(segmentations, (each) => tryOut({ segmentation: each, embedding })))
  return { recogniser, speakers: segmentation && { segmentation, embedding }, broken }
}

export const idOf = (model: Tried): string =>
  'id' in model ? model.id : `${model.segmentation.id} with ${model.embedding.id}`

async function inOrder(places: ModelsPlaces): Promise<{
  recognisers: Recogniser[]
  segmentations: InstalledModel[]
  embeddings: Embedding[]
  unread: Models['broken']
}> {
  const [{ models, broken: unread }, choices] = await Promise.all([
    installed(places),
    readChoices(ownOf(places)),
  ])
  // A model that came with the set-up gives way to one that was installed since, also after an
  // upgrade.
  const rank = ({ id, family, folder }: InstalledModel) =>
    id === choices[kindOf(family)] ? 2 : dirname(folder) === resolve(ownOf(places)) ? 1 : 0
  const sorted = models.toSorted((a, b) => rank(b) - rank(a) || b.installedAtMs - a.installedAtMs)
  return {
    recognisers: sorted.filter(isRecogniser),
    segmentations: sorted.filter(({ family }) => family === 'segmentation'),
    embeddings: sorted.filter(isEmbedding),
    unread,
  }
}

const CHOICES = 'in-use.json'
const Choices = z.object({
  recogniser: z.string().optional(),
  segmentation: z.string().optional(),
  embedding: z.string().optional(),
})
type Choices = z.infer<typeof Choices>

const kindOf = (family: InstalledModel['family']): keyof Choices =>
  family === 'segmentation' || family === 'embedding' ? family : 'recogniser'

async function readChoices(modelsDir: string): Promise<Choices> {
  try {
    return Choices.parse(JSON.parse(await readFile(join(modelsDir, CHOICES), 'utf8')))
  } catch {
    return {} // Nobody chose, or wrote something else there: the newest is taken.
  }
}

/** Prefers a model to others of its kind. Null when there is no such model. */
export async function choose(places: ModelsPlaces, id: string): Promise<InstalledModel | null> {
  const modelsDir = ownOf(places)
  const { models } = await installed(places)
  const model = models.find((one) => one.id === id)
  if (!model) return null
  const choices = { ...(await readChoices(modelsDir)), [kindOf(model.family)]: id }
  const path = join(modelsDir, CHOICES)
  await writeFile(`${path}.part`, JSON.stringify(choices))
  await rename(`${path}.part`, path)
  return model
}

/** Removes a model, or the remains of one; false when there is nothing of that name. */
export async function remove(modelsDir: string, id: string): Promise<boolean> {
  if (!ModelId.safeParse(id).success) return false
  const folder = join(modelsDir, id)
  const isThere = await stat(folder).then(
    (entry) => entry.isDirectory(),
    () => false,
  )
  if (!isThere) return false
  // From now on nobody finds it; a server that has it loaded keeps its open files.
  const away = join(modelsDir, `.removed-${id}`)
  await rm(away, { recursive: true, force: true })
  await rename(folder, away)
  await rm(away, { recursive: true, force: true })
  return true
}
