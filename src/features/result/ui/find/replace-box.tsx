import { CornerDownRight, Search as SearchIcon, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'

import type { CutAct } from '#features/cuts/ui/use-cuts.ts'
import { MOST_FIND_CHARACTERS } from '#shared/business.ts'
import { paths } from '#web/paths.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import { inputClasses } from '#web/ui/field.tsx'

import { HitSteps, foundInWords, inFigures } from './find-bar.tsx'
import type { Result } from '../result.ts'
import { useReplacing } from './use-replacing.ts'
import type { Search } from './use-search.ts'

/** From how many hits on it is asked whether all are to be replaced. */
const MANY_HITS = 50
/** A count is said once the typing rests. */
const REST_MS = 400

const iconClasses = 'pointer-events-none absolute top-3 left-3 size-5 text-ink-2'

/** Finds words and replaces them, one by one or all at once. */
export function ReplaceBox({
  result,
  search,
  isEditing,
  onClose,
}: {
  result: Result
  search: Search
  /** Whether a turn is open for correcting: what is typed there is not stored yet. */
  isEditing: boolean
  onClose: () => void
}) {
  const { wanted, want, options, setOptions, hits, move } = search
  const field = useRef<HTMLInputElement>(null)
  const { beside } = result.view
  const replacing = useReplacing(result, search)
  const { replaceWith, setReplaceWith, remember, setRemember, isBusy, done } = replacing
  const [isAsking, setAsking] = useState(false)
  const noteId = useId()
  const count = hits.length
  const isSearching = wanted.trim() !== ''
  const act = replaceWith.trim() === '' ? 'Remove' : 'Replace'
  const cannot = count === 0 || isEditing
  const said = useRested(done === null && isSearching ? foundInWords(count, null) : '', REST_MS)

  // Also when it is asked for once more, which makes another object of it.
  useEffect(() => {
    if (!beside) return
    field.current?.focus()
    field.current?.select()
  }, [beside])
  const change = (work: () => void) => {
    setAsking(false)
    replacing.forget()
    work()
  }
  const one = () => {
    setAsking(false)
    if (!cannot) void replacing.one()
  }
  const all = () => {
    setAsking(false)
    if (!cannot) void replacing.all()
  }
  const option = (label: string, isOn: boolean, set: (isOn: boolean) => void) => (
    <Checkbox
      className="text-small"
      checked={isOn}
      onChange={(event) => change(() => set(event.target.checked))}
    >
      {label}
    </Checkbox>
  )
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    }
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    if (event.target.type === 'checkbox') return
    event.preventDefault()
    if (event.ctrlKey || event.metaKey) one()
    else move(event.shiftKey ? -1 : 1)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears the keys of its fields
    <search
      aria-label="Find and replace"
      onKeyDown={onKey}
      className="grid w-full animate-fade-in grid-cols-[minmax(0,1fr)_auto] gap-x-2.5 gap-y-2.5 rounded-b-panel border border-t-0 border-rule bg-card p-3 shadow-float sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] sm:p-4"
    >
      <div className="relative">
        <SearchIcon className={iconClasses} />
        <input
          ref={field}
          type="text"
          role="searchbox"
          aria-label="Find"
          placeholder="Find"
          maxLength={MOST_FIND_CHARACTERS}
          value={wanted}
          onChange={(event) => change(() => want(event.target.value))}
          className={classes(inputClasses, 'pl-10', isSearching ? 'pr-44' : '')}
        />
        {isSearching ? <Hits search={search} /> : null}
      </div>
      <div className="relative max-sm:col-span-2 max-sm:row-start-2">
        <CornerDownRight className={iconClasses} />
        <input
          type="text"
          aria-label="Replace with"
          placeholder="Replace with (empty removes)"
          maxLength={MOST_FIND_CHARACTERS}
          value={replaceWith}
          onChange={(event) => change(() => setReplaceWith(event.target.value))}
          className={classes(inputClasses, 'pl-10')}
        />
      </div>
      <IconButton
        label="Close find and replace"
        size="medium"
        className="max-sm:col-start-2 max-sm:row-start-1"
        onClick={onClose}
      >
        <X />
      </IconButton>

      <div className="col-span-full flex flex-wrap items-center gap-x-5 gap-y-2.5">
        {option('Match case', options.matchCase, (matchCase) => setOptions({ matchCase }))}
        {option('Whole words', options.wholeWord, (wholeWord) => setOptions({ wholeWord }))}
        {option('Remember for later recordings', remember, setRemember)}
        {count === 0 ? null : (
          <Acts
            {...{ act, count, isBusy, isAsking, setAsking, noteId }}
            isDisabled={cannot}
            cut={isEditing ? null : result.cuts.offerFor(hits)}
            onOne={one}
            onAll={all}
          />
        )}
      </div>
      <p id={noteId} className="col-span-full text-small text-ink-2 empty:hidden">
        {isEditing ? (
          <>
            Save the open turn first.{' '}
            <button type="button" className="min-h-6 text-link" onClick={goToOpenTurn}>
              Go to it
            </button>
          </>
        ) : done && done.left > 0 ? (
          leftInWords(done.left)
        ) : done?.isRemembered ? (
          <>
            Also for later recordings.{' '}
            <Link className="text-link" to={paths.accountVocabulary}>
              Change
            </Link>
          </>
        ) : null}
      </p>
      <output className="sr-only">
        {done === null
          ? said
          : done.left > 0
            ? leftInWords(done.left)
            : `${act}d, ${inFigures(count)} left`}
      </output>
    </search>
  )
}

/** How many there are, and the way from one to the next. */
function Hits({ search: { hits, at, move } }: { search: Search }) {
  const count = hits.length
  return (
    <div className="absolute inset-y-0 right-1 flex items-center">
      <span
        aria-hidden="true"
        className="mr-1 text-small whitespace-nowrap text-ink-2 tabular-nums"
      >
        {foundInWords(count, at)}
      </span>
      <HitSteps move={move} className="size-9!" disabled={count === 0} />
    </div>
  )
}

/** Replaces one or all; of many it is asked first. */
function Acts({
  act,
  count,
  isBusy,
  isDisabled,
  isAsking,
  setAsking,
  noteId,
  cut,
  onOne,
  onAll,
}: {
  /** Replace, or Remove. */
  act: string
  count: number
  isBusy: boolean
  isDisabled: boolean
  isAsking: boolean
  setAsking: (isAsking: boolean) => void
  noteId: string
  /** Null where nothing can be cut. */
  cut: CutAct | null
  onOne: () => void
  onAll: () => void
}) {
  return isAsking ? (
    <div
      role="group"
      aria-label="Replace all?"
      className="ml-auto flex flex-wrap items-center gap-2.5 max-sm:w-full"
    >
      <span className="text-small font-semibold max-sm:w-full">
        {act} all {inFigures(count)}?
      </span>
      <Button size="small" className="max-sm:flex-1" onClick={() => setAsking(false)}>
        Cancel
      </Button>
      <Button size="small" variant="primary" className="max-sm:flex-1" onClick={onAll}>
        {act} all {inFigures(count)}
      </Button>
    </div>
  ) : (
    <div className="ml-auto flex flex-wrap justify-end gap-2.5 max-sm:w-full">
      {cut ? (
        <Button
          size="small"
          variant="quiet"
          className="px-2.5! tabular-nums max-sm:w-full"
          onClick={cut.run}
        >
          {cut.label} all {inFigures(count)}
        </Button>
      ) : null}
      <Button
        size="small"
        className="max-sm:flex-1"
        disabled={isDisabled}
        aria-describedby={noteId}
        onClick={onOne}
      >
        {act}
      </Button>
      <Button
        size="small"
        variant="primary"
        className="tabular-nums max-sm:flex-1"
        disabled={isDisabled}
        pending={isBusy}
        aria-describedby={noteId}
        onClick={count < MANY_HITS ? onAll : () => setAsking(true)}
      >
        {act} all{count > 0 ? ` ${inFigures(count)}` : ''}
      </Button>
    </div>
  )
}

function goToOpenTurn(): void {
  const field = document.querySelector<HTMLElement>('[data-turn] textarea')
  field?.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
}

const leftInWords = (left: number): string =>
  left === 1
    ? '1 place has changed and was left as it is.'
    : `${left.toLocaleString('en-US')} places have changed and were left as they are.`

/** A value as it was when it last stayed the same for a while. */
function useRested(value: string, ms: number): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return rested
}
