import { Search, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'

import type { OpenTranscript } from '#web/palette/palette.ts'
import { usePointer } from '#web/palette/use-pointer.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Scrim } from '#web/ui/dialog.tsx'

import { type Act, useOffers } from './use-offers.tsx'

const TITLE = 'Search and commands'
const LONGEST_QUERY = 200

/** Finds everything by its name: pages, recordings, moments, and acts on the open result. */
export function PaletteDialog({
  transcript,
  from,
  onClose,
}: {
  /** The result that is open on the page, with its acts. */
  transcript: OpenTranscript | null
  /** The element that had the focus before the palette opened. */
  from: Element | null
  onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  const { groups, query, isSearching, isFailed } = useOffers(typed, transcript)
  const acts = groups.flatMap((group) => group.acts)
  const isNothing = !isSearching && acts.length === 0
  const run = (act: Act) => {
    if (!act.staysOpen) onClose()
    act.run()
  }
  const { list, listId, idOf, active, point, onKeyDown, reset } = usePointer(acts, run)
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Scrim />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // The command has opened a new page, which has moved the focus already.
            if (document.activeElement !== document.body) return
            if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true })
          }}
          className={panelClasses}
        >
          <Dialog.Title className="sr-only">{TITLE}</Dialog.Title>
          <div className="flex items-center gap-3 border-b border-rule pr-2 pl-4">
            <Search size={20} className="shrink-0 text-ink-2" />
            <input
              type="text"
              role="combobox"
              aria-label={TITLE}
              aria-autocomplete="list"
              aria-expanded="true"
              aria-controls={listId}
              aria-activedescendant={active && idOf(active)}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              enterKeyHint="go"
              dir="auto"
              maxLength={LONGEST_QUERY}
              placeholder={
                transcript ? 'A name, a page, or a time: 12:30' : 'A name, a page, or a command'
              }
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                reset()
              }}
              onKeyDown={onKeyDown}
              className="h-14 min-w-0 flex-1 bg-transparent text-body text-ink outline-none! placeholder:text-ink-3"
            />
            <Dialog.Close asChild>
              <IconButton label="Close">
                <X />
              </IconButton>
            </Dialog.Close>
          </div>
          <output className="sr-only">
            {isSearching ? '' : isNothing ? 'Nothing found.' : countInWords(acts.length)}
          </output>
          {isFailed ? (
            <p role="alert" className="px-4 pt-3 text-small text-danger">
              Your recordings could not be searched. Everything else is here.
            </p>
          ) : null}
          {isNothing ? <p className="p-4 text-ui">Nothing found.</p> : null}
          <div
            ref={list}
            id={listId}
            role="listbox"
            aria-label={TITLE}
            className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain px-2 not-empty:pb-2"
          >
            {groups.map(({ name, acts }) => (
              <div key={name} role="group" aria-label={name} className="pt-3">
                <p aria-hidden="true" className="px-2 pb-1 text-fine font-semibold text-ink-2">
                  {name}
                </p>
                {acts.map((act) => (
                  <Option
                    key={act.id}
                    id={idOf(act)}
                    act={act}
                    isActive={act.id === active?.id}
                    onPoint={() => point(act.id)}
                    onRun={() => run(act)}
                  />
                ))}
              </div>
            ))}
          </div>
          {isSearching ? (
            <p className="animate-appear px-4 py-3 text-small text-ink-2">
              {query === '' ? 'Loading your recordings…' : 'Searching your recordings…'}
            </p>
          ) : null}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** On phones a sheet from the top, where the keyboard does not cover it. */
const panelClasses =
  'fixed inset-x-0 top-0 z-50 flex max-h-[min(70dvh,34rem)] flex-col overflow-hidden rounded-b-panel border border-float-edge bg-card pt-[env(safe-area-inset-top)] text-ink shadow-float outline-none ' +
  'data-[state=open]:animate-fade-in sm:top-[12dvh] sm:mx-auto sm:w-[38rem] sm:rounded-panel sm:pt-0'

/** The focus stays in the field, which names the option that Enter runs. */
function Option({
  id,
  act: { label, icon, note },
  isActive,
  onPoint,
  onRun,
}: {
  id: string
  act: Act
  isActive: boolean
  onPoint: () => void
  onRun: () => void
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the field's
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onMouseDown={(event) => event.preventDefault()}
      onPointerMove={onPoint}
      onClick={onRun}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-[4px] px-2 py-1.5 text-ui select-none aria-selected:bg-paper-2 aria-selected:shadow-[inset_3px_0_0_var(--color-primary)] sm:min-h-10 pointer-coarse:min-h-11 [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-ink-2"
    >
      {icon}
      <span dir="auto" title={label} className="min-w-0 flex-1 truncate">
        {label}
      </span>
      {note ? <span className="shrink-0 text-small text-ink-2 tabular-nums">{note}</span> : null}
    </div>
  )
}

const countInWords = (count: number) => (count === 1 ? '1 result' : `${count} results`)
