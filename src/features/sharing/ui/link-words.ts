/** The state and the parts of a link, in the words of the page. */
import { formatDate, formatClock } from '#shared/format.ts'

import { type LinkChoice, choiceOf } from '../status.ts'
import type { Share } from '../contract.ts'

export const usualChoice = {
  played: 'picture',
  summary: true,
  names: true,
  captions: false,
} satisfies LinkChoice

export const ends = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: 'never', label: 'Never' },
] as const
export type End = (typeof ends)[number]['value']

export const daysOf = (end: End): number | null => (end === 'never' ? null : Number(end))

const DAY_MS = 86_400_000
/** The clocks of two machines may differ by this much. */
const OFF_MS = 3_600_000

/** The end that, chosen now, would be the same to the day; null on most later days. */
export function endOf(endsAt: string | null, now = Date.now()): End | null {
  if (endsAt === null) return 'never'
  const days = String(Math.ceil((Date.parse(endsAt) - now - OFF_MS) / DAY_MS))
  return ends.find(({ value }) => value === days)?.value ?? null
}

/** The parts that a link shows now: "Transcript, recording, names". */
export function partsOf(
  { includes, summaryLeftOut, render }: Pick<Share, 'includes' | 'summaryLeftOut' | 'render'>,
  isRecordingKept: boolean,
): string {
  const { played, summary, names, captions } = choiceOf(includes)
  if (render) return `Cut file, ${render.format.toUpperCase()}${captions ? ', captions' : ''}`
  const parts = [
    'Transcript',
    played === 'none' || !isRecordingKept ? [] : played === 'sound' ? 'sound only' : 'recording',
    summary && !summaryLeftOut ? 'summary' : [],
    names ? 'names' : [],
  ]
  return parts.flat().join(', ')
}

type Seen = Pick<Share, 'openings' | 'lastOpenedAt' | 'endsAt'>

/** "Seen 4 times, last today at 9:12" and "ends Nov 29, 2026". */
export function seenAndEnd(
  { openings, lastOpenedAt, endsAt }: Seen,
  now = new Date(),
): [seen: string, end: string] {
  const last = lastOpenedAt === null ? '' : momentOf(new Date(lastOpenedAt), now)
  const seen =
    openings === 0
      ? 'Not seen yet'
      : openings === 1
        ? `Seen once${last && `, ${last}`}`
        : `Seen ${openings.toLocaleString('en-US')} times${last && `, last ${last}`}`
  return [seen, endsAt === null ? 'no end' : `ends ${formatDate(endsAt)}`]
}

function momentOf(at: Date, now: Date): string {
  const time = formatClock(at)
  if (at.toDateString() === now.toDateString()) return `today at ${time}`
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (at.toDateString() === yesterday.toDateString()) return `yesterday at ${time}`
  return `on ${formatDate(at)}`
}
