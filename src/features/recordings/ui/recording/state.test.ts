import { expect, test } from 'vitest'

import { type Event, type Running, type Session, isOnPageAlone, next, recordedBy } from './state.ts'

const noon = new Date(2026, 10, 26, 12, 0).getTime()
const recording = { id: 'one', userId: 'ada', startedAt: new Date(noon), type: 'audio/webm' }

/** The state of a recording after these events, each so many seconds after the beginning. */
function after(...events: [seconds: number, event: Event][]): Session {
  const began: Event = { kind: 'began', recording, recordedMs: 0 }
  return [[0, began] as const, ...events].reduce<Session>(
    (session, [seconds, event]) =>
      next(session, event, { nowMs: seconds * 1000, at: new Date(noon + seconds * 1000) }),
    { kind: 'asking' },
  )
}
const running = (...events: Parameters<typeof after>): Running => {
  const session = after(...events)
  if (session.kind !== 'running') throw new Error(session.kind)
  return session
}
const secondsAt = (session: Running, seconds: number) => recordedBy(session, seconds * 1000) / 1000

test('the clock leaves out the pauses', () => {
  const session = running([10, { kind: 'paused' }], [25, { kind: 'resumed' }])
  expect(secondsAt(session, 30)).toBe(15)
})

test('muted, the recording goes on with silence, and hears again by itself', () => {
  const muted: [number, Event] = [60, { kind: 'deaf', why: 'muted' }]
  const now = running(muted)
  expect(now.deaf).toEqual({ why: 'muted', since: new Date(noon + 60_000), placeMs: 60_000 })
  expect(secondsAt(now, 90)).toBe(90)
  const back = running(muted, [112, { kind: 'hears', over: ['muted'] }])
  expect(back.deaf).toBeNull()
  expect(back.recording.gaps).toEqual([{ why: 'muted', placeMs: 60_000, lengthMs: 52_000 }])
})

test.each(['asleep', 'gone', 'stopped'] as const)(
  'with the microphone %s no silence is recorded, and what is missing is told',
  (why) => {
    const lost: [number, Event] = [60, { kind: 'deaf', why }]
    expect(secondsAt(running(lost), 360)).toBe(60)
    const back = running(lost, [360, { kind: 'hears', over: [why] }])
    expect(secondsAt(back, 370)).toBe(70)
    expect(back.recording.gaps).toEqual([{ why, placeMs: 60_000, lengthMs: 300_000 }])
  },
)

test('the time that a halted recorder missed before it was noticed is not counted', () => {
  const session = running([60, { kind: 'deaf', why: 'stopped', forMs: 12_000 }])
  expect(session.deaf?.since).toEqual(new Date(noon + 48_000))
  expect(secondsAt(session, 90)).toBe(48)
})

test('of two troubles the worse one is shown, and both are told afterwards', () => {
  const session = running(
    [10, { kind: 'deaf', why: 'muted' }],
    [20, { kind: 'deaf', why: 'gone' }],
    [25, { kind: 'deaf', why: 'quiet', forMs: 5000 }],
    [26, { kind: 'hears', over: ['muted'] }],
  )
  expect(session.deaf?.why).toBe('gone')
  const back = running(
    [10, { kind: 'deaf', why: 'muted' }],
    [20, { kind: 'deaf', why: 'gone' }],
    [30, { kind: 'hears', over: ['gone'] }],
  )
  expect(back.recording.gaps?.map(({ why }) => why)).toEqual(['muted', 'gone'])
})

test('a pause stays a pause when the microphone comes back', () => {
  const session = running(
    [10, { kind: 'deaf', why: 'gone' }],
    [20, { kind: 'paused' }],
    [30, { kind: 'hears', over: ['gone'] }],
  )
  expect(secondsAt(session, 60)).toBe(10)
  expect(session.isPaused).toBe(true)
})

test('a microphone that is refused is shown beside the trouble until it is given', () => {
  const lost: [number, Event] = [10, { kind: 'deaf', why: 'gone' }]
  const refused: [number, Event] = [15, { kind: 'not given', lack: 'no-device' }]
  expect(running(lost, [12, { kind: 'asked again' }]).again).toBe('asking')
  expect(running(lost, refused).again).toBe('no-device')
  expect(running(lost, refused, [20, { kind: 'hears', over: ['gone'] }]).again).toBe('no')
})

test('the time since which nothing is kept stays the first one, until all is kept', () => {
  const full: Event = { kind: 'unsaved', isFull: true }
  expect(running([10, full], [15, full]).unsaved?.since).toEqual(new Date(noon + 10_000))
  expect(running([10, full], [15, { kind: 'saved' }]).unsaved).toBeNull()
})

test('another tab that records is named once, and until it ends', () => {
  const began: Event = { kind: 'other began', id: 'two' }
  expect(running([10, began], [11, began]).others).toHaveLength(1)
  expect(running([10, began], [20, { kind: 'other ended', id: 'two' }]).others).toEqual([])
})

test('events of a microphone after the end change nothing any more', () => {
  const closing = after([10, { kind: 'stopped' }], [11, { kind: 'deaf', why: 'gone' }])
  expect(closing).toEqual({ kind: 'closing', recording })
  const done: Event = { kind: 'done', files: [], seconds: 10, levels: [], isKept: true }
  expect(after([10, { kind: 'stopped' }], [11, done])).toMatchObject({ kind: 'done', recording })
  expect(after([10, { kind: 'stopped' }], [11, { kind: 'left' }], [12, done]).kind).toBe('idle')
})

test('a recording that is stopped while it is deaf still tells of it', () => {
  const closing = after([10, { kind: 'deaf', why: 'muted' }], [40, { kind: 'stopped' }])
  expect(closing).toMatchObject({ recording: { gaps: [{ why: 'muted', lengthMs: 30_000 }] } })
})

test.each([true, false])('a finished recording says whether it is kept: %s', (isKept) => {
  const done: Event = { kind: 'done', files: [], seconds: 10, levels: [], isKept }
  const finished = after([10, { kind: 'stopped' }], [11, done], [12, { kind: 'saved' }])
  expect(finished).toMatchObject({ kind: 'done', isKept })
  expect(isOnPageAlone(finished)).toBe(!isKept)
})
