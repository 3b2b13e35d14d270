/**
 * Fetches the models that a server lacks, while it works with the embedded ones: the recogniser that
 * suits this machine, and the pair of models that tells voices apart. Installs it as `npm run models --
 * install` would. What it promises:
 *
 * - Nobody waits for it, and nothing is changed before the models are in place and were tried.
 * - When the publisher cannot be reached, the disk is full, or the machine too busy to try a model, it
 *   tries again later. The reason is said once.
 * - Of models that are of use together, no half stays where the other cannot be had.
 * - A model that is refused for its content is not downloaded again for a week.
 * - While another process installs into the same folder, this one waits, and uses the models of the
 *   other.
 */
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

import {
  bundles,
  FIRST_MODEL,
  type CatalogueModel,
  type Machine,
  recommended,
} from './catalogue.ts'
import {
  AlreadyInstalled,
  BadSource,
  Busy,
  CannotInstall,
  downloadedTo,
  install,
  type InstallOptions,
  type InstallProgress,
  NoSpace,
  OutOfReach,
} from './install.ts'
import {
  type BrokenModel,
  idOf,
  type InstalledModel,
  installed,
  isRecogniser,
  pairOf,
  type Recogniser,
  remove,
  type SpeakerModels,
  TooBusy,
  type Tried,
} from './models.ts'

/** A better recogniser that is not in use yet, as far as it is known. */
export type Outlook =
  /** In percent of its bytes; null while it is unpacked and tried. */
  | { kind: 'fetching'; title: string; percent: number | null }
  /** A sentence or several. */
  | { kind: 'none'; reason: string }

/** The models to fetch: one, or several that are of use together. */
export interface Wanted<Whole extends Tried> {
  /** Its name in a sentence, after "a". */
  what: string
  /** In the order in which they are installed. @throws CannotInstall */
  choose: (models: readonly CatalogueModel[]) => readonly CatalogueModel[]
  /** Null where one is missing. */
  whole: (models: readonly InstalledModel[]) => Whole | null
}

/** @throws CannotInstall where a mirror's own list does not have it */
function named(models: readonly CatalogueModel[], id: string): CatalogueModel {
  const model = models.find((each) => each.id === id)
  if (model) return model
  throw new CannotInstall(`The list of models does not have ${id}.`)
}

/** The models of the set-up, for a server whose set-up reached neither source. */
export const firstRecogniser: Wanted<Recogniser> = {
  what: 'recogniser for the first recordings',
  choose: (models) => [named(models, FIRST_MODEL)],
  whole: (models) => models.find(isRecogniser) ?? null,
}

export const betterRecogniser = (machine: Machine): Wanted<Recogniser> => ({
  what: 'better recogniser',
  choose(models) {
    const model = recommended(machine, models)
    if (model) return [model]
    throw new CannotInstall(
      `This machine has ${(machine.memoryBytes / 1e9).toFixed(1)} GB of memory, which is too little for one.`,
    )
  },
  whole: (models) => models.find(isRecogniser) ?? null,
})

export const voicePair: Wanted<SpeakerModels> = {
  what: 'pair of models that tells voices apart',
  choose: (models) => (bundles['speakers'] ?? []).map((id) => named(models, id)),
  whole: pairOf,
}

export interface BetterOptions<Whole extends Tried> extends Omit<
  InstallOptions,
  'onProgress' | 'acceptSha256'
> {
  wanted: Wanted<Whole>
  catalogue: (signal: AbortSignal) => Promise<readonly CatalogueModel[]>
  /** Rejects where this machine lacks what every model needs: then nothing is downloaded. */
  needPrograms: () => Promise<unknown>
  onOutlook: (outlook: Outlook) => void
  /** Takes a line for the person who started the server. */
  say: (line: string) => void
  /** How long until a publisher that was out of reach is asked again; doubled each time. */
  againMs?: number
  /** How often it is looked whether another process has ended. */
  lookMs?: number
}

const MINUTE_MS = 60_000
const MOST_AGAIN_MS = 6 * 60 * MINUTE_MS
const LOOK_MS = 2_000
/** Of the download, between two lines. */
const LINE_EVERY_PERCENT = 25
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS
/** Fewer than at a terminal, because it is asked again later. */
const PATIENCE = { stallMs: 30_000, pauseMs: 1000, tries: 4 }

/**
 * Answers the model once it is installed and works, or null when there will be none.
 *
 * @throws the signal's reason
 */
export async function fetchBetter<Whole extends Tried>(
  options: BetterOptions<Whole>,
): Promise<Whole | null> {
  const { wanted, signal, onOutlook, say, againMs = MINUTE_MS } = options
  const tell = teller(options)
  let isSaid = false
  for (let waitMs = againMs; ; waitMs = Math.min(2 * waitMs, MOST_AGAIN_MS)) {
    try {
      return await fetchOnce({ patience: PATIENCE, ...options }, tell)
    } catch (error) {
      signal.throwIfAborted()
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
      onOutlook({ kind: 'none', reason })
      const isFinal = !mayPass(error)
      const [yet, later] = isFinal ? ['', ''] : [' yet', ' It is tried again from time to time.']
      if (isFinal || !isSaid)
        say(`There is no ${wanted.what}${yet}, and everything is as before. ${reason}${later}`)
      if (isFinal) return null
      isSaid = true
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => signal.throwIfAborted())
    }
  }
}

const MOST_TIMES = 5

/**
 * Looks again at models that a busy machine left no time for, and then once more after twice as long.
 * A model that never answers looks the same, so there is an end to it.
 *
 * @param found what the look before found
 * @param onFound told when one of them was tried, or is gone
 */
export async function lookAgain<Found extends { broken: readonly BrokenModel[] }>(
  found: Found,
  look: () => Promise<Found>,
  onFound: (found: Found) => void,
  { signal, againMs = MINUTE_MS }: { signal: AbortSignal; againMs?: number },
): Promise<void> {
  let left = found.broken.filter(({ isUntried }) => isUntried).length
  for (let times = 0; left > 0 && times < MOST_TIMES; times++) {
    await sleep(againMs * 2 ** times, undefined, { signal, ref: false }).catch(() =>
      signal.throwIfAborted(),
    )
    const next = await look()
    const still = next.broken.filter(({ isUntried }) => isUntried).length
    if (still < left) onFound(next)
    left = still
  }
}

/** Whether the reason for a failure may be gone later. */
export const mayPass = (error: unknown): boolean =>
  error instanceof OutOfReach || error instanceof NoSpace || error instanceof TooBusy

type Tell = ReturnType<typeof teller>

async function fetchOnce<Whole extends Tried>(
  options: BetterOptions<Whole>,
  tell: Tell,
): Promise<Whole> {
  const { wanted, modelsDir, signal, attempt } = options
  const chosen = wanted.choose(await options.catalogue(signal))
  await options.needPrograms()
  for (const model of chosen) await refuseAgain(model, modelsDir)
  for (;;) {
    const made = await makeAll(chosen, options, tell)
    const { models } = await installed(modelsDir)
    const whole = wanted.whole(models.filter(({ id }) => chosen.some((each) => each.id === id)))
    // Somebody has removed one since.
    if (!whole) continue
    if (made.length === chosen.length) return whole
    for (const model of chosen) tell(model, { step: 'trying it' })
    const reason = await attempt(whole, { signal })
    if (reason === null) return whole
    throw new CannotInstall(`${idOf(whole)} is installed and does not work here: ${reason}`)
  }
}

/** Installs the models that are missing, and answers which these were. */
async function makeAll(
  chosen: readonly CatalogueModel[],
  options: Omit<BetterOptions<Tried>, 'wanted'>,
  tell: Tell,
): Promise<string[]> {
  const made: string[] = []
  try {
    for (const model of chosen) if (await isMade(model, options, tell)) made.push(model.id)
    return made
  } catch (error) {
    if (!options.signal.aborted && !mayPass(error))
      for (const id of made) await remove(options.modelsDir, id)
    throw error
  }
}

/** Installs a model, and tries it; false where it was there already, and nobody tried it. */
async function isMade(
  model: CatalogueModel,
  options: Omit<BetterOptions<Tried>, 'wanted'>,
  tell: Tell,
): Promise<boolean> {
  const { modelsDir, signal, lookMs = LOOK_MS } = options
  for (;;) {
    try {
      await install(model, { ...options, onProgress: (progress) => tell(model, progress) })
      await rm(refusalOf(model, modelsDir), { force: true })
      return true
    } catch (error) {
      if (error instanceof AlreadyInstalled) return false
      if (error instanceof BadSource)
        await writeFile(refusalOf(model, modelsDir), model.download.sha256)
      if (!(error instanceof Busy)) throw error
      const part = await stat(downloadedTo(model, modelsDir)).catch(() => null)
      tell(model, { step: 'downloading', done: part?.size ?? 0, total: model.download.bytes })
      await sleep(lookMs, undefined, { signal, ref: false }).catch(() => signal.throwIfAborted())
    }
  }
}

/** Turns the steps of an installation into an outlook and, now and then, a line. */
function teller({
  wanted,
  onOutlook,
  say,
}: Pick<BetterOptions<Tried>, 'onOutlook' | 'say'> & { wanted: { what: string } }) {
  let line = -1
  let told: CatalogueModel | null = null
  return (model: CatalogueModel, { step, done = 0, total }: InstallProgress) => {
    const { title, download, keptBytes, licence } = model
    // While it waits to go on it stands where it was.
    if (step.startsWith('interrupted')) return
    const isCounted = step === 'downloading' && total
    const percent = isCounted ? Math.min(100, Math.floor((100 * done) / total)) : null
    if (told?.id !== model.id) line = -1
    told = model
    if (line < 0)
      say(
        `A ${wanted.what} is being fetched while the server works: ${title}, ${Math.ceil((download.bytes ?? keptBytes) / 1_000_000)} MB (${licence.name}, by ${licence.by}: ${licence.url}).`,
      )
    const reached = Math.floor((percent ?? 100) / LINE_EVERY_PERCENT)
    if (percent !== null && reached > Math.max(line, 0) && percent < 100)
      say(`${title}: ${percent} %`)
    line = Math.max(line, reached)
    onOutlook({ kind: 'fetching', title, percent })
  }
}

const refusalOf = (model: CatalogueModel, modelsDir: string): string =>
  `${downloadedTo(model, modelsDir)}.refused`

/** @throws CannotInstall */
async function refuseAgain(model: CatalogueModel, modelsDir: string): Promise<void> {
  const path = refusalOf(model, modelsDir)
  const refused = await readFile(path, 'utf8').catch(() => null)
  if (refused !== model.download.sha256) return
  const { mtimeMs } = await stat(path)
  if (Date.now() - mtimeMs < WEEK_MS)
    throw new CannotInstall(
      `What was downloaded as ${model.id} lately was not the file that was published. It is tried again a week later, or now with: npm run models -- install ${model.id}`,
    )
}
