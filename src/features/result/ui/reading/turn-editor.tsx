import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'

import type { WordTurn } from '#features/text/contract.ts'
import type { Draft } from '#features/text/ui/drafts.ts'
import { dirOf } from '#shared/direction.ts'
import { formatTimecode } from '#shared/format.ts'
import { type Player, changeSpeed } from '#web/player.ts'
import { Button } from '#web/ui/button.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { TALL } from '#web/use-media.ts'

import { keysFor } from '../keys/key-names.ts'
import { type EditingAct, editingAct } from '../keys/keys.ts'
import { waitWhileTyping } from '../player/pause-on-typing.ts'
import type { Cursor, EditorActs } from './editor-acts.ts'
import { TimesForm } from './times-form.tsx'
import { useTyping } from './use-typing.ts'

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
  const [before, setBefore] = useState(turn)
  // Words that are found right here stay so when the turn is left. Only a change of its text is another
  // revision.
  if (turn !== before && turn.revision === before.revision) setBefore(turn)
  const [first] = useState(draft?.text ?? turn.text)
  const [isTiming, setTiming] = useState(false)
  const replaces = cursor.to > cursor.from
  /** The field and its buttons, in sight above the player; a long turn in a high window stays there. */
  const showAll = () => {
    const all = field.current?.parentElement
    const isLow = !matchMedia(TALL).matches
    if (all && (isLow || all.offsetHeight < window.innerHeight / 2))
      all.scrollIntoView({ block: 'nearest' })
  }
  const { field, isTyped, onInput } = useTyping({
    first,
    stored: turn.text,
    isStored: draft === undefined,
    onType: (text) => {
      acts.type(text)
      if (player) waitWhileTyping(player)
      showAll()
    },
  })
  const show = useEffectEvent(showAll)
  // Where the browser scrolls to the cursor, it stays above the buttons, which stick to the player.
  useEffect(() => {
    const { style } = document.documentElement
    style.scrollPaddingBottom = 'calc(var(--player-height, 0px) + 4rem)'
    return () => {
      style.scrollPaddingBottom = ''
    }
  }, [])
  useEffect(() => {
    const element = field.current
    if (!element) return
    element.focus({ preventScroll: true })
    element.setSelectionRange(cursor.from, cursor.to)
    show()
  }, [field, cursor])

  const act = (what: EditingAct) => {
    const at = field.current?.selectionStart ?? 0
    const text = field.current?.value ?? turn.text
    switch (what.kind) {
      case 'cancel':
        return acts.cancel(before, text)
      case 'undo':
        return acts.undo()
      case 'redo':
        return acts.redo()
      case 'done':
        return acts.done()
      case 'save':
        return acts.save()
      case 'split':
        return acts.split(text, at)
      case 'merge':
        return acts.merge?.()
      case 'merge-next':
        return acts.mergeNext?.()
      case 'times':
        return setTiming(true)
      case 'toggle':
        return player?.toggle()
      case 'skip':
        return player?.skip(what.seconds)
      case 'speed':
        return player ? changeSpeed(player, what.steps) : undefined
      case 'replay':
        return player?.playFrom(turn.start, turn.end)
      case 'speaker':
        return acts.speaker(what.number)
      case 'next-check':
        return acts.nextCheck(at)
      case 'accept':
        return acts.accept(at)
      case 'inaudible':
        return insert(`[inaudible ${formatTimecode(player?.now() ?? turn.start)}]`)
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { selectionStart: start, selectionEnd: end, value } = event.currentTarget
    const what = editingAct(event, { start, end, length: value.length })
    if (!what) return
    if (isTyped.current && (what.kind === 'undo' || what.kind === 'redo')) return
    event.preventDefault()
    event.stopPropagation()
    // Whoever opened it to replace words is done with the turn once they are written.
    void act(what.kind === 'split' && replaces ? { kind: 'done' } : what)
  }

  return (
    <div>
      <textarea
        ref={field}
        rows={2}
        dir={dirOf(first, language)}
        lang={language ?? undefined}
        aria-label={`Text of ${name}`}
        aria-describedby="editor-keys"
        onInput={onInput}
        onKeyDown={onKeyDown}
        className="block field-sizing-content w-[calc(100%+1.5rem)] resize-none -mx-3 rounded-control border border-line bg-card px-3 py-2 text-turn"
      />
      <div
        data-foot
        className="sticky bottom-[calc(var(--player-height,0px)+var(--sheet-height,0px)+env(safe-area-inset-bottom))] z-1 has-[[role=menu]]:z-30 flex flex-wrap items-center gap-x-3 gap-y-2 bg-paper py-2 in-data-now:bg-paper-2"
      >
        <Button size="small" variant={isTiming ? 'secondary' : 'primary'} onClick={acts.done}>
          Done
        </Button>
        <Button size="small" onClick={() => act({ kind: 'cancel' })}>
          Cancel
        </Button>
        <DropdownMenu
          align="start"
          trigger={
            <Button size="small" variant="quiet" iconAfter={<ChevronDown />}>
              More
            </Button>
          }
        >
          <MenuItem onSelect={() => act({ kind: 'split' })}>Split at the cursor</MenuItem>
          <MenuItem disabled={!acts.merge} onSelect={() => acts.merge?.()}>
            {acts.merge ? 'Join with the turn before' : 'No turn before to join with'}
          </MenuItem>
          <MenuItem disabled={!acts.mergeNext} onSelect={() => acts.mergeNext?.()}>
            {acts.mergeNext ? 'Join with the turn after' : 'No turn after to join with'}
          </MenuItem>
          <MenuItem onSelect={() => setTiming(true)}>Change its times</MenuItem>
          {turn.revision > 0 ? <MenuItem onSelect={acts.restore}>Restore original</MenuItem> : null}
        </DropdownMenu>
        <p id="editor-keys" className="text-fine text-ink-2 max-sm:hidden">
          {keysLine(replaces)}
        </p>
      </div>
      {isTiming ? (
        <TimesForm
          times={turn}
          free={acts.free}
          player={player}
          onSave={acts.retime}
          onClose={() => {
            setTiming(false)
            field.current?.focus()
          }}
        />
      ) : null}
    </div>
  )
}

/** As if it was typed. No newer way leaves it to the browser to undo. */
const insert = (words: string) => document.execCommand('insertText', false, words)

/**
 * Enter splits, Backspace at the start joins, Esc cancels: with the keys as they are now. Over words to
 * be replaced Enter saves.
 */
function keysLine(replaces: boolean): string {
  const [split, cancel] = [keysFor('editing.split'), keysFor('editing.cancel')]
  const parts = [
    split && `${split} ${replaces ? 'saves' : 'splits'}`,
    'Backspace at the start joins',
    cancel && `${cancel} cancels`,
  ]
  return `${parts.filter((part) => part !== '').join(', ')}.`
}
