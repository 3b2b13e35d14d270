/**
 * Action items as a calendar file (iCalendar, RFC 5545). Programs read one of two kinds of things in
 * it, and pass over the other without a word: those for tasks (Thunderbird, Apple Reminders,
 * Nextcloud) a `VTODO`, and Google Calendar and Outlook nothing but a `VEVENT`. So each item is a task,
 * and an open one with a day is an event of that day as well, which keeps nobody busy. A program that
 * reads both shows such an item twice. That is seen at once and one of them deleted; an item that is
 * missing is not seen.
 */
import { BRAND } from '#shared/business.ts'

import { dueInWords } from './action-text.ts'
import type { ActionItem } from './contract.ts'

interface Calendar {
  /** The recording's name. */
  title: string
  items: readonly ActionItem[]
  now: Date
}

export function calendarOf({ title, items, now }: Calendar): string {
  const parts = items.flatMap((item) => {
    const about = aboutOf(item, title)
    const task = [
      ...head('VTODO', item.id, now),
      ...about,
      ...(item.dueDate === null ? [] : [`DUE;VALUE=DATE:${compact(item.dueDate)}`]),
      `STATUS:${item.isDone ? 'COMPLETED' : 'NEEDS-ACTION'}`,
      'END:VTODO',
    ]
    if (item.dueDate === null || item.isDone) return task
    const event = [
      ...head('VEVENT', `${item.id}-day`, now),
      ...about,
      // Without an end it lasts for that day.
      `DTSTART;VALUE=DATE:${compact(item.dueDate)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]
    return [...task, ...event]
  })
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${BRAND}//Action items//EN`,
    'CALSCALE:GREGORIAN',
    ...parts,
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

const head = (kind: string, uid: string, now: Date): string[] => [
  `BEGIN:${kind}`,
  // The same in each file, so that a second import changes what the first has made.
  `UID:${uid}`,
  `DTSTAMP:${now.toISOString().replace(/[-:]|\.\d+/g, '')}`,
]

function aboutOf(item: ActionItem, title: string): string[] {
  const { who, text, quote, isSentence } = item
  const described = [
    quote === null || isSentence ? null : `“${quote}”`,
    [title, dueInWords(item)].filter(Boolean).join(' · '),
  ].filter((line) => line !== null)
  return [
    `SUMMARY:${escaped(who === null ? text : `${who}: ${text}`)}`,
    `DESCRIPTION:${escaped(described.join('\n'))}`,
  ]
}

const compact = (date: string): string => date.replaceAll('-', '')

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\\;,]/g, String.raw`\$&`)
    .replace(/\r?\n/g, String.raw`\n`)
    // oxlint-disable-next-line no-control-regex -- no line of such a file may hold one
    .replace(/[\u0000-\u001f\u007f]/g, ' ')

const LONGEST_LINE = 75
const encoder = new TextEncoder()

/** No line has more than 75 bytes; a space begins what goes on. No letter is cut in two. */
function folded(line: string): string {
  let bytes = 0
  let text = ''
  for (const letter of line) {
    const size = encoder.encode(letter).length
    if (bytes + size > LONGEST_LINE) {
      text += '\r\n '
      bytes = 1
    }
    text += letter
    bytes += size
  }
  return text
}
