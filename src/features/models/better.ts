/**
 * Fetches the model that suits this machine while the server works with the embedded recogniser, and
 * installs it as `npm run models -- install` would. What it promises:
 *
 * - Nobody waits for it, and nothing is changed before the model is in place and was tried.
 * - A publisher that cannot be reached is asked again later, and so is a disk that is full; why is
 *   said once.
 * - What is refused for what it holds is not downloaded again for a week.
 * - Where another process installs into the same folder, this one waits, and uses what that has made.
 */
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

import { type CatalogueModel, type Machine, recommended } from './catalogue.ts'
import {
  AlreadyInstalled,
  BadSource,
  Busy,
  CannotInstall,
  downloadedTo,
  install,
  type InstallOptions,
  type InstallProgress,
  NoRoom,
  OutOfReach,
} from './install.ts'
import { installed, isRecogniser, type Recogniser } from './models.ts'

/** What is known of a better recogniser that is not in use yet. */
export type Outlook =
  /** In percent of its bytes; null while it is unpacked and tried. */
  | { kind: 'fetching'; title: string; percent: number | null }
  /** A sentence or several. */
  | { kind: 'none'; reason: string }

export interface BetterOptions extends Omit<InstallOptions, 'onProgress' | 'acceptSha256'> {
  machine: Machine
  catalogue: (signal: AbortSignal) => Promise<readonly CatalogueModel[]>
  /** Rejects where this machine lacks what every model needs: then nothing is downloaded. */
  needPrograms: () => Promise<unknown>
  onOutlook: (outlook: Outlook) => void
  /** Takes a line for whoever started the server. */
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
export async function fetchBetter(options: BetterOptions): Promise<Recogniser | null> {
  const { signal, onOutlook, say, againMs = MINUTE_MS } = options
  const tell = teller(options)
  let isSaid = false
  for (let waitMs = againMs; ; waitMs = Math.min(2 * waitMs, MOST_AGAIN_MS)) {
    try {
      return await fetchOnce({ patience: PATIENCE, ...options }, tell)
    } catch (error) {
      signal.throwIfAborted()
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
      onOutlook({ kind: 'none', reason })
      const isFinal = !(error instanceof OutOfReach || error instanceof NoRoom)
      const [yet, later] = isFinal ? ['', ''] : [' yet', ' It is tried again from time to time.']
      if (isFinal || !isSaid)
        say(`There is no better recogniser${yet}, and everything is as before. ${reason}${later}`)
      if (isFinal) return null
      isSaid = true
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => signal.throwIfAborted())
    }
  }
}

async function fetchOnce(
  options: BetterOptions,
  tellOf: ReturnType<typeof teller>,
): Promise<Recogniser> {
  const { machine, modelsDir, signal, attempt, lookMs = LOOK_MS } = options
  const model = recommended(machine, await options.catalogue(signal))
  if (!model)
    throw new CannotInstall(
      `This machine has ${(machine.memoryBytes / 1e9).toFixed(1)} GB of memory, which is too little for one.`,
    )
  await options.needPrograms()
  await refuseAgain(model, modelsDir)
  const tell = (progress: InstallProgress) => tellOf(model, progress)
  for (;;) {
    try {
      await install(model, { ...options, onProgress: tell })
      await rm(refusalOf(model, modelsDir), { force: true })
      const made = await find(model, modelsDir)
      if (made) return made
    } catch (error) {
      if (error instanceof BadSource)
        await writeFile(refusalOf(model, modelsDir), model.download.sha256 ?? '')
      if (error instanceof AlreadyInstalled) {
        const found = await find(model, modelsDir)
        // Somebody has removed it since.
        if (!found) continue
        tell({ step: 'trying it' })
        const reason = await attempt(found, { signal })
        if (reason === null) return found
        throw new CannotInstall(`${found.id} is installed and does not work here: ${reason}`)
      }
      if (!(error instanceof Busy)) throw error
      const part = await stat(downloadedTo(model, modelsDir)).catch(() => null)
      tell({ step: 'downloading', done: part?.size ?? 0, total: model.download.bytes })
      await sleep(lookMs, undefined, { signal, ref: false }).catch(() => signal.throwIfAborted())
    }
  }
}

async function find({ id }: CatalogueModel, modelsDir: string): Promise<Recogniser | undefined> {
  const { models } = await installed(modelsDir)
  return models.filter(isRecogniser).find((each) => each.id === id)
}

/** Turns the steps of an installation into an outlook and, now and then, a line. */
function teller({ onOutlook, say }: BetterOptions) {
  let line = -1
  return (model: CatalogueModel, { step, done = 0, total }: InstallProgress) => {
    const { title, download, keptBytes, licence } = model
    // While it waits to go on it stands where it was.
    if (step.startsWith('interrupted')) return
    const isCounted = step === 'downloading' && total
    const percent = isCounted ? Math.min(100, Math.floor((100 * done) / total)) : null
    if (line < 0)
      say(
        `A better recogniser is being fetched while the server works: ${title}, ${Math.ceil((download.bytes ?? keptBytes) / 1_000_000)} MB (${licence.name}, by ${licence.by}: ${licence.url}).`,
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
  if (refused !== (model.download.sha256 ?? '')) return
  const { mtimeMs } = await stat(path)
  if (Date.now() - mtimeMs < WEEK_MS)
    throw new CannotInstall(
      `What was downloaded as ${model.id} lately was not the file that was published. It is tried again a week later, or now with: npm run models -- install ${model.id}`,
    )
}
