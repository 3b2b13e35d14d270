/**
 * The offer of a better engine at the first start: asked once, on a terminal, when a server that
 * would use a model has none and the publisher can be reached. It never holds up the start, and
 * nothing is downloaded that was not said yes to.
 */
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

import { catalogue as published, type CatalogueModel, recommended } from './catalogue.ts'
import { install, type InstallOptions } from './install.ts'
import { type ProgressOutput, progressLine } from './progress.ts'

interface Terminal {
  input: Readable & { isTTY?: boolean }
  output: ProgressOutput
}

export interface OfferOptions extends InstallOptions {
  machine: { cores: number; memoryBytes: number }
  terminal: Terminal
  catalogue?: readonly CatalogueModel[]
}

export type Offered = 'installed' | 'declined' | 'not asked' | 'failed'

/** Longer than this, the publisher counts as out of reach, and the next start asks. */
const REACH_MS = 4000
const ASKED = '.asked'

/** For an engine that is `pocketsphinx` because nothing better is there. Throws nothing. */
export async function offerModel(options: OfferOptions): Promise<Offered> {
  const { terminal, modelsDir, baseUrl, machine, signal } = options
  const { input, output } = terminal
  const model = (options.catalogue ?? published).find(({ id }) => id === recommended(machine)?.id)
  if (!input.isTTY || !output.isTTY || !model) return 'not asked'
  const asked = join(modelsDir, ASKED)
  if (await isThere(asked)) return 'not asked'
  if (!(await isReachable(`${baseUrl}/${model.download.path}`, signal))) return 'not asked'

  const { id, title, download, licence } = model
  const answer = await ask(
    [
      '',
      `A better speech model can be installed: ${title} (${Math.ceil((download.bytes ?? model.keptBytes) / 1_000_000)} MB, English, ${licence.name} by ${licence.by}).`,
      `Published tests count about one wrong word in ${Math.round(100 / (model.publishedWer ?? 10))}; of the embedded recogniser, one in four is.`,
      'Install it now, while the server runs? [y/N] ',
    ].join('\n'),
    terminal,
    signal,
  )
  if (answer === null) return 'not asked'
  try {
    await mkdir(modelsDir, { recursive: true })
    await writeFile(asked, answer)
    if (!/^\s*(y|yes|j|ja)\s*$/i.test(answer)) {
      output.write(`Not now, then. Later: npm run models -- install ${id}\n`)
      return 'declined'
    }
    {
      using line = progressLine(output)
      await install(model, { ...options, onProgress: (progress) => line.show(progress) })
    }
    output.write(`${title} is installed. It is used from the next start on.\n`)
    return 'installed'
  } catch (error) {
    if (signal.aborted) return 'failed'
    output.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 'failed'
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Asks for the headers only. */
async function isReachable(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'HEAD',
      signal: AbortSignal.any([signal, AbortSignal.timeout(REACH_MS)]),
    })
    return response.ok
  } catch {
    return false // No network, or none to there: nothing can be offered.
  }
}

/** Null when the server stops, or the terminal is closed, before there is an answer. */
function ask(question: string, { input, output }: Terminal, signal: AbortSignal) {
  output.write(question)
  // Not a terminal to readline: it would take Ctrl+C for itself, which is to end the server.
  const lines = createInterface({ input, terminal: false })
  return new Promise<string | null>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(null))
    signal.addEventListener('abort', () => lines.close(), { once: true })
    if (signal.aborted) lines.close()
  }).finally(() => {
    lines.close()
    input.pause()
  })
}
