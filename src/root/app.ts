/**
 * The HTTP side: one server that answers the calls of every room and hands out the browser side. Rules
 * for all requests stand here; the work of a call is in its room.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'

import cookie from '@fastify/cookie'
import files from '@fastify/static'
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { serializerCompiler, type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'

import { limitCallsAtOnce } from '#features/account/calls-at-once.ts'
import { issuersOf } from '#features/account/openid.ts'
import { operatorsOf } from '#features/account/operators.ts'
import { accountRoutes } from '#features/account/routes.ts'
import { addSessions, isForOperator } from '#features/account/session-hook.ts'
import { cookieFor } from '#features/account/sessions.ts'
import { accountExporter } from '#features/account/your-data.ts'
import { actionRoutes } from '#features/action-items/routes.ts'
import { againRoutes } from '#features/again/routes.ts'
import { askingRoutes } from '#features/asking/routes.ts'
import { eraseQuestions, questionsExporter } from '#features/asking/your-data.ts'
import { choosePayments } from '#features/billing/payments.ts'
import { billingRoutes } from '#features/billing/routes.ts'
import type { Deps as BillingDeps } from '#features/billing/state.ts'
import { billingExporter, eraseBilling } from '#features/billing/your-data.ts'
import { chapterRoutes } from '#features/chapters/routes.ts'
import { renderRoutes } from '#features/cuts/render-routes.ts'
import * as renders from '#features/cuts/renders.ts'
import { cutRoutes } from '#features/cuts/routes.ts'
import { oneAtATime } from '#features/cuts/veiled-sound.ts'
import { cutsExporter } from '#features/cuts/your-data.ts'
import { addCallRules } from '#features/developers/call-hook.ts'
import { addIdempotency } from '#features/developers/idempotency-hook.ts'
import * as keys from '#features/developers/keys.ts'
import { answerAsOpenAi } from '#features/developers/openai-routes.ts'
import { addOpenApi } from '#features/developers/openapi.ts'
import { developerRoutes } from '#features/developers/routes.ts'
import { announceTo, pauseAll } from '#features/developers/webhooks.ts'
import { developersExporter, eraseDevelopers } from '#features/developers/your-data.ts'
import { eraseDocuments, exportDocuments } from '#features/documents/documents.ts'
import { googleDocsAt } from '#features/documents/google-docs.ts'
import { documentRoutes } from '#features/documents/routes.ts'
import { templatesExporter } from '#features/documents/templates.ts'
import { exportTranscripts } from '#features/exports/export-for.ts'
import { task } from '#features/exports/in-thread.ts'
import { exportRoutes } from '#features/exports/routes.ts'
import { task as hidingTask } from '#features/hiding/in-thread.ts'
import { hidingRoutes } from '#features/hiding/routes.ts'
import { hidingsExporter } from '#features/hiding/your-data.ts'
import { libraryRoutes } from '#features/library/routes.ts'
import { tagsExporter } from '#features/library/your-data.ts'
import { explain, takeBackUnused } from '#features/operators/operators.ts'
import { operatorRoutes } from '#features/operators/routes.ts'
import { eraseReasons, operatorsExporter } from '#features/operators/your-data.ts'
import type { Capabilities } from '#features/recordings/contract.ts'
import type { EngineNames } from '#features/recordings/engines.ts'
import { exportRecordings } from '#features/recordings/export-for.ts'
import { recordingRoutes } from '#features/recordings/routes.ts'
import { eraseUploads } from '#features/recordings/uploads-in-parts.ts'
import { hasSpace } from '#features/recordings/uploads.ts'
import { capabilitiesNow, type EnginesNow, enginesNow } from '#features/recordings/workers.ts'
import { sharePageRoutes } from '#features/sharing/page-routes.ts'
import { shareRoutes } from '#features/sharing/routes.ts'
import { sharedAmong } from '#features/sharing/shared-among.ts'
import { eraseShares, sharesExporter } from '#features/sharing/your-data.ts'
import { contactExporter, eraseMessages } from '#features/site/contact.ts'
import { contactRoutes } from '#features/site/routes.ts'
import { type UserThreads, threadsForUsers } from '#features/text/user-threads.ts'
import { editorRoutes } from '#features/text/routes.ts'
import { directly } from '#features/transcriptions/direct.ts'
import { eraseTranscriptions } from '#features/transcriptions/erase.ts'
import { transcriptionRoutes } from '#features/transcriptions/routes.ts'
import { recordings } from '#features/transcriptions/said.ts'
import { said as saidInSample } from '#features/transcriptions/sample.ts'
import { titles } from '#features/transcriptions/titles.ts'
import { translationRoutes } from '#features/translations/routes.ts'
import { eraseTranslations } from '#features/translations/translations.ts'
import { vocabularyRoutes } from '#features/vocabulary/routes.ts'
import { eraseVocabulary, vocabularyExporter } from '#features/vocabulary/your-data.ts'
import { type Writer, chooseWriter } from '#features/writing/writing.ts'
import type { Config } from '#server/config.ts'
import { findAsset, keepAssets } from '#server/assets.ts'
import type { Database } from '#server/db.ts'
import { addDevMail, isFromHere } from '#server/dev-mail.ts'
import { addPlainPages } from '#server/plain-page.ts'
import { answerError, checkRequest } from '#server/errors.ts'
import { watchMethods } from '#server/declared-routes.ts'
import { tellAll } from '#server/events.ts'
import { whyNotAbreast } from '#server/file-marks.ts'
import { addHealth, type Health, healthOf } from '#server/health.ts'
import type { Log } from '#server/log.ts'
import { forgetMailsTo, type Mailer } from '#server/mail.ts'
import { addMetrics, type Metrics } from '#server/metrics.ts'
import { networkOf } from '#server/network.ts'
import { hasRoom } from '#server/own-disk.ts'
import { type Template, readSite } from '#server/pages.ts'
import type { Erase, Exporter } from '#server/personal-data.ts'
import type { Queue } from '#server/queue.ts'
import { secretKeyOf } from '#server/secret-key.ts'
import { addSecurity, isSameOrigin, setHeaders } from '#server/security.ts'
import { addPages } from '#server/static.ts'
import { refuseUnstorable } from '#server/storable.ts'
import type { Storage } from '#server/storage.ts'
import type { Threads } from '#server/threads.ts'
import { traceRequests } from '#server/traces.ts'
import { semaphore } from '#server/semaphore.ts'
import { limitSmallBodies } from '#server/small-bodies.ts'
import type { Clock } from '#shared/clock.ts'

/** The parts of the server. `main.ts` puts them together, and so does a test. */
export interface Parts {
  config: Config
  database: Database
  queue: Queue
  storage: Storage
  clock: Clock
  log: Log
  /** The engines that work on recordings now: they change when a better model comes into use. */
  engines: EngineNames & {
    decoder: 'sandboxed' | 'unsandboxed'
    /** Whether the kernel refuses the decoder all calls that it never needs. */
    systemCalls?: 'filtered' | 'unfiltered'
  }
  /** Where work goes that would hold up the event loop. */
  threads: Threads
  /** Whether this process is well. Default: found out from these parts. */
  health?: Health
  /** Sends the test mail of an operator; without it they cannot try mail. */
  mailer?: Pick<Mailer, 'send' | 'failure'>
  /** Counts what this process does; without it nobody asks. */
  metrics?: Metrics | null
  /** The model that answers questions. Default: chosen by the settings. */
  writer?: Writer
  /** Where the built browser side lies. */
  clientDir?: string
}

/** The tasks that requests give to threads. Threads have loaded them before the server is ready. */
export const tasksOfRequests = [
  '#features/again/tasks.ts',
  '#features/asking/tasks.ts',
  '#features/chapters/tasks.ts',
  '#features/developers/openai-task.ts',
  '#features/exports/tasks.ts',
  '#features/hiding/tasks.ts',
  '#features/library/tasks.ts',
  '#features/sharing/tasks.ts',
  '#features/text/tasks.ts',
  '#features/transcriptions/tasks.ts',
  '#features/translations/tasks.ts',
].map((path) => import.meta.resolve(path))

const CLIENT_DIR = fileURLToPath(new URL('../../build/client', import.meta.url))
const OUTBOX = 'outbox'
const JSON_BYTES = 256 * 1024
/** How long a client may send nothing in the middle of a body before it counts as gone. */
const STALLED_MS = 60_000
const DAY_MS = 86_400_000

export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const { config, database, log } = parts
  const { publicUrl, trustProxy } = config.web
  const health = parts.health ?? healthFor(parts)

  const app = Fastify({
    genReqId: () => randomUUID(),
    bodyLimit: JSON_BYTES,
    trustProxy: trustProxy ?? false,
    // An upload may take as long as it needs while it moves; see limitStalls.
    requestTimeout: 0,
    // At the start the built files are kept in the database. On a busy machine that takes longer than the
    // ten seconds after which the start would be given up.
    pluginTimeout: 0,
    // What arrives while the server stops is answered like everything else.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      setHeaders(config.web, request, reply)
      answerError(log, error, request, reply)
    },
  })
  app.setValidatorCompiler(checkRequest)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler((error, request, reply) => answerError(log, error, request, reply))

  const methodsOf = watchMethods(app)
  traceRequests(app)
  limitStalls(app)
  limitSmallBodies(app)
  logAnswers(app, parts)
  // A proxy that keeps connections must not send the next request over one that closes.
  app.addHook('onRequest', async (_request, reply) => {
    if (health.isLeaving()) void reply.header('Connection', 'close')
  })
  await app.register(cookie)
  await app.register(files, {
    root: parts.clientDir ?? CLIENT_DIR,
    serve: false,
    // The build leaves .br and .gz beside each file that gains by it.
    preCompressed: true,
    // The ETag says as much.
    lastModified: false,
  })
  addSecurity(app, config.web)
  const visitors = {
    db: database.db,
    clock: parts.clock,
    publicUrl,
    isLocal: config.web.isLocal,
    perHour: config.perHour,
    authenticate: (token: string) => keys.find({ db: database.db, clock: parts.clock }, token),
    operators: operatorsOf(config.adminEmails),
  }
  addSessions(app, visitors)
  answerAsOpenAi(app)
  limitCallsAtOnce(app)
  addCallRules(app, { db: database.db, clock: parts.clock })
  refuseUnstorable(app)
  addIdempotency(app, { db: database.db, log })
  await addOpenApi(app, { origin: publicUrl.origin })

  const site = await readSite(parts.clientDir ?? CLIENT_DIR, {
    ...config.web,
    supportEmail: config.mail.supportEmail,
    mediaOrigin: await mediaOriginOf(parts.storage),
  })
  if (site) shareAssets(app, { db: database.db, log, clientDir: parts.clientDir ?? CLIENT_DIR })
  const isSecure = publicUrl.protocol === 'https:' || config.web.isLocal
  const capabilities = capabilitiesNow(
    { db: database.db, engines: parts.engines },
    { google: config.google !== null, isSecure },
  )
  addPlainPages(app, site?.templates.get('plain'))
  await app.register(roomRoutes, {
    ...parts,
    health,
    capabilities,
    templates: site?.templates ?? new Map(),
  })
  addHealth(app, health)
  const { metricsToken: token } = config
  const { metrics = null } = parts
  if (metrics && token !== null) addMetrics(app, { metrics: () => metrics, health, token })
  if (showsOutbox(config)) addDevMail(app, { outboxDir: outboxDir(config) })
  addPages(app, {
    site,
    findAsset: (name, encodings) => findAsset(database.db, name, encodings),
    methodsOf,
    origin: config.web,
    capabilities,
    isSignedIn: (request) => request.user !== null,
    isForOperator: (request, reply) => isForOperator(visitors, request, reply),
    mayBeSignedIn: (request) => request.cookies[cookieFor(publicUrl).name] !== undefined,
  })
  return app
}

/** Where work in progress lies, of each process its own. */
export const workRootOf = ({ dataDir }: Config): string => `${dataDir}/work`

export function outboxDir({ dataDir }: Config): string {
  return `${dataDir}/${OUTBOX}`
}

/** Other web processes find the files of this build before anybody is given one of its pages. */
function shareAssets(
  app: FastifyInstance,
  { db, log, clientDir }: { db: Database['db']; log: Parts['log']; clientDir: string },
): void {
  // Where they cannot be kept, as in a database that is full, this process still has its own.
  const keep = () =>
    keepAssets(db, clientDir).catch((error: unknown) =>
      log.error({ err: error }, 'built files were not kept'),
    )
  app.addHook('onReady', keep)
  const again = setInterval(keep, DAY_MS).unref()
  app.addHook('onClose', async () => clearInterval(again))
}

/** The calls of every room. */
const roomRoutes: FastifyPluginAsyncZod<
  Parts & {
    health: Health
    capabilities: () => Promise<Capabilities>
    templates: ReadonlyMap<string, Template>
  }
> = async (app, { config, database, ...parts }) => {
  const userThreads = threadsForUsers(parts)
  const deps = {
    ...parts,
    db: database.db,
    onEvent: tellAll(takeBackUnused, announceTo(parts)),
    operators: operatorsOf(config.adminEmails),
    signUp: config.signUp,
    userThreads,
    perHour: config.perHour,
  }
  const { publicUrl, isLocal } = config.web
  const payments = choosePayments(config.payments, { ...deps, publicUrl })
  const billing = {
    ...deps,
    publicUrl,
    payments,
    provider: payments.provider,
    places: semaphore(4),
    seller: config.payments.seller,
  }
  await app.register(accountRoutes, {
    ...deps,
    publicUrl,
    isLocal,
    issuers: issuersOf(config, publicUrl),
    exporters: exporters(deps),
    erasers: erasers(deps, billing),
    revoke: async (tx, owner) => {
      await keys.revokeAll(tx, owner)
      await pauseAll(tx, parts.queue, owner)
    },
    forgetMailsTo: (email) => forgetMailsTo(outboxDir(config), email),
    isSameOrigin: (request) => isSameOrigin(config.web, request),
    devMailFor: (request) => (showsOutbox(config) && isFromHere(request) ? '/dev/mail' : null),
  })
  await app.register(billingRoutes, { ...billing, describe: titles, explain })
  await app.register(vocabularyRoutes, deps)
  const { writer = chooseWriter(config.writing, parts.log) } = parts
  await app.register(documentRoutes, {
    ...deps,
    publicUrl,
    recordings: recordings(deps.db),
    googleDocs: config.google && googleDocsAt(config.google, publicUrl),
    writer,
    sample: saidInSample,
    draw: ({ userId, format, paper }, signal) => {
      const request = { format, paper: { ...paper, sections: [], turns: [] } }
      return userThreads.export(task('draw'), request, { userId, signal })
    },
  })
  await app.register(recordingRoutes, deps)
  await app.register(actionRoutes, deps)
  await app.register(transcriptionRoutes, deps)
  await app.register(againRoutes, deps)
  await app.register(libraryRoutes, {
    ...deps,
    sharedAmong: (asked) => sharedAmong(deps, asked),
  })
  await app.register(translationRoutes, deps)
  await app.register(editorRoutes, deps)
  await app.register(askingRoutes, { ...deps, writer, asksPerDay: config.asksPerDay })
  const workRoot = workRootOf(config)
  const cover = oneAtATime((owned) => userThreads.answer(hidingTask('cover'), owned))
  await app.register(exportRoutes, { ...deps, workRoot, cover })
  await app.register(chapterRoutes, deps)
  await app.register(cutRoutes, deps)
  const rendering = { ...deps, cover, renderMinutesPerDay: config.renderMinutesPerDay }
  await app.register(renderRoutes, rendering)
  await app.register(hidingRoutes, {
    ...deps,
    forgetMailsTo: (email) => forgetMailsTo(outboxDir(config), email),
  })
  const links = {
    ...deps,
    cover,
    publicUrl,
    secretKey: await secretKeyOf(deps, config),
    order: (asked: Parameters<typeof renders.order>[1]) => renders.order(rendering, asked),
  }
  await app.register(shareRoutes, links)
  await app.register(sharePageRoutes, { ...links, workRoot })
  await app.register(developerRoutes, {
    ...deps,
    recordings: directly(deps),
    webhookAllow: config.webhookAllow,
  })
  await app.register(contactRoutes, { ...deps, isLocal })
  await app.register(operatorRoutes, {
    ...deps,
    mail: config.mail,
    writing: config.writing,
    settings: config.shown,
    notices: config.notices,
    dataDir: config.dataDir,
  })
}

interface Kept extends Pick<Parts, 'storage'> {
  db: Database['db']
  userThreads: UserThreads
}

/** The export of every room, for an owner who takes everything along. */
const exporters = (deps: Kept): readonly Exporter[] => [
  accountExporter(deps.db),
  exportTranscripts(deps),
  exportRecordings(deps),
  tagsExporter(deps.db),
  cutsExporter(deps.db),
  questionsExporter(deps.db),
  exportDocuments(deps.db),
  templatesExporter(deps.db),
  sharesExporter(deps.db),
  billingExporter(deps.db),
  vocabularyExporter(deps.db),
  contactExporter(deps.db),
  developersExporter(deps.db),
  hidingsExporter(deps.db),
  operatorsExporter(deps.db),
]

/** The deletion in every room when an account ends: first the rooms that depend on others. */
const erasers = (deps: Kept, plans: BillingDeps): readonly Erase[] => [
  eraseReasons,
  eraseDevelopers,
  eraseMessages,
  eraseShares,
  eraseQuestions,
  eraseDocuments,
  eraseTranslations,
  eraseUploads(deps),
  eraseTranscriptions(deps),
  eraseVocabulary,
  eraseBilling(plans),
]

/** Whether a process made of these is well. */
export function healthFor({
  config,
  database,
  storage,
  clock,
  engines,
  mailer,
}: Pick<Parts, 'config' | 'database' | 'storage' | 'clock' | 'engines'> & {
  mailer?: Pick<Mailer, 'failure'>
}): Health {
  return healthOf({
    database,
    storage,
    clock,
    async facts() {
      const recordings = await whyNotAbreast(database.db, storage).catch(() => null)
      const now: EnginesNow = await enginesNow({ db: database.db, engines }).catch(() => engines)
      const workers = now.workers?.map(namesAlone)
      // The log of the worker says what to do.
      return { ...namesAlone(now), workers, ...(recordings === null ? {} : { recordings }) }
    },
    hasSpace,
    hasRoom: () => hasRoom(workRootOf(config)),
    isMailWorking: () => !mailer?.failure(),
  })
}

function namesAlone(engines: EngineNames): EngineNames {
  const { capabilities: _, ...names } = engines
  return names
}

/** Where browsers play recordings from, when not from here. */
async function mediaOriginOf(storage: Storage): Promise<string | null> {
  const address = await storage.address(randomUUID(), { type: 'audio/mpeg', disposition: 'inline' })
  return address && new URL(address).origin
}

/** Mails that were not sent can hold sign-in links: shown on the machine itself, and there only. */
function showsOutbox({ web, mail }: Config): boolean {
  return web.isLocal && mail.smtpUrl === null
}

/**
 * Cuts off a client that stops sending. The time runs from its last byte, because 100 MB over a
 * slow line may take long.
 */
function limitStalls({ server }: FastifyInstance): void {
  server.on('request', (request: IncomingMessage) => {
    const { headers, socket } = request
    if (!headers['content-length'] && !headers['transfer-encoding']) return
    const cut = () => socket.destroy()
    const arrived = () => {
      socket.off('timeout', cut)
      socket.setTimeout(0)
    }
    socket.setTimeout(STALLED_MS)
    socket.once('timeout', cut)
    request.once('end', arrived)
    request.once('close', arrived)
  })
}

/** One line a request, with the route's pattern: addresses hold tokens, ids and searches. */
function logAnswers(app: FastifyInstance, { log, metrics }: Pick<Parts, 'log' | 'metrics'>): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, url: route } = request.routeOptions
    const { statusCode: status } = reply
    const ms = Math.round(reply.elapsedTime)
    const { refusal: code } = reply
    metrics?.requestEnded({ method: request.method, route: route ?? 'none', status, code, ms })
    // Only of refused requests is the network logged: an operator needs it to block who keeps
    // trying.
    const network = [401, 403, 429].includes(status) ? { network: networkOf(request.ip) } : {}
    const line = { requestId: request.id, method, route, status, code, ms, ...network }
    // Open pages ask about a running job every two seconds: all their successes would fill the log.
    if (status < 400) log.debug(line, 'request')
    else log.info(line, 'request')
  })
}
