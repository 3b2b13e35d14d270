import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

import { holderOf, reasonAgainst, without } from './key-choice.ts'
import { nameOfKey, namesOf } from './key-names.ts'
import { giveKeys, givenKeys } from './kept-keys.ts'
import { type KeyRow, chordOf } from './keys.ts'

type State =
  | { kind: 'still' }
  | { kind: 'listening'; problem: string | null }
  /** Another act has the key. */
  | { kind: 'taken'; chord: string; holder: KeyRow }

/** An act and its keys. Pressing them listens for the key that it is to have instead. */
export function KeyButton({ row }: { row: KeyRow }) {
  const [state, setState] = useState<State>({ kind: 'still' })
  const button = useRef<HTMLButtonElement>(null)
  const use = useRef<HTMLButtonElement>(null)
  // The question has come where the focus was.
  useEffect(() => {
    if (state.kind === 'taken') use.current?.focus()
  }, [state.kind])
  const names = namesOf(row)
  const stop = () => {
    setState({ kind: 'still' })
    button.current?.focus()
  }
  const give = (chord: string, holder: KeyRow | null) => {
    giveKeys({ [row.id]: [chord], ...(holder ? { [holder.id]: without(holder, chord) } : {}) })
    stop()
  }
  useNextKey(state.kind === 'listening', (chord) => {
    if (chord === 'Escape' && !row.keys.includes(chord)) return stop()
    const problem = reasonAgainst(chord, row)
    if (problem) return setState({ kind: 'listening', problem })
    const holder = holderOf(chord, row)
    if (holder) return setState({ kind: 'taken', chord, holder })
    give(chord, null)
  })
  return (
    <li className="border-b border-rule py-1">
      <div className="flex min-h-8 items-center gap-3">
        <span className="grow text-ink-2">{row.what}</span>
        {givenKeys()[row.id] ? (
          <button
            type="button"
            aria-label={`Reset: ${row.what}`}
            onClick={() => {
              giveKeys({ [row.id]: undefined })
              button.current?.focus()
            }}
            className="min-h-8 text-link pointer-coarse:min-h-11"
          >
            Reset
          </button>
        ) : null}
        <button
          ref={button}
          type="button"
          data-takes-key={state.kind === 'listening' ? '' : undefined}
          aria-label={
            state.kind === 'listening'
              ? undefined
              : `${row.what}: ${names === '' ? 'no key' : names}. Change`
          }
          onClick={() =>
            setState(
              state.kind === 'still' ? { kind: 'listening', problem: null } : { kind: 'still' },
            )
          }
          onBlur={() => {
            if (state.kind === 'listening') setState({ kind: 'still' })
          }}
          className={classes(
            'min-h-8 min-w-8 shrink-0 rounded-control border px-2 py-0.5 font-semibold hover:bg-paper-2 pointer-coarse:min-h-11 pointer-coarse:min-w-11',
            state.kind === 'listening' ? 'border-focus bg-paper-2' : 'border-line',
          )}
        >
          {state.kind === 'listening' ? 'Press a key…' : names === '' ? 'No key' : names}
        </button>
      </div>
      <div role="status">
        {state.kind === 'listening' ? (
          <p className="pb-1 text-right text-ink-2">{state.problem ?? 'Esc leaves it as it is.'}</p>
        ) : null}
        {state.kind === 'taken' ? (
          <p className="pb-1 text-right">
            {nameOfKey(state.chord)} is “{state.holder.what}”. Use it here instead?
          </p>
        ) : null}
      </div>
      {state.kind === 'taken' ? (
        <div className="flex justify-end gap-2 pb-1.5">
          <Button size="small" variant="quiet" onClick={stop}>
            Leave it
          </Button>
          <Button ref={use} size="small" onClick={() => give(state.chord, state.holder)}>
            Use it here
          </Button>
        </div>
      ) : null}
    </li>
  )
}

/** Takes the next key for itself, before the dialog, the page or a pedal's act. */
function useNextKey(isOn: boolean, take: (chord: string) => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const chord = chordOf(event)
    // Tab goes on to the next button, which ends the listening.
    if (chord === null || chord === 'Tab' || chord === 'Shift+Tab') return
    event.preventDefault()
    event.stopImmediatePropagation()
    take(chord)
  })
  useEffect(() => {
    if (!isOn) return
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen, { capture: true })
    return () => window.removeEventListener('keydown', listen, { capture: true })
  }, [isOn])
}
