/**
 * The recording itself, to be played or saved: to its owner only, in the stretches that players ask
 * for, and never kept by anything in between. A recording that browsers cannot play is refused to the
 * player, but can be saved.
 */
import { createHash } from 'node:crypto'

import { and, eq } from 'drizzle-orm'

import { type Owned, hidings, isThere, shownRows } from '#features/row/row.ts'
import type { measure } from '#features/sound/decode.ts'
import type { Queryable } from '#server/db.ts'
import type { InRanges } from '#server/send-in-ranges.ts'
import { NotStored } from '#server/storage.ts'
import { contentDisposition, hasAcceptedExtension } from '#shared/file-names.ts'
import { Refusal } from '#shared/refusals.ts'

import type { Deps } from './recordings.ts'

type Measured = Extract<Awaited<ReturnType<typeof measure>>, { kind: 'audio' }>

interface Playable {
  type: string
  codecs: RegExp
  /** Of moving pictures. HEVC is not among them: most browsers cannot show it, or on some machines only. */
  pictures?: RegExp
}

/** Codecs that today's browsers play, by the container they come in. */
const playable: Partial<Record<Measured['container'], Playable>> = {
  mp3: { type: 'mpeg', codecs: /^mp3/ },
  aac: { type: 'aac', codecs: /^aac/ },
  wav: { type: 'wav', codecs: /^pcm_(u8|s16le|s24le|s32le|f32le|alaw|mulaw)$/ },
  flac: { type: 'flac', codecs: /^flac$/ },
  ogg: { type: 'ogg', codecs: /^(opus|vorbis|flac)$/ },
  mov: { type: 'mp4', codecs: /^(aac|mp3|opus|flac)$/, pictures: /^(h264|vp9|av1)$/ },
  matroska: { type: 'webm', codecs: /^(opus|vorbis)$/, pictures: /^(vp8|vp9|av1)$/ },
}

/** The media type that browsers are told; null when they cannot play the recording. */
export function mediaTypeOf({
  container,
  codec,
  isVideo,
}: Pick<Measured, 'container' | 'codec' | 'isVideo'>): string | null {
  const found = playable[container]
  if (!found?.codecs.test(codec)) return null
  return `${isVideo ? 'video' : 'audio'}/${found.type}`
}

const endings: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/webm': 'webm',
}

/** The name under which a recording is saved: its own, with an ending where a new name left none. */
export function savedName({
  originalName,
  mediaType,
}: {
  originalName: string
  mediaType: string | null
}): string {
  if (mediaType === null || hasAcceptedExtension(originalName)) return originalName
  return `${originalName}.${endings[mediaType] ?? mediaType.replace(/^.*\//, '')}`
}

/** Whether browsers can show the moving pictures of a recording; null where it has none. */
export function pictureOf(
  measured: Pick<Measured, 'container' | 'codec' | 'isVideo' | 'videoCodec'>,
): 'shown' | 'cannot' | null {
  if (!measured.isVideo) return null
  const isShown = playable[measured.container]?.pictures?.test(measured.videoCodec ?? '') === true
  return isShown && mediaTypeOf(measured) !== null ? 'shown' : 'cannot'
}

/** Whether words are being taken out of its sound: nobody hears it until then. */
export const isBeingHidden = async (db: Queryable, id: string): Promise<boolean> =>
  (await db.$count(hidings, and(eq(hidings.transcriptionId, id), eq(hidings.status, 'making')))) > 0

/**
 * The recording of a transcription, ready to be read; one that is saved need not be playable.
 *
 * @throws Refusal `not_found`, `recording_gone`, `sound_being_hidden`, `not_playable`
 */
export async function open(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  { isSaved = false, ...owned }: Owned & { isSaved?: boolean },
): Promise<InRanges> {
  const [row] = await db
    .select({
      id: shownRows.id,
      storageKey: shownRows.storageKey,
      originalName: shownRows.originalName,
      mediaType: shownRows.mediaType,
      sizeBytes: shownRows.sizeBytes,
    })
    .from(shownRows)
    .where(isThere(owned))
  if (!row) throw new Refusal('not_found')
  const { storageKey } = row
  if (storageKey === null)
    throw new Refusal((await isBeingHidden(db, row.id)) ? 'sound_being_hidden' : 'recording_gone')
  return read(storage, { ...row, storageKey, isSaved })
}

/** A file of a recording. @throws Refusal `recording_gone`, `not_playable` */
export async function read(
  storage: Deps['storage'],
  {
    storageKey,
    isSaved,
    ...row
  }: { storageKey: string; sizeBytes: number; isSaved: boolean } & Parameters<typeof savedName>[0],
): Promise<InRanges> {
  const { mediaType, sizeBytes } = row
  if (mediaType === null && !isSaved) throw new Refusal('not_playable')
  // Looked for before the answer begins: it may be deleted at this very moment.
  await storage.require(storageKey).catch((error: unknown) => {
    throw error instanceof NotStored ? new Refusal('recording_gone', { cause: error }) : error
  })
  const type = mediaType ?? 'application/octet-stream'
  const disposition = isSaved ? contentDisposition(savedName(row)) : 'inline'
  return {
    type,
    disposition,
    sizeBytes,
    tag: `"${createHash('sha256').update(storageKey).digest('base64url').slice(0, 22)}"`,
    address: await storage.address(storageKey, { type, disposition }),
    read: (range) => storage.read(storageKey, range),
  }
}
