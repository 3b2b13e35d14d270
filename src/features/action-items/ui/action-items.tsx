import { CalendarDays, CalendarPlus, Pencil, Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import type { Words } from '#features/text/contract.ts'
import { Source, SourceButton } from '#features/text/ui/source.tsx'
import { turnIndexAt } from '#features/text/ui/word-places.ts'
import { LONGEST_ACTION, LONGEST_WHO } from '#shared/business.ts'
import type { Player } from '#web/player.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { SpeakerName } from '#web/ui/speaker-badge.tsx'
import { toast } from '#web/ui/toast.tsx'

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
  const items = [
    ...actionItems.filter((item) => !wasDone.has(item.id)),
    ...actionItems.filter((item) => wasDone.has(item.id)),
  ]
  const open = actionItems.filter((item) => !item.isDone).length
  const note = actionsNote(actionItems)
  const endAdding = () => {
    flushSync(() => setAdding(false))
    addButton.current?.focus()
  }
  const isThere = items.length > 0 || isAdding
  return (
    <section
      {...(isThere ? { 'aria-labelledby': 'action-items' } : {})}
      className={isThere ? 'pt-10' : '-ml-3.5 pt-4'}
    >
      {isThere ? (
        <>
          <div className="mb-4 flex flex-wrap items-baseline gap-x-4">
            <h2 id="action-items" className="font-display text-section font-semibold">
              Action items
            </h2>
            <p aria-live="polite" className="text-small text-ink-2 tabular-nums">
              {open === 0 ? 'All done' : `${open} open`}
            </p>
          </div>
          {note ? <p className="-mt-2 mb-4 text-small text-ink-2">{note}</p> : null}
          <ul className="mb-4 border-t border-rule">
            {items.map((item) => (
              <Item key={item.id} {...{ item, reader, act }} />
            ))}
            {isAdding ? (
              <li className="border-b border-rule py-4">
                <AddForm reader={reader} onEnd={endAdding} />
              </li>
            ) : null}
          </ul>
        </>
      ) : null}
      <div className="flex flex-wrap gap-2.5">
        {isAdding ? null : (
          <Button
            ref={addButton}
            size="small"
            variant={isThere ? 'secondary' : 'quiet'}
            icon={<Plus />}
            onClick={() => setAdding(true)}
          >
            Add an action item
          </Button>
        )}
        {actionItems.length === 0 ? null : (
          <>
            <CopyButton
              label="Copy as task list"
              text={() => openFirst(actionItems).map(taskLine).join('\n')}
              onCopied={() => toast({ title: 'Copied to clipboard' })}
              onFailed={() =>
                toast({
                  title: 'Failed to copy the task list to clipboard',
                  variant: 'destructive',
                })
              }
            />
            <Button
              size="small"
              icon={<CalendarPlus />}
              onClick={() => void downloadCalendar(transcription)}
            >
              Calendar file
            </Button>
          </>
        )}
      </div>
    </section>
  )
}

const isDone = (item: ActionItem): boolean => item.isDone

function Item({
  item,
  reader,
  act,
}: {
  item: ActionItem
  reader: Reader
  act: ReturnType<typeof useActions>
}) {
  const [isChanging, setChanging] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const sourceId = useId()
  const textId = useId()
  const { words } = reader
  const { text, who, speaker, at, quote } = item
  const turn = at === null ? undefined : words.turns[turnIndexAt(words.turns, at)]
  const due = dueInWords(item)
  const endChanging = () => {
    flushSync(() => setChanging(false))
    pencil.current?.focus()
  }
  if (isChanging)
    return (
      <li className="border-b border-rule py-4">
        <ActionForm
          reader={reader}
          item={item}
          onSave={(change) => {
            act({ kind: 'set', item, change })
            endChanging()
          }}
          onCancel={endChanging}
        />
      </li>
    )
  return (
    <li className="group/item grid grid-cols-[auto_minmax(0,1fr)] gap-x-1 border-b border-rule py-2 lg:grid-cols-[auto_minmax(0,1fr)_auto]">
      <Checkbox
        checked={item.isDone}
        aria-labelledby={textId}
        onChange={() => act({ kind: 'set', item, change: { isDone: !item.isDone } })}
        className="-ml-[11px] size-11 justify-center gap-0!"
      >
        <span className="sr-only">Done</span>
      </Checkbox>
      <div className="min-w-0 py-2">
        <p
          id={textId}
          dir="auto"
          className={classes(
            'max-w-[66ch] text-reading wrap-anywhere',
            item.isDone && 'text-ink-2 line-through decoration-ink-3 decoration-1',
          )}
        >
          {text}
        </p>
        {who === null && due === '' ? null : (
          <p className="mt-1 flex flex-wrap items-center gap-x-5 gap-y-1 text-small">
            {who === null ? null : <SpeakerName speaker={speaker} name={who} />}
            {due === '' ? null : (
              <span className="inline-flex items-center gap-2 text-ink-2">
                <CalendarDays size={16} aria-hidden="true" className="shrink-0" />
                <span>
                  <span className="sr-only">Due </span>
                  {due}
                </span>
              </span>
            )}
          </p>
        )}
      </div>
      <div className="flex items-center gap-1 self-start max-lg:col-start-2 max-lg:-mt-1 lg:min-h-11">
        {at !== null && turn ? (
          <SourceButton at={at} isOpen={isOpen} id={sourceId} onPress={() => setOpen(!isOpen)} />
        ) : null}
        <span className="flex lg:order-first pointer-fine:opacity-0 pointer-fine:group-focus-within/item:opacity-100 pointer-fine:group-hover/item:opacity-100">
          <IconButton
            ref={pencil}
            label={`Change “${short(text)}”`}
            onClick={() => setChanging(true)}
          >
            <Pencil />
          </IconButton>
          <IconButton
            label={`Delete “${short(text)}”`}
            onClick={() => act({ kind: 'delete', item })}
          >
            <Trash2 />
          </IconButton>
        </span>
      </div>
      {isOpen && turn && at !== null ? (
        <Source
          id={sourceId}
          className="mt-1 mb-2 lg:col-start-2 lg:col-end-4"
          {...{ at, quote, turn, reader }}
        />
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
}: {
  reader: Reader
  item?: ActionItem
  isSaving?: boolean
  error?: unknown
  onSave: (words: AddAction) => void
  onCancel: () => void
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
      <Failure error={error} />
      <div className="mt-4 flex gap-2.5">
        <Button type="submit" size="small" pending={isSaving}>
          {item ? 'Save' : 'Add'}
        </Button>
        <Button size="small" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
