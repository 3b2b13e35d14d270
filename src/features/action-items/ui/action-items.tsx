import { CalendarPlus, Copy, Ellipsis, Plus } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import type { Words } from '#features/text/contract.ts'
import { Source, SourceButton } from '#features/text/ui/source.tsx'
import { turnIndexAt } from '#features/text/ui/word-places.ts'
import { LONGEST_ACTION, LONGEST_WHO } from '#shared/business.ts'
import { copyText } from '#web/copy-text.ts'
import type { Player } from '#web/player.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import { DropdownMenu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { MoveButtons } from '#web/ui/move-buttons.tsx'
import { barred, useVeil } from '#web/ui/with-bars.tsx'

import { actionsNote, dueInWords, openFirst, taskLine } from '../action-text.ts'
import type { ActionItem, AddAction } from '../contract.ts'
import { downloadCalendar } from './download-calendar.ts'
import { useActions, useAddAction } from './queries.ts'

/** What it needs of an open result. */
interface Reader {
  transcription: { id: string; originalName: string; actionItems: ActionItem[] }
  words: Pick<Words, 'speakers' | 'turns'>
  player: Player | null
}

/** What is to be done. Where nothing was found, there is only the button that adds something. */
export function ActionItems({ reader }: { reader: Reader }) {
  const { transcription } = reader
  const { id, actionItems } = transcription
  const act = useActions(id)
  const [isAdding, setAdding] = useState(false)
  const addButton = useRef<HTMLButtonElement>(null)
  // What is ticked now stays where it is until the list is opened again: nothing jumps away.
  const [wasDone] = useState(() => new Set(actionItems.filter(isDone).map((item) => item.id)))
  const lists = [false, true].map((is) => actionItems.filter((item) => wasDone.has(item.id) === is))
  const open = actionItems.filter((item) => !item.isDone).length
  const note = actionsNote(actionItems)
  const endAdding = () => {
    flushSync(() => setAdding(false))
    addButton.current?.focus()
  }
  const isThere = actionItems.length > 0 || isAdding
  return (
    <section {...(isThere ? { 'aria-labelledby': 'action-items' } : {})}>
      {isThere ? (
        <>
          <div className="flex items-center gap-x-3 pb-1">
            <h2 id="action-items" className="font-display text-h3 font-semibold">
              Action items
            </h2>
            <p aria-live="polite" className="flex-1 text-fine text-ink-2 tabular-nums">
              {open === 0 ? 'All done' : `${open} open`}
            </p>
            {actionItems.length > 0 ? <More {...transcription} /> : null}
          </div>
          {note ? <p className="pb-2 text-fine text-ink-2">{note}</p> : null}
          <ul>
            {lists.flatMap((items) =>
              items.map((item, place) => (
                <Item key={item.id} {...{ item, items, place, reader, act }} />
              )),
            )}
            {isAdding ? (
              <li className="py-3">
                <AddForm reader={reader} onEnd={endAdding} />
              </li>
            ) : null}
          </ul>
        </>
      ) : null}
      {isAdding ? null : (
        <Button
          ref={addButton}
          size="small"
          variant="quiet"
          icon={<Plus />}
          className="-ml-3.5 print:hidden"
          onClick={() => setAdding(true)}
        >
          Add an action item
        </Button>
      )}
    </section>
  )
}

/** What takes them along. */
function More(transcription: Reader['transcription']) {
  const copy = () => openFirst(transcription.actionItems).map(taskLine).join('\n')
  return (
    <DropdownMenu
      trigger={
        <IconButton label="More for the action items" className="-my-2 -mr-2 print:hidden">
          <Ellipsis />
        </IconButton>
      }
    >
      <MenuItem
        icon={<Copy />}
        onSelect={() => void copyText(copy(), 'Failed to copy the task list to clipboard')}
      >
        Copy as task list
      </MenuItem>
      <MenuItem icon={<CalendarPlus />} onSelect={() => void downloadCalendar(transcription)}>
        Calendar file
      </MenuItem>
    </DropdownMenu>
  )
}

const isDone = (item: ActionItem): boolean => item.isDone

function Item({
  item,
  items,
  place,
  reader,
  act,
}: {
  item: ActionItem
  /** Those among which it is moved, and its place there. */
  items: readonly ActionItem[]
  place: number
  reader: Reader
  act: ReturnType<typeof useActions>
}) {
  const [isChanging, setChanging] = useState(false)
  const change = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const sourceId = useId()
  const textId = useId()
  const { words } = reader
  const veil = useVeil()
  const { text, who, at, quote } = item
  const turn = at === null ? undefined : words.turns[turnIndexAt(words.turns, at)]
  const due = dueInWords(item)
  const endChanging = () => {
    flushSync(() => setChanging(false))
    change.current?.focus()
  }
  if (isChanging)
    return (
      <li className="border-b border-rule py-3 last:border-0">
        <ActionForm
          reader={reader}
          item={item}
          onSave={(change) => {
            act({ kind: 'set', item, change })
            endChanging()
          }}
          onCancel={endChanging}
          more={
            <span className="ml-auto flex">
              <MoveButtons
                place={place}
                count={items.length}
                onMove={(to) => {
                  const next = items[to < place ? to : to + 1]
                  act({ kind: 'move', item, before: next?.id ?? null })
                }}
              />
              <Button
                size="small"
                variant="quiet"
                aria-label={`Delete “${short(text)}”`}
                onClick={() => act({ kind: 'delete', item })}
              >
                Delete
              </Button>
            </span>
          }
        />
      </li>
    )
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start border-b border-rule py-1 last:border-0">
      <Checkbox
        checked={item.isDone}
        aria-labelledby={textId}
        onChange={() => act({ kind: 'set', item, change: { isDone: !item.isDone } })}
        className="-ml-[11px] size-11 justify-center gap-0!"
      >
        <span className="sr-only">Done</span>
      </Checkbox>
      <div className="min-w-0 py-2">
        <button
          ref={change}
          type="button"
          data-change
          dir="auto"
          aria-label={`Change “${veil.say(short(text))}”`}
          title="Change"
          onClick={() => setChanging(true)}
          className={classes(
            '-mx-1.5 -my-0.5 block min-h-8 rounded-[4px] px-1.5 py-0.5 text-left text-body wrap-anywhere select-text hover:bg-paper-2',
            item.isDone && 'text-ink-2',
          )}
        >
          <span id={textId}>{barred(text, veil, true)}</span>
        </button>
        {who === null && due === '' ? null : (
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-small text-ink-2">
            {who === null ? null : <span className="wrap-anywhere">{barred(who, veil, true)}</span>}
            {due === '' ? null : (
              <span>
                <span className="sr-only">Due </span>
                {due}
              </span>
            )}
          </p>
        )}
      </div>
      {at !== null && turn ? (
        <span className="py-2 pl-3 leading-6.5">
          <SourceButton
            {...{ at, isOpen }}
            id={sourceId}
            player={reader.player}
            onPress={() => setOpen(!isOpen)}
          />
        </span>
      ) : null}
      {isOpen && turn && at !== null ? (
        <Source id={sourceId} className="mt-1 mb-2" {...{ at, quote, turn, reader }} />
      ) : null}
    </li>
  )
}

const NAME_LENGTH = 60

const short = (text: string): string =>
  text.length <= NAME_LENGTH ? text : `${text.slice(0, NAME_LENGTH).trimEnd()}…`.toWellFormed()

/** Adds one. It stays open, with what was typed, while the server could not take it. */
function AddForm({ reader, onEnd }: { reader: Reader; onEnd: () => void }) {
  const adding = useAddAction(reader.transcription.id, { onAdded: onEnd })
  return (
    <ActionForm
      reader={reader}
      isSaving={adding.isPending}
      error={adding.error}
      onSave={(words) => adding.mutate(words)}
      onCancel={onEnd}
    />
  )
}

function ActionForm({
  reader: { words },
  item,
  isSaving = false,
  error = null,
  onSave,
  onCancel,
  more,
}: {
  reader: Reader
  item?: ActionItem
  isSaving?: boolean
  error?: unknown
  onSave: (words: AddAction) => void
  onCancel: () => void
  /** What else can be done, at the end of the line of buttons. */
  more?: ReactNode
}) {
  const [text, setText] = useState(item?.text ?? '')
  const [who, setWho] = useState(item?.who ?? '')
  const [dueDate, setDueDate] = useState(item?.dueDate ?? '')
  const [isMissing, setMissing] = useState(false)
  const listId = useId()
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const save = () => {
    const wanted = { text: text.trim(), who: who.trim() || null, dueDate: dueDate || null }
    if (wanted.text !== '') return onSave(wanted)
    setMissing(true)
    first.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onCancel()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leaves it, wherever the focus is in it
    <form
      aria-label={item ? 'Change the action item' : 'Add an action item'}
      className="max-w-[66ch]"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSaving) save()
      }}
    >
      <TextField
        label="What"
        ref={first}
        value={text}
        maxLength={LONGEST_ACTION}
        autoComplete="off"
        error={isMissing && text.trim() === '' ? 'Say what is to be done.' : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <TextField
          label="Who"
          className="[&_input::-webkit-calendar-picker-indicator]:hidden!"
          value={who}
          maxLength={LONGEST_WHO}
          list={listId}
          autoComplete="off"
          onChange={(event) => setWho(event.target.value)}
        />
        <TextField
          label="By when"
          type="date"
          value={dueDate}
          {...(item?.due && item.dueDate === null ? { hint: `Said: ${item.due}` } : {})}
          onChange={(event) => setDueDate(event.target.value)}
        />
      </div>
      <datalist id={listId}>
        {words.speakers.map((one) => (
          <option key={one.speaker}>{one.name ?? one.label}</option>
        ))}
      </datalist>
      <div className="mt-4 flex flex-wrap gap-2.5">
        <Button type="submit" size="small" pending={isSaving}>
          {item ? 'Save' : 'Add'}
        </Button>
        <Button size="small" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        {more}
      </div>
      <Failure comesIntoSight error={error} className="mt-3" />
    </form>
  )
}
