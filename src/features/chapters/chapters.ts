/**
 * Chapters of a transcription: titles and times by which a long recording is read, played and
 * exported. What this promises:
 *
 * - They are made with the summary and cost nothing. Those that were found are found anew with every
 *   new text and every better summary.
 * - Once somebody has changed them they are their own. Then they stay as they are, at their times, until
 *   that person changes them again or asks for new ones (decision 065).
 * - A user who would write over chapters that they have not seen is told so, and nothing is written.
 *   Saving the same chapters twice is one change.
 */
import { isDeepStrictEqual } from 'node:util'

import {
  type Owned,
  isThere,
  lockFinished,
  lockOwned,
  shownRows,
  writeRow,
} from '#features/row/row.ts'
import type { KeptChapter, KeptChapters } from '#features/row/kept.ts'
import { tidyName } from '#features/text/speakers.ts'
import type { Chapter, Chapters } from '#features/transcriptions/contract.ts'
import { shownChapters } from '#features/transcriptions/results.ts'
import * as said from '#features/transcriptions/said.ts'
import { findChapters } from '#features/writing/chapters.ts'
import type { Db, Tx } from '#server/db.ts'
import { CHAPTERS_APART } from '#shared/business.ts'
import { formatTime } from '#shared/format.ts'
import { Refusal } from '#shared/refusals.ts'

/**
 * Puts these in the place of the chapters that there are.
 *
 * @throws Refusal `not_found`, `not_finished`, `chapters_changed`, `chapter_misplaced`, `invalid_request`
 */
export async function set(
  db: Db,
  {
    chapters,
    was,
    ...owned
  }: Owned & { chapters: readonly Chapter[]; was?: readonly Chapter[] | undefined },
): Promise<Chapters> {
  return db.transaction(async (tx) => {
    const row = await lockFinished(tx, owned)
    const wanted = kept(chapters)
    const now = tidied(row.chapters?.list ?? [])
    // Also when the caller's are older: an answer was lost, and it asks again.
    if (row.chapters && isDeepStrictEqual(now, wanted)) return shownChapters(row.chapters)
    if (was && !isDeepStrictEqual(now, kept(was))) throw new Refusal('chapters_changed')
    requirePlaces(wanted, { now, durationMs: row.durationMs })
    return store(tx, row.id, { by: 'own', list: wanted })
  })
}

function kept(chapters: readonly Chapter[]): KeptChapter[] {
  const list = tidied(
    chapters.map(({ title, start }) => ({ title, startMs: Math.round(start * 1000) })),
  )
  if (list.some(({ title }) => title === '')) throw new Refusal('invalid_request')
  return list.toSorted((a, b) => a.startMs - b.startMs)
}

const tidied = (chapters: readonly KeptChapter[]): KeptChapter[] =>
  chapters.map(({ title, startMs }) => ({ title: tidyName(title), startMs }))

function requirePlaces(
  wanted: readonly KeptChapter[],
  { now, durationMs }: { now: readonly KeptChapter[]; durationMs: number },
): void {
  if (wanted.some(({ startMs }) => startMs >= durationMs))
    throw new Refusal('chapter_misplaced', {
      message: `This recording ends at ${formatTime(durationMs / 1000)}.`,
    })
  for (const [at, chapter] of wanted.entries()) {
    const next = wanted[at + 1]
    if (!next || next.startMs - chapter.startMs >= CHAPTERS_APART * 1000) continue
    // The one that was there already is the other one.
    const isOld = now.some(({ startMs }) => startMs === chapter.startMs)
    const other = isOld ? chapter : next
    throw new Refusal('chapter_misplaced', {
      message: `Another chapter begins at ${formatTime(other.startMs / 1000)}.`,
    })
  }
}

/**
 * Looks for chapters in the text as it is now, and puts them in the place of those that there are. It
 * goes through the whole text, so it runs in a thread.
 *
 * @throws Refusal `not_found`, `not_finished`, `no_chapters`
 */
export async function find(db: Db, owned: Owned): Promise<Chapters> {
  const isIt = isThere(owned)
  const [before] = await db.select({ revision: shownRows.revision }).from(shownRows).where(isIt)
  const { turns, language } = await said.recordings(db).read(owned, new AbortController().signal)
  const list = findChapters({ turns, language })
  if (list.length === 0) throw new Refusal('no_chapters')
  const stored = await db.transaction(async (tx) => {
    const { id, revision } = await lockOwned(tx, owned)
    // Of another text, which may have words that are hidden in this one.
    return revision === before?.revision ? store(tx, id, { by: 'words', list }) : null
  })
  return stored ?? find(db, owned)
}

async function store(tx: Tx, id: string, chapters: KeptChapters): Promise<Chapters> {
  await writeRow(tx, id, { chapters })
  return shownChapters(chapters)
}
