/**
 * Brings the recogniser of the first minute, for `scripts/setup.mjs`: a newcomer's first recording is
 * read by a model that gets one word in fifteen wrong, not by one that gets every third wrong. Tries the
 * model before it is put in place. Not for servers that are told to use another engine, or to fetch
 * nothing (MODELS=off).
 *
 * Ends with 0 when it is there or not wanted, with 3 when only pip is missing, and with 1 when it
 * cannot be had now; then it has said why in one line, and nothing was changed.
 */
import { relative } from 'node:path'

import { catalogueAt, FIRST_MODEL, PUBLISHER } from '#features/models/catalogue.ts'
import { AlreadyInstalled, CannotInstall, install } from '#features/models/install.ts'
import { SET_UP_MODELS, TooBusy } from '#features/models/models.ts'
import { progressLine } from '#features/models/progress.ts'
import { NoPip } from '#features/models/wheel.ts'
import { MissingProgram } from '#features/sound/sandbox/programs.ts'
import { needUnpacker, unpack } from '#features/sound/sandbox/unpack.ts'
import { attempt } from '#features/speech/engines/try-models.ts'
import { hasAddon } from '#features/speech/speech.ts'
import { readConfig } from '#server/config.ts'
import { loadSettingsFile } from '#server/settings-file.ts'

const NO_PIP = 3
/** A person waits: the server asks again later, and so does the next start. */
const PATIENCE = { stallMs: 15_000, pauseMs: 500, tries: 3 }

loadSettingsFile()
const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(name, () => stop.abort(new Error(`stopped by ${name}`)))
process.exitCode = await bring(stop.signal)

async function bring(signal: AbortSignal): Promise<number> {
  const { speech } = readConfig(process.env)
  if (!speech.fetchesModel || !hasAddon()) return 0
  const start = performance.now()
  using line = progressLine(process.stderr)
  let bytes = 0
  try {
    const model = (await catalogueAt(speech.modelsUrl, signal)).find(({ id }) => id === FIRST_MODEL)
    if (!model) return 0
    if (model.download.path.endsWith('.tar.bz2')) await needUnpacker()
    await install(model, {
      modelsDir: SET_UP_MODELS,
      baseUrl: speech.modelsUrl ?? PUBLISHER,
      signal,
      attempt,
      unpack,
      env: process.env,
      patience: PATIENCE,
      onProgress: (progress) => {
        if (progress.step === 'downloading') bytes = progress.done ?? 0
        // The addresses that were asked in vain stand in the last line, where they are read.
        if (progress.step.startsWith('interrupted')) return
        line.show({ ...progress, step: `set-up: ${model.title}: ${progress.step}` })
      },
    })
    line.end()
    const [mega, seconds] = [bytes / 1e6, (performance.now() - start) / 1000].map(Math.ceil)
    console.log(
      `set-up: ${model.title}, by ${model.licence.by} (${model.licence.name}), is in ${relative('', SET_UP_MODELS)}: ${mega} MB, ${seconds} s`,
    )
    return 0
  } catch (error) {
    line.end()
    if (error instanceof AlreadyInstalled) return 0
    const isTold = [CannotInstall, MissingProgram, TooBusy].some((kind) => error instanceof kind)
    if (!(error instanceof Error && isTold)) throw error
    if (error instanceof NoPip && !process.argv.includes('--without-pip')) return NO_PIP
    const [reason] = error.message.split('\n')
    console.log(
      `set-up: the recogniser is the simple one for now, and is asked for again. ${reason}`,
    )
    return 1
  }
}
