/**
 * Puts the server together from its settings, starts the parts that ROLE asks for, and takes them down
 * again in order. A fault that the operator can mend is told in a sentence; others are thrown.
 */
import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

import { countUnmatched } from '#features/billing/billing.ts'
import { standing, tally } from '#features/credits/tally.ts'
import {
  betterRecogniser,
  fetchBetter,
  firstRecogniser,
  lookAgain,
  type Outlook,
  voicePair,
  type Wanted,
} from '#features/models/better.ts'
import {
  catalogue,
  catalogueAt,
  FIRST_MODEL,
  PUBLISHER,
  thisMachine,
  wordsPerErrorOf,
} from '#features/models/catalogue.ts'
import { placesOf, type Recogniser } from '#features/models/models.ts'
import { hasRecordings, storedBytesLately } from '#features/recordings/recordings.ts'
import { sayEngines } from '#features/recordings/workers.ts'
import { MissingProgram } from '#features/sound/sandbox/programs.ts'
import { filtering, confinement } from '#features/sound/sandbox/sandbox.ts'
import { needUnpacker, unpack } from '#features/sound/sandbox/unpack.ts'
import { attempt, attemptVoices } from '#features/speech/engines/try-models.ts'
import {
  type BrokenModel,
  chooseEngine,
  type Engine,
  engineInUse,
  type EngineInUse,
  EngineUnavailable,
  hasAddon,
  needDecoder,
  withModel,
  withVoiceModels,
} from '#features/speech/speech.ts'
import { chooseWriter } from '#features/writing/writing.ts'
import { lastBackupAt } from '#server/backup/last-backup.ts'
import { type Config, ConfigError, readConfig } from '#server/config.ts'
import { isStorageAway } from '#server/database-away.ts'
import { openDatabase } from '#server/db.ts'
import { databaseClock } from '#server/database-clock.ts'
import * as deletionClock from '#server/deletion-clock.ts'
import { buildDoor } from '#server/door.ts'
import * as fileMarks from '#server/file-marks.ts'
import { finishRequests } from '#server/finish-requests.ts'
import { type Log, createLog } from '#server/log.ts'
import { outboxMailer, smtpMailer } from '#server/mail.ts'
import { startingHealth } from '#server/health.ts'
import { type Metrics, openMetrics } from '#server/metrics.ts'
import { DatabaseIsNewer, migrate } from '#server/migrate.ts'
import { PostgresRefused, startPostgres } from '#server/postgres.ts'
import { hasRoom } from '#server/own-disk.ts'
import { keepPrivate } from '#server/private-folder.ts'
import { openQueue } from '#server/queue.ts'
import { KeyMissing } from '#server/secret-key.ts'
import { originsOf } from '#server/security.ts'
import { loadSettingsFile } from '#server/settings-file.ts'
import { type Storage, diskStorage, forgetLeft } from '#server/storage.ts'
import { keepThread, openThreads } from '#server/threads.ts'
import { BRAND } from '#shared/business.ts'
import { systemClock } from '#shared/clock.ts'

import { buildApp, healthFor, outboxDir, type Parts, tasksOfRequests, workRootOf } from './app.ts'
import { queues, retired, startWorker, tasksOfJobs } from './worker.ts'

/** How long jobs may take to end when the server stops, and how long all of it may take. */
const FINISH_MS = 4_000
const STOP_MS = 9_500
/** How long requests are taken on, so that a proxy in front notices that the server stops. */
const PROXY_NOTICES_MS = 2_000

const unsandboxed = (systemCalls: 'filtered' | 'unfiltered') =>
  'This system does not let the server use namespaces. Recordings are decoded without a sandbox, ' +
  `within reach of its files${systemCalls === 'filtered' ? '' : ' and the network'}. ` +
  'Allow user namespaces, or take uploads only from people you trust.'

/** How often a bucket that is away is asked for, and how often that is said. */
const BUCKET_CHECK_MS = 2000
const BUCKET_SAID_EACH = 15

/** A model that takes longer than this to be tried is waited for, and that is said. */
const QUICK_MS = 3000

const log = createLog()

/** A reason not to start that the operator can act on. */
class CannotStart extends Error {}

type Stop = () => unknown

async function start(config: Config, log: Log, onStop: (stop: Stop) => void): Promise<void> {
  const { role, web, mail, dataDir } = config
  const readable = await keepPrivate(dataDir)
  await mkdir(workRootOf(config), { recursive: true })
  const { opsPort, metricsToken: token } = config
  const starting = startingHealth()
  let metrics: Metrics | null = null
  // Before all that can take long: whoever watches would else take it for dead, and end it again and again.
  const door = opsPort === null ? null : buildDoor(starting, { metrics: () => metrics, token })
  if (door && opsPort !== null) {
    onStop(() => door.close())
    const at = { host: web.host, port: opsPort }
    await door.listen(at).catch(cannotListen({ ...at, name: 'OPS_PORT' }))
  }
  // Tried out while the database starts.
  const confined = Promise.all([confinement(), filtering()])
  const trying = new AbortController()
  onStop(() => trying.abort(new Error('the server stops')))
  const finding = findEngine(config, trying.signal, { isWaitedFor: true })
  finding.catch(() => undefined)
  const embedded = config.databaseUrl === null ? await startPostgres({ dataDir, log }) : null
  if (embedded) onStop(() => embedded.stop())
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? ''
  const { databaseDirectUrl: directUrl } = config
  let clock = systemClock
  // They load while the database is made ready.
  const threads =
    role === 'worker'
      ? null
      : openThreads({
          databaseUrl,
          clock: () => clock(),
          modules: tasksOfRequests,
          // Beside the thread that is kept for jobs.
          warm: role === 'all' ? 1 : 2,
        })
  onStop(() => threads?.close())
  let kept: ReturnType<typeof keepThread> | undefined
  onStop(() => kept?.close())
  const address = { connectionString: databaseUrl, max: config.pools.database }
  const opening = openDatabase(address, { log, directUrl })
  const database = await opening.catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CannotStart(`The database could not be opened: ${reason}`, { cause: error })
  })
  onStop(() => database.close())
  await migrate(database, { log })
  const dating = await databaseClock({ db: database.db, own: systemClock, log })
  onStop(() => dating.stop())
  clock = dating.clock
  const { engine: found, broken } = await finding
  const engine = engineInUse(found)
  onStop(() => engine.now()?.close?.())

  const mailing = { log, replyTo: mail.supportEmail }
  const mailer = mail.smtpUrl
    ? smtpMailer(mail.smtpUrl, mail.from, mailing)
    : outboxMailer(outboxDir(config), mail.from, mailing)
  onStop(() => mailer.close())
  void mailer.check()
  const [decoder, systemCalls] = await confined
  const isWatched = opsPort !== null || token !== null
  const creditsMoved = tally(database.db)
  const bytes = storedBytesLately({ db: database.db, clock })
  const now = async () => ({
    ...(await standing(database.db)),
    recordingBytes: await bytes(),
    unmatchedPayments: await countUnmatched(database.db, clock()),
  })
  metrics = isWatched
    ? await openMetrics({
        role,
        database,
        decoder,
        creditsMoved,
        standing: now,
        queues: queues.map(({ name }) => name),
        lastBackupAt: async () => (embedded ? lastBackupAt(dataDir) : null),
      })
    : null
  const watch = metrics?.watch
  const queue = await openQueue(database, {
    log,
    queues,
    retired,
    isOnlyServer: embedded !== null,
    connections: config.pools.queue,
    watch,
    hasRoom: () => hasRoom(workRootOf(config)),
  })
  const stopQueue = () => queue.stop({ timeoutMs: FINISH_MS, drainMs: config.drainMs })
  onStop(stopQueue)

  const engines: Parts['engines'] =
    role === 'web'
      ? { speech: 'workers', writing: 'workers', decoder, systemCalls }
      : {
          ...namesOf(found, broken),
          writing: chooseWriter(config.writing, log).name,
          decoder,
          systemCalls,
        }
  const opened =
    config.bucket === null
      ? diskStorage(`${dataDir}/files`)
      : await openBucket(config.bucket, {
          scratchDir: `${dataDir}/scratch`,
          web,
          log,
          onWait: (isAway) => starting.waitsFor(isAway ? 'storage_unavailable' : null),
        })
  const storage = fileMarks.keepingUnknown(database.db, opened)
  const joined = await fileMarks.join(database.db, storage, { hasRecordings })
  if (joined.kind !== 'joined')
    throw new CannotStart(
      wrongFiles(joined, config.bucket ? `the bucket ${config.bucket.name}` : `${dataDir}/files`),
    )
  const health = healthFor({ config, database, storage, clock, engines, mailer })
  const clocks = deletionClock.watch({ db: database.db, clock, log })
  onStop(() => clocks.stop())
  await clocks.look()
  const parts = {
    config,
    database,
    queue,
    storage,
    clock,
    log,
    engines,
    health,
    mailer,
    metrics,
  }
  if (role !== 'web') {
    const worker = await startWorker({ ...parts, mailer, engine })
    // The second port goes on answering while jobs end.
    onStop(stopQueue)
    onStop(() => worker.stop())
  }
  if (role === 'worker') {
    const saying = sayEngines({ db: database.db, log, engines })
    onStop(() => saying.stop())
  }
  if (threads) {
    await threads.ready()
    const app = await buildApp({ ...parts, threads })
    // Jobs are given back at once, not when the last request has ended.
    const graceMs = web.trustProxy ? PROXY_NOTICES_MS : 0
    onStop(() => Promise.all([finishRequests(app, { graceMs }), stopQueue()]))
    const { host, port } = web
    await app.listen({ host, port }).catch(cannotListen({ host, port, name: 'PORT' }))
  }

  if (role !== 'web') {
    kept = keepThread({ databaseUrl, modules: tasksOfJobs })
    // With pages the server is ready without it: no job is done before it has loaded.
    if (role === 'worker') await kept.ready()
  }

  // Not before: a balancer that finds this process ready would send it work.
  starting.use(health)
  onStop(() => health.leave())

  const model = found?.model ? ` (${found.model})` : ''
  const works = `Speech: ${engines.speech}${model}. Summaries: ${engines.writing}.`
  if (role !== 'worker') say(`${BRAND} is ready: ${web.publicUrl.origin}`)
  if (role === 'worker') say(`${BRAND} works on jobs.`)
  say(`Data: ${dataDir}. ${role === 'web' ? 'Jobs are left to the workers.' : works}`)
  if (decoder === 'unsandboxed') warn(unsandboxed(systemCalls))
  for (const { id, reason, isUntried } of broken)
    if (isUntried)
      say(`The speech model ${id} takes no jobs yet, and is tried again in a minute. ${reason}`)
    else warn(`The speech model ${id} cannot be used and takes no jobs: ${reason}`)
  for (const folder of readable)
    warn(
      `${folder} can be read by other users of this machine, and belongs to one of them. Close it: chmod 700 ${folder}`,
    )
  for (const { text } of config.notices) warn(text)
  const isUntried = broken.some((model) => model.isUntried)
  if (isUntried || wantsModel(config, engine) || wantsVoices(config, engine))
    onStop(fetchModels({ config, log, engines, engine, broken }))
}

function wrongFiles({ kind, installationId }: fileMarks.Apart, folder: string): string {
  return kind === 'foreign'
    ? `The recordings in ${folder} belong to another database than the one in DATABASE_URL. Check both settings: nothing was changed.`
    : `The recordings of this database lie somewhere else than in ${folder}: that folder is not marked as theirs. ` +
        'All processes need the same files: set DATA_DIR to the shared folder, or restore the folder from a backup. ' +
        `If the recordings are lost, this lets the server go on without them: echo ${installationId} > ${folder}/.installation`
}

/** The server is of use without an engine: accounts, results and everything that was made before. */
async function findEngine(
  { role, speech, dataDir }: Config,
  signal: AbortSignal,
  { isWaitedFor = false } = {},
): Promise<{ engine: Engine | null; broken: readonly BrokenModel[] }> {
  const broken: BrokenModel[] = []
  let slow: NodeJS.Timeout | undefined
  const onTrying = (id: string) => {
    clearTimeout(slow)
    slow = setTimeout(
      () => say(`Trying the speech model ${id} before it may take jobs …`),
      QUICK_MS,
    )
  }
  try {
    if (role === 'web') await needDecoder()
    else {
      const onBroken = (model: BrokenModel) => void broken.push(model)
      const modelsDir = placesOf(dataDir)
      return {
        engine: await chooseEngine({
          ...speech,
          modelsDir,
          onTrying,
          onBroken,
          isWaitedFor,
          signal,
        }),
        broken,
      }
    }
  } catch (error) {
    if (error instanceof EngineUnavailable) throw new CannotStart(error.message, { cause: error })
    if (!(error instanceof MissingProgram)) throw error
    const what = role === 'web' ? 'no recording can be taken' : 'nothing can be transcribed'
    say(`${error.message} Until then, ${what}.`)
  } finally {
    clearTimeout(slow)
  }
  return { engine: null, broken }
}

function namesOf(engine: Engine | null, broken: readonly BrokenModel[]) {
  const brokenModels = broken.length > 0 ? { brokenModels: broken.map(({ id }) => id) } : {}
  if (!engine) return { speech: 'none', ...brokenModels }
  const { name, model, capabilities, diarizer } = engine
  const wordsPerError = wordsPerErrorOf(model ?? name)
  return {
    speech: name,
    ...(model === undefined ? {} : { speechModel: model }),
    ...(wordsPerError === null ? {} : { wordsPerError }),
    ...(diarizer ? { speakers: diarizer.name } : {}),
    ...brokenModels,
    capabilities,
  }
}

/**
 * Where there is nothing better than the models that came with the program, and no setting names
 * another.
 */
function wantsModel({ role, speech }: Config, engine: EngineInUse): boolean {
  const firstTitle = catalogue.find(({ id }) => id === FIRST_MODEL)?.title
  const isPoor = isSimple(engine) || engine.now()?.model === firstTitle
  return mayFetch({ role, speech }) && isPoor
}

/** There are only the models of the distribution, or none: the set-up reached neither source. */
const isSimple = (engine: EngineInUse): boolean =>
  [undefined, 'pocketsphinx'].includes(engine.now()?.name)

/** Where voices are told apart without models. */
const wantsVoices = (config: Config, engine: EngineInUse): boolean =>
  mayFetch(config) && !engine.now()?.diarizer

function mayFetch({ role, speech }: Pick<Config, 'role' | 'speech'>): boolean {
  const { transcriber, openai, fetchesModel } = speech
  const isOpen = transcriber === 'auto' && openai.apiKey === null && openai.baseUrl === null
  return role !== 'web' && fetchesModel && isOpen
}

/** While the server works. The next job is done with the model, and the one before is not touched. */
function fetchModels({
  config,
  log,
  engines,
  engine,
  broken,
}: {
  config: Config
  log: Log
  engines: Parts['engines']
  engine: EngineInUse
  broken: readonly BrokenModel[]
}): Stop {
  const { speech, dataDir } = config
  const stop = new AbortController()
  const { signal } = stop
  const onOutlook = (outlook: Outlook) =>
    Object.assign(engines, {
      fetching:
        outlook.kind === 'fetching'
          ? { model: outlook.title, percent: outlook.percent }
          : undefined,
      notFetched: outlook.kind === 'none' ? outlook.reason : undefined,
    })
  const how = {
    modelsDir: placesOf(dataDir)[0],
    env: process.env,
    baseUrl: speech.modelsUrl ?? PUBLISHER,
    catalogue: (aborted: AbortSignal) => catalogueAt(speech.modelsUrl, aborted),
    needPrograms,
    signal,
    unpack,
    say,
  }
  const exchange = (better: Engine, ids: readonly string[]) => {
    engine.replace(better)
    const none = {
      fetching: undefined,
      notFetched: undefined,
      brokenModels: undefined,
      wordsPerError: undefined,
    }
    // A folder that lacked a file has given way to it.
    broken = broken.filter(({ id }) => !ids.includes(id))
    Object.assign(engines, none, namesOf(better, broken))
  }
  const voices = async () => {
    // Nobody looks for these, so pages do not speak of them before they are there.
    const silent = { onOutlook: () => undefined, attempt: attemptVoices }
    const pair = await fetchBetter({ ...how, ...silent, wanted: voicePair })
    const now = engine.now()
    if (!pair || !now) return
    exchange(withVoiceModels(now, pair), [pair.segmentation.id, pair.embedding.id])
    say('They work, and the voices of the next recording are told apart with them.')
  }
  const fetching = async () => {
    // Without a decoder no model is of use, and the start has said so.
    if (await needDecoder().catch(() => true)) return
    const first = { engine: engine.now(), broken }
    const onFound = (found: typeof first) => {
      if (!found.engine) return
      broken = found.broken
      exchange(found.engine, [])
      say(`The next recording is transcribed with ${found.engine.model ?? found.engine.name}.`)
    }
    // Before others are fetched in their place.
    await lookAgain(first, () => findEngine(config, signal), onFound, { signal })
    const recogniser = async (wanted: Wanted<Recogniser>) => {
      const model = await fetchBetter({ ...how, wanted, attempt, onOutlook })
      if (!model) return
      exchange(withModel(engine.now(), model), [model.id])
      say(`${model.title} works, and the next recording is transcribed with it.`)
    }
    // The small ones first: for the large one there may be no room, which is waited for.
    if (mayFetch(config) && isSimple(engine)) await recogniser(firstRecogniser)
    if (wantsVoices(config, engine)) await voices()
    if (wantsModel(config, engine)) await recogniser(betterRecogniser(thisMachine()))
  }
  const ended = fetching().catch((error: unknown) => {
    if (!signal.aborted) log.error({ err: error }, 'no model could be fetched')
  })
  return () => {
    stop.abort(new Error('the server stops'))
    return ended
  }
}

async function needPrograms(): Promise<void> {
  if (!hasAddon())
    throw new Error(
      'Models need the package sherpa-onnx-node, which is not installed or has no build for this system.',
    )
  await needUnpacker()
}

function cannotListen({ host, port, name }: { host: string; port: number; name: string }) {
  return (error: NodeJS.ErrnoException): never => {
    if (error.code === 'EADDRINUSE')
      throw new CannotStart(
        `Port ${port} is in use by another program. Stop that program, or choose another port: ${name}=${port + 1} npm start`,
        { cause: error },
      )
    if (error.code === 'EACCES')
      throw new CannotStart(`Port ${port} may not be used by this user. Choose one above 1023.`, {
        cause: error,
      })
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
      throw new CannotStart(`HOST=${host} is not an address of this machine.`, { cause: error })
    throw error
  }
}

const unwritable: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
}

function cannotWrite({ dataDir }: Config) {
  return (error: NodeJS.ErrnoException): never => {
    const { code = '', path = '' } = error
    const isAbove = path !== '' && dataDir.startsWith(path)
    // Node says so of a folder that it may not make, where the one above it may not be written to.
    const reason =
      unwritable[code] ?? (isAbove && code === 'ENOENT' ? 'it cannot be made there' : undefined)
    if (reason !== undefined && (isAbove || path.startsWith(dataDir)))
      throw new CannotStart(
        `${path} cannot be written to: ${reason}. Everything the server keeps lies in DATA_DIR (${dataDir}): make it writable, or choose another folder.`,
        { cause: error },
      )
    throw error
  }
}

/**
 * Waits for a bucket that cannot be reached: everything may be starting at once.
 *
 * @throws CannotStart when the bucket is not there, or does not let us in
 */
async function openBucket(
  bucket: NonNullable<Config['bucket']>,
  {
    web,
    log,
    onWait,
    ...options
  }: { scratchDir: string; web: Config['web']; log: Log; onWait: (isAway: boolean) => void },
): Promise<Storage> {
  // Loaded where it is used: it is larger than all the rest of the server.
  const { s3Storage } = await import('#server/s3.ts')
  await forgetLeft(options.scratchDir)
  const storage = s3Storage(bucket, options)
  for (let tries = 0; !(await isReached(storage, bucket)); tries += 1) {
    onWait(true)
    if (tries % BUCKET_SAID_EACH === 0)
      log.warn(
        { event: 'bucket_away', bucket: bucket.name },
        'waiting for the bucket of STORAGE_URL, which cannot be reached',
      )
    await sleep(BUCKET_CHECK_MS)
  }
  onWait(false)
  if (!(await storage.letIn(originsOf(web))))
    log.warn(
      'The bucket does not say whether pages of PUBLIC_URL may put files into it. Allow that by a CORS rule, see docs/operating.md.',
    )
  return storage
}

/** False while it cannot be reached. @throws CannotStart for a bucket that answers, and is of no use */
async function isReached(
  storage: Pick<Storage, 'mark'>,
  bucket: NonNullable<Config['bucket']>,
): Promise<boolean> {
  try {
    await storage.mark()
    return true
  } catch (error) {
    if (isStorageAway(error)) return false
    const reason = error instanceof Error ? (error.cause ?? error) : error
    throw new CannotStart(
      `The bucket ${bucket.name} of STORAGE_URL cannot be used: ${String(reason)}. It must exist, and the keys must allow to list, read, write and delete in it.`,
      { cause: error },
    )
  }
}

/** A sentence at a terminal; one more line of JSON in a log that a program reads. */
const say = (words: string): void => tell('info', words)
const warn = (words: string): void => tell('warn', words)

function tell(level: 'info' | 'warn', words: string): void {
  if (!process.stdout.isTTY) log[level](words)
  else if (log.isLevelEnabled(level))
    process.stdout.write(`${level === 'warn' ? 'Warning: ' : ''}${words}\n`)
}

/** The reason why the server ends, for its operator. */
function sayLast(words: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${words}\n`)
  else log.fatal(words)
}

async function main(): Promise<void> {
  const stops: Stop[] = []
  let stopping: Promise<void> | undefined
  let drainMs = 0

  // Last come, first gone: requests end before the queue does, and the database goes last.
  const stop = (): Promise<void> =>
    (stopping ??= (async () => {
      for (const each of stops.reverse()) {
        try {
          await each()
        } catch (error) {
          log.error({ err: error }, 'a part did not stop cleanly')
        }
      }
    })())

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      // A second signal: the operator does not want to wait.
      if (stopping) process.exit(1)
      log.info({ signal }, 'stopping')
      setTimeout(() => {
        log.error('something did not stop in time and is left behind')
        process.exit(1)
      }, STOP_MS + drainMs).unref()
      void stop().then(() => process.exit(0))
    })
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => log.error({ err: error }, 'uncaught exception'))

  try {
    loadSettingsFile()
    const config = readConfig(process.env)
    log.level = config.logLevel
    drainMs = config.drainMs
    await start(config, log, (each) => stops.push(each)).catch(cannotWrite(config))
  } catch (error) {
    const isForOperator =
      error instanceof ConfigError ||
      error instanceof CannotStart ||
      error instanceof DatabaseIsNewer ||
      error instanceof KeyMissing ||
      error instanceof PostgresRefused
    if (isForOperator) sayLast(error.message)
    else log.fatal({ err: error }, 'the server could not start')
    await stop()
    process.exit(1)
  }
}

await main()
