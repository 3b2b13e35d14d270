import { useId, useState } from 'react'

import type { Speaker, WordTurn } from '#features/text/contract.ts'
import { nameOf } from '#features/text/ui/speaker-name.ts'
import { counted } from '#shared/format.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { SpeakerName } from '#web/ui/speaker-badge.tsx'

import type { Edits } from './edits.ts'
import type { Naming, View } from './view.ts'

/** Beside the name that was pressed; on phones a sheet. */
export function SpeakerPopover({
  naming,
  ...form
}: {
  naming: Naming
  speakers: readonly Speaker[]
  turns: readonly WordTurn[]
  edits: Edits
  view: View
}) {
  const { view } = form
  return (
    <Popover
      title="Name the speaker"
      align="start"
      anchor={view.overFrom}
      onClose={() => view.close('name')}
      focusAfter={() => view.overFrom?.focus()}
    >
      <SpeakerForm key={`${naming.speaker} ${naming.turn?.id}`} naming={naming} {...form} />
    </Popover>
  )
}

function SpeakerForm({
  naming: { speaker, turn },
  speakers,
  turns,
  edits,
  view,
}: {
  naming: Naming
  speakers: readonly Speaker[]
  turns: readonly WordTurn[]
  edits: Edits
  view: View
}) {
  const onClose = () => view.close('name')
  const known = speakers.find((one) => one.speaker === speaker)
  const [name, setName] = useState(known?.name ?? '')
  const [isEverywhere, setEverywhere] = useState(speaker !== null)
  const listId = useId()
  const placeId = useId()
  const others = speakers.filter((one) => one.speaker !== speaker)
  const wanted = name.trim()
  const turnCount = turns.filter((one) => one.speaker === speaker).length
  const hasMore = turnCount > 1
  const same = others.find((one) => sameName(one.name ?? one.label, wanted))
  const joins = isEverywhere && same !== undefined
  const had = known ? [known.name ?? '', nameOf(known.speaker, speakers)] : ['']
  const save = () => {
    onClose()
    // As it was: nothing is saved that could be undone.
    if (had.includes(wanted)) return
    if (isEverywhere && speaker !== null)
      void edits.rename(speaker, wanted, same ? 'Made one speaker' : undefined)
    else if (turn && wanted !== '') void edits.assignNew(turn.id, wanted)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TextField
        label="Name"
        // With the place of the line below it.
        className="min-h-25 [&_input::-webkit-calendar-picker-indicator]:hidden!"
        value={name}
        maxLength={80}
        list={listId}
        autoComplete="off"
        placeholder={known?.label ?? ''}
        onChange={(event) => setName(event.target.value)}
        hint={
          joins ? `${same.name ?? same.label} is already here. Make them one speaker?` : undefined
        }
      />
      <datalist id={listId}>
        {others.map((one) => (
          <option key={one.speaker}>{one.name ?? one.label}</option>
        ))}
      </datalist>
      {turn && speaker !== null && hasMore ? (
        <fieldset>
          <legend className="sr-only">Which turns</legend>
          <Choice name={placeId} checked={isEverywhere} onChange={() => setEverywhere(true)}>
            All {counted(turnCount, 'turn')} of {nameOf(speaker, speakers)}
          </Choice>
          <Choice name={placeId} checked={!isEverywhere} onChange={() => setEverywhere(false)}>
            Only this turn
          </Choice>
        </fieldset>
      ) : null}
      {turn && others.length > 0 ? (
        <ul
          aria-label={isEverywhere && hasMore ? 'Give all turns to' : 'Give the turn to'}
          className="mt-1 flex flex-wrap gap-2"
        >
          {others.map((one) => (
            <li key={one.speaker}>
              <button
                type="button"
                onClick={() => {
                  // Before two speakers are made one, the form asks.
                  if (isEverywhere && hasMore) return setName(nameOf(one.speaker, speakers))
                  void edits.assign(turn.id, one.speaker)
                  onClose()
                }}
                className="inline-flex min-h-9 items-center rounded-control border border-line px-2.5 hover:bg-paper-2 pointer-coarse:min-h-11"
              >
                <SpeakerName speaker={one.speaker} name={nameOf(one.speaker, speakers)} />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="mt-4 flex flex-wrap justify-end gap-x-3 gap-y-2">
        {turn && speaker !== null && speakers.length > 1 && !joins ? (
          <Button
            size="small"
            variant="quiet"
            className="mr-auto -ml-2 px-2!"
            onClick={() => {
              view.setOnly(speaker)
              onClose()
            }}
          >
            Only this speaker
          </Button>
        ) : null}
        <Button size="small" variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button size="small" variant="primary" type="submit">
          {joins ? 'Make one speaker' : 'Save name'}
        </Button>
      </div>
    </form>
  )
}

function Choice({
  name,
  checked,
  onChange,
  children,
}: {
  /** The same for all of them, so that arrow keys go from one to the other. */
  name: string
  checked: boolean
  onChange: () => void
  children: React.ReactNode
}) {
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-3 pointer-coarse:min-h-11">
      <input
        type="radio"
        name={name}
        checked={checked}
        onChange={onChange}
        className="size-5 shrink-0 appearance-none rounded-full border border-line bg-card checked:border-[6px] checked:border-primary"
      />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </label>
  )
}

const sameName = (a: string, b: string) =>
  b !== '' && a.localeCompare(b, undefined, { sensitivity: 'accent' }) === 0
