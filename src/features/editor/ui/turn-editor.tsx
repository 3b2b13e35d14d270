import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

import { formatTimecode } from '#shared/format.ts'
import { Button } from '#web/ui/button.tsx'

import type { WordTurn } from '../contract.ts'
import type { Draft } from './drafts.ts'
import { type EditingAct, editingAct } from './keys.ts'
import { type Player, rates } from './player/player.ts'

/** Where the cursor is put when an editor opens: at a place, or over a word to be replaced. */
export interface Cursor {
  from: number
  to: number
}

export interface EditorActs {
  type: (turn: WordTurn, text: string) => void
  done: (turn: WordTurn) => void
  save: (turn: WordTurn) => void
  cancel: (turn: WordTurn, before: string) => void
  split: (turn: WordTurn, text: string, at: number) => void
  merge: (turn: WordTurn, text: string) => void
  restore: (turn: WordTurn) => void
  speaker: (turn: WordTurn, number: number) => void
  nextCheck: (turn: WordTurn, at: number) => void
  accept: (turn: WordTurn, at: number) => void
}

const spaces = /\s+/g
const normal = (text: string) => text.replace(spaces, ' ').trim()

/** The field in which a turn is corrected. What is typed is stored automatically. */
export function TurnEditor({
  turn,
  name,
  draft,
  cursor,
  language,
  player,
  acts,
}: {
  turn: WordTurn
  name: string
  draft: Draft | undefined
  cursor: Cursor
  language: string | null
  player: Player | null
  acts: EditorActs
}) {
  const [before] = useState(turn.text)
  const [text, setText] = useState(draft?.text ?? turn.text)
  const [seen, setSeen] = useState(turn.text)
  const field = useRef<HTMLTextAreaElement>(null)
  if (turn.text !== seen) {
    setSeen(turn.text)
    // The stored text has changed, for example by undo, so the field shows it. The user's own text
    // comes back without its outer spaces: that is no change, and the field keeps the spaces.
    if (!draft && normal(text) !== turn.text) setText(turn.text)
  }

  useEffect(() => {
    const element = field.current
    if (!element) return
    element.focus({ preventScroll: true })
    element.setSelectionRange(cursor.from, cursor.to)
  }, [cursor])

  const act = (what: EditingAct) => {
    const at = field.current?.selectionStart ?? 0
    switch (what.kind) {
      case 'cancel':
        return acts.cancel(turn, before)
      case 'done':
        return acts.done(turn)
      case 'save':
        return acts.save(turn)
      case 'split':
        return acts.split(turn, text, at)
      case 'merge':
        return acts.merge(turn, text)
      case 'toggle':
        return player?.toggle()
      case 'skip':
        return player?.skip(what.seconds)
      case 'speed':
        return player ? changeSpeed(player, what.steps) : undefined
      case 'replay':
        return player?.playFrom(turn.start, turn.end)
      case 'speaker':
        return acts.speaker(turn, what.number)
      case 'next-check':
        return acts.nextCheck(turn, at)
      case 'accept':
        return acts.accept(turn, at)
      case 'inaudible':
        return insert(`[inaudible ${formatTimecode(player?.now() ?? turn.start)}]`)
    }
  }
  const insert = (words: string) => {
    const element = field.current
    if (!element) return
    element.setRangeText(words, element.selectionStart, element.selectionEnd, 'end')
    setText(element.value)
    acts.type(turn, element.value)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes a character, it uses Enter and Escape itself.
    if (event.nativeEvent.isComposing) return
    const { selectionStart, selectionEnd } = event.currentTarget
    const what = editingAct(event, { start: selectionStart, end: selectionEnd })
    if (!what) return
    event.preventDefault()
    event.stopPropagation()
    act(what)
  }

  return (
    <div>
      <textarea
        ref={field}
        value={text}
        rows={2}
        dir="auto"
        lang={language ?? undefined}
        aria-label={`Text of ${name}`}
        aria-describedby="editor-keys"
        onChange={(event) => {
          setText(event.target.value)
          acts.type(turn, event.target.value)
        }}
        onKeyDown={onKeyDown}
        className="block field-sizing-content w-[calc(100%+1.5rem)] resize-none -mx-3 rounded-control border border-line bg-card px-3 py-2 text-turn"
      />
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button size="small" variant="primary" onClick={() => acts.done(turn)}>
          Done
        </Button>
        <Button size="small" onClick={() => acts.cancel(turn, before)}>
          Cancel
        </Button>
        {turn.isEdited ? (
          <Button size="small" variant="quiet" onClick={() => acts.restore(turn)}>
            Restore original
          </Button>
        ) : null}
        <p id="editor-keys" className="text-fine text-ink-2 max-sm:hidden">
          Enter splits, Backspace at the start joins, Esc cancels.
        </p>
      </div>
    </div>
  )
}

export function changeSpeed(player: Player, steps: 1 | -1): void {
  const { rate } = player.getState()
  const next = rates[rates.findIndex((one) => one === rate) + steps]
  if (next !== undefined) player.setRate(next)
}
