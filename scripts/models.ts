/**
 * `npm run models -- list | install [NAME or PATH] | use NAME | remove NAME`: the speech models of this machine.
 * Installed models lie in DATA_DIR/models; a server that runs takes a change at its next start.
 * `npm run models -- writer` tells of language models, which are never installed by us.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { mayPass } from '#features/models/better.ts'
import {
  bundles,
  catalogue as published,
  catalogueAt,
  type CatalogueModel,
  PUBLISHER,
  recommended,
  thisMachine,
} from '#features/models/catalogue.ts'
import {
  CannotInstall,
  install,
  installFrom,
  type InstallProgress,
  OutOfReach,
} from '#features/models/install.ts'
import {
  type BrokenModel,
  choose,
  chosen,
  idOf,
  installed,
  inUse,
  isRecogniser,
  type Models,
  type ModelsPlaces,
  placesOf,
  remove,
  TooBusy,
} from '#features/models/models.ts'
import { progressLine } from '#features/models/progress.ts'
import { MissingProgram } from '#features/sound/sandbox/programs.ts'
import { needUnpacker, unpack } from '#features/sound/sandbox/unpack.ts'
import { attempt } from '#features/speech/engines/try-models.ts'
import { tryModel } from '#features/writing/trial.ts'
import { ConfigError, readConfig } from '#server/config.ts'
import { silentLog } from '#server/log.ts'
import { keepPrivate } from '#server/private-folder.ts'
import { loadSettingsFile } from '#server/settings-file.ts'

import { type Found, adviceFor, lookAround, tableOf } from './models-writer.ts'

const help = `The speech models of this machine.

  npm run models -- list             what is installed, and what can be
  npm run models -- install          download, check, try and install the model that suits this machine
  npm run models -- install NAME     the same with one of the list
  npm run models -- install PATH     the same with a .tar.bz2, an .onnx or a folder that is here already
  npm run models -- use NAME         prefer it to others of its kind from the next start on
  npm run models -- remove NAME      delete it
  npm run models -- writer           which language model suits this machine, how to set it up, and a trial

  --accept SHA256   install a file that the publisher has replaced since, by its checksum
  --help            this text

"install speakers" installs the pair of models that tells speakers apart, for any engine.
Models lie in DATA_DIR/models. MODELS_URL names another place to download from.
Ctrl+C stops a download; the same command goes on from there.
docs/models.md tells how to install by hand, and what MODELS_URL must hold.
`

export interface Io {
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown; isTTY?: boolean; columns?: number }
  env: NodeJS.ProcessEnv
  signal: AbortSignal
  /** The findings on the machine; without them, the command looks. */
  look?: () => Promise<Found>
}

/** Answers the exit code: 0 done, 1 it could not be done and stderr says why, 2 wrong usage. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    const wish = read(argv)
    if (wish === null) {
      io.stdout.write(help)
      return 0
    }
    const { dataDir, speech, writing } = readConfig(io.env)
    if (wish.verb === 'writer') {
      const found = await (io.look ?? lookAround)()
      const { signal } = io
      const trial = writing.llm && (await tryModel(writing.llm, { signal, log: silentLog }))
      io.stdout.write(adviceFor(found, writing, trial))
      return 0
    }
    await keepPrivate(dataDir)
    const places = placesOf(dataDir)
    const [modelsDir] = places
    const catalogue = await catalogueAt(speech.modelsUrl, io.signal).catch((error: unknown) => {
      if (error instanceof OutOfReach) return published
      throw error
    })
    const place: ModelSource = {
      places,
      modelsDir,
      baseUrl: speech.modelsUrl ?? PUBLISHER,
      catalogue,
    }
    switch (wish.verb) {
      case 'list':
        io.stdout.write(await listOf(place, io.signal))
        return 0
      case 'install':
        await installAll(wish, place, io)
        return 0
      case 'use':
        return await chooseOne(wish.name, place, io)
      case 'remove':
        return await removeOne(wish.name, place, io)
    }
  } catch (error) {
    if (io.signal.aborted) {
      io.stderr.write('Stopped. What came is kept: the same command goes on from there.\n')
      return STOPPED
    }
    if (error instanceof Usage || error instanceof ConfigError) {
      io.stderr.write(`${error.message}\n`)
      return 2
    }
    const isTold = [CannotInstall, MissingProgram, TooBusy].some((kind) => error instanceof kind)
    if (!(error instanceof Error && isTold)) throw error
    const again = error instanceof TooBusy ? ' Try again later: what came is kept.' : ''
    io.stderr.write(`${error.message}${again}\n`)
    return 1
  }
}

/** The exit code that shells give to a program that was ended with Ctrl+C. */
const STOPPED = 130

class Usage extends Error {}

interface ModelSource {
  places: ModelsPlaces
  /** The operator's own of these. */
  modelsDir: string
  baseUrl: string
  catalogue: readonly CatalogueModel[]
}

/** Without a name: the model that suits this machine. */
type Install = { verb: 'install'; name: string | null; accept: string | null }
type Wish = { verb: 'list' | 'writer' } | Install | { verb: 'use' | 'remove'; name: string }

/** Null when help was asked for. */
function read(argv: readonly string[]): Wish | null {
  const { values, positionals } = parse(argv)
  const [verb = 'list', name, ...others] = positionals
  if (values.help) return null
  if (!['list', 'install', 'use', 'remove', 'writer'].includes(verb))
    throw new Usage(`${verb} is not known.\n\n${help}`)
  if (verb === 'list' || verb === 'writer') return { verb }
  const isNamed = name !== undefined || verb === 'install'
  if (!isNamed || others.length > 0)
    throw new Usage(`Say which model: npm run models -- ${verb} NAME`)
  if (verb !== 'install') return { verb: verb === 'use' ? 'use' : 'remove', name: name ?? '' }
  const { accept } = values
  if (accept !== undefined && !/^[0-9a-f]{64}$/i.test(accept))
    throw new Usage(
      '--accept takes the checksum that the installation showed: 64 digits from 0 to f.',
    )
  return { verb, name: name ?? null, accept: accept ?? null }
}

function parse(argv: readonly string[]) {
  const options = {
    help: { type: 'boolean', short: 'h' },
    accept: { type: 'string' },
  } as const
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Usage(`${error.message.split('. ')[0]}. --help lists what there is.`, {
      cause: error,
    })
  }
}

// ---- list ----

async function listOf(
  { places, modelsDir, catalogue }: ModelSource,
  signal: AbortSignal,
): Promise<string> {
  const found = await installed(places)
  const used = await inUse(places, attempt, { signal })
  const usedIds = [used.recogniser?.id, used.speakers?.segmentation.id, used.speakers?.embedding.id]
  const best = recommended(thisMachine(), catalogue)?.id
  const rows = catalogue.map((model) => {
    const isHere = found.models.some(({ id }) => id === model.id)
    const isBroken = used.broken.some(({ id }) => id === model.id)
    const state = usedIds.includes(model.id)
      ? 'in use'
      : isBroken
        ? 'broken'
        : isHere
          ? 'installed'
          : ''
    const { bytes } = model.download
    return [
      model.id,
      state || (model.id === best ? 'recommended here' : ''),
      languagesIn(model),
      bytes === null ? '?' : `${mega(bytes)} MB`,
      model.publishedWer === null ? '' : `${model.publishedWer.toFixed(1)} %`,
      model.licence.name,
      model.about,
    ]
  })
  const head = ['NAME', '', 'LANGUAGES', 'DOWNLOAD', 'ERRORS', 'LICENCE', '']
  return [
    ...tableOf([head, ...rows]),
    '',
    'ERRORS: published word error rate in English (Open ASR Leaderboard), not measured here.',
    ...others(found, used.broken, catalogue),
    `Models lie in ${modelsDir}.`,
    '',
  ].join('\n')
}

function languagesIn({ languages }: CatalogueModel): string {
  if (languages === null) return 'over 1000'
  if (languages.length === 0) return 'speakers'
  return languages.length > 5 ? String(languages.length) : languages.join(' ')
}

const mega = (bytes: number): number => Math.ceil(bytes / 1_000_000)

function others(
  { models }: Models,
  unusable: readonly BrokenModel[],
  catalogue: readonly CatalogueModel[],
): string[] {
  const own = models.filter(({ id }) => !catalogue.some((known) => known.id === id))
  return [
    ...own.map(({ id, title }) => `${id} (${title}) is installed and not of this list.`),
    ...unusable.map(({ id, reason }) => `${id} cannot be used and takes no jobs: ${reason}`),
  ]
}

// ---- install, use, remove ----

async function installAll(
  { name: said, accept }: Install,
  place: ModelSource,
  io: Io,
): Promise<void> {
  const { catalogue, places } = place
  const name = said ?? recommended(thisMachine(), catalogue)?.id
  if (name === undefined)
    throw new CannotInstall('This machine has too little memory for any model of the list.')
  using line = progressLine(io.stderr)
  const options = {
    ...place,
    signal: io.signal,
    attempt,
    unpack,
    env: io.env,
    onProgress: (progress: InstallProgress) => line.show(progress),
    ...(accept === null ? {} : { acceptSha256: accept }),
  }
  if (isPath(name)) {
    // npm runs scripts in the package's folder, so a relative path is resolved from where npm was
    // called.
    const id = await installFrom(resolve(io.env['INIT_CWD'] ?? '', name), catalogue, options)
    line.end()
    io.stdout.write(`${id} is installed.\n`)
  }
  const ids = isPath(name) ? [] : (bundles[name] ?? [name])
  if (accept !== null && ids.length > 1)
    throw new Usage('--accept is for one model: name it in place of the pair.')
  const made: string[] = []
  for (const id of ids) {
    const model = catalogue.find((known) => known.id === id)
    if (!model) throw new CannotInstall(unknown(id, catalogue))
    const { models } = await installed(places)
    if (models.some((each) => each.id === id)) {
      io.stdout.write(`${id} is installed already.\n`)
      continue
    }
    const { title, licence } = model
    io.stdout.write(`${title}, by ${licence.by}. Licence: ${licence.name}, ${licence.url}\n`)
    if (licence.note) io.stdout.write(`${licence.note}\n`)
    // Said before the download, which takes a while.
    if (model.download.path.endsWith('.tar.bz2')) await needUnpacker()
    await install(model, options).catch(async (error: unknown) => {
      // Half of a pair is of no use to anybody.
      if (!io.signal.aborted && !mayPass(error))
        for (const half of made) await remove(place.modelsDir, half)
      throw error
    })
    made.push(id)
    line.end()
    io.stdout.write(`${id} is installed.\n`)
  }
  await tellWhatIsUsed(places, io)
}

/** Whether an argument is a path. No model has a name like this. */
const isPath = (name: string): boolean => /[/\\]|\.tar\.bz2$|\.onnx$/.test(name)

async function tellWhatIsUsed(places: ModelsPlaces, io: Io): Promise<void> {
  const { recogniser, speakers } = await chosen(places)
  if (recogniser)
    io.stdout.write(
      `The server transcribes with ${recogniser.id} from its next start on, as long as TRANSCRIBER is auto or sherpa.\n`,
    )
  if (speakers) io.stdout.write(`It tells speakers apart with ${idOf(speakers)}.\n`)
}

async function chooseOne(
  name: string,
  { places, catalogue }: ModelSource,
  io: Io,
): Promise<number> {
  const model = await choose(places, name)
  if (model) {
    const what = isRecogniser(model) ? 'transcribes' : 'tells speakers apart'
    io.stdout.write(`The server ${what} with ${model.id} from its next start on.\n`)
    return 0
  }
  const isKnown = catalogue.some(({ id }) => id === name)
  io.stderr.write(
    isKnown
      ? `${name} is not installed. npm run models -- install ${name} installs it.\n`
      : `${unknown(name, catalogue)}\n`,
  )
  return 1
}

async function removeOne(name: string, { modelsDir }: ModelSource, io: Io): Promise<number> {
  let isGone = false
  for (const id of bundles[name] ?? [name]) isGone = (await remove(modelsDir, id)) || isGone
  if (isGone) io.stdout.write(`${name} is removed.\n`)
  else io.stderr.write(`${name} is not installed.\n`)
  return isGone ? 0 : 1
}

function unknown(name: string, catalogue: readonly CatalogueModel[]): string {
  const near = catalogue.filter(({ id }) => id.startsWith(name.slice(0, 4))).map(({ id }) => id)
  const hint = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ''
  return `There is no model ${name}.${hint} npm run models -- list shows all.`
}

if (import.meta.main) {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => stop.abort(new Error(`stopped by ${name}`)))
  loadSettingsFile()
  process.exitCode = await run(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    signal: stop.signal,
  })
}
