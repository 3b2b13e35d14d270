/**
 * Files of a recording without its cuts. What this promises:
 *
 * - They cost no credits. What an account may have made in 24 hours is bounded by minutes; a file that
 *   failed does not count.
 * - The same file of the same cuts is made once, however often it is ordered.
 * - A file is kept for seven days, and never longer than its recording. It goes with its recording.
 * - A worker that dies leaves no file behind, and another makes it anew.
 */
import { randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import { and, desc, eq, gt, inArray, lt, ne, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { z } from 'zod'

import * as blocking from '#features/account/blocking.ts'
import * as readyMail from '#features/account/ready-mail.ts'
import { keptUntil as recordingKeptUntil } from '#features/recordings/recordings.ts'
import {
  type Owned,
  type Row,
  everyRow,
  isThere,
  lockFinished,
  renders,
  requireId,
  shownRows,
} from '#features/row/row.ts'
import { type CutOptions, writeCut } from '#features/sound/cut.ts'
import { isNoFaultOfJob } from '#server/database-away.ts'
import type { Db, Queryable } from '#server/db.ts'
import { giveUpWithoutJob, job } from '#server/jobs.ts'
import type { Log } from '#server/log.ts'
import type { JobFacts, Queue } from '#server/queue.ts'
import type { InRanges } from '#server/send-in-ranges.ts'
import { NotStored, type Storage } from '#server/storage.ts'
import type { Clock } from '#shared/clock.ts'
import { contentDisposition, exportFileName, titleOf } from '#shared/file-names.ts'
import { Refusal } from '#shared/refusals.ts'
import { type RenderFormat, renderFormats } from '#shared/render-formats.ts'

import type { Render, Renders } from './contract.ts'
import { listOf, rangesOf, timesOf } from './cuts.ts'
import * as mails from './mails.ts'
import { clockWithout, lengthOf } from './ranges.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const KEPT_DAYS = 7

interface Deps {
  db: Db
  queue: Queue
  clock: Clock
  /** How much sound or film one account may have made in 24 hours. */
  renderMinutesPerDay: number
}

type Rendered = typeof renders.$inferSelect

/**
 * Orders a file; one of the same cuts that is there, or being made, is answered as it is.
 *
 * @throws Refusal `not_found`, `not_finished`, `recording_gone`, `account_blocked`, `nothing_left`,
 * `no_film`, `too_much_rendered`
 */
export async function order(
  deps: Deps,
  { format: asked, ...owned }: Owned & { format?: RenderFormat | undefined },
): Promise<Render> {
  const { db, queue, clock } = deps
  return db.transaction(async (tx) => {
    await blocking.keepOpen(tx, owned.userId)
    const row = await lockFinished(tx, owned)
    if (row.storageKey === null) throw new Refusal('recording_gone')
    const format = asked ?? usualFormat(row)
    if (format === 'mp4' && !isFilm(row)) throw new Refusal('no_film')
    const cuts = await rangesOf(tx, row.id)
    const durationMs = row.durationMs - lengthOf(cuts)
    if (durationMs <= 0) throw new Refusal('nothing_left')
    const times = timesOf(cuts)
    const [same] = await tx
      .select()
      .from(renders)
      .where(
        and(
          eq(renders.transcriptionId, row.id),
          eq(renders.format, format),
          ne(renders.status, 'failed'),
          eq(renders.times, times),
        ),
      )
    if (same) return shown(tx, same, row)
    const left = await leftMs(tx, deps, owned.userId)
    if (durationMs > left)
      throw new Refusal('too_much_rendered', {
        message: tooMuch(deps.renderMinutesPerDay, left),
      })
    const { id: transcriptionId, userId } = row
    const [made] = await tx
      .insert(renders)
      .values({ userId, transcriptionId, format, times, durationMs, createdAt: clock() })
      .returning()
    if (!made) throw new Error('the database stored a file without an id')
    await queue.add(tx, renderJob, { renderId: made.id }, { id: made.id })
    return shown(tx, made, row)
  })
}

const tooMuch = (perDay: number, leftMs: number): string =>
  `An account may have ${perDay} minutes made in 24 hours, and ${Math.floor(leftMs / 60_000)} of them are left. Nothing was made or charged. Try again tomorrow.`

/** How much more this account may have made now. Its orders are to be let in one after the other. */
async function leftMs(
  db: Queryable,
  { clock, renderMinutesPerDay }: Pick<Deps, 'clock' | 'renderMinutesPerDay'>,
  userId: string,
): Promise<number> {
  const since = new Date(clock().getTime() - DAY_MS)
  const [found] = await db
    .select({ ms: sql<number>`coalesce(sum(${renders.durationMs}), 0)::float8` })
    .from(renders)
    .where(
      and(eq(renders.userId, userId), gt(renders.createdAt, since), ne(renders.status, 'failed')),
    )
  return Math.max(0, renderMinutesPerDay * 60_000 - (found?.ms ?? 0))
}

const isFilm = ({ picture }: Pick<Row, 'picture'>): boolean =>
  picture === 'shown' || picture === 'cannot'

const byType: Readonly<Record<string, RenderFormat>> = {
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
}

/** The kind of file that came, as far as it can be written. */
function usualFormat({
  picture,
  mediaType,
  originalName,
}: Pick<Row, 'picture' | 'mediaType' | 'originalName'>): RenderFormat {
  if (isFilm({ picture })) return 'mp4'
  const ending = /\.(\w+)$/.exec(originalName)?.[1]?.toLowerCase()
  const named = renderFormats.find((format) => format === ending && format !== 'mp4')
  return named ?? byType[mediaType ?? ''] ?? 'm4a'
}

/** @throws Refusal `not_found` */
export async function list(deps: Deps, owned: Owned): Promise<Renders> {
  const { db } = deps
  const row = await ownedRow(db, owned)
  const rows = await db
    .select()
    .from(renders)
    .where(and(eq(renders.transcriptionId, row.id), isListed))
    .orderBy(desc(renders.createdAt), desc(renders.id))
  await noteLook(deps, rows)
  const left = await leftMs(db, deps, owned.userId)
  return {
    renders: await Promise.all(rows.map((each) => shown(db, each, row))),
    secondsLeft: Math.floor(left / 1000),
    usual: usualFormat(row),
  }
}

/** @throws Refusal `not_found` */
export async function get(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  asked: Asked,
): Promise<Render> {
  const row = await ownedRow(db, asked)
  const found = await ownRender(db, asked)
  await noteLook({ db, clock }, [found])
  return shown(db, found, row)
}

/** Writes down that somebody waits for these, so that no mail has to tell of their end. */
async function noteLook(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  rows: readonly Rendered[],
): Promise<void> {
  const now = clock()
  const isDue = ({ status, watchedAt }: Rendered) =>
    status === 'making' && now.getTime() - (watchedAt?.getTime() ?? 0) > readyMail.NOTED_EVERY_MS
  const due = rows.filter(isDue).map(({ id }) => id)
  if (due.length > 0)
    await db.update(renders).set({ watchedAt: now }).where(inArray(renders.id, due))
}

/**
 * Takes a file away; one that is being made is made no further. It counts as made all the same, unless
 * it waited for a worker.
 *
 * @throws Refusal `not_found`
 */
export async function remove(
  { db, queue, storage }: Pick<Deps, 'db' | 'queue'> & { storage: Pick<Storage, 'remove'> },
  asked: Asked,
): Promise<void> {
  const { id, status, begunAt, storageKey } = await ownRender(db, asked)
  await db.transaction(async (tx) => {
    if (status === 'making') await queue.cancel(tx, renderJob, id)
    if (status === 'making' && begunAt === null) await tx.delete(renders).where(eq(renders.id, id))
    else await tx.update(renders).set(removed).where(eq(renders.id, id))
  })
  if (storageKey !== null) await storage.remove(storageKey)
}

/** The file, ready to be read. @throws Refusal `not_found`, `render_not_made` */
export async function open(
  { db, storage }: Pick<Deps, 'db'> & { storage: Storage },
  { isSaved, ...asked }: Asked & { isSaved: boolean },
): Promise<InRanges> {
  const row = await ownedRow(db, asked)
  const { format, status, storageKey, sizeBytes } = await ownRender(db, asked)
  if (status !== 'made' || storageKey === null || sizeBytes === null)
    throw new Refusal('render_not_made')
  await storage.require(storageKey).catch((error: unknown) => {
    throw error instanceof NotStored ? new Refusal('not_found', { cause: error }) : error
  })
  const type = types[format]
  const disposition = isSaved ? contentDisposition(nameOf(row, format)) : 'inline'
  return {
    type,
    disposition,
    sizeBytes,
    tag: `"${asked.renderId}"`,
    address: await storage.address(storageKey, { type, disposition }),
    read: (range) => storage.read(storageKey, range),
  }
}

const types: Readonly<Record<RenderFormat, string>> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  mp4: 'video/mp4',
}

type Asked = Owned & { renderId: string }

const isListed = ne(renders.status, 'removed')

async function ownedRow(db: Queryable, owned: Owned): Promise<Row> {
  const [row] = await db.select().from(shownRows).where(isThere(owned))
  if (!row) throw new Refusal('not_found')
  return row
}

async function ownRender(db: Queryable, { id, userId, renderId }: Asked): Promise<Rendered> {
  requireId(id)
  requireId(renderId)
  const [found] = await db
    .select()
    .from(renders)
    .where(
      and(
        eq(renders.id, renderId),
        eq(renders.transcriptionId, id),
        eq(renders.userId, userId),
        isListed,
      ),
    )
  if (!found) throw new Refusal('not_found')
  return found
}

const nameOf = ({ originalName }: Pick<Row, 'originalName'>, format: RenderFormat): string =>
  exportFileName(`${titleOf(originalName)} (cut).${format}`, format)

async function shown(db: Queryable, made: Rendered, row: Row): Promise<Render> {
  const { id, transcriptionId, format, status, progress, durationMs, times } = made
  const isWaiting = status === 'making' && made.begunAt === null
  const before = and(eq(renders.status, 'making'), lt(renders.createdAt, made.createdAt))
  return {
    id,
    transcriptionId,
    format,
    status: status === 'removed' ? 'failed' : status,
    progress,
    ahead: isWaiting ? await db.$count(renders, before) : 0,
    name: nameOf(row, format),
    duration: durationMs / 1000,
    sizeBytes: made.sizeBytes,
    problem: made.problem,
    isAsCut: isDeepStrictEqual(times, timesOf(await rangesOf(db, transcriptionId))),
    createdAt: made.createdAt.toISOString(),
    keptUntil: made.keptUntil?.toISOString() ?? null,
  }
}

const RenderJob = z.object({ renderId: z.uuid() })
type RenderJob = z.infer<typeof RenderJob>

export interface MakeDeps extends Pick<Deps, 'db' | 'queue' | 'clock'> {
  storage: Storage
  log: Log
}

/** How often it is written down how far a file is. */
const TOLD_EVERY_MS = 2_000
const NOT_WRITTEN = 'The recording could not be written to a file of this kind. Try another one.'

const isOpen = ({ renderId }: RenderJob) =>
  and(eq(renders.id, renderId), eq(renders.status, 'making'))

/** Runs one delivery of a job to its end. Throws where the queue ought to deliver it again. */
export async function make(
  deps: MakeDeps,
  order: RenderJob,
  { isLastAttempt, signal }: { isLastAttempt: boolean; signal: AbortSignal },
): Promise<JobFacts | void> {
  const { db, log } = deps
  const [found] = await db
    .update(renders)
    .set({ begunAt: sql`now()`, progress: 0 })
    .where(isOpen(order))
    .returning()
  // Made by an earlier delivery, or taken away.
  if (!found) return
  const audioMs = found.durationMs
  try {
    const [row] = await db.select().from(everyRow).where(eq(everyRow.id, found.transcriptionId))
    if (!row?.storageKey) return await fail(deps, order, 'The recording was deleted.')
    const isMade = await write(deps, { order: found, row, storageKey: row.storageKey, signal })
    return { outcome: isMade ? 'made' : 'not written', engine: 'ffmpeg', audioMs }
  } catch (error) {
    if (signal.aborted || isNoFaultOfJob(error)) throw error
    if (error instanceof TakenAway) return { outcome: 'taken away', engine: 'ffmpeg', audioMs }
    if (error instanceof NotStored) return fail(deps, order, 'The recording was deleted.')
    if (!isLastAttempt) throw error
    log.error({ err: error, renderId: found.id }, 'a file of cuts is given up')
    await fail(deps, order, null)
    return { outcome: 'given up', engine: 'ffmpeg', audioMs }
  }
}

/** Its owner does not want it any more, or its recording is gone. */
class TakenAway extends Error {}

async function write(
  deps: MakeDeps,
  {
    order,
    row,
    storageKey,
    signal,
  }: { order: Rendered; row: Row; storageKey: string; signal: AbortSignal },
): Promise<boolean> {
  const { db, storage } = deps
  const { id: renderId, format } = order
  const gone = new AbortController()
  const either = AbortSignal.any([signal, gone.signal])
  const note = async (share: number) => {
    const progress = Math.min(99, Math.floor(share * 100))
    const [there] = await db
      .update(renders)
      .set({ progress })
      .where(isOpen({ renderId }))
      .returning({ id: renders.id })
    if (!there) gone.abort(new TakenAway('nobody wants this file any more'))
  }
  let toldAt = 0
  const onProgress = (share: number) => {
    if (performance.now() - toldAt < TOLD_EVERY_MS) return
    toldAt = performance.now()
    // It is only told less often where the database is away.
    note(share).catch(() => undefined)
  }
  const recording = await storage.open(storageKey)
  const folder = await storage.workFolder()
  try {
    const out = join(folder, `cut.${format}`)
    const written = await writeCut(recording.path, out, {
      cuts: listOf(order.times),
      format,
      track: 0,
      picture: format === 'mp4',
      durationMs: row.durationMs,
      labels: labelsOf(row, order),
      signal: either,
      onProgress,
    })
    if (!written) {
      await fail(deps, { renderId }, NOT_WRITTEN)
      return false
    }
    const { size: sizeBytes } = await stat(out)
    const key = randomUUID()
    await storage.keep(key, out, { signal: either })
    const until = recordingKeptUntil(row.createdAt)
    const isKept = await end(
      deps,
      { renderId },
      {
        status: 'made',
        progress: 100,
        storageKey: key,
        sizeBytes,
        keptUntil: sql`least(now() + make_interval(days => ${KEPT_DAYS}), ${until})`,
      },
    )
    if (isKept) return true
    await storage.remove(key)
    throw new TakenAway('it was taken away when it was made')
  } catch (error) {
    signal.throwIfAborted()
    gone.signal.throwIfAborted()
    throw error
  } finally {
    await recording.release()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Chapters begin where they are without the cuts; one of which nothing is left is left out. */
function labelsOf(
  { originalName, chapters }: Row,
  { times, durationMs }: Rendered,
): CutOptions['labels'] {
  const clock = clockWithout(listOf(times))
  const moved = (chapters?.list ?? []).map(({ title, startMs }) => ({
    title,
    startMs: Math.round(clock(startMs)),
  }))
  const left = moved.filter(({ startMs }, at) => startMs < (moved[at + 1]?.startMs ?? durationMs))
  return { title: titleOf(originalName), chapters: left, durationMs }
}

const fail = async (deps: EndDeps, order: RenderJob, problem: string | null): Promise<void> =>
  void (await end(deps, order, { status: 'failed', problem }))

type EndDeps = Pick<MakeDeps, 'db' | 'queue' | 'clock'>

/** Stores how a file ended. Answers whether anybody still wanted it. */
async function end(
  { db, queue, clock }: EndDeps,
  order: RenderJob,
  values: PgUpdateSetSource<typeof renders>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [ended] = await tx
      .update(renders)
      .set({ ...values, finishedAt: sql`now()` })
      .where(isOpen(order))
      .returning()
    if (ended) await mails.tell(tx, { queue, now: clock() }, ended)
    return ended !== undefined
  })
}

const removed = {
  status: 'removed',
  storageKey: null,
  sizeBytes: null,
  keptUntil: null,
  finishedAt: sql`coalesce(finished_at, now())`,
} as const

/** Ends files that are to be made and have no job any more, and takes away those whose time is over. */
export async function tidyUp(deps: MakeDeps): Promise<void> {
  const { db, storage, log } = deps
  const unfinished = await db
    .select({ renderId: renders.id })
    .from(renders)
    .where(eq(renders.status, 'making'))
  await giveUpWithoutJob(deps, {
    kind: renderJob,
    orders: unfinished,
    keyOf: ({ renderId }) => renderId,
    giveUp: (order) => fail(deps, order, null),
  })
  const over = await db
    .select({ id: renders.id, storageKey: renders.storageKey })
    .from(renders)
    .where(lt(renders.keptUntil, sql`now()`))
  for (const { id, storageKey } of over) {
    await db.update(renders).set(removed).where(eq(renders.id, id))
    if (storageKey !== null) await storage.remove(storageKey)
    log.info({ renderId: id }, 'a file of cuts is removed, its time was over')
  }
  // A day after that nothing is counted by it.
  const old = sql`now() - make_interval(days => ${KEPT_DAYS + 1})`
  await db
    .delete(renders)
    .where(and(inArray(renders.status, ['removed', 'failed']), lt(renders.createdAt, old)))
}

export const renderJob = job({
  name: 'render',
  data: RenderJob,
  concurrency: 1,
  run: make,
  giveUp: (deps: MakeDeps, order) => fail(deps, order, null),
  everyMinute: tidyUp,
})
