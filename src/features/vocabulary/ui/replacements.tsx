import { ArrowRight, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'

import { Section } from '#features/account/ui/account-section.tsx'
import { MOST_FIND_CHARACTERS, MOST_REPLACEMENTS } from '#shared/business.ts'
import { hitsOf } from '#shared/hits.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { EmptyPad } from '#web/ui/empty-pad.tsx'
import { TextField } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast.tsx'

import type { FixedReplacement, Vocabulary } from '../contract.ts'
import { useSave } from './queries.ts'

const fresh: FixedReplacement = { from: '', to: '', matchCase: false, wholeWord: true }

export function Replacements({ vocabulary: { replacements } }: { vocabulary: Vocabulary }) {
  const { save, isPending } = useSave()
  /** The one that is open. */
  const [open, setOpen] = useState<FixedReplacement | null>(null)
  const close = () => {
    // What is being saved closes it.
    if (!isPending) setOpen(null)
  }
  const write = (all: FixedReplacement[]) =>
    save({ replacements: all }, { onSuccess: () => setOpen(null) })
  /** In the place of the one before, wherever another tab has moved it; else at the end. */
  const put = (before: FixedReplacement) => (one: FixedReplacement) => {
    const at = replacements.findIndex((each) => each.from === before.from && each.to === before.to)
    write(at === -1 ? [...replacements, one] : replacements.with(at, one))
  }
  const remove = (place: number) =>
    save(
      { replacements: replacements.filter((_, index) => index !== place) },
      {
        onSuccess: () =>
          toast({
            title: 'Replacement removed',
            action: { label: 'Undo', onPress: () => save({ replacements }) },
          }),
      },
    )
  const move = (place: number, to: number) => {
    const one = replacements[place]
    if (one) write(replacements.toSpliced(place, 1).toSpliced(to, 0, one))
  }
  return (
    <Section
      title="Fixed replacements"
      lead="Made in every new transcription, where all of them can be undone at once."
      action={
        <Button
          size="small"
          icon={<Plus />}
          disabled={replacements.length >= MOST_REPLACEMENTS}
          onClick={() => setOpen(fresh)}
        >
          Add a replacement
        </Button>
      }
    >
      {replacements.length === 0 ? (
        <EmptyPad
          className="mt-6"
          text="No replacements yet. “Remember for later recordings” in find and replace puts them here."
        />
      ) : (
        <ul className="mt-5 border-t border-line" aria-label="Fixed replacements">
          {replacements.map((one, place) => (
            <li key={`${place} ${one.from}`} className="border-b border-rule py-2">
              <div className="flex items-center gap-4">
                <p className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
                  <span className="min-w-0 break-words">{one.from}</span>
                  <ArrowRight size={18} aria-hidden="true" className="shrink-0 text-ink-2" />
                  <span className="sr-only">becomes</span>
                  <span className="min-w-0 font-semibold break-words">
                    {one.to === '' ? <em className="font-normal">nothing</em> : one.to}
                  </span>
                  <span className="text-small text-ink-2">{howInWords(one)}</span>
                </p>
                <span className="flex">
                  <IconButton label={`Change ${one.from}`} onClick={() => setOpen(one)}>
                    <Pencil />
                  </IconButton>
                  <IconButton label={`Delete ${one.from}`} onClick={() => remove(place)}>
                    <Trash2 />
                  </IconButton>
                </span>
              </div>
              <Order replacements={replacements} place={place} onMove={move} />
            </li>
          ))}
        </ul>
      )}
      {open === null ? null : (
        <Dialog
          open
          onOpenChange={close}
          title={open === fresh ? 'Add a replacement' : `Change ${open.from}`}
        >
          <ReplacementForm one={open} isPending={isPending} onSave={put(open)} onCancel={close} />
        </Dialog>
      )}
    </Section>
  )
}

const howInWords = ({ matchCase, wholeWord }: FixedReplacement): string =>
  [matchCase ? 'match case' : '', wholeWord ? 'whole words' : '']
    .filter((each) => each !== '')
    .join(', ')

/** A warning, where a replacement changes the words that an upper one has written. */
function Order({
  replacements,
  place,
  onMove,
}: {
  replacements: readonly FixedReplacement[]
  place: number
  onMove: (place: number, to: number) => void
}) {
  const one = replacements[place]
  if (!one) return null
  const find = hitsOf({ ...one, find: one.from })
  const upper = replacements.slice(0, place).find(({ to }) => find(to).length > 0)
  if (!upper) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-small text-ink-2">
      <p>This also changes “{upper.to}”. Order matters: the upper one is made first.</p>
      <Button size="small" variant="quiet" onClick={() => onMove(place, place - 1)}>
        Move up
      </Button>
      <Button
        size="small"
        variant="quiet"
        disabled={place === replacements.length - 1}
        onClick={() => onMove(place, place + 1)}
      >
        Move down
      </Button>
    </div>
  )
}

function ReplacementForm({
  one,
  isPending,
  onSave,
  onCancel,
}: {
  one: FixedReplacement
  isPending: boolean
  onSave: (one: FixedReplacement) => void
  onCancel: () => void
}) {
  const [now, setNow] = useState(one)
  const [isAsked, setAsked] = useState(false)
  const set = (changed: Partial<FixedReplacement>) => setNow({ ...now, ...changed })
  const problem = now.from.trim() === '' ? 'Please enter what is replaced' : undefined
  return (
    <form
      noValidate
      className="mt-4 grid gap-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
        if (!problem && !isPending) onSave(now)
      }}
    >
      <TextField
        label="Replace"
        maxLength={MOST_FIND_CHARACTERS}
        value={now.from}
        onChange={(event) => set({ from: event.target.value })}
        error={isAsked ? problem : undefined}
      />
      <TextField
        label="With"
        maxLength={MOST_FIND_CHARACTERS}
        value={now.to}
        onChange={(event) => set({ to: event.target.value })}
      />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <Checkbox
          className="text-small"
          checked={now.matchCase}
          onChange={(event) => set({ matchCase: event.target.checked })}
        >
          Match case
        </Checkbox>
        <Checkbox
          className="text-small"
          checked={now.wholeWord}
          onChange={(event) => set({ wholeWord: event.target.checked })}
        >
          Whole words
        </Checkbox>
      </div>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={isPending}>
          Save
        </Button>
      </DialogActions>
    </form>
  )
}
