/**
 * Links by which people without an account read a transcription. What this room promises:
 *
 * - A link shows the parts that its owner chose and nothing else, in every form: page, file or picture
 *   (shown.ts, decision 037).
 * - Nothing of what is cut is in any form of a link as cut: no word, and no moment of the sound. Until a
 *   file without the cuts is there, it plays nothing.
 * - It ends at once: when its owner ends it, when its time is over, and with the transcription or the
 *   account. A new password closes it for everybody who had opened it.
 * - A link to a made file shows that file and nothing beside it, and ends with it.
 * - An ended link and one that never was look the same, so nothing is learned from guessing.
 * - Only hashes are kept of addresses and passwords.
 * - Openings are counted, once a day for each browser, and no visitor is named.
 */
import { and, count, desc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'

import * as account from '#features/account/account.ts'
import * as activity from '#features/account/activity.ts'
import { namesOf, speakersOf } from '#features/text/named-speakers.ts'
import { readShown } from '#features/text/speaker-marks.ts'
import { rangesOf, timesOf } from '#features/cuts/cuts.ts'
import * as renders from '#features/cuts/renders.ts'
import {
  type Cover,
  type VeiledSound,
  heardByOthers,
  isForOthers,
} from '#features/cuts/veiled-sound.ts'
import * as actionItems from '#features/action-items/action-items.ts'
import { openFirst } from '#features/action-items/action-text.ts'
import type { ActionItem } from '#features/action-items/contract.ts'
import {
  type Owned,
  type Row as TranscriptionRow,
  isThere,
  renders as made,
  requireId,
  shownRows,
  veils,
} from '#features/row/row.ts'
import { veilOf } from '#features/row/veil.ts'
import { noteForReaders, summaryHeading } from '#features/transcriptions/summary-text.ts'
import { type Db, type Queryable, type Tx, lock } from '#server/db.ts'
import type { OnEvent } from '#server/events.ts'
import type { Clock } from '#shared/clock.ts'
import { hideInName } from '#shared/hidden-words.ts'
import { Refusal } from '#shared/refusals.ts'
import type { RenderFormat } from '#shared/render-formats.ts'

import { choiceOf, includesOf } from './status.ts'
import type { ChangeShare, MakeShare, Share, ShareIncludes } from './contract.ts'
import { hiderOf, titleWithoutNames } from './hidden-names.ts'
import * as passwords from './passwords.ts'
import { shares } from './tables.ts'
import { hashOf, sharePath, tokenOf } from './tokens.ts'

export interface Deps {
  db: Db
  clock: Clock
  publicUrl: URL
  /** See server/secret-key.ts. */
  secretKey: string
  onEvent?: OnEvent | undefined
  /** Has a file made of a recording without its cuts; see cuts/renders.ts. */
  order?: ((asked: Owned & { format: RenderFormat }) => Promise<unknown>) | undefined
  /** See cuts/veiled-sound.ts. */
  cover?: Cover | undefined
}

const MOST_PER_TRANSCRIPTION = 20
const MOST_PER_ACCOUNT = 500
const DAY_MS = 86_400_000

/** The columns of a transcription that decide what a link shows; its long texts stay in the database. */
const about = {
  originalName: shownRows.originalName,
  speakers: shownRows.speakers,
  speakerCount: shownRows.speakerCount,
  summary: shownRows.summary,
  summaryKind: shownRows.summaryKind,
  summaryNote: shownRows.summaryNote,
  keyPoints: shownRows.keyPoints,
  summaryOwn: shownRows.summaryOwn,
  topics: shownRows.topics,
  actionItems: shownRows.actionItems,
}
type About = Pick<TranscriptionRow, keyof typeof about>
type Row = typeof shares.$inferSelect

/** Whether a link opens, beside the state of its account. */
const isOpen = (now: Date) =>
  and(
    isNull(shares.endedAt),
    or(isNull(shares.endsAt), gt(shares.endsAt, now)),
    isFileThere,
    eq(shownRows.status, 'completed'),
  )

/** A link to a file goes with it, and shows none that was made before something was hidden for others. */
export const isFileThere = or(
  isNull(shares.renderId),
  sql`exists (
    select from ${made} left join ${veils} on ${veils.transcriptionId} = ${made.transcriptionId}
    where ${made.id} = ${shares.renderId} and ${made.status} = 'made'
      and (${veils.mark} is null or ${veils.mark} = ${made.veil}))`,
)

const withTranscription = (db: Queryable) =>
  db
    .select({ share: shares, about, format: made.format })
    .from(shares)
    .innerJoin(shownRows, eq(shownRows.id, shares.transcriptionId))
    .leftJoin(made, eq(made.id, shares.renderId))

/**
 * @throws Refusal `not_found`, `not_finished`, `render_not_made`, `too_many_links`, and for a password
 * `too_many_link_passwords`, `too_much_at_once`, `server_busy`
 */
export async function make(
  deps: Deps,
  { userId, transcriptionId, render, includes, cuts, days, password }: OfTranscription & MakeShare,
): Promise<Share> {
  const now = deps.clock()
  const owned = { userId, transcriptionId }
  // Hashing is dear: a password is hashed only for a link that can be made.
  const hashFor = async (wanted: string) => {
    requireFinished(await findTranscription(deps.db, owned))
    await requireFewLinks(deps.db, { ...owned, now })
    return passwords.hashOf(deps.db, { userId, password: wanted, now })
  }
  const passwordHash = password === undefined ? null : await hashFor(password)
  const link = await deps.db.transaction(async (tx) => {
    await lock(tx, `shares:${userId}`)
    const found = requireFinished(await findTranscription(tx, owned).for('share'))
    await requireFewLinks(tx, { ...owned, now })
    const file = render
      ? await renders.made(tx, { userId, id: transcriptionId, renderId: render })
      : null
    const id = crypto.randomUUID()
    const [share] = await tx
      .insert(shares)
      .values({
        id,
        userId,
        transcriptionId,
        tokenHash: hashOf(tokenOf(deps.secretKey, id)),
        ...columnsOf(includes, file !== null),
        asCut: cuts === 'applied',
        renderId: file?.id ?? null,
        passwordHash,
        createdAt: now,
        endsAt: endOf(days, now, file),
      })
      .returning()
    if (!share) throw new Error('the new link was not returned')
    await activity.note(tx, { userId, kind: 'share_made', now })
    await deps.onEvent?.(tx, { userId, type: 'share.created', data: { id, transcriptionId } })
    return { share, about: found, format: file?.format ?? null }
  })
  await orderPlayed(deps, link.share)
  return shown(deps, link)
}

/**
 * Has made what a link plays, where that is not there. Answers whether it is being made: an account that
 * has had too much made today gets nothing more.
 */
export async function orderPlayed(
  deps: Pick<Deps, 'db' | 'order' | 'cover'>,
  share: Row,
): Promise<boolean> {
  const { userId, transcriptionId: id } = share
  const [row] = await deps.db.select(sounding).from(shownRows).where(isThere({ userId, id }))
  if (!row?.storageKey || share.recording === 'none' || !deps.order) return false
  const veil = await heardByOthers(deps.db, row, deps.cover)
  const { times, file } = await cutOf(deps.db, { share, row, veil })
  if (times.length === 0 || file) return false
  const format = renders.formatPlayed(playedOf(share, row))
  return deps.order({ userId, id, format }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal) return false
      throw error
    },
  )
}

interface OfTranscription {
  userId: string
  transcriptionId: string
}

const findTranscription = (db: Queryable, { userId, transcriptionId: id }: OfTranscription) =>
  db
    .select({ ...about, status: shownRows.status })
    .from(shownRows)
    .where(isThere({ userId, id }))

function requireFinished([row]: (About & Pick<TranscriptionRow, 'status'>)[]) {
  if (!row) throw new Refusal('not_found')
  if (row.status !== 'completed') throw new Refusal('not_finished')
  return row
}

async function requireFewLinks(
  db: Queryable,
  { userId, transcriptionId, now }: OfTranscription & { now: Date },
): Promise<void> {
  const [{ all, ofIt } = { all: 0, ofIt: 0 }] = await db
    .select({
      all: count(),
      ofIt: sql<number>`count(*) filter (where ${shares.transcriptionId} = ${transcriptionId})::int`,
    })
    .from(shares)
    .innerJoin(shownRows, eq(shownRows.id, shares.transcriptionId))
    .where(and(eq(shares.userId, userId), isOpen(now)))
  if (ofIt >= MOST_PER_TRANSCRIPTION || all >= MOST_PER_ACCOUNT) throw new Refusal('too_many_links')
}

/** The open links to one transcription, newest first. @throws Refusal `not_found` */
export async function listOf(
  deps: Deps,
  { userId, transcriptionId }: OfTranscription,
): Promise<Share[]> {
  const owned = { userId, id: transcriptionId }
  const [there] = await deps.db.select({ id: shownRows.id }).from(shownRows).where(isThere(owned))
  if (!there) throw new Refusal('not_found')
  return list(deps, userId, eq(shares.transcriptionId, transcriptionId))
}

/** The open links of an account, newest first. */
export const listAll = (deps: Deps, userId: string): Promise<Share[]> => list(deps, userId)

async function list(deps: Deps, userId: string, which?: ReturnType<typeof eq>): Promise<Share[]> {
  const rows = await withTranscription(deps.db)
    .where(and(eq(shares.userId, userId), isOpen(deps.clock()), which))
    .orderBy(desc(shares.createdAt), desc(shares.id))
    .limit(MOST_PER_ACCOUNT)
  return rows.map((row) => shown(deps, row))
}

/**
 * Acts at once. A new password closes the page for everybody.
 *
 * @throws Refusal `not_found`, and for a password `too_many_link_passwords`, `too_much_at_once`,
 * `server_busy`
 */
export async function change(
  deps: Deps,
  { userId, id, ...wanted }: { userId: string; id: string } & ChangeShare,
): Promise<Share> {
  requireId(id)
  const { includes, cuts, days, password } = wanted
  const now = deps.clock()
  const owned = { userId, id, now }
  const hashFor = async (wanted: string) => {
    requireOpen(await findOpen(deps.db, owned))
    return passwords.hashOf(deps.db, { userId, password: wanted, now })
  }
  const passwordHash = password ? await hashFor(password) : password
  const changed = await deps.db.transaction(async (tx) => {
    const found = await lockOpen(tx, owned)
    const set = {
      ...(includes === undefined ? {} : columnsOf(includes, found.share.renderId !== null)),
      ...(cuts === undefined ? {} : { asCut: cuts === 'applied' }),
      ...(days === undefined ? {} : { endsAt: endOf(days, now, await fileOf(tx, found.share)) }),
      ...(passwordHash === undefined ? {} : { passwordHash }),
    }
    if (Object.keys(set).length === 0) return found
    const [share = found.share] = await tx
      .update(shares)
      .set(set)
      .where(and(eq(shares.id, id), eq(shares.userId, userId)))
      .returning()
    return { ...found, share }
  })
  await orderPlayed(deps, changed.share)
  return shown(deps, changed)
}

/** Its address stops working, and cannot be had again. @throws Refusal `not_found` */
export async function end(deps: Deps, owned: { userId: string; id: string }): Promise<void> {
  requireId(owned.id)
  const now = deps.clock()
  await deps.db.transaction(async (tx) => {
    const { share } = await lockOpen(tx, { ...owned, now })
    const { userId, id, transcriptionId } = share
    await tx
      .update(shares)
      .set({ endedAt: now })
      .where(and(eq(shares.id, id), eq(shares.userId, userId)))
    await activity.note(tx, { userId, kind: 'share_ended', now })
    const data = { id, transcriptionId, by: 'owner' }
    await deps.onEvent?.(tx, { userId, type: 'share.ended', data })
  })
}

interface OwnedLink {
  userId: string
  id: string
  now: Date
}

const findOpen = (db: Queryable, { userId, id, now }: OwnedLink) =>
  withTranscription(db).where(and(eq(shares.id, id), eq(shares.userId, userId), isOpen(now)))

interface Told {
  share: Row
  about: About
  /** Of the file that it shows. */
  format: RenderFormat | null
}

function requireOpen([found]: Told[]): Told {
  if (!found) throw new Refusal('not_found')
  return found
}

const lockOpen = async (tx: Tx, owned: OwnedLink) =>
  requireOpen(await findOpen(tx, owned).for('update', { of: shares }))

/** Notes and tells the links whose time has run out since the last call. */
export async function endOverdue({ db, clock, onEvent }: Pick<Deps, 'db' | 'clock' | 'onEvent'>) {
  const now = clock()
  await db.transaction(async (tx) => {
    const ended = await tx
      .update(shares)
      .set({ endedAt: shares.endsAt })
      .where(and(isNull(shares.endedAt), lte(shares.endsAt, now)))
      .returning({ userId: shares.userId, id: shares.id, transcriptionId: shares.transcriptionId })
    for (const { userId, ...link } of ended)
      await onEvent?.(tx, { userId, type: 'share.ended', data: { ...link, by: 'time' } })
  })
}

/** A link that was found, with its recording and the name of its owner. */
export interface Found {
  share: Row
  /** The name of the account that shares it; empty where it has none. */
  sharedBy: string
  transcription: Sounding
  /** What it leaves out, and the file that is played in the place of the recording then. */
  cut: Cut
  /** The sound that it plays, where something is hidden for others. */
  veil: VeiledSound | null
}

/** The columns of a recording that decide what is played of it. */
const sounding = {
  id: shownRows.id,
  userId: shownRows.userId,
  againOf: shownRows.againOf,
  language: shownRows.language,
  revision: shownRows.revision,
  storageKey: shownRows.storageKey,
  mediaType: shownRows.mediaType,
  picture: shownRows.picture,
  originalName: shownRows.originalName,
  speakers: shownRows.speakers,
  speakerCount: shownRows.speakerCount,
}
type Sounding = Pick<TranscriptionRow, keyof typeof sounding>

interface Cut {
  /** From, to, from, to, … in milliseconds. */
  times: number[]
  file: renders.Rendered | null
}

async function fileOf(db: Queryable, { renderId }: Row): Promise<renders.Rendered | null> {
  if (renderId === null) return null
  const [file] = await db.select().from(made).where(eq(made.id, renderId))
  return file ?? null
}

const playedOf = (share: Row, row: Sounding): renders.Played =>
  share.recording === 'picture' && renders.isFilm(row) ? 'picture' : 'sound'

async function cutOf(
  db: Queryable,
  { share, row, veil }: { share: Row; row: Sounding; veil: VeiledSound | null },
): Promise<Cut> {
  const only = await fileOf(db, share)
  if (only) return { times: only.times, file: only }
  const times = share.asCut ? timesOf(await rangesOf(db, row.id)) : []
  if (times.length === 0 || share.recording === 'none') return { times, file: null }
  const played = playedOf(share, row)
  return { times, file: await renders.played(db, { transcriptionId: row.id, times, played, veil }) }
}

/**
 * The link with this address: open, or `ended` where there was one. The words of an answer
 * must not tell `ended` from `unknown`.
 */
export async function find(
  { db, clock, cover }: Pick<Deps, 'db' | 'clock' | 'cover'>,
  token: string,
): Promise<Found | 'ended' | 'unknown'> {
  const now = clock()
  const [row] = await db
    .select({
      share: shares,
      isOpen: sql<boolean>`coalesce(${isOpen(now)}, false)`,
      transcription: sounding,
    })
    .from(shares)
    .leftJoin(shownRows, eq(shownRows.id, shares.transcriptionId))
    .where(eq(shares.tokenHash, hashOf(token)))
  if (!row) return 'unknown'
  if (!row.isOpen || !row.transcription) return 'ended'
  const { share, transcription } = row
  const sharedBy = await account.nameFor(db, share.userId)
  if (sharedBy === null) return 'ended'
  const veil = await heardByOthers(db, transcription, cover)
  const cut = await cutOf(db, { share, row: transcription, veil })
  // The text has changed since the file was made, and may have a word more that is hidden.
  if (share.renderId !== null && cut.file && !isForOthers(cut.file, veil)) {
    if (veil?.state === 'unsure') throw new Refusal('server_busy')
    return 'ended'
  }
  // What was hidden while this was looked for is known by now.
  const hiding = await veilOf(db, transcription)
  const originalName = hiding
    ? hideInName(transcription.originalName, hiding)
    : transcription.originalName
  return { share, transcription: { ...transcription, originalName }, sharedBy, cut, veil }
}

/** A link to a file ends no later than that. */
function endOf(
  days: number | null,
  now: Date,
  file: Pick<renders.Rendered, 'keptUntil'> | null,
): Date | null {
  const wanted = days === null ? Infinity : now.getTime() + days * DAY_MS
  const end = Math.min(wanted, file?.keptUntil?.getTime() ?? Infinity)
  return end === Infinity ? null : new Date(end)
}

function columnsOf(includes: readonly ShareIncludes[], isFile: boolean) {
  const { played, summary, names, captions } = choiceOf(includes)
  return isFile
    ? { recording: 'none' as const, withSummary: false, withNames: names, withCaptions: captions }
    : { recording: played, withSummary: summary, withNames: names }
}

function shown(
  { secretKey, publicUrl }: Pick<Deps, 'secretKey' | 'publicUrl'>,
  { share, about: told, format }: Told,
): Share {
  const token = tokenOf(secretKey, share.id)
  const isOurs = hashOf(token) === share.tokenHash
  return {
    id: share.id,
    transcriptionId: share.transcriptionId,
    name: told.originalName,
    url: isOurs ? `${publicUrl.origin}${sharePath(token)}` : null,
    includes: includesOf({
      played: share.recording,
      summary: share.withSummary,
      names: share.withNames,
      captions: share.withCaptions,
    }),
    render: share.renderId && format ? { id: share.renderId, format } : null,
    cuts: share.asCut ? 'applied' : 'ignored',
    summaryLeftOut: share.withSummary && !share.withNames && summaryWithoutNames(told) === 'unsure',
    hasPassword: share.passwordHash !== null,
    openings: share.openings,
    lastOpenedAt: share.lastOpenedAt?.toISOString() ?? null,
    createdAt: share.createdAt.toISOString(),
    endsAt: share.endsAt?.toISOString() ?? null,
  }
}

export interface ShownSummary {
  heading: string
  text: string
  keyPoints: { text: string; startMs: number | null }[]
  actionItems: ActionItem[]
  topics: string[]
  /** How it was made. */
  note: string | null
}

/** The summary as its owner has it; null where there is none. */
export function summaryOf(row: About): ShownSummary | null {
  const { summary, keyPoints, topics } = readShown(row)
  const points = (keyPoints ?? []).map(({ text, startMs }) => ({ text, startMs }))
  const items = openFirst(actionItems.shown(row))
  const heading = summaryHeading(row)
  const written = { heading, text: summary ?? '', keyPoints: points, actionItems: items }
  const note = noteForReaders(row.summaryNote, { isChanged: row.summaryOwn !== null })
  return orNone({ ...written, topics: topics ?? [], note })
}

/** The same with letters in the place of names; `unsure` where one could still be told from it. */
export function summaryWithoutNames(row: About): ShownSummary | null | 'unsure' {
  const written = summaryOf({ ...row, speakers: unnamed(row) })
  if (written === null) return null
  const { text, keyPoints, topics } = written
  const hide = hiderOf([text, ...keyPoints.map((point) => point.text), ...topics], namesOf(row))
  if (!hide) return 'unsure'
  return orNone({
    ...written,
    text: hide(text),
    keyPoints: keyPoints.map((point) => ({ ...point, text: hide(point.text) })),
    actionItems: actionsWithoutNames(row),
    topics: topics.map(hide),
  })
}

const orNone = (summary: ShownSummary): ShownSummary | null =>
  summary.text.trim() === '' && summary.keyPoints.length === 0 && summary.actionItems.length === 0
    ? null
    : summary

/** Empty where a name could be told from an item: the owner may have written any name into one. */
function actionsWithoutNames(row: About): ActionItem[] {
  const items = openFirst(actionItems.shown({ ...row, speakers: unnamed(row) }))
  const texts = items.flatMap(({ text, who, due }) => [text, who ?? '', due ?? ''])
  const hide = hiderOf(texts, namesOf(row))
  if (!hide) return []
  return items.map((item) => ({
    ...item,
    text: hide(item.text),
    who: item.who && hide(item.who),
    due: item.due && hide(item.due),
    quote: null,
  }))
}

/** The name of the file that a link shows. */
export function nameOfFile(
  { share, transcription }: Found,
  made: Pick<renders.Rendered, 'format' | 'clip'>,
): string {
  const { originalName } = transcription
  const title = share.withNames
    ? originalName
    : titleWithoutNames(originalName, namesOf(transcription))
  return renders.nameOf({ originalName: title }, made)
}

const unnamed = (row: About) => speakersOf(row).map(({ speaker }) => ({ speaker, name: null }))
