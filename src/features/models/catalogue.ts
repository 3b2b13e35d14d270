/**
 * The speech models that can be installed, one line each in `catalogue.jsonl`; a mirror may have a
 * list of its own. We measured nothing in our list. Word error rates are those of the Open ASR
 * Leaderboard of August 2026: means over its short English sets, for the models before they were
 * quantised. Checksums are those on which two independent lists agree. All files are assets of the
 * releases of k2-fsa/sherpa-onnx. When the publisher replaces one under the same name, its checksum
 * differs, and an operator must accept it.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'

import { z } from 'zod'

import { CannotInstall, looksLikeAPage, OutOfReach, webPage, whyOf } from './download.ts'
import {
  FileName,
  familyNames,
  filesOf,
  ModelId,
  speakerFamilies,
  whisperLanguages,
} from './models.ts'

export const PUBLISHER = 'https://github.com/k2-fsa/sherpa-onnx/releases/download'

const Licence = z.strictObject({
  name: z.string(),
  /** The makers of the model: named wherever it is used. */
  by: z.string(),
  url: z.string(),
  /** Other things to know about the model. */
  note: z.string().optional(),
})
type Licence = z.infer<typeof Licence>

const CC_BY = { name: 'CC-BY-4.0', url: 'https://creativecommons.org/licenses/by/4.0/' }
const APACHE = { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' }
const licences = {
  nvidia: {
    ...CC_BY,
    by: 'NVIDIA',
    note: 'Converted to ONNX and quantised by the k2-fsa project.',
  },
  openai: {
    name: 'MIT',
    by: 'OpenAI',
    url: 'https://github.com/openai/whisper/blob/main/LICENSE',
  },
  moonshine: {
    name: 'MIT',
    by: 'Moonshine AI',
    url: 'https://github.com/moonshine-ai/moonshine/blob/main/LICENSE',
  },
  funaudio: {
    name: 'FunASR Model License 1.1',
    by: 'FunAudioLLM',
    url: 'https://github.com/modelscope/FunASR/blob/main/MODEL_LICENSE',
    note: "Not a free software licence: keep the model's name, name its makers, and read it before commercial use.",
  },
  cohere: { ...APACHE, by: 'Cohere' },
  meta: { ...APACHE, by: 'Meta' },
  '3d-speaker': { ...APACHE, by: '3D-Speaker' },
  pyannote: {
    name: 'MIT',
    by: 'CNRS (Hervé Bredin)',
    url: 'https://huggingface.co/pyannote/segmentation-3.0',
  },
  wespeaker: {
    ...CC_BY,
    by: 'WeSpeaker',
    note: 'Trained on VoxCeleb; converted to ONNX by the k2-fsa project.',
  },
} satisfies Record<string, Licence>

/**
 * The package in which a model's publisher brings it to a Python package index. Its decoder and encoder
 * are files of the package; the tokens are written from its tokenizer.
 */
const Wheel = z.strictObject({
  package: z.string().regex(/^[a-z0-9-]+$/),
  version: z.string().regex(/^[0-9.]+$/),
  /** Of the one file that is taken, on every machine: only data are kept of it. */
  platform: z.string().regex(/^[a-z0-9_]+$/),
  bytes: z.int(),
  sha256: z.string(),
  /** Within the package. */
  folder: z.string(),
  tokenizer: FileName,
  /** Checksums of the kept files, by their names. */
  kept: z.record(FileName, z.string()),
})
export type Wheel = z.infer<typeof Wheel>

/** A mirror's list is read by the same rules as a manifest: nothing in it leaves the models' folder. */
const Line = z.strictObject({
  id: ModelId,
  title: z.string(),
  family: z.enum([...familyNames, ...speakerFamilies]),
  /** Separated by spaces; `whisper` stands for all that Whisper was trained on. */
  languages: z.string().nullable(),
  path: z.string(),
  bytes: z.int().nullable(),
  sha256: z.string(),
  /** In the order of `filesOf(family)`; those that must lie beside them follow. */
  files: z.string(),
  /** Of an embedding, as in its `model.json`: what apps that use the model found best. */
  sameVoice: z.number().optional(),
  keptMB: z.number(),
  /** Percent; null where nothing comparable is published. */
  publishedWer: z.number().nullable(),
  /** Percent, on real recordings of clear speech and one telephone call, by `bench -- speech`. Absent: not measured. */
  measuredWer: z.number().optional(),
  /** One of ours by its name, or whole. */
  licence: z.union([z.custom<keyof typeof licences>((name) => String(name) in licences), Licence]),
  about: z.string(),
  /** The machine on which it is the one to begin with, if no model asks for a larger one. Absent: none. */
  recommendedFrom: z.strictObject({ cores: z.number(), memoryGB: z.number() }).optional(),
  /** Where else the same model can be had from. Absent: nowhere. */
  wheel: Wheel.optional(),
})

type Line = z.infer<typeof Line>

/** A line of the list, in our own words and units. */
export interface CatalogueModel extends Omit<
  Line,
  'path' | 'bytes' | 'sha256' | 'keptMB' | 'languages' | 'files' | 'licence'
> {
  /** ISO 639-1; null: over a thousand. Empty for models that hear no words. */
  languages: readonly string[] | null
  download: {
    /** Below the publisher's address: an archive (.tar.bz2), or the model itself. */
    path: string
    /** Null where nobody published it. */
    bytes: number | null
    sha256: string
  }
  /**
   * The files that are kept of the archive, by their purpose, and other files that must lie beside
   * them.
   */
  files: Readonly<Record<string, string>>
  beside?: readonly string[]
  /** The kept files take this on the disk, and in memory somewhat more. */
  keptBytes: number
  licence: Licence
}

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '')

function modelOf(line: string): CatalogueModel {
  const { path, bytes, sha256, keptMB, ...facts } = Line.parse(JSON.parse(line))
  const roles = filesOf(facts.family)
  const names = z.array(FileName).parse(words(facts.files))
  const languages = facts.languages === null ? null : words(facts.languages)
  const beside = names.slice(roles.length)
  return {
    ...facts,
    languages: languages?.flatMap((one) => (one === 'whisper' ? whisperLanguages : one)) ?? null,
    download: { path, bytes, sha256 },
    files: Object.fromEntries(roles.map((role, index) => [role, names[index] ?? ''])),
    ...(beside.length > 0 && { beside }),
    keptBytes: keptMB * 1_000_000,
    licence: typeof facts.licence === 'string' ? licences[facts.licence] : facts.licence,
  }
}

/** Of how many words about one is wrong, in English; null for a model that nobody has measured. */
export function wordsPerErrorOf(title: string): number | null {
  const model = catalogue.find((each) => each.title === title)
  const wer = model?.measuredWer ?? model?.publishedWer
  return wer ? Math.round(100 / wer) : null
}

const LIST = 'catalogue.jsonl'

const read = (lines: string): CatalogueModel[] => lines.trim().split('\n').map(modelOf)

export const catalogue: readonly CatalogueModel[] = read(
  readFileSync(new URL(LIST, import.meta.url), 'utf8'),
)

/** A list is short: who needs longer for it is not there. */
const LIST_MS = 20_000

/**
 * The models that can be installed from this address. A mirror that has a `catalogue.jsonl` offers the
 * models of that list alone; others, and the publisher, offer our list. @throws OutOfReach,
 * CannotInstall
 */
export async function catalogueAt(
  modelsUrl: string | null,
  signal: AbortSignal,
): Promise<readonly CatalogueModel[]> {
  if (modelsUrl === null) return catalogue
  const url = `${modelsUrl}/${LIST}`
  const late = AbortSignal.timeout(LIST_MS)
  const own = await fetch(url, { signal: AbortSignal.any([signal, late]) })
    .then(async (answer) => ({ ok: answer.ok, bytes: await answer.bytes() }))
    .catch((error: unknown) => {
      signal.throwIfAborted()
      throw new OutOfReach(`${modelsUrl} cannot be reached (${whyOf(error)}).`, { cause: error })
    })
  if (!own.ok) return catalogue
  if (looksLikeAPage(own.bytes)) throw webPage(url)
  try {
    return read(Buffer.from(own.bytes).toString())
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new CannotInstall(`${url} is no list of models: ${reason}`, { cause: error })
  }
}

/** The recogniser of the first minute, which the set-up brings. */
export const FIRST_MODEL = 'moonshine-v2-tiny-en'

/** Names for several models that are of use together. */
export const bundles: Readonly<Record<string, readonly string[]>> = {
  speakers: ['pyannote-segmentation-3', 'campplus-zh-en'],
}

const GB = 1_000_000_000

export interface Machine {
  cores: number
  memoryBytes: number
}

/** This one, as far as a container lets us have it. */
export const thisMachine = (): Machine => ({
  cores: availableParallelism(),
  // 0, or far too much, where nothing is held back.
  memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
})

/** The model to begin with on a machine of this size; null where it is too small for any. */
export function recommended(
  { cores, memoryBytes }: Machine,
  models: readonly CatalogueModel[] = catalogue,
): CatalogueModel | null {
  const memoryOf = ({ recommendedFrom }: CatalogueModel) => recommendedFrom?.memoryGB ?? 0
  const fitting = models.filter(
    ({ recommendedFrom: from }) => from && cores >= from.cores && memoryBytes >= from.memoryGB * GB,
  )
  return fitting.toSorted((a, b) => memoryOf(b) - memoryOf(a))[0] ?? null
}
