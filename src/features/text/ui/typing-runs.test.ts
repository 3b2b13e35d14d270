import { expect, test } from 'vitest'

import { type Runs, beginRuns, isUntouched, redoRun, undoRun, withInput } from './typing-runs.ts'

/** Types letter by letter at the cursor, a tenth of a second each. */
function type(runs: Runs, letters: string, { at = runs.now.to, startMs = 0 } = {}): Runs {
  return [...letters].reduce((before, letter, index) => {
    const place = at + index
    const { text } = before.now
    return withInput(before, {
      now: {
        text: text.slice(0, place) + letter + text.slice(place),
        from: place + 1,
        to: place + 1,
      },
      from: place,
      to: place,
      inputType: 'insertText',
      atMs: startMs + index * 100,
    })
  }, runs)
}
const opened = beginRuns({ text: 'We met', from: 6, to: 6 })

test('what is typed in one go is one step, back and again', () => {
  const runs = type(opened, ' at noon')
  expect(undoRun(runs)?.now).toEqual(opened.now)
  expect(redoRun(undoRun(runs)!)?.now.text).toBe('We met at noon')
  expect(undoRun(undoRun(runs)!)).toBeNull()
  expect(isUntouched(opened)).toBe(true)
  expect(isUntouched(undoRun(runs)!)).toBe(false)
})

test('a pause, another place, and deleting begin a step', () => {
  const first = type(opened, ' at')
  const later = type(first, ' noon', { startMs: 5_000 })
  expect(undoRun(later)?.now.text).toBe('We met at')
  const elsewhere = type(first, 'So ', { at: 0, startMs: 300 })
  // The cursor comes back to where it was before.
  expect(undoRun(elsewhere)?.now).toEqual({ text: 'We met at', from: 0, to: 0 })
  const deleted = withInput(first, {
    now: { text: 'We met a', from: 8, to: 8 },
    from: 9,
    to: 9,
    inputType: 'deleteContentBackward',
    atMs: 400,
  })
  expect(undoRun(deleted)?.now.text).toBe('We met at')
})

test('what is typed after an undo takes the place of what was undone', () => {
  const undone = undoRun(type(opened, ' at'))!
  expect(redoRun(type(undone, ' on'))).toBeNull()
})
