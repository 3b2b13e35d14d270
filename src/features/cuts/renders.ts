/**
 * Files of a recording without its cuts. What this promises:
 *
 * - They cost no credits. What an account may have made in 24 hours is bounded by minutes of the
 *   recordings that are gone through, however its orders come; a file that failed takes none, and a few
 *   may fail. One recording that is longer than all of it may be made when nothing else was.
 * - The same file of the same cuts is made once, however often it is ordered.
 * - A clip is a file too: of a short stretch, with a picture of its own. It shows the words as they are
 *   when it is made, and never one that is cut.
 * - Nothing of what is hidden for others is in a file that is begun after that: no word and no moment of
 *   the sound. Those from before are shown by no link.
 * - A file is kept for seven days, and never longer than its recording. It goes with its recording.
 * - A worker that dies leaves no file behind, and another makes it anew.
 */
import { randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import { and, desc, eq, gt, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { z } from 'zod'

import * as blocking from '#features/account/blocking.ts'
import * as readyMail from '#features/account/ready-mail.ts'
import { keptUntil as recordingKeptUntil } from '#features/recordings/recordings.ts'
import { requireSpace } from '#features/recordings/uploads.ts'
import {
  type Owned,
  type Row,
  everyRow,
  isThere,
  lockFinished,
  renders,
  requireId,
  shownRows,
  veils,
} from '#features/row/row.ts'
import { veilOf } from '#features/row/veil.ts'
import { type CutOptions, writeCut } from '#features/sound/cut.ts'
import { speakersWithout } from '#features/text/hidden.ts'
import { turnsOf } from '#features/text/tables.ts'
import { withoutWords } from '#features/transcriptions/hidden.ts'
import { isNoFaultOfJob } from '#server/database-away.ts'
import { type Db, type Queryable, type Tx, lock } from '#server/db.ts'
import type { OnEvent } from '#server/events.ts'
import { giveUpWithoutJob, job, tellingSeldom } from '#server/jobs.ts'
import type { Log } from '#server/log.ts'
import type { JobFacts, Queue } from '#server/queue.ts'
import type { InRanges } from '#server/send-in-ranges.ts'
import { NotStored, type Storage } from '#server/storage.ts'
import { type Clip, LONGEST_CLIP_MS, clipColours, clipLayouts } from '#shared/clips.ts'
import type { Clock } from '#shared/clock.ts'
import { contentDisposition, exportFileName, titleOf } from '#shared/file-names.ts'
import { formatTime } from '#shared/format.ts'
import { hideInName } from '#shared/hidden-words.ts'
import { Refusal } from '#shared/refusals.ts'
import { type RenderFormat, renderFormats } from '#shared/render-formats.ts'

import { drawingOf } from './clip-drawing.ts'
import { type InClip, saidIn } from './clips.ts'
import type { OrderedClip, Render, Renders } from './contract.ts'
import { listOf, rangesOf, timesOf } from './cuts.ts'
import * as mails from './mails.ts'
import { type Range, cutsAround, lengthOf } from './ranges.ts'
import {
  type Cover,
  type VeiledSound,
  heardByOthers,
  requireThere,
  veiledSound,
} from './veiled-sound.ts'
import { chaptersAsCut, cuttingOf } from './without-cuts.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const KEPT_DAYS = 7

interface Deps {
  db: Db
  queue: Queue
  clock: Clock
  storage: Storage
  /** Minutes of recordings of which one account may have files made within 24 hours. */
  renderMinutesPerDay: number
  cover?: Cover | undefined
}

export type Rendered = typeof renders.$inferSelect

/**
 * Orders a file; one of the same cuts that is there, or being made, is answered as it is.
 *
 * @throws Refusal `not_found`, `not_finished`, `recording_gone`, `sound_being_hidden`,
 * `sound_not_hidden`, `account_blocked`, `nothing_left`, `clip_too_long`, `no_film`, `too_much_rendered`
 */
export async function order(
  deps: Deps,
  {
    format: asked,
    clip: wanted,
    ...owned
  }: Owned & { format?: RenderFormat | undefined; clip?: OrderedClip | undefined },
): Promise<Render> {
  const { db, queue, clock } = deps
  await heardByOthers(db, await ownedRow(db, owned), deps.cover)
  return db.transaction(async (tx) => {
    await blocking.keepOpen(tx, owned.userId)
    // Orders of one account are let in one after the other, whichever recordings they are for.
    await lock(tx, `render:${owned.userId}`)
    const row = await lockFinished(tx, owned)
    if (row.storageKey === null) throw new Refusal('recording_gone')
    const veil = await veiledSound(tx, row)
    if (veil) requireThere(veil)
    const clip = wanted ? keptClip(wanted, row) : null
    const format = clip ? formatOf(clip, { row, asked }) : (asked ?? usualFormat(row))
    if (format === 'mp4' && !clip && !isFilm(row)) throw new Refusal('no_film')
    const cutNow = await rangesOf(tx, row.id)
    const cuts = timesNow(row, { cuts: cutNow, clip })
    const durationMs = row.durationMs - lengthOf(cuts)
    if (durationMs <= 0) throw new Refusal('nothing_left')
    if (clip && durationMs > LONGEST_CLIP_MS) throw new Refusal('clip_too_long')
    const times = timesOf(cuts)
    const [same] = await tx
      .select()
      .from(renders)
      .where(
        and(
          eq(renders.transcriptionId, row.id),
          eq(renders.format, format),
          inArray(renders.status, ['making', 'made']),
          eq(renders.times, times),
          clip ? eq(renders.clip, clip) : isNull(renders.clip),
          or(and(eq(renders.status, 'making'), isNull(renders.begunAt)), isUnder(veil)),
        ),
      )
      .orderBy(desc(renders.createdAt))
    if (same && (await isStillKept(deps, same))) {
      const answer = await shown(tx, same, { row, cuts: cutNow })
      if (answer.isAsWritten) return answer
    }
    const today = await lately(tx, deps, owned.userId)
    if (today.making >= MOST_AT_ONCE)
      throw new Refusal('too_much_at_once', { retryAfterSeconds: COME_BACK_SECONDS })
    if (!isWithin(deps, today, goneThroughMs(row, { clip, durationMs })))
      throw new Refusal('too_much_rendered', { message: tooMuch(deps, today) })
    await requireSpace(deps.storage, bytesOf(format, { clip, durationMs, row }))
    const { id: transcriptionId, userId } = row
    const [made] = await tx
      .insert(renders)
      .values({ userId, transcriptionId, format, clip, times, durationMs, createdAt: clock() })
      .returning()
    if (!made) throw new Error('the database stored a file without an id')
    // Each further file of an account has a lower priority, so that three of one hold up nobody's first.
    const priority = -today.making
    await queue.add(tx, renderJob, { renderId: made.id }, { id: made.id, priority })
    return shown(tx, made, { row, cuts: cutNow })
  })
}

/** It was begun when all that is hidden for others now was hidden, and no more. */
const isUnder = (veil: Pick<VeiledSound, 'mark'> | null) =>
  veil ? eq(renders.veil, veil.mark) : isNull(renders.veil)

/** As far as the recording goes. */
const keptClip = (
  { start, end, names, ...look }: OrderedClip,
  { durationMs }: Pick<Row, 'durationMs'>,
): Clip => ({
  startMs: Math.min(Math.round(start * 1000), durationMs),
  endMs: Math.min(Math.round(end * 1000), durationMs),
  ...look,
  hasNames: names,
})

/** A clip with a picture is a film, whatever the recording is; one without is sound. */
function formatOf(
  { shape }: Clip,
  { row, asked }: { row: Row; asked: RenderFormat | undefined },
): RenderFormat {
  if (shape !== 'sound') return 'mp4'
  const format = asked ?? usualFormat(row)
  return format === 'mp4' ? 'm4a' : format
}

/** What is cut of a file, were it ordered now. */
const timesNow = (
  row: Row,
  { cuts, clip }: { cuts: readonly Range[]; clip: Clip | null },
): readonly Range[] => (clip ? cutsAround(cuts, clip, row) : cuts)

/** Of how much of the recording a file is made. What lies before a clip is passed over quickly. */
const goneThroughMs = (
  row: Pick<Row, 'durationMs'>,
  { clip, durationMs }: Pick<Rendered, 'clip' | 'durationMs'>,
): number => (clip ? Math.max(LEAST_CLIP_MS, durationMs) : row.durationMs)
const LEAST_CLIP_MS = 60_000

/** Files of one account that wait or are made at a time. */
const MOST_AT_ONCE = 3
const COME_BACK_SECONDS = 60
/** So many may fail in 24 hours. Each has taken the time of a worker. */
const MOST_FAILED = 5

interface Lately {
  /** How long the recordings are that were gone through. */
  ms: number
  making: number
  failed: number
}

/** What an account has had made within 24 hours. */
async function lately(
  db: Queryable,
  { clock }: Pick<Deps, 'clock'>,
  userId: string,
): Promise<Lately> {
  const { status, createdAt, clip, durationMs } = renders
  const goneThrough = sql`case when ${clip} is null then ${everyRow.durationMs} else greatest(${LEAST_CLIP_MS}, ${durationMs}) end`
  const since = new Date(clock().getTime() - DAY_MS)
  const [found] = await db
    .select({
      ms: sql<number>`coalesce(sum(${goneThrough}) filter (where ${status} <> 'failed'), 0)::float8`,
      making: sql<number>`(count(*) filter (where ${status} = 'making'))::int`,
      failed: sql<number>`(count(*) filter (where ${status} = 'failed'))::int`,
    })
    .from(renders)
    .innerJoin(everyRow, eq(everyRow.id, renders.transcriptionId))
    .where(and(eq(renders.userId, userId), gt(createdAt, since)))
  return found ?? { ms: 0, making: 0, failed: 0 }
}

type Allowed = Pick<Deps, 'renderMinutesPerDay'>

const leftMs = ({ renderMinutesPerDay }: Allowed, { ms }: Lately): number =>
  Math.max(0, renderMinutesPerDay * 60_000 - ms)

const isWithin = (allowed: Allowed, today: Lately, durationMs: number): boolean =>
  today.failed < MOST_FAILED && (durationMs <= leftMs(allowed, today) || today.ms === 0)

function tooMuch(allowed: Allowed, today: Lately): string {
  const again = 'Nothing was made or charged. Try again later.'
  if (today.failed >= MOST_FAILED)
    return `${MOST_FAILED} files of this account could not be made within 24 hours. ${again}`
  const left = Math.floor(leftMs(allowed, today) / 60_000)
  return `An account may have ${allowed.renderMinutesPerDay} minutes of recordings made within 24 hours, and ${left} are left. ${again}`
}

/** About how large a file is. */
function bytesOf(
  format: RenderFormat,
  {
    clip,
    durationMs,
    row,
  }: Pick<Rendered, 'clip' | 'durationMs'> & { row: Pick<Row, 'sizeBytes'> },
): number {
  if (clip && format === 'mp4') return durationMs * 750
  if (format === 'mp4') return 2 * row.sizeBytes
  return durationMs * (format === 'wav' || format === 'flac' ? 192 : 40)
}

/** An order whose file has gone is none. */
async function isStillKept(
  { storage }: Pick<Deps, 'storage'>,
  { status, storageKey }: Rendered,
): Promise<boolean> {
  if (status === 'making') return true
  if (status !== 'made' || storageKey === null) return false
  return storage.require(storageKey).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotStored) return false
      throw error
    },
  )
}

/** What every browser plays, the smallest first. */
const playedFormats = { sound: ['m4a', 'mp3', 'flac', 'wav'], picture: ['mp4'] } as const
export type Played = keyof typeof playedFormats

/** The format that is made where none that browsers play is there. */
export const formatPlayed = (played: Played): RenderFormat => playedFormats[played][0]

/** The made file that others hear in the place of a recording with these cuts; null before it is there. */
export async function played(
  db: Queryable,
  {
    transcriptionId,
    times,
    played,
    veil,
  }: {
    transcriptionId: string
    times: readonly number[]
    played: Played
    veil: VeiledSound | null
  },
): Promise<Rendered | null> {
  if (veil?.state === 'unsure') return null
  const found = await db
    .select()
    .from(renders)
    .where(
      and(
        eq(renders.transcriptionId, transcriptionId),
        eq(renders.status, 'made'),
        eq(renders.times, [...times]),
        isNull(renders.clip),
        isUnder(veil),
        inArray(renders.format, playedFormats[played]),
      ),
    )
    .orderBy(desc(renders.createdAt))
  const first = playedFormats[played].find((format) => found.some((made) => made.format === format))
  return found.find(({ format }) => format === first) ?? null
}

/**
 * A file that is there, of somebody's recording, and may be shown to others.
 *
 * @throws Refusal `not_found`, `render_not_made`
 */
export async function made(db: Queryable, asked: Asked): Promise<Rendered> {
  const found = await ownRender(db, asked)
  if (found.status !== 'made') throw new Refusal('render_not_made')
  const [veil] = await db
    .select({ mark: veils.mark })
    .from(veils)
    .where(eq(veils.transcriptionId, found.transcriptionId))
  if (veil && found.veil !== veil.mark) throw new Refusal('render_not_made', { message: OLDER })
  return found
}

const OLDER = 'This file was made before a name was hidden, and has it. Make it again.'

export const isFilm = ({ picture }: Pick<Row, 'picture'>): boolean =>
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
  const cuts = await rangesOf(db, row.id)
  const left = leftMs(deps, await lately(db, deps, owned.userId))
  return {
    renders: await Promise.all(rows.map((each) => shown(db, each, { row, cuts }))),
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
  return shown(db, found, { row, cuts: await rangesOf(db, row.id) })
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
 * Takes a file away; one that is being made is made no further. It counts all the same, unless it
 * waited for a worker or has failed.
 *
 * @throws Refusal `not_found`
 */
export async function remove(
  { db, queue, storage }: Pick<Deps, 'db' | 'queue'> & { storage: Pick<Storage, 'remove'> },
  asked: Asked,
): Promise<void> {
  const key = await db.transaction(async (tx) => {
    const { id, status, begunAt, storageKey } = await ownRender(tx, asked, 'update')
    const isIt = eq(renders.id, id)
    if (status === 'making') await queue.cancel(tx, renderJob, id)
    if (status === 'making' && begunAt === null) await tx.delete(renders).where(isIt)
    else if (status === 'failed') await tx.update(renders).set({ isHidden: true }).where(isIt)
    else await tx.update(renders).set(removed).where(isIt)
    return storageKey
  })
  if (key !== null) await storage.remove(key)
}

/** The file, ready to be read. @throws Refusal `not_found`, `render_not_made` */
export async function open(
  { db, storage }: Pick<Deps, 'db'> & { storage: Storage },
  { isSaved, ...asked }: Asked & { isSaved: boolean },
): Promise<InRanges> {
  const row = await ownedRow(db, asked)
  const made = await ownRender(db, asked)
  const veil = await veilOf(db, row)
  const originalName = veil ? hideInName(row.originalName, veil) : row.originalName
  return read(storage, made, isSaved ? nameOf({ originalName }, made) : null)
}

/**
 * A file, ready to be read by whoever may; with a name it is saved.
 *
 * @throws Refusal `not_found`, `render_not_made`
 */
export async function read(
  storage: Storage,
  { id, format, status, storageKey, sizeBytes }: Rendered,
  name: string | null,
): Promise<InRanges> {
  if (status !== 'made' || storageKey === null || sizeBytes === null)
    throw new Refusal('render_not_made')
  await storage.require(storageKey).catch((error: unknown) => {
    throw error instanceof NotStored ? new Refusal('not_found', { cause: error }) : error
  })
  const type = types[format]
  const disposition = name === null ? 'inline' : contentDisposition(name)
  return {
    type,
    disposition,
    sizeBytes,
    tag: `"${id}"`,
    address: await storage.address(storageKey, { type, disposition }),
    read: (range) => storage.read(storageKey, range),
  }
}

export const types: Readonly<Record<RenderFormat, string>> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  mp4: 'video/mp4',
}

type Asked = Owned & { renderId: string }

const isListed = and(ne(renders.status, 'removed'), eq(renders.isHidden, false))

async function ownedRow(db: Queryable, owned: Owned): Promise<Row> {
  const [row] = await db.select().from(shownRows).where(isThere(owned))
  if (!row) throw new Refusal('not_found')
  return row
}

async function ownRender(
  db: Queryable,
  { id, userId, renderId }: Asked,
  lockedFor?: 'update',
): Promise<Rendered> {
  requireId(id)
  requireId(renderId)
  const query = db
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
  const [found] = await (lockedFor ? query.for(lockedFor) : query)
  if (!found) throw new Refusal('not_found')
  return found
}

export function nameOf(
  { originalName }: Pick<Row, 'originalName'>,
  { format, clip }: Pick<Rendered, 'format' | 'clip'>,
): string {
  const what = clip ? `clip ${formatTime(clip.startMs / 1000).replaceAll(':', '-')}` : 'cut'
  return exportFileName(`${titleOf(originalName)} (${what}).${format}`, format)
}

async function shown(
  db: Queryable,
  made: Rendered,
  /** The recording, and its cuts as they are now. */
  { row, cuts }: { row: Row; cuts: readonly Range[] },
): Promise<Render> {
  const { id, transcriptionId, format, status, progress, durationMs, clip, textMark } = made
  const isWaiting = status === 'making' && made.begunAt === null
  const before = and(eq(renders.status, 'making'), lt(renders.createdAt, made.createdAt))
  return {
    id,
    transcriptionId,
    format,
    status: status === 'removed' ? 'failed' : status,
    progress,
    ahead: isWaiting ? await db.$count(renders, before) : 0,
    name: nameOf(row, made),
    clip: clip && toClip(clip),
    duration: durationMs / 1000,
    sizeBytes: made.sizeBytes,
    problem: made.problem,
    isAsCut: isDeepStrictEqual(made.times, timesOf(timesNow(row, { cuts, clip }))),
    isAsWritten:
      clip === null ||
      textMark === null ||
      textMark === (await saidIn(db, row, { clip, cuts: listOf(made.times) })).mark,
    createdAt: made.createdAt.toISOString(),
    keptUntil: made.keptUntil?.toISOString() ?? null,
  }
}

const toClip = ({ startMs, endMs, hasNames, ...look }: Clip): Render['clip'] => ({
  start: startMs / 1000,
  end: endMs / 1000,
  names: hasNames,
  ...look,
})

const RenderJob = z.object({ renderId: z.uuid() })
type RenderJob = z.infer<typeof RenderJob>

export interface MakeDeps extends Pick<Deps, 'db' | 'queue' | 'clock' | 'cover'> {
  storage: Storage
  log: Log
  onEvent?: OnEvent | undefined
}

/** A file may be so much shorter than it is to be; the frames of encoders are not longer. */
const MOST_SHORT_MS = 1_000
const NOT_WRITTEN = 'The recording could not be written to a file of this kind. Try another one.'

const BEING_HIDDEN =
  'Words are being taken out of the sound of this recording. Order the file again when that is done.'

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
    // Read first of all: what is hidden from now on is another one.
    const heard = await heardByOthers(db, row, deps.cover)
    if (heard && !heard.file) return await fail(deps, order, BEING_HIDDEN)
    await db
      .update(renders)
      .set({ veil: heard?.mark ?? null })
      .where(isOpen(order))
    const { storageKey } = heard?.file ?? { storageKey: row.storageKey }
    const isMade = await write(deps, {
      order: found,
      row: await rowForOthers(db, row),
      storageKey,
      signal,
    })
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

/** What a file may say of its recording. */
async function rowForOthers(db: Db, row: Row): Promise<Row> {
  const veil = await veilOf(db, row)
  if (!veil) return row
  const speakers = speakersWithout(row, veil.hitsIn)
  return { ...row, ...withoutWords(row, veil, 'others').values, speakers }
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
  const { id: renderId, format, clip } = order
  const gone = new AbortController()
  const either = AbortSignal.any([signal, gone.signal])
  const note = async (progress: number) => {
    const [there] = await db
      .update(renders)
      .set({ progress })
      .where(isOpen({ renderId }))
      .returning({ id: renders.id })
    if (!there) gone.abort(new TakenAway('nobody wants this file any more'))
  }
  // What a worker that died has left of the same file goes first.
  const folder = await storage.workFolder(renderId)
  try {
    const recording = await storage.open(storageKey)
    const out = join(folder, `cut.${format}`)
    const cuts = listOf(order.times)
    const said = clip && (await saidIn(db, row, { clip, cuts }))
    const written = await writeCut(recording.path, out, {
      cuts,
      format,
      track: 0,
      picture: format === 'mp4',
      framing: clip && said ? framingOf(row, { clip, said }) : undefined,
      durationMs: row.durationMs,
      labels: await labelsOf(db, row, order),
      signal: either,
      onProgress: tellingSeldom(note),
    }).finally(() => recording.release())
    if (!written) {
      await fail(deps, { renderId }, NOT_WRITTEN)
      return false
    }
    if (written.durationMs < order.durationMs - MOST_SHORT_MS)
      throw new Error(`the file has ${written.durationMs} of ${order.durationMs} ms`)
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
        textMark: said?.mark ?? null,
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
    await rm(folder, { recursive: true, force: true })
  }
}

/** The picture of a clip; none where it is sound. */
function framingOf(
  row: Row,
  { clip, said: { words, names } }: { clip: Clip; said: InClip },
): CutOptions['framing'] {
  const { shape, captions, centre } = clip
  if (shape === 'sound') return undefined
  const { width, height } = clipLayouts[shape]
  const title = titleOf(row.originalName)
  const contents = { shape, captions, words, names, title, isFilm: isFilm(row) }
  return {
    width,
    height,
    centre,
    ground: clipColours.ground,
    drawing: (sound) => drawingOf(contents, sound),
  }
}

/** Chapters begin where they do in exports without the cuts. */
async function labelsOf(
  db: Db,
  { id, originalName, chapters: all, durationMs: wholeMs }: Row,
  { times, durationMs, clip }: Rendered,
): Promise<CutOptions['labels']> {
  const title = titleOf(originalName)
  if (clip) return { title, chapters: [], durationMs }
  const list = all?.list ?? []
  const spoken = list.length > 0 ? await turnsOf(db, id) : []
  const whole = { chapters: list, spoken, durationMs: wholeMs }
  const { list: chapters } = chaptersAsCut(whole, cuttingOf(listOf(times)))
  return { title, chapters, durationMs }
}

const fail = async (deps: EndDeps, order: RenderJob, problem: string | null): Promise<void> =>
  void (await end(deps, order, { status: 'failed', problem }))

type EndDeps = Pick<MakeDeps, 'db' | 'queue' | 'clock' | 'onEvent'>

/** Stores how a file ended. Answers whether anybody still wanted it. */
async function end(
  { db, queue, clock, onEvent }: EndDeps,
  order: RenderJob,
  values: PgUpdateSetSource<typeof renders>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [ended] = await tx
      .update(renders)
      .set({ ...values, finishedAt: sql`now()` })
      .where(isOpen(order))
      .returning()
    if (!ended) return false
    await mails.tell(tx, { queue, now: clock() }, ended)
    const { id, userId, transcriptionId, format } = ended
    const type = ended.status === 'made' ? 'render.completed' : 'render.failed'
    await onEvent?.(tx, { userId, type, data: { id, transcriptionId, format } })
    return true
  })
}

const removed = {
  status: 'removed',
  storageKey: null,
  sizeBytes: null,
  keptUntil: null,
  finishedAt: sql`coalesce(finished_at, now())`,
} as const

const STOPPED = 'Whoever runs this server has stopped this file.'

/** Ends all files that are to be made for a user. A worker that has one makes it no further. */
export async function stopAllOf(
  tx: Tx,
  { queue }: { queue: Pick<Queue, 'cancel'> },
  userId: string,
): Promise<void> {
  const stopped = await tx
    .update(renders)
    .set({ status: 'failed', problem: STOPPED, finishedAt: sql`now()` })
    .where(and(eq(renders.userId, userId), eq(renders.status, 'making')))
    .returning({ id: renders.id })
  for (const { id } of stopped) await queue.cancel(tx, renderJob, id)
}

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
