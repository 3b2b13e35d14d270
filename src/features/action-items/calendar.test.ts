import { expect, test } from 'vitest'

import { calendarOf } from './calendar.ts'
import type { ActionItem } from './contract.ts'

const item = (given: Partial<ActionItem>): ActionItem => ({
  id: '11111111-1111-4111-8111-111111111111',
  text: 'Send the list',
  who: null,
  speaker: null,
  due: null,
  dueDate: null,
  at: 41,
  quote: null,
  isSentence: false,
  isDone: false,
  isOwn: false,
  ...given,
})

const now = new Date('2026-11-22T10:11:12.345Z')
const made = (...items: ActionItem[]) => calendarOf({ title: 'Weekly, 22nd', items, now })

/** As a program reads it: folded lines are put together, and each value is what it was. */
function read(text: string) {
  const lines = text.replace(/\r\n[ \t]/g, '').split('\r\n')
  const parts: { kind: string; values: Record<string, string> }[] = []
  for (const line of lines) {
    const [name = '', ...rest] = line.split(':')
    const value = rest
      .join(':')
      .replace(/\\([\\;,nN])/g, (_, letter: string) => (/n/i.test(letter) ? '\n' : letter))
    if (name === 'BEGIN') parts.push({ kind: value, values: {} })
    const part = parts.at(-1)
    if (part) part.values[name] = value
  }
  return parts
}

test('an open item with a day is a task and an event of that day', () => {
  const text = made(
    item({ who: 'Ada', due: 'by Friday', dueDate: '2026-11-27', quote: 'I will send it' }),
  )
  const [calendar, task, event] = read(text)
  expect(calendar).toMatchObject({ kind: 'VCALENDAR', values: { VERSION: '2.0' } })
  const about = {
    DTSTAMP: '20261122T101112Z',
    SUMMARY: 'Ada: Send the list',
    DESCRIPTION: '“I will send it”\nWeekly, 22nd · by Friday, Nov 27, 2026',
  }
  expect(task).toMatchObject({
    kind: 'VTODO',
    values: { ...about, 'DUE;VALUE=DATE': '20261127', STATUS: 'NEEDS-ACTION' },
  })
  expect(event).toMatchObject({
    kind: 'VEVENT',
    values: { ...about, 'DTSTART;VALUE=DATE': '20261127', TRANSP: 'TRANSPARENT' },
  })
  expect(task?.values['UID']).not.toBe(event?.values['UID'])
})

test('a ticked item, and one without a day, is a task alone', () => {
  const parts = read(made(item({ isDone: true, dueDate: '2026-11-27' }), item({})))
  expect(parts.map(({ kind }) => kind)).toEqual(['VCALENDAR', 'VTODO', 'VTODO'])
  expect(parts[1]?.values['STATUS']).toBe('COMPLETED')
})

test('whatever the words are, they come out as they went in, in lines of at most 75 bytes', () => {
  const texts = [
    String.raw`back\slash; semicolon, comma: colon and "quotes"`,
    String.raw`on \\server\notes\new; C:\next`,
    'x'.repeat(300),
    '漢字'.repeat(60),
    '👩‍👩‍👧‍👦'.repeat(12),
    'BEGIN:VEVENT',
    'Ω'.repeat(37) + 'é',
  ]
  const text = made(...texts.map((one) => item({ text: one })))
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const tasks = read(text).filter(({ kind }) => kind === 'VTODO')
  expect(tasks.map(({ values }) => values['SUMMARY'])).toEqual(texts)
})
