/**
 * Joins the action items of a transcription with newly found ones: by a better summary, in a new text,
 * or in an earlier one that comes back. What this promises:
 *
 * - An item that its owner ticked, changed, added or deleted stays so, whether it is found again or not.
 * - An item that is found again keeps its id, so that calendars and programs know it again.
 * - Those from before stay in the order in which they stood, which may be their owner's.
 */
import { eq } from 'drizzle-orm'

import type { KeptAction, NamedSpeaker } from '#features/row/kept.ts'
import { everyRow, writeRow } from '#features/row/row.ts'
import type { Tx } from '#server/db.ts'
import { MOST_ACTIONS, UNDELETE_MINUTES } from '#shared/business.ts'
import { fold } from '#shared/fold.ts'

/** Two places that lie closer than this are one: recognisers differ by less, and people pause longer. */
const NEAR_MS = 1_500
/** Words that are part of others say the same only if there are some. */
const LEAST_LETTERS = 10

/** The same for a text in which speakers have other numbers: there they are known by their names. */
export const withoutNumbers = (
  items: readonly KeptAction[] | null,
  speakers: readonly NamedSpeaker[],
): KeptAction[] =>
  (items ?? []).map((item) => {
    if (item.speaker === null) return item
    const name = speakers.find(({ speaker }) => speaker === item.speaker)?.name ?? null
    return { ...item, speaker: null, who: name }
  })

/** The items that are found, with what became of those before, and those before that are not lost. */
export function carryActions(
  before: readonly KeptAction[] | null,
  found: readonly KeptAction[],
): KeptAction[] {
  const left = new Set(before ?? [])
  const take = (is: (item: KeptAction) => boolean): KeptAction | undefined => {
    const known = [...left].find(is)
    if (known) left.delete(known)
    return known
  }
  // First those that are surely the same, so that none of them is taken for its neighbour.
  const exact = found.map((item) => take((known) => isSame(known, item)))
  const now = found.map((item, index): KeptAction => {
    const known = exact[index] ?? take((other) => isNear(other, item))
    if (!known) return item
    const { id, isDone, deletedAt, text, who, speaker, due, dueDate, isSentence } = known
    const changed = { text, who, speaker, due, dueDate, isSentence, isChanged: true }
    return { ...item, id, isDone, deletedAt, ...(known.isChanged || known.isOwn ? changed : {}) }
  })
  const kept = [...left].filter(isTouched)
  return atMost(inOrder([...now, ...kept], before ?? []))
}

/** No more than there is room for: first those at the end go that nobody has touched. */
function atMost(items: readonly KeptAction[]): KeptAction[] {
  const shown = items.filter(({ deletedAt }) => deletedAt === null)
  const tooMany = Math.max(0, shown.length - MOST_ACTIONS)
  const untouched = shown.filter((item) => !isTouched(item)).toReversed()
  const gone = new Set(untouched.slice(0, tooMany))
  return items.filter((item) => !gone.has(item))
}

const isTouched = ({ isDone, isChanged, isOwn, deletedAt }: KeptAction): boolean =>
  isDone || isChanged || isOwn || deletedAt !== null

const lettersOf = (text: string): string => fold(text).text.replace(/[^\p{L}\p{N}]+/gu, '')

function isSame(known: KeptAction, item: KeptAction): boolean {
  if (lettersOf(known.text) === lettersOf(item.text)) return true
  if (known.quote === null || item.quote === null) return false
  return lettersOf(known.quote) === lettersOf(item.quote)
}

function isNear(known: KeptAction, item: KeptAction): boolean {
  if (known.startMs === null || item.startMs === null) return false
  if (Math.abs(known.startMs - item.startMs) <= NEAR_MS) return true
  const [a, b] = [lettersOf(known.quote ?? ''), lettersOf(item.quote ?? '')]
  const isPart = (part: string, whole: string) =>
    part.length >= LEAST_LETTERS && whole.includes(part)
  return isPart(a, b) || isPart(b, a)
}

/** Those from before as they stood, and each new one after the last that was said earlier. */
function inOrder(items: readonly KeptAction[], before: readonly KeptAction[]): KeptAction[] {
  const list = before.flatMap(({ id }) => items.find((item) => item.id === id) ?? [])
  const added = items.filter((item) => !list.includes(item))
  for (const item of added.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    const last = list.findLastIndex((other) => placeOf(other) <= placeOf(item))
    list.splice(last + 1, 0, item)
  }
  return list
}

/** What was added comes after all that was said. */
const placeOf = ({ startMs }: KeptAction): number => startMs ?? Number.MAX_SAFE_INTEGER

/**
 * Without what was added and deleted, and can no longer be brought back: after some minutes, and where as
 * many as there is room for were deleted since.
 */
export function withoutGone(items: readonly KeptAction[], now: Date): KeptAction[] {
  const timeOf = ({ isOwn, deletedAt }: KeptAction) => (isOwn ? deletedAt : null)
  const fresh = items
    .flatMap((item) => {
      const at = timeOf(item)
      return at !== null && isFresh(at, now) ? [{ item, at: Date.parse(at) }] : []
    })
    .toSorted((a, b) => b.at - a.at)
  const kept = new Set(fresh.slice(0, MOST_ACTIONS).map(({ item }) => item))
  return items.filter((item) => timeOf(item) === null || kept.has(item))
}

export const isFresh = (deletedAt: string, now: Date): boolean =>
  now.getTime() - new Date(deletedAt).getTime() < UNDELETE_MINUTES * 60_000

/** Gives the items of a transcription, whose row is locked, to other speakers. */
export async function reassignActions(
  tx: Tx,
  id: string,
  whoIs: (item: KeptAction & { speaker: number }) => Pick<KeptAction, 'speaker' | 'who'>,
): Promise<void> {
  const [row] = await tx
    .select({ actionItems: everyRow.actionItems })
    .from(everyRow)
    .where(eq(everyRow.id, id))
  if (!row?.actionItems?.some(({ speaker }) => speaker !== null)) return
  const actionItems = row.actionItems.map((item) => {
    const { speaker } = item
    return speaker === null ? item : { ...item, ...whoIs({ ...item, speaker }) }
  })
  await writeRow(tx, id, { actionItems })
}
