/** The folder of samples that a benchmark is given, and the other options on its command line. */
import { readdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'

export interface Samples {
  /** The folder, by `--samples` or QUOTH_SAMPLES. */
  folder: string
  /** The names of all its files, sorted. */
  names: string[]
  /** Whether `--only` leaves a file in, by the beginning of its name. */
  isWanted: (name: string) => boolean
}

/**
 * The options of all benches that measure with samples:
 * `--samples DIR --models DIR --only NAME --engine NAME --json FILE`.
 */
export async function readSamples(): Promise<{
  /** Null without a folder; of a folder that cannot be read the names are empty. */
  samples: Samples | null
  modelsDir: { modelsDir: string } | Record<string, never>
  /** Whether `--engine` leaves an engine in. */
  isAsked: (engine: string) => boolean
  json: string | undefined
}> {
  const { values } = parseArgs({
    options: {
      samples: { type: 'string' },
      models: { type: 'string' },
      only: { type: 'string' },
      engine: { type: 'string' },
      json: { type: 'string' },
    },
  })
  const folder = values.samples ?? process.env['QUOTH_SAMPLES']
  const names = folder === undefined ? [] : await readdir(folder).catch(() => [])
  const isWanted = (name: string) => name.startsWith(values.only ?? '')
  return {
    samples: folder === undefined ? null : { folder, names: names.toSorted(), isWanted },
    modelsDir: values.models ? { modelsDir: values.models } : {},
    isAsked: (engine) => values.engine === undefined || values.engine === engine,
    json: values.json,
  }
}
