import { useQuery } from '@tanstack/react-query'
import { Pencil, Trash2, Upload } from 'lucide-react'
import { useId, useRef, useState } from 'react'

import { Section } from '#features/account/ui/account-section.tsx'
import { MOST_VOCABULARY_TERMS, LONGEST_TERM } from '#shared/business.ts'
import { capabilitiesQuery } from '#web/capabilities.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { EmptyPad } from '#web/ui/empty-pad.tsx'
import { TextField } from '#web/ui/field.tsx'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import type { Vocabulary } from '../contract.ts'
import { useSave } from './queries.ts'
import { addedInWords, spellingsIn, termsInFile, withTerms } from './term-list.ts'

const SHOWN = 5
/** 500 terms take 30 KB; a larger file is no list of terms. */
const MOST_FILE_BYTES = 200_000

export function Terms({ vocabulary }: { vocabulary: Vocabulary }) {
  const { terms, heardAs, used } = vocabulary
  const { save, isPending } = useSave()
  const isUsed = useQuery(capabilitiesQuery).data?.terms
  const [isAll, setAll] = useState(false)
  const [changing, setChanging] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  /** What the changed term is called now: its row is a new one, and gets the focus. */
  const name = useRef('')
  const close = () => {
    // What is being saved closes it.
    if (!isPending) setChanging(null)
  }
  const lastUse = new Map(used.map(({ term, lastAt }) => [term, lastAt]))
  const sorted = terms.toSorted((a, b) =>
    (lastUse.get(b) ?? '').localeCompare(lastUse.get(a) ?? ''),
  )

  const write = (term: string, { as, instead }: { as: string[]; instead?: string }) => {
    const rest = heardAs.filter((each) => each.term !== instead && each.term !== term)
    save(
      {
        terms: instead
          ? terms.map((each) => (each === instead ? term : each))
          : withTerms(terms, [term]).terms,
        heardAs: as.length > 0 ? [...rest, { term, as }] : rest,
      },
      {
        onSuccess: () => {
          name.current = term
          setChanging(null)
        },
      },
    )
  }
  const remove = (term: string) =>
    save(
      { terms: terms.filter((each) => each !== term) },
      {
        onSuccess: () =>
          toast({
            title: `${term} removed`,
            action: { label: 'Undo', onPress: () => save({ terms, heardAs }) },
          }),
      },
    )

  return (
    <Section
      title={
        <>
          Names and terms{' '}
          <span className="font-sans text-small font-normal text-ink-2 tabular-nums">
            {terms.length} of {MOST_VOCABULARY_TERMS}
          </span>
        </>
      }
      lead={
        isUsed === false
          ? 'The recognizer of this server cannot expect them. Where you say how one is misheard, that is put right all the same.'
          : undefined
      }
      action={<ImportList terms={terms} isPending={isPending} />}
    >
      <TermForm
        key={terms.length}
        isPending={isPending}
        known={terms}
        onSave={(term, as) => write(term, { as })}
      />
      {terms.length === 0 ? (
        <EmptyPad
          className="mt-6"
          text="No terms yet. Add the names that come up in your recordings."
        />
      ) : (
        <ul
          ref={list}
          tabIndex={-1}
          className="mt-5 border-t border-line"
          aria-label={`Names and terms, ${terms.length}`}
        >
          {(isAll ? sorted : sorted.slice(0, SHOWN)).map((term) => {
            const as = heardAs.find((each) => each.term === term)?.as ?? []
            const times = used.find((each) => each.term === term)?.times ?? 0
            return (
              <li key={term} className="border-b border-rule py-2">
                <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 sm:grid-cols-[minmax(0,10rem)_minmax(0,1fr)_8rem_auto]">
                  <span className="font-semibold break-words">{term}</span>
                  {as.length > 0 ? (
                    <span className="text-small break-words text-ink-2 max-sm:col-start-1 max-sm:row-start-2">
                      often heard as {as.join(', ')}
                    </span>
                  ) : (
                    <span aria-hidden="true" className="text-small text-ink-2 max-sm:hidden">
                      –
                    </span>
                  )}
                  <span className="text-small text-ink-2 max-sm:hidden">
                    {times === 0
                      ? 'Not used yet'
                      : `Used ${times === 1 ? 'once' : `${times.toLocaleString('en-US')} times`}`}
                  </span>
                  <span
                    className={classes(
                      'flex max-sm:col-start-2 max-sm:row-start-1',
                      as.length > 0 && 'max-sm:row-span-2',
                    )}
                  >
                    <IconButton
                      label={`Change ${term}`}
                      data-change={term}
                      onClick={() => {
                        name.current = term
                        setChanging(term)
                      }}
                    >
                      <Pencil />
                    </IconButton>
                    <IconButton label={`Delete ${term}`} onClick={() => remove(term)}>
                      <Trash2 />
                    </IconButton>
                  </span>
                </div>
              </li>
            )
          })}
        </ul>
      )}
      {terms.length > SHOWN && !isAll ? (
        <Button size="small" className="mt-4" onClick={() => setAll(true)}>
          Show all {terms.length}
        </Button>
      ) : null}
      {changing === null ? null : (
        <Dialog
          open
          onOpenChange={close}
          title={`Change ${changing}`}
          focusAfter={() => {
            const row = `[data-change="${CSS.escape(name.current)}"]`
            // A term that was never used goes to the end of the list, which may be folded.
            const change = list.current?.querySelector<HTMLElement>(row) ?? list.current
            change?.focus()
          }}
        >
          <TermForm
            isPending={isPending}
            known={terms.filter((each) => each !== changing)}
            term={changing}
            as={heardAs.find((each) => each.term === changing)?.as ?? []}
            onSave={(next, spellings) => write(next, { as: spellings, instead: changing })}
            onCancel={close}
          />
        </Dialog>
      )}
    </Section>
  )
}

/** Adds a term, or in a dialog changes one. */
function TermForm({
  isPending,
  known,
  term: before = '',
  as = [],
  onSave,
  onCancel,
}: {
  isPending: boolean
  /** A term is there once. */
  known: readonly string[]
  term?: string
  as?: readonly string[]
  onSave: (term: string, as: string[]) => void
  onCancel?: () => void
}) {
  const [term, setTerm] = useState(before)
  const [heard, setHeard] = useState(as.join(', '))
  const [isAsked, setAsked] = useState(false)
  const wanted = term.trim()
  const problem =
    wanted === ''
      ? 'Please enter a name or term'
      : wanted.length > LONGEST_TERM
        ? `${LONGEST_TERM} letters at most.`
        : withTerms(known, [wanted]).there > 0
          ? 'This is there already.'
          : known.length >= MOST_VOCABULARY_TERMS
            ? `${MOST_VOCABULARY_TERMS} terms at most.`
            : undefined
  return (
    <form
      noValidate
      className={classes(
        'mt-4 grid items-start gap-3',
        !onCancel && 'sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]',
      )}
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
        if (!problem && !isPending) onSave(wanted, spellingsIn(heard))
      }}
    >
      <TextField
        label="Name or term"
        placeholder="Okafor"
        value={term}
        onChange={(event) => setTerm(event.target.value)}
        // What is being saved stands in the list already.
        error={isAsked && !isPending ? problem : undefined}
      />
      <TextField
        label="Often heard as"
        placeholder="Okafer (optional)"
        hint="Commas between. A word written like this is corrected."
        value={heard}
        onChange={(event) => setHeard(event.target.value)}
      />
      {onCancel ? (
        <DialogActions>
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" variant="primary" pending={isPending}>
            Save
          </Button>
        </DialogActions>
      ) : (
        <Button type="submit" variant="primary" className="sm:mt-7" pending={isPending}>
          Add
        </Button>
      )}
    </form>
  )
}

function ImportList({ terms, isPending }: { terms: readonly string[]; isPending: boolean }) {
  const { save } = useSave()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const read = async (file: File) => {
    if (file.size > MOST_FILE_BYTES)
      return toastFailure('Not imported', 'This file is too large to be a list of terms.')
    const { terms: all, ...counts } = withTerms(terms, termsInFile(await file.text()))
    if (counts.added === 0) return toast({ title: addedInWords(counts) })
    return save({ terms: all }, { onSuccess: () => toast({ title: addedInWords(counts) }) })
  }
  return (
    <>
      <input
        ref={input}
        id={id}
        type="file"
        accept=".txt,.csv,text/plain,text/csv"
        aria-label="List of terms, one a line"
        className="hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) void read(file)
        }}
      />
      <Button
        size="small"
        icon={<Upload />}
        pending={isPending}
        onClick={() => input.current?.click()}
      >
        Import a list
      </Button>
    </>
  )
}
