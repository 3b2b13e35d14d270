/**
 * What was typed into a field, in runs, to be undone and done again run by run. A browser's own undo
 * cannot be relied on: Chromium ends a run with each letter when the page changes meanwhile. Pure.
 */

/** A text with what is selected in it. */
export interface Moment {
  text: string
  from: number
  to: number
}

export interface Runs {
  before: readonly Moment[]
  now: Moment
  after: readonly Moment[]
  /** What the newest run is made of, and when it was last added to; null when it has ended. */
  open: { kind: 'typed' | 'deleted'; atMs: number } | null
}

/** Who pauses longer begins a new run. */
const PAUSE_MS = 1_500

export const beginRuns = (now: Moment): Runs => ({ before: [], now, after: [], open: null })

/** Something was typed, or changed in another way; `from` and `to` were selected before. */
export function withInput(
  runs: Runs,
  {
    now,
    from,
    to,
    inputType,
    atMs,
  }: {
    now: Moment
    from: number
    to: number
    /** Of the browser's event. */
    inputType: string
    atMs: number
  },
): Runs {
  const kind = /^insert(Text|CompositionText)$/.test(inputType)
    ? 'typed'
    : inputType.startsWith('delete')
      ? 'deleted'
      : null
  const { open } = runs
  const goesOn =
    open !== null &&
    open.kind === kind &&
    atMs - open.atMs <= PAUSE_MS &&
    // The cursor stands where the run has left it.
    from === runs.now.from &&
    to === runs.now.to
  return {
    before: goesOn ? runs.before : [...runs.before, { ...runs.now, from, to }],
    now,
    after: [],
    open: kind && { kind, atMs },
  }
}

export function undoRun({ before, now, after }: Runs): Runs | null {
  const last = before.at(-1)
  return last
    ? { before: before.slice(0, -1), now: last, after: [now, ...after], open: null }
    : null
}

export function redoRun({ before, now, after: [next, ...after] }: Runs): Runs | null {
  return next ? { before: [...before, now], now: next, after, open: null } : null
}

/** Nothing was typed yet. */
export const isUntouched = ({ before, after }: Runs): boolean =>
  before.length === 0 && after.length === 0
