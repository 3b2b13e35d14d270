/**
 * The recording with its chapters inside, as players of podcasts show them. It is made when it is asked
 * for, one at a time, in a folder that is gone before the answer ends; the recording itself is not
 * touched. The users who wait are served in rotation.
 */
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { type Cover, heardByOthers, requireThere } from '#features/cuts/veiled-sound.ts'
import { type Owned, isThere, shownRows } from '#features/row/row.ts'
import { veilOf } from '#features/row/veil.ts'
import { withChapters } from '#features/sound/sound.ts'
import { withoutWords } from '#features/transcriptions/hidden.ts'
import type { Db } from '#server/db.ts'
import { refuseFullLine, semaphore } from '#server/semaphore.ts'
import { type Storage, NotStored } from '#server/storage.ts'
import { exportFileName, titleOf } from '#shared/file-names.ts'
import { Refusal } from '#shared/refusals.ts'

import type { SoundFormat } from './contract.ts'

interface Deps {
  db: Db
  storage: Pick<Storage, 'open'>
  /** For what is worked out on the way. */
  workRoot: string
  cover?: Cover | undefined
}

const types = { m4a: 'audio/mp4', mp3: 'audio/mpeg' } as const satisfies Record<SoundFormat, string>
/** Twelve hours that are encoded take some minutes. */
const LONGEST_MS = 20 * 60_000
const LINE = { ofLane: 2, ofAll: 20 }
/** Files of one user that are sent at once. */
const MOST_SENT = 3
const COME_BACK_SECONDS = 10

/**
 * @throws Refusal `not_found`, `not_finished`, `recording_gone`, `sound_being_hidden`, `sound_not_hidden`,
 * `without_chapters`, `not_encodable`, `too_much_at_once`, `server_busy`
 */
export function soundsOf({ db, storage, workRoot, cover }: Deps) {
  const places = semaphore(1)
  /** How many files of each user are open. Each takes as much of the disk as it is large. */
  const sent = new Map<string, number>()
  return async ({ format, ...owned }: Owned & { format: SoundFormat }, gone: AbortSignal) => {
    const [row] = await db.select().from(shownRows).where(isThere(owned))
    if (!row) throw new Refusal('not_found')
    const { durationMs } = row
    if (row.status !== 'completed') throw new Refusal('not_finished')
    if (row.storageKey === null) throw new Refusal('recording_gone')
    const heard = await heardByOthers(db, row, cover)
    const { storageKey } = heard ? requireThere(heard) : { storageKey: row.storageKey }
    const veil = await veilOf(db, row)
    const { originalName, chapters: kept } = veil ? withoutWords(row, veil, 'others').values : row
    const chapters = kept?.list ?? []
    if (chapters.length === 0) throw new Refusal('without_chapters')
    const labels = { title: titleOf(originalName), chapters, durationMs }
    // A client that does not read its answer would fill the disk, without a file to be seen.
    if ((sent.get(owned.userId) ?? 0) >= MOST_SENT)
      throw new Refusal('too_much_at_once', { retryAfterSeconds: COME_BACK_SECONDS })
    refuseFullLine(places, owned.userId, LINE)
    await using _ = await places.take(gone, { owner: owned.userId })
    const signal = AbortSignal.any([gone, AbortSignal.timeout(LONGEST_MS)])
    await mkdir(workRoot, { recursive: true })
    const folder = await mkdtemp(join(workRoot, 'chapters-'))
    try {
      const recording = await storage.open(storageKey).catch((error: unknown) => {
        throw error instanceof NotStored ? new Refusal('recording_gone', { cause: error }) : error
      })
      const out = join(folder, `sound.${format}`)
      const isMade = await withChapters(recording.path, out, { format, labels, signal }).finally(
        () => recording.release(),
      )
      if (!isMade) throw new Refusal('not_encodable')
      const file = await open(out)
      const { size: sizeBytes } = await file.stat()
      // An open file can be read to its end after its name is gone.
      const content = file.createReadStream()
      sent.set(owned.userId, (sent.get(owned.userId) ?? 0) + 1)
      content.once('close', () => {
        const left = (sent.get(owned.userId) ?? 1) - 1
        if (left > 0) sent.set(owned.userId, left)
        else sent.delete(owned.userId)
      })
      const name = exportFileName(originalName, format)
      return { name, type: types[format], sizeBytes, content }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}
